import type { TypedDocumentString } from './documents.ts'

interface Reply<Answer> {
  readonly data?: Answer | null
  readonly errors?: readonly {
    readonly message: string
    readonly path?: readonly unknown[]
    readonly extensions?: { readonly code?: string }
  }[]
}

interface Service {
  readonly url: string
  readonly key: string
}

async function post<Answer>({ url, key }: Service, body: object): Promise<Reply<Answer>> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return response.json()
}

/**
 * Sends the hash of a query, whose document has the type of its data. A service without the list of documents gets
 * the text.
 */
export async function ask<Answer, Variables>(
  service: Service,
  document: TypedDocumentString<Answer, Variables>,
  ...[variables]: Variables extends Record<string, never> ? [] : [Variables]
): Promise<Answer> {
  let reply = await post<Answer>(service, { documentId: document.__meta__?.hash, variables })
  if (reply.errors?.[0]?.extensions?.code === 'unknown_document') {
    reply = await post<Answer>(service, { query: document.toString(), variables })
  }
  const [error] = reply.errors ?? []
  if (error) throw new Error(`${error.path?.join('.') ?? 'query'}: ${error.message}`)
  if (!reply.data) throw new Error('The service gave no data.')
  return reply.data
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
