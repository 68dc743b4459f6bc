/** The cluster that a URL of ClickHouse names in its parameter `cluster`; undefined for one server. */
export const clusterOf = (url: string): string | undefined =>
  new URL(url).searchParams.get('cluster') ?? undefined
