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

/** Words of the place where the product is made, which say nothing to those who read and run it. */
export function foreignWords(path: string, text: string): string[] {
  return text.split('\n').flatMap((line, i) =>
    forbidden
      .filter(({ exceptIn }) => !exceptIn?.test(path))
      .flatMap(({ word }) => word.exec(line)?.slice(0, 1) ?? [])
      .map((found) => `${path}:${i + 1}: ${found}`),
  )
}
