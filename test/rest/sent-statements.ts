import pg from 'pg'
import { vi } from 'vitest'

/** Collects the texts of all statements that this process sends to PostgreSQL from now on. Restore mocks to end it. */
export function spyOnStatements(): string[] {
  const sent: string[] = []
  const { query } = pg.Client.prototype
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...args: unknown[]
  ) {
    const [asked] = args as [string | { text?: string }]
    sent.push(typeof asked === 'string' ? asked : (asked.text ?? ''))
    return (query as (...given: unknown[]) => unknown).apply(this, args)
  } as never)
  return sent
}

/** The tables that statements name. The statement that loads a project, with its versions, is left out. */
export const tablesIn = (statements: readonly string[]): string[] =>
  statements
    .filter((sql) => !sql.includes('"DataVersion"'))
    .flatMap((sql) => [...sql.matchAll(/"([A-Z]\w+)"/g)].map(([, name = '']) => name))
