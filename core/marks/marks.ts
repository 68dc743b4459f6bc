import type { ActionType } from '../opportunities/score.ts'

/** What can be done for a brand, with what it says in a list. */
export const markKinds = {
  page_published: 'A page was published.',
  page_changed: 'A page was changed.',
  source_won: 'A source cites or lists the brand.',
  robots_opened: 'AI crawlers were let in.',
  other: 'Something else.',
} as const

export type MarkKind = keyof typeof markKinds

/** The shares of answers that are compared, with what they count. */
export const markMetrics = {
  visibility: 'Share of the answers that mention the own brand.',
  citations: 'Share of the answers that cite an own page.',
} as const

export type MarkMetric = keyof typeof markMetrics

const kindsOfActions: Readonly<Record<ActionType, MarkKind>> = {
  allow_crawler: 'robots_opened',
  create_page: 'page_published',
  fix_page: 'page_changed',
  fix_pages: 'page_changed',
  fix_site: 'page_changed',
  improve_page: 'page_changed',
  get_listed: 'source_won',
  track_prompt: 'other',
  investigate: 'other',
}

/** The kind of mark that an opportunity leaves when it is done. */
export const kindOfAction = (action: string): MarkKind =>
  kindsOfActions[action as ActionType] ?? 'other'
