/** The score of an opportunity, and its level. */

export const impacts = ['critical', 'high', 'medium', 'low'] as const
export type Impact = (typeof impacts)[number]

/** How easy each action is, 0 to 1. */
export const easeOf = {
  allow_crawler: 1,
  fix_page: 0.9,
  fix_pages: 0.9,
  fix_site: 0.9,
  track_prompt: 0.8,
  improve_page: 0.6,
  investigate: 0.5,
  create_page: 0.4,
  get_listed: 0.3,
} as const

export type ActionType = keyof typeof easeOf

/**
 * The score of an opportunity, 0 to 100 and rounded to two decimals.
 * @param n the count of the rule, such as answers
 * @param gap how much is missing, 0 to 1
 */
export function scoreOf(n: number, gap: number, action: ActionType): number {
  const size = Math.min(1, Math.log10(1 + n) / 3)
  return Math.round((50 * size + 30 * gap + 20 * easeOf[action]) * 100) / 100
}

export function impactOf(score: number): Impact {
  if (score >= 70) return 'critical'
  if (score >= 50) return 'high'
  return score >= 30 ? 'medium' : 'low'
}

/** Whether the first impact is higher than the second. */
export function isHigher(impact: Impact, than: Impact): boolean {
  return impacts.indexOf(impact) < impacts.indexOf(than)
}
