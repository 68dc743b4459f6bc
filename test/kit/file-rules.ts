/** Files that a tool writes, and tables that are one whole. */
const anyLength =
  /^(prisma\/(generated|migrations)\/|prisma\/pothos[.]ts$|examples\/(client\/schema|graphql\/documents)[.]ts$|core\/data\/|core\/errors[.]ts$|rest\/routes[.]ts$)/

/** How many lines a file may have: 250, a test 400. Undefined for what is no code, or exempt. */
export function mostLines(path: string): number | undefined {
  if (!/[.](ts|js|cjs|mjs|sql)$/.test(path) || anyLength.test(path)) return undefined
  return path.endsWith('.test.ts') ? 400 : 250
}

/** What is wrong with the length of a file, undefined when nothing is. */
export function tooLong(path: string, text: string): string | undefined {
  const most = mostLines(path)
  const lines = text.split('\n').length - 1
  return most !== undefined && lines > most ? `${path}: ${lines} lines, ${most} at most` : undefined
}

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
