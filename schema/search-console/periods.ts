import type { SearchKey } from '../../resolvers/search-console/search-console.sql.ts'
import { searchPeriods } from '../../resolvers/search-console/search-console.ts'
import { batched } from '../../resolvers/shared/batch.ts'
import { scopeOf } from '../kit/authorize.ts'
import { projectOf } from '../kit/lists/owner.ts'
import { dateRangeBlock, type FieldsOf } from '../kit/report-fields.ts'

/** The windows of which totals by a key are known, without days. */
export const periodsField = <List extends object>(t: FieldsOf<List>, key: SearchKey) =>
  t.field({
    type: [dateRangeBlock],
    view: 'graph',
    description: `Windows that the export of the web page has totals of by ${key}, the newest first. Another window counts rows by day.`,
    resolve: async (list, _args, context) => {
      const scope = await scopeOf(context, projectOf(list))
      return batched('search-console.periods', scope, { key }, searchPeriods)
    },
  })
