import type { SearchKey } from '../../resolvers/search-console/search-console.sql.ts'
import { searchPeriods } from '../../resolvers/search-console/search-console.ts'
import { batched } from '../../resolvers/shared/batch.ts'
import type { ProjectScope } from '../../resolvers/shared/scope.ts'
import { dateRangeBlock, type FieldsOf } from '../kit/report-fields.ts'

/** The windows of which totals by a key are known, without days. */
export const periodsField = <List extends { readonly scope: ProjectScope }>(
  t: FieldsOf<List>,
  key: SearchKey,
) =>
  t.field({
    type: [dateRangeBlock],
    view: 'graph',
    description: `Windows that the export of the web page has totals of by ${key}, the newest first. Another window counts rows by day.`,
    resolve: ({ scope }) => batched('search-console.periods', scope, { key }, searchPeriods),
  })
