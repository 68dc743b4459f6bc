import type { PageArgs } from '../../core/pagination.ts'
import { undressed } from '../../core/sites/cited-url.ts'
import { resolveWindow, type WindowArgs, yearWindow } from '../../core/window.ts'
import { run } from '../../warehouse/run.ts'
import { slicesOf } from '../shared/asked.ts'
import type { FilterArgs } from '../shared/filters.ts'
import { factsOf, type ManyRow, rowsOfMany } from '../shared/many.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { eachOf } from './objects.ts'
import { retrievedOfEach } from './retrieved.sql.ts'

/** A URL that AI assistants read for answers which do not cite it. */
export interface RetrievedUrl {
  readonly projectId: string
  readonly url: string
  readonly domain: string
  /** The newest title; empty when no answer gave a title. */
  readonly title: string
  /** Number of answers. */
  readonly responses: number
  /** URLs of the whole list. */
  readonly total: number
}

type Selection = WindowArgs & FilterArgs

async function readRetrieved(
  scopes: readonly ProjectScope[],
  args: Selection,
  wanted: PageArgs | { readonly urls: readonly string[] },
): Promise<(readonly (RetrievedUrl & ManyRow)[] | Error)[]> {
  const [first] = scopes
  if (first === undefined) return []
  const range = resolveWindow(args, yearWindow, first.now)
  return rowsOfMany<RetrievedUrl & ManyRow>(scopes, args, (many) => {
    const { facts, params } = factsOf(many, range)
    return run<RetrievedUrl & ManyRow>(first.warehouse, {
      id: 'sources.retrieved',
      settled: true,
      sql: retrievedOfEach(facts, 'urls' in wanted),
      params: { ...params, ...wanted },
    })
  })
}

/** A page of the URLs that were only read, for each project or slice: most answers first, ties by URL. */
export function retrievedUrls(
  scopes: readonly ProjectScope[],
  { limit, offset, ...args }: Selection & PageArgs,
): Promise<(readonly RetrievedUrl[] | Error)[]> {
  return readRetrieved(scopes, args, { limit, offset })
}

/** For each URL, the number of answers for which it was read and not cited. */
export async function timesRetrieved(
  wanted: readonly { readonly scope: ProjectScope; readonly url: string }[],
  args: Selection,
): Promise<(number | Error)[]> {
  const scopes = slicesOf(wanted)
  const urls = [...new Set(wanted.map(({ url }) => url))]
  const found = await readRetrieved(scopes, args, { urls })
  return eachOf(wanted, scopes, found, (rows, of) => {
    const page = undressed(of.url)
    return rows.find(({ url }) => undressed(url) === page)?.responses ?? 0
  })
}
