import {
  Client,
  type ClientOptions,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { onTestFinished } from 'vitest'
import type { Table } from '../../mcp/table.ts'

/** The eras of the protocol that clients speak: without sessions, and with the handshake of before. */
export const eras = {
  modern: { mode: { pin: '2026-07-28' } },
  legacy: { mode: 'legacy' },
} satisfies Record<string, ClientOptions['versionNegotiation']>

/** The official client, connected with a key. It closes with the test. */
export async function connect(
  url: string,
  key: string,
  era: keyof typeof eras = 'modern',
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: eras[era] })
  const headers = { authorization: `Bearer ${key}` }
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }),
  )
  onTestFinished(() => client.close())
  return client
}

/** The text of a tool's answer, which is the same as its structure. */
export async function callTool(client: Client, name: string, given: Record<string, unknown> = {}) {
  const {
    content,
    structuredContent,
    isError = false,
  } = await client.callTool({
    name,
    arguments: given,
  })
  const [first] = content
  const text = first?.type === 'text' ? first.text : ''
  return { text, structure: structuredContent, isError }
}

/** The rows of a table by the names of its columns. */
export function recordsOf({ columns, rows }: Pick<Table, 'columns' | 'rows'>) {
  return rows.map((row) => Object.fromEntries(columns.map((name, i) => [name, row[i]])))
}
