import { type Asked, askedIn } from '../../resolvers/shared/asked.ts'
import type { Cell } from '../../resolvers/shared/samples/cell.ts'
import type { SourceColumn } from '../../resolvers/sources/compared.sql.ts'
import { type SourceBefore, sourcesBefore } from '../../resolvers/sources/compared.ts'
import type { DomainRow } from '../../resolvers/sources/sources.ts'
import type { UrlRow } from '../../resolvers/sources/urls.ts'
import { scopeOf } from '../kit/authorize.ts'
import { together } from '../kit/batch.ts'
import { builder } from '../kit/builder.ts'
import { changeField, changesMeaning, countChangeField } from '../kit/change.ts'
import type { Context } from '../kit/context.ts'
import { sourceDomain } from './sources.ts'
import { sourceUrl } from './urls.ts'

/** Changes of cited domains and URLs. Their `nodeId` holds the comparison, as it holds the window. */

interface Compared<Row> {
  readonly row: Row
  readonly before: SourceBefore
}

const readers = { domain: sourcesBefore('domain'), url: sourcesBefore('url') }

/** A source beside itself in the compared window; null without a comparison. All sources of a list take one statement. */
async function comparedWith<Row extends { readonly projectId: string; readonly cell: Cell }>(
  row: Row,
  column: SourceColumn,
  { asked, name }: { readonly asked: Asked; readonly name: string },
  context: Context,
): Promise<Compared<Row> | null> {
  if (asked.compare === undefined) return null
  const { scope, args } = askedIn(await scopeOf(context, row.projectId), asked)
  const of = { scope, name, cell: row.cell }
  const before = await together(context, `sources.${column}s-before`, of, args, readers[column])
  return before && { row, before }
}

const usageOf = <Row extends DomainRow | UrlRow>({ row, before }: Compared<Row>) => ({
  now: row.usage,
  before: before.usage,
  cell: row.cell,
  previousCell: before.cell,
})

const domainChanges = builder.objectRef<Compared<DomainRow>>('SourceDomainChanges').implement({
  description: 'Changes of a cited domain since an earlier window.',
  fields: (t) => ({
    citationRate: changeField(
      t,
      'domainCited',
      'Change of the percent of answers that cite the domain; null where it was not cited before.',
      usageOf,
    ),
    citationCount: countChangeField(t, 'the number of citations of the domain', (it) => {
      return { now: it.row.totalCitations, before: it.before.citations }
    }),
    citedIn: countChangeField(t, 'the number of answers that cite the domain', (it) => {
      return { now: it.row.frequency, before: it.before.citing }
    }),
  }),
})

const urlChanges = builder.objectRef<Compared<UrlRow>>('SourceUrlChanges').implement({
  description: 'Changes of a cited URL since an earlier window.',
  fields: (t) => ({
    citationRate: changeField(
      t,
      'urlCited',
      'Change of the percent of answers that cite the URL; null where it was not cited before.',
      usageOf,
    ),
    citedIn: countChangeField(t, 'the number of answers that cite the URL', (it) => {
      return { now: it.row.responsesWithUrl, before: it.before.citing }
    }),
  }),
})

const options = {
  nullable: true,
  view: 'graph',
  description: `${changesMeaning} Null without \`compare\`.`,
} as const

builder.objectField(sourceDomain, 'changes', (t) =>
  t.field({
    ...options,
    type: domainChanges,
    resolve: (row, _args, context) =>
      comparedWith(row, 'domain', { asked: row.asked, name: row.domain }, context),
  }),
)

builder.objectField(sourceUrl, 'changes', (t) =>
  t.field({
    ...options,
    type: urlChanges,
    resolve: (row, _args, context) => {
      const { domain: _within, ...asked } = row.asked
      return comparedWith(row, 'url', { asked, name: row.url }, context)
    },
  }),
)
