import type { TypedDocumentString } from './documents.ts'

interface Reply<Answer> {
  readonly data?: Answer | null
  readonly errors?: readonly { readonly message: string; readonly path?: readonly unknown[] }[]
}

/** Sends a query whose document has the type of its data. */
export async function ask<Answer, Variables>(
  { url, key }: { readonly url: string; readonly key: string },
  document: TypedDocumentString<Answer, Variables>,
  ...[variables]: Variables extends Record<string, never> ? [] : [Variables]
): Promise<Answer> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: document.toString(), variables }),
  })
  const { data, errors = [] } = (await response.json()) as Reply<Answer>
  const [error] = errors
  if (error) throw new Error(`${error.path?.join('.') ?? 'query'}: ${error.message}`)
  if (!data) throw new Error(`HTTP ${response.status}, and no data`)
  return data
}

type Cell = string | number | boolean | null

/** A text table of rows under column names, with numbers aligned to the right. */
export function tableOf<Row extends object>(
  rows: readonly Row[],
  columns: Readonly<Record<string, (row: Row) => Cell>>,
): string {
  const names = Object.keys(columns)
  const cells = rows.map((row) => Object.values(columns).map((cell) => cell(row)))
  const widths = names.map((name, at) =>
    Math.max(name.length, ...cells.map((line) => String(line[at] ?? '–').length)),
  )
  const lineOf = (line: readonly Cell[]) =>
    line
      .map((cell, at) => {
        const text = String(cell ?? '–')
        const width = widths[at] ?? 0
        return typeof cell === 'number' ? text.padStart(width) : text.padEnd(width)
      })
      .join('  ')
      .trimEnd()
  return [names, ...cells].map((line) => `  ${lineOf(line)}\n`).join('')
}
