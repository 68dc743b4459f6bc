import { aiReadinessChecks } from './ai-readiness.ts'
import type { CheckCategory, CheckEntry, Evidence } from './check.ts'
import { citedChecks } from './cited.ts'
import { contentChecks } from './content.ts'
import { technicalChecks } from './technical.ts'

const table = { ...technicalChecks, ...contentChecks, ...aiReadinessChecks, ...citedChecks }

/** The id of a check: the `type` of an issue. */
export type CheckId = keyof typeof table

export interface Check extends CheckEntry {
  readonly id: CheckId
  readonly category: CheckCategory
  readonly insteadOf: readonly CheckId[]
  /** The id in words, which is the title of an issue. */
  readonly title: string
}

/** Words of ids that a title spells in another way. */
const spellings: Record<string, string> = {
  ai: 'AI',
  dom: 'DOM',
  h1: 'H1',
  html: 'HTML',
  https: 'HTTPS',
  javascript: 'JavaScript',
  url: 'URL',
  urls: 'URLs',
}

function titleOf(id: string): string {
  const words = id.split('-').map((word) => spellings[word] ?? word)
  const title = words
    .join(' ')
    .replace('llms txt', 'llms.txt')
    .replace(/^robots /, 'robots.txt ')
  return /^(?:llms|robots)/.test(title) ? title : title.charAt(0).toUpperCase() + title.slice(1)
}

const listOf = (category: CheckCategory, entries: Record<string, CheckEntry>) =>
  Object.entries(entries).map(([id, entry]) => ({
    ...entry,
    id: id as CheckId,
    category,
    insteadOf: (entry.insteadOf ?? []) as readonly CheckId[],
    title: titleOf(id),
  }))

/** The catalogue: every check, in the order of the documentation. */
export const checks: readonly Check[] = [
  ...listOf('technical', technicalChecks),
  ...listOf('content', contentChecks),
  ...listOf('aiReadiness', { ...aiReadinessChecks, ...citedChecks }),
]

const byId = new Map<string, Check>(checks.map((check) => [check.id, check]))

/** The check with an id, undefined for an id that the catalogue no longer has. */
export function findCheck(id: string): Check | undefined {
  return byId.get(id)
}

/** The check of a known id. */
export function checkOf(id: CheckId): Check {
  return byId.get(id) as Check
}

/** The description of an issue: the condition of its check with the figures that were found. */
export function describeFinding(check: CheckEntry, n: number, evidence: Evidence): string {
  return check.found?.(n, evidence) ?? check.condition
}

/** A fault that a check found. */
export interface Finding {
  readonly check: CheckId
  readonly affectedCount: number
  /** At most 20 entries and 8,000 bytes. */
  readonly evidence: Evidence
}

/** The outcome of all checks for a page, or for the site at an origin. */
export interface Verdict {
  readonly findings: readonly Finding[]
  /** Checks whose condition was decided, true or false. Others leave their issues unchanged. */
  readonly evaluated: readonly CheckId[]
  /** Checks that a finding replaces: their issues resolve as `superseded`. */
  readonly superseded: readonly CheckId[]
  /** The part of `superseded` whose condition is true: the page fails these checks too. */
  readonly alsoFailed?: readonly CheckId[]
}

/** The part of a page in the scores of an audit. */
export type Standing =
  /** It has scores of its own. */
  | 'judged'
  /** It stands for another page, and has no scores. */
  | 'elsewhere'
  /** robots.txt of its origin cannot be read, so that its scores are 0. */
  | 'closed'
  /** It was skipped, or gave an answer that no check judges. It has no scores. */
  | 'unjudged'
