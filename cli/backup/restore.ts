import { copyFile, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { replaceFile, syncFolder } from '../../disk/durable-file.ts'
import { createCatalog } from '../../prisma/client.ts'
import { migrateCatalog, readMigrations } from '../../prisma/migrate.ts'
import { withSession } from '../../prisma/session.ts'
import { sendJob } from '../../resolvers/shared/jobs.ts'
import { createWarehouse } from '../../warehouse/client.ts'
import { migrateWarehouse } from '../../warehouse/migrate.ts'
import { run, type Warehouse } from '../../warehouse/run.ts'
import { CliError } from '../errors.ts'
import { type DataDir, locateDataDir, readSecrets } from '../folder/data-dir.ts'
import { askOwner, inUseBy, lockDataDir } from '../folder/data-dir-lock.ts'
import { packageRoot } from '../package.ts'
import type { Context } from '../run.ts'
import { openFolder } from '../storage/folder.ts'
import { isBucket, openStorage } from '../storage/open.ts'
import { openEngines, ownCommand } from '../stores.ts'
import { copyCatalogIn } from './catalog.ts'
import { Clones, factTablesOf } from './facts.ts'
import { verifyFiles } from './files.ts'
import { type Manifest, manifestName, newer, readManifest, rowsOf } from './manifest.ts'

/** The result of a restore. */
export interface RestoreReport {
  readonly dir: string
  readonly dataDir: string
  /** The moment of the backup. */
  readonly takenAt: string
  /** The version that made it. */
  readonly version: string
  readonly rows: { readonly catalog: number; readonly warehouse: number }
  readonly seconds: number
  readonly hasSecrets: boolean
}

/** Names in a data folder that hold no data of a service. */
const withoutData = new Set<string>(['holder.lock', 'holder.sock', 'logs', 'cache', 'lost+found'])

/** The folder within the data folder where a restore works. Nothing else reads it. */
const workName = 'restoring'
/** The copy of a backup that is in a bucket, until the end of the restore. */
const copyName = 'restoring-backup'

/**
 * Fills an empty data folder from a backup. The work is done in a folder within. At the end its parts are moved into
 * place, and `secrets.json` last: a folder with data and without secrets does not start.
 * @throws {CliError} as `readManifest` and `verifyFiles`; `data_dir_in_use`, `data_dir_not_empty`, `store_not_empty`
 */
export async function restore(context: Context, given: string): Promise<RestoreReport> {
  if (!isBucket(given)) return restoreFrom(context, resolve(given))
  const copy = join(context.dataDir.path, copyName)
  try {
    const report = await restoreFrom(context, copy, await copyFrom(context, given, copy))
    return { ...report, dir: given }
  } finally {
    await rm(copy, { recursive: true, force: true })
  }
}

/**
 * Copies the manifest of a backup out of a bucket.
 * @returns copies the files that the manifest names
 * @throws {CliError} `backup_missing`, `backup_incomplete`, `storage_failed`
 */
async function copyFrom({ settings, dataDir }: Context, given: string, copy: string) {
  const storage = await openStorage(settings, given)
  const manifest = await storage.read(manifestName)
  if (!manifest) {
    const names = await storage.list()
    const [code, what] =
      names.length === 0
        ? ['backup_missing', 'has no files. Name the place of a backup']
        : ['backup_incomplete', `has no ${manifestName}: the backup did not end. Use another one`]
    throw new CliError(
      code ?? '',
      `${storage.place} ${what}: \`npx sightline backup --list\` shows them.`,
    )
  }
  await mkdir(dataDir.path, { recursive: true, mode: 0o700 })
  await rm(copy, { recursive: true, force: true })
  const folder = openFolder(copy)
  await folder.write(manifestName, manifest)
  return async (files: Manifest['files']) => {
    for (const { path } of files) {
      const bytes = await storage.readStream(path)
      // A file that is missing is found by its size.
      if (bytes) await folder.writeStream(path, bytes)
    }
  }
}

async function restoreFrom(
  context: Context,
  dir: string,
  copyFiles?: (files: Manifest['files']) => Promise<void>,
): Promise<RestoreReport> {
  const began = performance.now()
  const { dataDir } = context
  const manifest = await readManifest(dir)
  await refuseNewer(manifest)
  await refuseData(dataDir, manifest.hasSecrets)
  await copyFiles?.(manifest.files)
  await verifyFiles(dir, manifest.files)
  await mkdir(dataDir.path, { recursive: true, mode: 0o700 })
  const work = locateDataDir({ DATA_DIR: join(dataDir.path, workName) })
  await rm(work.path, { recursive: true, force: true })
  await mkdir(work.path, { mode: 0o700 })
  await copySecretsIn(dir, manifest, { dataDir, work })
  const lock = await lockDataDir(dataDir, await readSecrets(work), ownCommand())
  try {
    // Another process may have begun before the lock.
    await refuseData(dataDir, manifest.hasSecrets)
    await fillStores({ ...context, dataDir: work }, dir, manifest)
    await copyEventsIn(dir, manifest, work)
    await moveInto(dataDir, work)
  } finally {
    await lock.release()
  }
  const { takenAt, version, hasSecrets } = manifest
  const rows = rowsOf(manifest)
  const seconds = Math.round((performance.now() - began) / 100) / 10
  return { dir, dataDir: dataDir.path, takenAt, version, rows, seconds, hasSecrets }
}

async function refuseNewer({ migrations, version }: Manifest): Promise<void> {
  const catalog = (await readMigrations()).map(({ name }) => name)
  const warehouse = await readdir(join(packageRoot, 'warehouse', 'migrations'))
  const unknown = [
    ...migrations.catalog.filter(({ name }) => !catalog.includes(name)),
    ...migrations.warehouse.filter(({ name }) => !warehouse.includes(name)),
  ]
  const [first] = unknown
  if (first) throw newer(`The backup of Sightline ${version} has the migration ${first.name}.`)
}

/** @throws {CliError} `data_dir_in_use`, `data_dir_not_empty` */
async function refuseData(dataDir: DataDir, hasSecrets: boolean): Promise<void> {
  const names: string[] = await readdir(dataDir.path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  if (names.includes('secrets.json')) {
    const owner = await askOwner(dataDir, await readSecrets(dataDir))
    owner?.leave()
    if (owner) throw inUseBy(dataDir, owner.owner)
  }
  const isAllowed = (name: string) =>
    withoutData.has(name) ||
    name === workName ||
    name === copyName ||
    (name === 'secrets.json' && !hasSecrets)
  const [found] = names.filter((name) => !isAllowed(name))
  if (found === undefined) return
  throw new CliError(
    'data_dir_not_empty',
    `${dataDir.path} holds data (${found}). Move the folder away, or set DATA_DIR to a new folder.`,
  )
}

async function copySecretsIn(
  dir: string,
  { hasSecrets, files }: Manifest,
  { dataDir, work }: { dataDir: DataDir; work: DataDir },
): Promise<void> {
  if (hasSecrets) {
    for (const name of ['secrets.json', 'demo.json']) {
      if (!files.some(({ path }) => path === name)) continue
      await replaceFile(join(work.path, name), await readFile(join(dir, name)))
    }
    return
  }
  const own = await readFile(dataDir.secrets).catch(() => undefined)
  if (own) await replaceFile(work.secrets, own)
}

/** Fills both stores, which must be empty. The rows of the warehouse appear together, then those of the catalog. */
async function fillStores(context: Context, dir: string, manifest: Manifest): Promise<void> {
  const about = { command: ownCommand(), temporary: true }
  const engines = await openEngines(context, ['catalog', 'warehouse'], about)
  const warehouse = createWarehouse({ url: engines.clickhouseUrl })
  const { databaseUrl } = engines
  const named = (list: readonly { name: string }[]) => new Set(list.map(({ name }) => name))
  const [inCatalog, inWarehouse] = [
    named(manifest.migrations.catalog),
    named(manifest.migrations.warehouse),
  ]
  try {
    const all = await readMigrations()
    // The tables of the version that made the backup: newer migrations then change its rows too.
    await migrateCatalog(
      databaseUrl,
      all.filter(({ name }) => inCatalog.has(name)),
    )
    await migrateWarehouse(warehouse, undefined, inWarehouse)
    await refuseRows(databaseUrl, warehouse)
    const clones = await Clones.prepare(warehouse, 'restore')
    try {
      await clones.acceptAllColumns()
      await clones.readIn(dir, manifest)
      await withSession(databaseUrl, async (session) => {
        await copyCatalogIn(session, dir, manifest.catalog)
        await clones.giveAll()
        await session.query('COMMIT')
      })
    } finally {
      await clones.drop()
    }
    await Promise.all([migrateCatalog(databaseUrl), migrateWarehouse(warehouse)])
    await sendLostJobs(databaseUrl)
  } finally {
    warehouse.close()
    await engines.close()
  }
}

/** Jobs are not in a backup. The worker sends those of audits, sitemaps and reports again by their records. */
async function sendLostJobs(databaseUrl: string): Promise<void> {
  const db = createCatalog(databaseUrl, { poolSize: 2 })
  try {
    const projects = await db.project.findMany({ select: { id: true } })
    for (const { id } of projects) await sendJob(db, 'opportunities', { projectId: id })
  } finally {
    await db.$disconnect()
  }
}

/** @throws {CliError} `store_not_empty` */
async function refuseRows(databaseUrl: string, warehouse: Warehouse): Promise<void> {
  const { rows } = await withSession(databaseUrl, (session) =>
    session.query<{ found: boolean }>('SELECT EXISTS (SELECT 1 FROM "Workspace") AS found'),
  )
  if (rows[0]?.found) throw notEmpty('DATABASE_URL', 'workspaces')
  for (const { name } of await factTablesOf(warehouse)) {
    const sql = `SELECT 1 AS one FROM ${name} LIMIT 1`
    const found = await run(warehouse, { id: 'backup.empty', sql, row: () => true })
    if (found.length > 0) throw notEmpty('CLICKHOUSE_URL', `rows in ${name}`)
  }
}

function notEmpty(setting: string, what: string): CliError {
  return new CliError(
    'store_not_empty',
    `The store of ${setting} has ${what}. Restore into an empty database: create one, and name it in ${setting}.`,
  )
}

async function copyEventsIn(dir: string, { files }: Manifest, work: DataDir): Promise<void> {
  for (const { path } of files) {
    if (!path.startsWith('tracker/')) continue
    const place = join(work.path, path)
    await mkdir(dirname(place), { recursive: true, mode: 0o700 })
    await copyFile(join(dir, path), place)
  }
}

async function moveInto(dataDir: DataDir, work: DataDir): Promise<void> {
  for (const name of ['postgres', 'warehouse', 'tracker', 'demo.json', 'secrets.json']) {
    const from = join(work.path, name)
    if (await stat(from).catch(() => undefined)) await rename(from, join(dataDir.path, name))
  }
  await syncFolder(dataDir.path)
  await rm(work.path, { recursive: true, force: true })
}
