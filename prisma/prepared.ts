import pg from 'pg'
import { inStatement } from '../observability/spans.ts'
import { sessionUrl } from './pools.ts'
import { statementNames } from './statement-names.ts'
import { kindOf } from './traced.ts'

/** What the plain statements of each request go through, without the work of the catalog's client. */
export interface Prepared {
  /**
   * Runs one statement as PostgreSQL has prepared it. Values arrive as `pg` maps them. Memory hears of no write: a
   * statement changes nothing that is remembered.
   */
  $queryRawUnsafe<Rows = unknown[]>(sql: string, ...values: unknown[]): Promise<Rows>
  close(): Promise<void>
}

const mostConnections = 10
const waitMs = 10_000

/** Connects with the first statement. Broken connections are replaced. */
export function createPrepared(databaseUrl: string): Prepared {
  const pool = new pg.Pool({
    connectionString: sessionUrl(databaseUrl),
    max: mostConnections,
    connectionTimeoutMillis: waitMs,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
  })
  // The idle connection is replaced; a statement reports its own error.
  pool.on('error', () => undefined)
  const nameOf = statementNames()
  return {
    $queryRawUnsafe: <Rows>(text: string, ...values: unknown[]) =>
      inStatement('postgresql', kindOf(text), {}, async (): Promise<Rows> => {
        const found: { rows: unknown } = await pool.query({ name: nameOf(text), text, values })
        return found.rows as Rows
      }),
    close: () => pool.end(),
  }
}
