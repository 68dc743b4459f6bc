/** The part of the dashboard's address that is the same for all pages. */
export interface Shown {
  readonly days?: number | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly compare?: string | undefined
  readonly platforms?: readonly string[] | undefined
  readonly topics?: readonly string[] | undefined
  readonly branded?: boolean | undefined
  readonly how?: readonly string[] | undefined
}

/** The address of a page of the dashboard that shows the same numbers. */
export function linkTo(baseUrl: string, project: string, page: string, shown: Shown): string {
  const { days, from, to, compare, platforms, topics, branded, how } = shown
  const said = {
    ...(from && to ? { from, to } : { days: String(days ?? 30) }),
    compare: compare ?? 'none',
    ...(platforms && { platforms: platforms.join() }),
    ...(topics && { topics: topics.join() }),
    ...(branded !== undefined && { branded: branded ? 'yes' : 'no' }),
    ...(how && { how: how.join() }),
  }
  return `${baseUrl}/projects/${project}/${page}?${new URLSearchParams(said)}`
}

/** What has a page of its own in the dashboard. */
export type Linked = 'brand' | 'topic' | 'prompt' | 'source' | 'page' | 'answer' | 'audit'

const pages: Readonly<Record<Linked, string>> = {
  brand: 'competitors',
  topic: 'overview',
  prompt: 'prompts',
  source: 'sources',
  page: 'sources',
  answer: 'answers',
  audit: 'site-audit',
}

/** The address of the page of one thing, by its id, domain or URL. It is always one of this service. */
export function linkToOne(baseUrl: string, project: string, kind: Linked, key: string): string {
  const page = `${baseUrl}/projects/${project}/${pages[kind]}`
  if (kind === 'topic') return `${page}?${new URLSearchParams({ topics: key })}`
  if (kind === 'audit' || (kind === 'brand' && key === project)) return page
  return `${page}/${encodeURIComponent(key)}`
}
