import { type PageAsk, type PageStatement, readMany as readPages } from '../shared/reads.ts'
import type { ProjectScope } from '../shared/scope.ts'

/** Which sub-queries are meant, of whatever project, and the page of their prompts. */
export interface FanoutAsk extends PageAsk {
  readonly topQueriesLimit: number
}

/** The rows of each of several projects by one statement. All parts of a report are read at one snapshot. */
export function readMany<Row extends { projectId: string }>(
  scopes: readonly ProjectScope[],
  ask: FanoutAsk,
  statement: Omit<PageStatement, 'list'>,
): Promise<(readonly Row[] | Error)[]> {
  return readPages(scopes, ask, { ...statement, list: 'fanout' })
}
