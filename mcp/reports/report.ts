import type { AboutFragment, CollectedFragment, TypedDocumentString } from '../documents.ts'
import { type Column, rowsOf } from '../table.ts'

interface Connection<Row> {
  readonly nodes: readonly Row[]
  readonly totalCount: number
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor?: string | null }
}

interface Range {
  readonly from: string
  readonly to: string
}

/** What a report found, before it is a table. */
export interface Found {
  readonly window?: (Range & { readonly comparedWith?: Range }) | undefined
  readonly method?: object | undefined
  readonly columns: readonly string[]
  readonly rows: ReturnType<typeof rowsOf>['rows']
  readonly total: number
  /** The cursor of the next page; undefined for a whole list, which is cut here. */
  readonly next?: string | null | undefined
  readonly notes?: readonly string[]
}

/** The filters that a report knows. Another one is refused, not ignored. */
export type FilterWord = 'platforms' | 'topics' | 'countries' | 'branded' | 'obtained' | 'answers'

export const answerFilters: readonly FilterWord[] = [
  'platforms',
  'topics',
  'countries',
  'branded',
  'obtained',
]

export interface Report {
  readonly document: TypedDocumentString<unknown, never>
  /** The page of the dashboard that shows the same. */
  readonly page: string
  readonly filters: readonly FilterWord[]
  readonly hasWindow: boolean
  readonly canCompare: boolean
  readonly sorts?: readonly string[] | undefined
  readonly found: (project: unknown, isCompared: boolean) => Found
}

interface Facts extends Partial<Pick<Report, 'filters' | 'hasWindow' | 'canCompare' | 'sorts'>> {
  readonly page: string
}

/** A report of a document: what it takes, and how its answer is read. */
export function report<R extends { readonly project?: unknown }, V>(
  document: TypedDocumentString<R, V>,
  facts: Facts,
  found: (project: NonNullable<R['project']>, isCompared: boolean) => Found,
): Report {
  const text = document.toString()
  return {
    filters: answerFilters,
    hasWindow: text.includes('$window'),
    canCompare: text.includes('$compare'),
    ...facts,
    document,
    // What the document answered with.
    found: (project, isCompared) => found(project as NonNullable<R['project']>, isCompared),
  }
}

function methodOf(method: CollectedFragment | null | undefined) {
  if (!method) return undefined
  return {
    answers: method.sample.answerCount,
    prompts: method.promptCount,
    decisionGrade: method.isDecisionGrade,
    missing: method.missing.map(({ reason }) => reason),
  }
}

/** The window and the method of a report about answers. */
export function aboutOf(about: AboutFragment | null | undefined) {
  if (!about) return {}
  const { from, to } = about.dateRange
  const comparedWith = about.comparison?.dateRange
  const window = { from, to, ...(comparedWith && { comparedWith: { ...comparedWith } }) }
  return { window, method: methodOf(about.method) }
}

/** The same of a list that has its own. */
export const rangeOf = (
  list: { readonly dateRange: Range; readonly method?: CollectedFragment } | null | undefined,
) =>
  list
    ? {
        window: { from: list.dateRange.from, to: list.dateRange.to },
        method: methodOf(list.method),
      }
    : {}

/** A page of a list. */
export function paged<Row>(
  list: Connection<Row> | null | undefined,
  columns: readonly Column<Row>[],
): Pick<Found, 'columns' | 'rows' | 'total' | 'next'> {
  const { nodes = [], totalCount = 0, pageInfo } = list ?? {}
  return {
    ...rowsOf(columns, nodes),
    total: totalCount,
    next: pageInfo?.hasNextPage ? (pageInfo.endCursor ?? null) : null,
  }
}

/** All rows of a list without pages. */
export function whole<Row>(
  rows: readonly Row[] | null | undefined,
  columns: readonly Column<Row>[],
): Pick<Found, 'columns' | 'rows' | 'total'> {
  return { ...rowsOf(columns, rows ?? []), total: rows?.length ?? 0 }
}
