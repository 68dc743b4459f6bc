import type { TypedDocumentString } from '../documents.ts'
import { ask } from './ask.ts'
import { type ListPage, variablesAt } from './pages.ts'

/** All rows of a list from its first page on, of which a page of the dashboard shows some. */
export async function wholeList<R, V extends { after?: string | null | undefined }, Row>(
  document: TypedDocumentString<R, V>,
  variables: Omit<NoInfer<V>, 'after'>,
  listOf: (answer: R) => ListPage<Row> | null | undefined,
): Promise<readonly Row[]> {
  const rows: Row[] = []
  let after: string | null = null
  do {
    const list = listOf(await ask(document, variablesAt<V>(variables, after)))
    rows.push(...(list?.nodes ?? []))
    after = list?.pageInfo.hasNextPage ? list.pageInfo.endCursor : null
  } while (after !== null)
  return rows
}
