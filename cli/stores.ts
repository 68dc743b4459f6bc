import { setTimeout as sleep } from 'node:timers/promises'
import type { Catalog } from '../prisma/client.ts'
import type { Warehouse } from '../warehouse/client.ts'
import type { Context } from './context.ts'
import { CliError } from './errors.ts'
import { type DataDir, makeDataDir, readSecrets, type Secrets } from './folder/data-dir.ts'
import {
  askOwner,
  type DataDirLock,
  type DataDirOwner,
  inUseBy,
  inUseByUnknown,
  tryLockDataDir,
} from './folder/data-dir-lock.ts'
import { openJournal } from './folder/journal.ts'
import { reachStores } from './reach.ts'
import {
  catalogUrl,
  type Engine,
  startCatalog,
  startWarehouse,
  warehouseUrl,
} from './service/engines.ts'

type Role = 'catalog' | 'warehouse'

/** The engines of a command. An engine that the command does not need has the URL "". */
export interface Engines {
  readonly databaseUrl: string
  readonly clickhouseUrl: string
  readonly secrets: Secrets
  /** Stops the engines that were started for this command. */
  close(): Promise<void>
}

export interface Stores {
  readonly databaseUrl: string
  readonly db: Catalog
  readonly warehouse: Warehouse
  readonly secrets: Secrets
}

const WAIT_MS = 60_000

const settingOf = { catalog: 'DATABASE_URL', warehouse: 'CLICKHOUSE_URL' } as const

/**
 * The engines of DATABASE_URL and CLICKHOUSE_URL. Without these settings: the engines that run on DATA_DIR, or new
 * engines until `close`.
 * @throws {CliError} `data_dir_in_use`; `store_unreachable` for a store of a setting
 */
export async function openEngines(
  { settings, dataDir }: Context,
  roles: readonly Role[],
  about: Pick<DataDirOwner, 'command' | 'temporary'>,
): Promise<Engines> {
  await makeDataDir(dataDir)
  const secrets = await readSecrets(dataDir)
  await reachStores(
    settings,
    roles.map((role) => settingOf[role]),
  )
  const given = { catalog: settings.DATABASE_URL, warehouse: settings.CLICKHOUSE_URL }
  const needed = roles.filter((role) => given[role] === undefined)
  const found = await findEngines(dataDir, secrets, needed, about)
  return {
    databaseUrl: given.catalog ?? found.urls.catalog ?? '',
    clickhouseUrl: given.warehouse ?? found.urls.warehouse ?? '',
    secrets,
    close: found.close,
  }
}

/** Migrates the catalog, and works with it. */
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

/** Migrates catalog and warehouse, and works with them. */
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

/** Migrates both stores. @returns the names of the applied migrations */
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

/** This command without arguments, which may contain names and addresses. */
export function ownCommand(): string {
  const words = process.argv.slice(2).filter((word) => /^[a-z][a-z-]*$/.test(word))
  return ['sightline', ...words.slice(0, 2)].join(' ')
}

interface FoundEngines {
  urls: Partial<Record<Role, string>>
  close(): Promise<void>
}

async function findEngines(
  dataDir: DataDir,
  secrets: Secrets,
  needed: readonly Role[],
  about: Pick<DataDirOwner, 'command' | 'temporary'>,
): Promise<FoundEngines> {
  if (needed.length === 0) return { urls: {}, close: async () => undefined }
  const deadline = Date.now() + WAIT_MS
  for (;;) {
    const lock = await tryLockDataDir(dataDir, secrets, about)
    if (lock) return startOwn(dataDir, secrets, needed, lock)
    const connection = await askOwner(dataDir, secrets)
    if (connection) {
      const { owner, leave } = connection
      // A temporary owner keeps its engines running while this process is connected.
      if (needed.every((role) => owner[role])) {
        return { urls: urlsOf(secrets, owner), close: async () => leave() }
      }
      leave()
      const missing = needed.find((role) => owner.elsewhere?.includes(role))
      if (missing) throw pointsElsewhere(missing, owner)
    }
    if (Date.now() > deadline) {
      throw connection ? inUseBy(dataDir, connection.owner) : inUseByUnknown(dataDir)
    }
    await sleep(100)
  }
}

async function startOwn(
  dataDir: DataDir,
  secrets: Secrets,
  needed: readonly Role[],
  lock: DataDirLock,
): Promise<FoundEngines> {
  const journal = openJournal(dataDir, 'warn')
  const options = { dataDir, secrets, log: journal.log, stdout: journal.fd }
  const start = { catalog: startCatalog, warehouse: startWarehouse }
  const engines: Engine[] = []
  const close = async () => {
    await lock.unused()
    for (const engine of engines) await engine.stop()
    journal.close()
    await lock.release()
  }
  const urls: FoundEngines['urls'] = {}
  const starts = needed.map(async (role) => {
    const engine = await start[role](options)
    engines.push(engine)
    urls[role] = engine.url
    lock.publish({ [role]: { pid: engine.pid, port: engine.port } })
  })
  const failed = (await Promise.allSettled(starts)).find(({ status }) => status === 'rejected')
  if (failed?.status !== 'rejected') return { urls, close }
  await close()
  throw failed.reason
}

function urlsOf(secrets: Secrets, owner: DataDirOwner): FoundEngines['urls'] {
  return {
    ...(owner.catalog ? { catalog: catalogUrl(secrets, owner.catalog.port) } : {}),
    ...(owner.warehouse ? { warehouse: warehouseUrl(secrets, owner.warehouse.port) } : {}),
  }
}

function pointsElsewhere(role: Role, owner: DataDirOwner): CliError {
  const name = settingOf[role]
  return new CliError(
    'settings_differ',
    `\`${owner.command}\` (process ${owner.pid}) was started with ${name}. Set ${name} for this command too.`,
  )
}
