/** The part of the dashboard's address that is the same for all pages. */
export interface Shown {
  readonly days?: number | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly compare?: string | undefined
  readonly platforms?: readonly string[] | undefined
  readonly topics?: readonly string[] | undefined
  readonly branded?: boolean | undefined
}

/** The address of a page of the dashboard that shows the same numbers. */
export function linkTo(baseUrl: string, project: string, page: string, shown: Shown): string {
  const { days, from, to, compare, platforms, topics, branded } = shown
  const said = {
    ...(from && to ? { from, to } : { days: String(days ?? 30) }),
    compare: compare ?? 'none',
    ...(platforms && { platforms: platforms.join() }),
    ...(topics && { topics: topics.join() }),
    ...(branded !== undefined && { branded: branded ? 'yes' : 'no' }),
  }
  return `${baseUrl}/projects/${project}/${page}?${new URLSearchParams(said)}`
}
