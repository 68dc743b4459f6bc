/** A workbook of Excel, which other spreadsheets save too, by its name. */
const isWorkbook = (name: string) => /\.xlsx$/i.test(name)

/** A date of a cell has no zone: midnight is a day. */
const textOf = (cell: Date) => cell.toISOString().replace(/T00:00:00\.000Z$/, '')

/**
 * A file that people chose, with the first filled sheet of a workbook as CSV; other files stay unchanged. Where other sheets
 * are filled too, the name says which one was taken.
 * @throws where it cannot be read as a workbook
 */
export async function readable(file: File): Promise<File> {
  if (!isWorkbook(file.name)) return file
  const [{ default: readWorkbook }, { stringify }] = await Promise.all([
    import('read-excel-file/universal'),
    import('csv-stringify/browser/esm/sync'),
  ])
  const sheets = (await readWorkbook(file)).filter(({ data }) => data.length > 0)
  const [first] = sheets
  const name = first && sheets.length > 1 ? `${file.name} (${first.sheet})` : file.name
  const rows = (first?.data ?? []).map((row) =>
    row.map((cell) => (cell instanceof Date ? textOf(cell) : cell)),
  )
  const written = { cast: { boolean: (cell: boolean) => String(cell) } }
  return new File([stringify(rows, written)], name, { type: 'text/csv' })
}
