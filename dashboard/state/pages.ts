import { type UseQueryResult, useInfiniteQuery } from '@tanstack/react-query'
import type { TypedDocumentString } from '../documents.ts'
import { ask, type Prefetch } from './ask.ts'

/** A page of a list. */
export interface ListPage<Row> {
  readonly nodes: readonly Row[]
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
}

export interface Paged<R, Row> {
  /** The first page, with the fields next to its list. */
  readonly query: Pick<UseQueryResult<R, Error>, 'data' | 'error' | 'refetch' | 'isPlaceholderData'>
  /** The rows of all pages so far. */
  readonly rows: readonly Row[]
  /** Reads the next page; undefined at the end. */
  readonly more: (() => void) | undefined
  readonly isLoadingMore: boolean
}

type ListOf<R, Row> = (answer: R) => ListPage<Row> | null | undefined

/** The variables of a list with the cursor of a page. */
export const variablesAt = <V extends { after?: string | null | undefined }>(
  variables: Omit<NoInfer<V>, 'after'>,
  after: string | null,
): V =>
  // `Omit` has taken the cursor out of the type of the variables.
  ({ ...variables, after }) as unknown as V

const questionOf = <R, V extends { after?: string | null | undefined }, Row>(
  document: TypedDocumentString<R, V>,
  variables: Omit<NoInfer<V>, 'after'>,
  listOf: ListOf<R, Row>,
) => ({
  queryKey: [document.toString(), variables, 'pages'],
  queryFn: ({ pageParam, signal }: { pageParam: string | null; signal: AbortSignal }) =>
    ask(document, variablesAt<V>(variables, pageParam), { signal }),
  initialPageParam: null as string | null,
  getNextPageParam: (answer: R) => {
    const pageInfo = listOf(answer)?.pageInfo
    return pageInfo?.hasNextPage ? pageInfo.endCursor : null
  },
})

/** Asks for the first page of a list before it is drawn. */
export const prefetchPages =
  <R, V extends { after?: string | null | undefined }, Row>(
    document: TypedDocumentString<R, V>,
    variables: Omit<NoInfer<V>, 'after'>,
    listOf: ListOf<R, Row>,
  ): Prefetch =>
  (queries) =>
    void queries.prefetchInfiniteQuery(questionOf(document, variables, listOf))

/** A list that grows page by page as the reader asks for more. */
export function usePages<R, V extends { after?: string | null | undefined }, Row>(
  document: TypedDocumentString<R, V>,
  variables: Omit<NoInfer<V>, 'after'>,
  listOf: ListOf<R, Row>,
): Paged<R, Row> {
  const found = useInfiniteQuery(questionOf(document, variables, listOf))
  const { data, error, refetch, isPlaceholderData, hasNextPage, fetchNextPage } = found
  return {
    query: {
      data: data?.pages[0],
      error,
      refetch,
      isPlaceholderData,
    } as Paged<R, Row>['query'],
    rows: data?.pages.flatMap((page) => listOf(page)?.nodes ?? []) ?? [],
    more: hasNextPage ? () => void fetchNextPage() : undefined,
    isLoadingMore: found.isFetchingNextPage,
  }
}
