import pg from 'pg'
import { sessionOptions } from './pools.ts'
import { endWrite } from './writes.ts'

/**
 * Runs work on one session of PostgreSQL, whose temporary tables end with it. Between transactions the session may
 * wait as long as it likes.
 */
export async function withSession<T>(
  databaseUrl: string,
  work: (session: pg.Client) => Promise<T>,
): Promise<T> {
  const session = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: 30_000,
    keepAlive: true,
    options: sessionOptions,
  })
  // The next statement reports the loss of the connection.
  session.on('error', () => undefined)
  try {
    await session.connect()
    return await work(session)
  } finally {
    endWrite()
    await session.end().catch(() => undefined)
  }
}
