import { csvOf } from '../../../rest/handler/csv.ts'
import { CliError } from '../../errors.ts'
import { columnsOf, listsOf, type Shape, valueAt } from './shape.ts'

/**
 * A list of a report as CSV: its first list, or the one that is named; a report without lists is one row.
 * @param list a path such as `trend`
 * @throws {CliError} `usage` for a list that the report has not
 */
export function csvOfReport(shape: Shape, body: unknown, list?: string): string {
  const lists = listsOf(shape)
  const found = list === undefined ? lists[0] : lists.find(({ path }) => path === list)
  if (list !== undefined && !found) {
    const names = lists.map(({ path }) => `\`${path}\``).join(', ')
    const known = names ? `Its lists are ${names}.` : 'It has no lists.'
    throw new CliError('usage', `The report has no list \`${list}\`. ${known}`, { exitCode: 2 })
  }
  const columns = found?.columns ?? columnsOf(shape)
  const rows = found ? ((valueAt(body, found.path) ?? []) as unknown[]) : [body]
  return csvOf(
    columns,
    rows.map((row) => Object.fromEntries(columns.map((path) => [path, valueAt(row, path)]))),
  )
}
