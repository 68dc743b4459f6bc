import type { CheckSeverity } from './check.ts'
import { type CheckId, checkOf, type Standing } from './checks.ts'

/** Scores from 0 to 100, with two decimals. */
export interface Scores {
  readonly overall: number
  readonly technical: number
  readonly content: number
  readonly aiReadiness: number
}

/** A page of an audit with its issues. Ignored issues are left out. */
export interface ScoredPage {
  readonly standing: Standing
  readonly checks: readonly CheckId[]
}

/** The part of one check in the points that an audit lost. */
export interface ScoreLoss {
  readonly type: CheckId
  /** Points of the overall score. Those of all checks add up to 100 less the score, unless a score fell below 0. */
  readonly points: number
  /** Pages with an issue of the check; 0 for a check of the site. */
  readonly pages: number
}

/** Whole points of each category. */
interface Points {
  readonly technical: number
  readonly content: number
  readonly aiReadiness: number
}

const none: Points = { technical: 0, content: 0, aiReadiness: 0 }
const all: Points = { technical: 100, content: 100, aiReadiness: 100 }

const plus = (a: Points, b: Points): Points => ({
  technical: a.technical + b.technical,
  content: a.content + b.content,
  aiReadiness: a.aiReadiness + b.aiReadiness,
})

/** The overall points, times 10: 0.3 · technical + 0.2 · content + 0.5 · AI readiness. */
const weighted = ({ technical, content, aiReadiness }: Points) =>
  3 * technical + 2 * content + 5 * aiReadiness

const bySeverity: Record<CheckSeverity, number> = { critical: 50, high: 20, medium: 8, low: 3 }

/** What an issue of a check costs. */
function pointsOf(id: CheckId): Points {
  const { severity, category, mark } = checkOf(id)
  if (mark === 'blocks') return all
  if (mark === 'elsewhere' && id !== 'redirect-chain') return none
  const own = { ...none, [category]: bySeverity[severity] }
  return mark === 'hides' ? plus(own, { technical: 0, content: 100, aiReadiness: 100 }) : own
}

/** What an issue of a check costs the overall score of its page, or of the site. */
export const overallPointsOf = (id: CheckId) => weighted(pointsOf(id)) / 10

const sumOf = (ids: readonly CheckId[]) => ids.map(pointsOf).reduce(plus, none)

const floored = (value: Points): Points => ({
  technical: Math.max(0, value.technical),
  content: Math.max(0, value.content),
  aiReadiness: Math.max(0, value.aiReadiness),
})

/** A quotient of whole numbers, rounded to two decimals without a double in between. */
const rounded = (numerator: number, denominator: number) =>
  Math.floor((200 * numerator + denominator) / (2 * denominator)) / 100

/** Scores from points that are all over one denominator. */
function scoresOf(points: Points, denominator: number): Scores {
  return {
    overall: rounded(weighted(points), 10 * denominator),
    technical: rounded(points.technical, denominator),
    content: rounded(points.content, denominator),
    aiReadiness: rounded(points.aiReadiness, denominator),
  }
}

/** The whole points that a page keeps; null for a page without scores. */
function keptOf({ standing, checks }: ScoredPage): Points | null {
  if (standing === 'closed') return none
  if (standing !== 'judged') return null
  const lost = sumOf(checks)
  return floored({
    technical: 100 - lost.technical,
    content: 100 - lost.content,
    aiReadiness: 100 - lost.aiReadiness,
  })
}

/** The scores of a page; null for a page that stands for another, or was not judged. */
export function pageScores(page: ScoredPage): Scores | null {
  const kept = keptOf(page)
  return kept === null ? null : scoresOf(kept, 1)
}

/** Checks of the site, each once however many origins it is found at. A blocking check already costs its pages all. */
const siteChecks = (site: readonly CheckId[]) =>
  [...new Set(site)].filter((id) => checkOf(id).mark !== 'blocks')

/** The scores of an audit: the mean of its pages, less the points of the site. Null without a page that has scores. */
export function auditScores(pages: readonly ScoredPage[], site: readonly CheckId[]): Scores | null {
  const kept = pages.map(keptOf).filter((points) => points !== null)
  if (kept.length === 0) return null
  const sum = kept.reduce(plus, none)
  const lost = sumOf(siteChecks(site))
  const left = floored({
    technical: sum.technical - kept.length * lost.technical,
    content: sum.content - kept.length * lost.content,
    aiReadiness: sum.aiReadiness - kept.length * lost.aiReadiness,
  })
  return scoresOf(left, kept.length)
}

/** The points that each check costs the overall score of an audit, the largest first. */
export function scoreBreakdown(
  pages: readonly ScoredPage[],
  site: readonly CheckId[],
): ScoreLoss[] {
  const scored = pages.filter((page) => keptOf(page) !== null)
  if (scored.length === 0) return []
  const counts = new Map<CheckId, number>()
  for (const { standing, checks } of scored) {
    for (const id of standing === 'closed' ? (['robots-unreachable'] as const) : new Set(checks)) {
      counts.set(id, (counts.get(id) ?? 0) + 1)
    }
  }
  const ofPages = [...counts].map(([type, pages]) => ({
    type,
    points: (weighted(pointsOf(type)) * pages) / (10 * scored.length),
    pages,
  }))
  const ofSite = siteChecks(site).map((type) => ({
    type,
    points: overallPointsOf(type),
    pages: 0,
  }))
  return [...ofPages, ...ofSite]
    .filter(({ points }) => points > 0)
    .toSorted((a, b) => b.points - a.points || (a.type < b.type ? -1 : 1))
}
