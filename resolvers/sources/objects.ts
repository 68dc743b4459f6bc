import { tooLarge } from '../../core/load/under-load.ts'
import type { PageArgs } from '../../core/pagination.ts'
import { undressed } from '../../core/sites/cited-url.ts'
import type { SourceType } from '../../core/sites/source-types.ts'
import { previousWindow, resolveWindow, type WindowArgs, yearWindow } from '../../core/window.ts'
import { run } from '../../warehouse/run.ts'
import { askedOf, keyOfScope, slicesOf } from '../shared/asked.ts'
import type { FilterArgs } from '../shared/filters.ts'
import { fitting } from '../shared/lists/budget.ts'
import { factsOf, type ManyRow, rowsOfMany } from '../shared/many.ts'
import { type ProjectScope, scopesOf } from '../shared/scope.ts'
import { sourceTypeIn } from './edges.ts'
import {
  detailsOfEach,
  domainsByName,
  pageContentSizes,
  pageContents,
  urlsOfEach,
} from './objects.sql.ts'
import type { PageContent } from './page-content.ts'
import { type DomainFacts, type DomainRow, domainRow } from './sources.ts'
import { type UrlDetails, type UrlRow, urlRow } from './urls.ts'

/** Reports of some cited URLs or domains, for any number of objects in a fixed number of statements. */

interface OfScope {
  readonly scope: ProjectScope
}

type Selection = WindowArgs & FilterArgs

interface Ranked extends ManyRow {
  readonly url: string
  readonly domain: string
  readonly cited: number
  readonly previous: number
  readonly registryType: SourceType
  readonly place: number
  readonly total: number
  readonly responses: number
}

/** The URLs to read: some by their names, or a page of the list; of some domains, or of all. */
type Wanted = { readonly domains?: readonly string[] } & (
  | PageArgs
  | { readonly urls: readonly string[] }
)

/** A URL, and how many the whole list has. */
export interface ListedUrl extends UrlRow {
  readonly total: number
}

async function rankedUrls(
  scopes: readonly ProjectScope[],
  args: Selection,
  wanted: Wanted,
): Promise<(ListedUrl[] | Error)[]> {
  const [first] = scopes
  if (first === undefined) return []
  const { warehouse, now } = first
  const range = resolveWindow(args, yearWindow, now)
  const both = { from: previousWindow(range).from, to: range.to }
  const shape = { ofDomain: wanted.domains !== undefined, named: 'urls' in wanted }
  const found = await rowsOfMany<Ranked>(scopes, args, (many) => {
    const { facts, params } = factsOf(many, both)
    return run<Ranked>(warehouse, {
      id: 'sources.urls-of-each',
      settled: true,
      sql: urlsOfEach(facts, shape),
      params: { ...params, ...wanted, currentFrom: range.from },
    })
  })
  const urls = found.flatMap((rows) => (rows instanceof Error ? [] : rows.map(({ url }) => url)))
  const details = await detailsOf(scopes, { ...args, ...range }, urls)
  return scopes.map((scope, i) => {
    const rows = found[i] ?? []
    if (rows instanceof Error) return rows
    const asked = askedOf(scope, range, args)
    return rows.map((row) => {
      const type = sourceTypeIn(scope.project, row.domain, row.registryType)
      const ranked = { ...row, type }
      const within = shape.ofDomain ? { ...asked, domain: row.domain } : asked
      const listed = urlRow(scope.project.id, ranked, details[i]?.get(undressed(row.url)), within)
      return { ...listed, total: row.total }
    })
  })
}

async function detailsOf(
  scopes: readonly ProjectScope[],
  args: Selection & { readonly from: string; readonly to: string },
  urls: readonly string[],
): Promise<Map<string, UrlDetails>[]> {
  const [first] = scopes
  if (first === undefined || urls.length === 0) return []
  const found = await rowsOfMany<UrlDetails & ManyRow>(scopes, args, (many) => {
    const { facts, where, params } = factsOf(many, args)
    return run<UrlDetails & ManyRow>(first.warehouse, {
      id: 'sources.urls-of-each.details',
      settled: true,
      sql: detailsOfEach(facts, where),
      params: { ...params, urls: [...new Set(urls)], currentFrom: args.from },
    })
  })
  return found.map(
    (rows) => new Map(rows instanceof Error ? [] : rows.map((row) => [row.page, row])),
  )
}

/** A page of the URLs that the answers of each slice cite, most answers first. */
export function citedUrls(
  scopes: readonly ProjectScope[],
  { limit, offset, ...args }: Selection & PageArgs,
): Promise<(ListedUrl[] | Error)[]> {
  return rankedUrls(scopes, args, { limit, offset })
}

