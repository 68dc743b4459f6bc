import { dirname } from 'node:path'

/** Files that a tool writes, and lists and tables. */
const anyLength =
  /^(prisma\/(generated|migrations)\/|prisma\/pothos[.]ts$|examples\/(client\/schema|graphql\/documents)[.]ts$|dashboard\/(documents|texts\/[a-z]+)[.]ts$|core\/data\/|core\/errors[.]ts$|core\/checks\/technical[.]ts$|rest\/routes[.]ts$|web\/([a-z]+-)?examples[.]ts$)/

/** The most lines that a file may have: 300, a test 400. Undefined for a file that is no code, or exempt. */
export function mostLines(path: string): number | undefined {
  if (!/[.](tsx?|js|cjs|mjs|sql)$/.test(path) || anyLength.test(path)) return undefined
  return path.endsWith('.test.ts') ? 400 : 300
}

/** The fault of a file that is too long, undefined for any other. */
export function tooLong(path: string, text: string): string | undefined {
  const most = mostLines(path)
  const lines = text.split('\n').length - 1
  return most !== undefined && lines > most ? `${path}: ${lines} lines, ${most} at most` : undefined
}

const MOST_FILES = 25

/** Folders with more than 25 files beside their own folders. Files that a tool writes count nowhere. */
export function crowdedFolders(paths: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const path of paths.filter((path) => !path.startsWith('prisma/generated/'))) {
    counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1)
  }
  return [...counts]
    .filter(([, count]) => count > MOST_FILES)
    .map(([folder, count]) => `${folder}: ${count} files, ${MOST_FILES} at most`)
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
