import { t } from '../texts/texts.ts'
import type { Written } from './csv.ts'

/** Offers a file to the browser's downloads, named by the card that it comes from. */
export function saveFile(title: string, extension: string, content: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = `${title.toLowerCase().replaceAll(/\W+/g, '-')}.${extension}`
  link.click()
  URL.revokeObjectURL(link.href)
}

/** Offers lines over time as a CSV file, one row a step. */
export function saveLines(
  title: string,
  steps: readonly string[],
  lines: readonly { readonly name: string; readonly values: readonly (number | null)[] }[],
): Promise<void> {
  const columns = [
    { name: t.overview.date, value: (at: number) => steps[at] ?? '' },
    ...lines.map(({ name, values }) => ({ name, value: (at: number) => values[at] ?? null })),
  ]
  return saveCsv(title, columns, [...steps.keys()])
}

/** Offers rows as a CSV file. What writes it is read with the first file. */
export async function saveCsv<Row>(
  title: string,
  columns: readonly Written<Row>[],
  rows: readonly Row[],
): Promise<void> {
  const { csvOf } = await import('./csv.ts')
  saveFile(title, 'csv', new Blob([csvOf(columns, rows)], { type: 'text/csv' }))
}
