import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { MIGRATIONS_DIR } from '../../prisma/migrate.ts'
import { createWarehouse } from '../../warehouse/client.ts'
import { run } from '../../warehouse/run.ts'
import { packageRoot } from '../package.ts'
import { askWarehouse } from '../reach.ts'
import { connectionsQuery, type SourceConnection } from './connections.ts'
import { analysesQuery, type OlderCounts, olderCountsQuery, type ProjectAnalysis } from './rules.ts'
import { inspectJobs, type JobsReport } from './worker.ts'

/** The answer of a store. */
export interface StoreReport {
  readonly version: string
  /** Host and port. */
  readonly address: string
  /** True for a server of DATABASE_URL or CLICKHOUSE_URL. */
  readonly isExternal: boolean
  readonly migrations: { readonly applied: string[]; readonly pending: string[] }
  /** Of the catalog, for the check of the rules. */
  readonly analyses?: readonly ProjectAnalysis[]
  /** Of the catalog: links to Google. */
  readonly connections?: readonly SourceConnection[]
  /** Of the warehouse, for the check of the rules. */
  readonly olderCounts?: readonly OlderCounts[]
  /** Of the catalog; null before its queues exist. */
  readonly jobs?: JobsReport | null
}

/** @throws when PostgreSQL does not answer within 5 s */
export async function inspectCatalog(url: string, isExternal: boolean): Promise<StoreReport> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query(
      `SELECT current_setting('server_version') AS version,
         to_regclass('"_prisma_migrations"') IS NOT NULL AS "hasTable"`,
    )
    const applied = rows[0].hasTable
      ? await client.query(
          'SELECT migration_name AS name FROM "_prisma_migrations" WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL',
        )
      : { rows: [] }
    const entries = await readdir(MIGRATIONS_DIR, { withFileTypes: true })
    const known = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
    const name = `PostgreSQL ${rows[0].version}`
    const about = report(name, url, isExternal, known, namesOf(applied.rows))
    const hasProjects = await client.query(`SELECT to_regclass('"Project"') IS NOT NULL AS yes`)
    const analyses = hasProjects.rows[0].yes ? (await client.query(analysesQuery)).rows : []
    const hasLinks = await client.query(`SELECT to_regclass('"Connection"') IS NOT NULL AS yes`)
    const connections = hasLinks.rows[0].yes ? (await client.query(connectionsQuery)).rows : []
    return { ...about, analyses, connections, jobs: await inspectJobs(client) }
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** @throws when ClickHouse does not answer */
export async function inspectWarehouse(url: string, isExternal: boolean): Promise<StoreReport> {
  const warehouse = createWarehouse({ url })
  const ask = (sql: string) =>
    run<{ version: string; name: string }>(warehouse, { id: 'doctor', sql })
  try {
    await askWarehouse(url)
    const [about] = await ask('SELECT version() AS version')
    const hasTable = (await ask("SHOW TABLES LIKE 'schema_migrations'")).length > 0
    const applied = hasTable ? await ask('SELECT name FROM schema_migrations') : []
    const entries = await readdir(join(packageRoot, 'warehouse', 'migrations'))
    const known = entries.filter((name) => name.endsWith('.sql'))
    const stores = report(`ClickHouse ${about?.version}`, url, isExternal, known, namesOf(applied))
    const isCurrent = stores.migrations.pending.length === 0
    const older = { id: 'doctor.rules', sql: olderCountsQuery, timeoutMs: 60_000 }
    const olderCounts = isCurrent ? await run<OlderCounts>(warehouse, older) : []
    return { ...stores, olderCounts }
  } finally {
    await warehouse.close()
  }
}

function namesOf(rows: unknown[]): string[] {
  return (rows as { name: string }[]).map(({ name }) => name)
}

function report(
  version: string,
  url: string,
  isExternal: boolean,
  known: readonly string[],
  done: readonly string[],
): StoreReport {
  return {
    version,
    address: new URL(url).host,
    isExternal,
    migrations: {
      applied: done.toSorted(),
      pending: known.filter((name) => !done.includes(name)).sort(),
    },
  }
}
