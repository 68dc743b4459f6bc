import { factHits, type Hit, type Search } from '../shared/search.ts'
import { pageHits, sourceHits } from './search.sql.ts'

/** Cited domains. */
export async function searchSources(search: Search): Promise<Hit[]> {
  const rows = await factHits<{ name: string }>(search, 'sources', sourceHits)
  return rows.map(({ name }) => ({ key: name, title: name, snippet: null }))
}

/** Cited URLs by address or title. */
export async function searchPages(search: Search): Promise<Hit[]> {
  const rows = await factHits<{ url: string; name: string }>(search, 'pages', pageHits)
  return rows.map(({ url, name }) => ({ key: url, title: name || url, snippet: url }))
}
