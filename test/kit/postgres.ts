import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { withAdvisoryLock } from '../../prisma/client.ts'
import { startPostgres } from '../../prisma/embedded/postgres.ts'
import { migrateCatalog } from '../../prisma/migrate.ts'

const TEMPLATE = 'catalog_template'
const templates = new Map<string, Promise<void>>()

export interface TestPostgres {
  readonly url: string
  /** Stops the server, which keeps its data. */
  pause(): Promise<void>
  /** Ends the server as a crash does (SIGKILL). */
  kill(): Promise<void>
  /** Starts it again on the same folder and port. */
  resume(): Promise<void>
  /** Ends the server and removes its folder. */
  stop(): Promise<void>
}

/** A PostgreSQL of the test's own: a free port, a temporary folder, gone after `stop`. */
export async function startTestPostgres(): Promise<TestPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-test-'))
  const options = { dataDir: join(folder, 'postgres'), password: randomUUID() }
  let running = await startPostgres(options)
  const { url, port } = running
  return {
    url,
    pause: () => running.stop(),
    kill: async () => {
      const lock = await readFile(join(options.dataDir, 'postmaster.pid'), 'utf8')
      process.kill(Number(lock.split('\n')[0]), 'SIGKILL')
    },
    resume: async () => {
      running = await startPostgres({ ...options, port })
    },
    stop: async () => {
      await running.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The URL of a database that does not exist yet, on the server of another. */
export function newDatabaseUrl(url: string): string {
  return onDatabase(url, `test_${randomUUID().replaceAll('-', '')}`)
}

/**
 * A fresh catalog on the server: a copy of one that was migrated once.
 * @param url of any database of the server; its role may create databases
 * @param newUrl of the database to create, from `newDatabaseUrl`
 */
export async function createTestDatabase(
  url: string,
  newUrl: string = newDatabaseUrl(url),
): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = new URL(newUrl).pathname.slice(1)
  const template =
    templates.get(url) ??
    withAdvisoryLock(url, TEMPLATE, () => ensureTemplate(url), { waitMs: 30_000 })
  templates.set(url, template)
  await template
  await run(url, `CREATE DATABASE ${name} TEMPLATE ${TEMPLATE}`)
  const drop = async () => {
    await run(url, `DROP DATABASE ${name} WITH (FORCE)`)
  }
  return { url: newUrl, drop }
}

async function ensureTemplate(url: string): Promise<void> {
  const known = await run(url, `SELECT 1 FROM pg_database WHERE datname = '${TEMPLATE}'`)
  if (known === 0) await run(url, `CREATE DATABASE ${TEMPLATE}`)
  await migrateCatalog(onDatabase(url, TEMPLATE))
}

function onDatabase(url: string, name: string): string {
  const other = new URL(url)
  other.pathname = `/${name}`
  return other.href
}

async function run(url: string, sql: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rowCount ?? 0
  } finally {
    await client.end()
  }
}
