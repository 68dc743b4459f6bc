import type { MaybeOptionalInit } from 'openapi-fetch'
import type { Answer, Call, PathOf } from './rest.ts'
import type { paths } from './schema.ts'

interface ByOffset {
  readonly pagination: { readonly hasMore: boolean; readonly nextOffset?: number | null }
}

interface ByCursor {
  readonly hasMore: boolean
  readonly nextCursor: string | null
}

/** The paths whose answer is a page of a list. */
export type ListPath = {
  [Path in PathOf<'get'>]: Answer<Path> extends ByOffset | ByCursor ? Path : never
}[PathOf<'get'>]

/** The keys of a page that hold its rows. */
export type RowsKey<Page> = {
  [Key in keyof Page]: Page[Key] extends readonly unknown[] ? Key : never
}[keyof Page]

export type RowOf<List> = List extends readonly (infer Row)[] ? Row : never

/** How to ask for the page after this one: its cursor or offset. Undefined after the last. */
function nextOf(page: object): Record<string, unknown> | undefined {
  const { pagination, hasMore, nextCursor } = page as Partial<ByOffset & ByCursor>
  if (pagination) return pagination.hasMore ? { offset: pagination.nextOffset } : undefined
  return hasMore && nextCursor ? { cursor: nextCursor } : undefined
}

/** Each page of a list, the first one with the options given. */
export async function* pagesOf<
  Path extends ListPath,
  Options extends MaybeOptionalInit<paths[Path], 'get'>,
>(get: Call<'get'>, path: Path, options: Options): AsyncGenerator<Answer<Path>, void, undefined> {
  // The types of an operation are computed only where its path is known.
  const ask = get as unknown as (path: Path, options: object) => Promise<Answer<Path> & object>
  const { params, ...rest } = { ...(options as { params?: { query?: object } } | undefined) }
  let query = { ...params?.query }
  for (;;) {
    const page = await ask(path, { ...rest, params: { ...params, query } })
    yield page
    const next = nextOf(page)
    if (!next) return
    query = { ...query, ...next }
  }
}
