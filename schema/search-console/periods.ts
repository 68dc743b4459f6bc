import type { SearchKey } from '../../resolvers/search-console/search-console.sql.ts'
import { type Head, searchPeriods } from '../../resolvers/search-console/search-console.ts'
import { batched } from '../../resolvers/shared/batch.ts'
import { dateRangeBlock, type FieldsOf } from '../kit/report-fields.ts'

/** The windows of which totals by a key are known, without days. */
export const periodsField = <List extends Head>(t: FieldsOf<List>, key: SearchKey) =>
  t.field({
    type: [dateRangeBlock],
    view: 'graph',
    description: `Windows that totals by ${key} are of, the newest first. Of Bing they are weeks, and a report counts each week that ends in its window. Of Google they are the periods of exports of its web page, and another window counts rows by day.`,
    resolve: ({ scope, engine }) =>
      batched('search-console.periods', scope, { key, engine }, searchPeriods),
  })
