import { setTimeout as sleep } from 'node:timers/promises'
import type { Catalog } from '../prisma/client.ts'
import type { Warehouse } from '../warehouse/client.ts'
import { CliError } from './errors.ts'
import { type DataDir, makeDataDir, readSecrets, type Secrets } from './folder/data-dir.ts'
import { askHolder, type Hold, type HolderInfo, heldBy, takeFolder } from './folder/holder.ts'
import { openJournal } from './folder/journal.ts'
import type { Context } from './run.ts'
import {
  catalogUrl,
  type Engine,
  startCatalog,
  startWarehouse,
  warehouseUrl,
} from './service/engines.ts'

type Role = 'catalog' | 'warehouse'

/** The engines that a command works with. An engine that it does not need has the URL "". */
export interface Engines {
  readonly databaseUrl: string
  readonly clickhouseUrl: string
  readonly secrets: Secrets
  /** Ends what was started for this command alone. */
  close(): Promise<void>
}

export interface Stores {
  readonly databaseUrl: string
  readonly db: Catalog
  readonly warehouse: Warehouse
  readonly secrets: Secrets
}

const WAIT_MS = 60_000

/**
 * The engines of DATABASE_URL and CLICKHOUSE_URL; where these are not set, those that run on DATA_DIR; where
 * none run, engines of our own until `close`.
 * @throws {CliError} `data_dir_in_use`
 */
export async function openEngines(
  { settings, dataDir }: Context,
  roles: readonly Role[],
  about: Pick<HolderInfo, 'command' | 'temporary'>,
): Promise<Engines> {
  await makeDataDir(dataDir)
  const secrets = await readSecrets(dataDir)
  const given = { catalog: settings.DATABASE_URL, warehouse: settings.CLICKHOUSE_URL }
  const needed = roles.filter((role) => given[role] === undefined)
  const found = await find(dataDir, secrets, needed, about)
  return {
    databaseUrl: given.catalog ?? found.urls.catalog ?? '',
    clickhouseUrl: given.warehouse ?? found.urls.warehouse ?? '',
    secrets,
    close: found.close,
  }
}

/** Works with the catalog, its tables up to date. */
export async function withCatalog<T>(
  context: Context,
  work: (catalog: Catalog, secrets: Secrets, databaseUrl: string) => Promise<T>,
): Promise<T> {
  const engines = await openEngines(context, ['catalog'], {
    command: ownCommand(),
    temporary: true,
  })
  try {
    const [{ createCatalog }, { migrateCatalog }] = await Promise.all([
      import('../prisma/client.ts'),
      import('../prisma/migrate.ts'),
    ])
    await migrateCatalog(engines.databaseUrl)
    const catalog = createCatalog(engines.databaseUrl, { poolSize: 2 })
    const done = work(catalog, engines.secrets, engines.databaseUrl)
    return await done.finally(() => catalog.$disconnect())
  } finally {
    await engines.close()
  }
}

/** Works with catalog and warehouse, the tables of both up to date. */
export async function withStores<T>(
  context: Context,
  work: (stores: Stores) => Promise<T>,
): Promise<T> {
  const roles = ['catalog', 'warehouse'] as const
  const engines = await openEngines(context, roles, { command: ownCommand(), temporary: true })
  try {
    const { databaseUrl, clickhouseUrl, secrets } = engines
    await migrate(engines)
    const [{ createCatalog }, { createWarehouse }] = await Promise.all([
      import('../prisma/client.ts'),
      import('../warehouse/client.ts'),
    ])
    const db = createCatalog(databaseUrl)
    const warehouse = createWarehouse({ url: clickhouseUrl })
    try {
      return await work({ databaseUrl, db, warehouse, secrets })
    } finally {
      await Promise.all([db.$disconnect(), warehouse.close()])
    }
  } finally {
    await engines.close()
  }
}

/** Brings the tables of both stores up to date. @returns the names of what was applied */
export async function migrate({
  databaseUrl,
  clickhouseUrl,
}: Pick<Engines, 'databaseUrl' | 'clickhouseUrl'>): Promise<Record<Role, string[]>> {
  const [{ migrateCatalog }, { migrateWarehouse }, { createWarehouse }] = await Promise.all([
    import('../prisma/migrate.ts'),
    import('../warehouse/migrate.ts'),
    import('../warehouse/client.ts'),
  ])
  const client = createWarehouse({ url: clickhouseUrl })
  try {
    const [catalog, warehouse] = await Promise.all([
      migrateCatalog(databaseUrl),
      migrateWarehouse(client),
    ])
    return { catalog, warehouse }
  } finally {
    await client.close()
  }
}

/** This command as a person would type it, without arguments, which may hold names and addresses. */
export function ownCommand(): string {
  const words = process.argv.slice(2).filter((word) => /^[a-z][a-z-]*$/.test(word))
  return ['sightline', ...words.slice(0, 2)].join(' ')
}

interface Found {
  urls: Partial<Record<Role, string>>
  close(): Promise<void>
}

async function find(
  dataDir: DataDir,
  secrets: Secrets,
  needed: readonly Role[],
  about: Pick<HolderInfo, 'command' | 'temporary'>,
): Promise<Found> {
  if (needed.length === 0) return { urls: {}, close: async () => undefined }
  const deadline = Date.now() + WAIT_MS
  for (;;) {
    const hold = await takeFolder(dataDir, secrets, about)
    if (hold) return startOwn(dataDir, secrets, needed, hold)
    const other = await askHolder(dataDir, secrets)
    if (other) {
      const { info, leave } = other
      // While we stay connected a temporary holder keeps its engines for us.
      if (needed.every((role) => info[role])) {
        return { urls: urlsOf(secrets, info), close: async () => leave() }
      }
      leave()
      const lacking = needed.find((role) => info.elsewhere?.includes(role))
      if (lacking) throw pointsElsewhere(lacking, info)
      if (Date.now() > deadline) throw heldBy(dataDir, info)
    }
    await sleep(100)
  }
}

async function startOwn(
  dataDir: DataDir,
  secrets: Secrets,
  needed: readonly Role[],
  hold: Hold,
): Promise<Found> {
  const journal = openJournal(dataDir, 'warn')
  const options = { dataDir, secrets, log: journal.log, stdout: journal.fd }
  const start = { catalog: startCatalog, warehouse: startWarehouse }
  const engines: Engine[] = []
  const close = async () => {
    await hold.unused()
    for (const engine of engines) await engine.stop()
    journal.close()
    await hold.release()
  }
  const urls: Found['urls'] = {}
  const starts = needed.map(async (role) => {
    const engine = await start[role](options)
    engines.push(engine)
    urls[role] = engine.url
    hold.tell({ [role]: { pid: engine.pid, port: engine.port } })
  })
  const failed = (await Promise.allSettled(starts)).find(({ status }) => status === 'rejected')
  if (failed?.status !== 'rejected') return { urls, close }
  await close()
  throw failed.reason
}

function urlsOf(secrets: Secrets, info: HolderInfo): Found['urls'] {
  return {
    ...(info.catalog ? { catalog: catalogUrl(secrets, info.catalog.port) } : {}),
    ...(info.warehouse ? { warehouse: warehouseUrl(secrets, info.warehouse.port) } : {}),
  }
}

function pointsElsewhere(role: Role, info: HolderInfo): CliError {
  const name = role === 'catalog' ? 'DATABASE_URL' : 'CLICKHOUSE_URL'
  return new CliError(
    'settings_differ',
    `\`${info.command}\` (process ${info.pid}) was started with ${name}. Set the same for this command.`,
  )
}
