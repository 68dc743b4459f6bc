interface ForbiddenWord {
  readonly word: RegExp
  /** Files in which the word is at home. */
  readonly exceptIn?: RegExp
}

const forbidden: readonly ForbiddenWord[] = [
  { word: /registry[.]npmjs/i },
  { word: /(?<![\w.~-])[/]work[/]/ },
  { word: /[/]tmp[/]brief/ },
  {
    word: /\bshared[/](contract|data|hooks)[/]|\bshared[/](design|stack|style)[.]md/,
    exceptIn: /^test[/]/,
  },
  { word: /\bissue #?\d+\b/i },
]

/** A cast that the compiler does not check, and whether one of the three lines above says why it is right. */
interface Cast {
  readonly place: string
  readonly hasReason: boolean
}

/** Casts through `never` and `unknown` in the text of a file. */
export function uncheckedCasts(path: string, text: string): Cast[] {
  const lines = text.split('\n')
  return lines.flatMap((line, i) => {
    const isComment = /^\s*(\/\/|\*|\/\*)/
    if (!/\bas (never|unknown as)\b/.test(line) || isComment.test(line)) return []
    const above = lines.slice(Math.max(0, i - 3), i)
    return [{ place: `${path}:${i + 1}`, hasReason: above.some((each) => isComment.test(each)) }]
  })
}

/** Words of the place where the product is made, which say nothing to those who read and run it. */
export function foreignWords(path: string, text: string): string[] {
  return text.split('\n').flatMap((line, i) =>
    forbidden
      .filter(({ exceptIn }) => !exceptIn?.test(path))
      .flatMap(({ word }) => word.exec(line)?.slice(0, 1) ?? [])
      .map((found) => `${path}:${i + 1}: ${found}`),
  )
}