/** For each wanted object the answer from the rows of its scope, or the error of the scope. */
export function eachOf<Of extends OfScope, Row, Answer>(
  wanted: readonly Of[],
  scopes: readonly ProjectScope[],
  found: readonly (readonly Row[] | Error)[],
  answer: (rows: readonly Row[], of: Of) => Answer,
): (Answer | Error)[] {
  const byScope = new Map(scopes.map((scope, i) => [keyOfScope(scope), found[i] ?? []]))
  return wanted.map((of) => {
    const rows = byScope.get(keyOfScope(of.scope)) ?? []
    return rows instanceof Error ? rows : answer(rows, of)
  })
}

/** A page of the URLs of each domain that answers cite, most answers first. */
export async function urlsOfDomains(
  wanted: readonly (OfScope & { readonly domain: string })[],
  { limit, offset, ...args }: Selection & PageArgs,
): Promise<(readonly ListedUrl[] | Error)[]> {
  const scopes = slicesOf(wanted)
  const domains = [...new Set(wanted.map(({ domain }) => domain))]
  const found = await rankedUrls(scopes, args, { domains, limit, offset })
  return eachOf(wanted, scopes, found, (rows, { domain }) =>
    rows.filter((row) => row.domain === domain),
  )
}

/**
 * Cited URLs by any address of their pages; null where no answer cites the page.
 * @param args with `domain`, URLs are ranked within it
 */
export async function urlsByName(
  wanted: readonly (OfScope & { readonly url: string })[],
  { domain, ...args }: Selection & { readonly domain?: string },
): Promise<(UrlRow | Error | null)[]> {
  const scopes = slicesOf(wanted)
  const found = await rankedUrls(scopes, args, {
    urls: [...new Set(wanted.map(({ url }) => url))],
    ...(domain === undefined ? {} : { domains: [domain] }),
  })
  return eachOf(wanted, scopes, found, (rows, of) => {
    const page = undressed(of.url)
    return rows.find(({ url }) => undressed(url) === page) ?? null
  })
}

interface DomainRanked extends Omit<DomainFacts, 'type'>, ManyRow {
  readonly registryType: SourceType
}

/** Cited domains by name; null where no answer cites the domain. */
export async function domainsOf(
  wanted: readonly (OfScope & { readonly domain: string })[],
  args: Selection,
): Promise<(DomainRow | Error | null)[]> {
  const scopes = slicesOf(wanted)
  const [first] = scopes
  if (first === undefined) return []
  const range = resolveWindow(args, yearWindow, first.now)
  const domains = [...new Set(wanted.map(({ domain }) => domain))]
  const found = await rowsOfMany<DomainRanked>(scopes, args, (many) => {
    const { facts, params } = factsOf(many, range)
    return run<DomainRanked>(first.warehouse, {
      id: 'sources.domains-by-name',
      settled: true,
      sql: domainsByName(facts),
      params: { ...params, domains, currentFrom: range.from },
    })
  })
  return eachOf(wanted, scopes, found, (rows, { scope, domain }) => {
    const row = rows.find((of) => of.domain === domain)
    if (row === undefined) return null
    const type = sourceTypeIn(scope.project, domain, row.registryType)
    return domainRow(scope.project.id, { ...row, type }, askedOf(scope, range, args))
  })
}

/** The stored text of each page; null where none is stored. */
export async function contentsOf(
  pages: readonly (OfScope & { readonly url: string })[],
): Promise<(PageContent | Error | null)[]> {
  const [first] = pages
  if (first === undefined) return []
  type Row = Omit<PageContent, 'fetchedAt'> & { fetchedMs: number }
  const projects = scopesOf(pages).map(({ project }) => project.id)
  const urls = [...new Set(pages.map(({ url }) => url))]
  const sizes = await run<{ projectId: string; page: string; sizeBytes: number }>(
    first.scope.warehouse,
    {
      id: 'sources.content-sizes',
      settled: true,
      sql: pageContentSizes,
      params: { projects, urls },
    },
  )
  const taken = await fitting(first.scope, sizes)
  const rows = await run<Row>(first.scope.warehouse, {
    id: 'sources.contents',
    settled: true,
    sql: pageContents,
    params: { projects, urls: [...new Set(taken.map(({ page }) => page))] },
  })
  const left = sizes.slice(taken.length).map(({ projectId, page }) => `${projectId} ${page}`)
  const isLeftOut = new Set(left)
  const byUrl = new Map(rows.map((row) => [`${row.projectId} ${undressed(row.url)}`, row]))
  return pages.map(({ scope, url }) => {
    const key = `${scope.project.id} ${undressed(url)}`
    const found = byUrl.get(key)
    if (isLeftOut.has(key)) {
      return tooLarge('The texts before this one fill the response. Ask for fewer texts.')
    }
    if (found === undefined) return null
    const { fetchedMs, ...page } = found
    return { ...page, fetchedAt: new Date(fetchedMs) }
  })
}
