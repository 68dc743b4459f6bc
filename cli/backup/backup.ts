import { readFile, stat } from 'node:fs/promises'
import { clusterOf } from '../../core/clickhouse-url.ts'
import { rowsInPlaceLock } from '../../imports/loads/lock.ts'
import { withAdvisoryLock } from '../../prisma/lock.ts'
import { type Migration, readMigrations } from '../../prisma/migrate.ts'
import { withSession } from '../../prisma/session.ts'
import { createWarehouse } from '../../warehouse/client.ts'
import { run, type Warehouse } from '../../warehouse/run.ts'
import { CliError } from '../errors.ts'
import type { DataDir } from '../folder/data-dir.ts'
import type { Context } from '../run.ts'
import { openStorage } from '../storage/open.ts'
import type { Storage } from '../storage/storage.ts'
import { openEngines, ownCommand } from '../stores.ts'
import { appliedMigrations } from './catalog.sql.ts'
import { beginSnapshot, copyCatalogOut, whileUnchanged } from './catalog.ts'
import { closeSegments, copyEventsOut, type LogSnapshot, once, withEvents } from './events.ts'
import { appliedFiles } from './facts.sql.ts'
import { Clones, statementMs } from './facts.ts'
import { BackupWriter } from './files.ts'
import { type Manifest, manifestName, newer, rowsOf, writeManifest } from './manifest.ts'
import { noteBackup } from './note.ts'

/** The result of a backup. */
export interface BackupReport {
  readonly dir: string
  readonly takenAt: string
  readonly files: number
  readonly sizeBytes: number
  /** Rows of both stores. */
  readonly rows: { readonly catalog: number; readonly warehouse: number }
  /** How long writes of the catalog waited, in milliseconds. */
  readonly heldMs: number
  readonly seconds: number
  readonly hasSecrets: boolean
}

/** An import that changes rows in place ends first. */
const waitForImportsMs = 10 * 60_000
const snapshotTries = 20

/**
 * Writes both stores, the event log and the secrets to a new folder or a place of a bucket, while the service runs.
 *
 * All parts are of one moment. A lock stops the writes of the catalog for some hundred milliseconds. Meanwhile a
 * transaction takes the snapshot of the catalog, and the tables of facts are cloned. The clones share the files, so
 * later merges and deletions take nothing away. The checkpoint of the tracker is the same before and after the clone of
 * its table. So the backup is what a power cut at this moment would leave, and each part recovers from that:
 * - an import whose pointer in the catalog has not moved is invisible;
 * - the pending stretch of an access log is counted before it is sent again;
 * - the writer of the tracker goes on at its checkpoint.
 *
 * Without the lock, either order fails. With the catalog first, rows that are deleted afterwards are missing, and an
 * access log that is imported meanwhile has rows twice. With the warehouse first, the rows of a load that became visible
 * in between are missing.
 * @throws {CliError} `backup_exists`, `backup_running`, `catalog_busy`, `nothing_to_back_up`, `migrations_pending`
 */
export async function backUp(
  context: Context,
  given: string,
  { withSecrets }: { withSecrets: boolean },
): Promise<BackupReport> {
  const began = performance.now()
  const storage = await openStorage(context.settings, given)
  const { place } = storage
  await refuseNothing(context)
  await refuseFiles(storage)
  const about = { command: ownCommand(), temporary: true }
  const engines = await openEngines(context, ['catalog', 'warehouse'], about)
  const warehouse = createWarehouse({ url: engines.clickhouseUrl })
  try {
    const stores = { databaseUrl: engines.databaseUrl, warehouse }
    const report = await underBackupLock(stores.databaseUrl, () =>
      write(context.dataDir, stores, new BackupWriter(storage), withSecrets),
    )
    const seconds = Math.round((performance.now() - began) / 100) / 10
    return { dir: place, ...report, seconds }
  } catch (error) {
    // Without its manifest it is no backup; the next try needs the room.
    await storage.clear().catch(() => undefined)
    throw error
  } finally {
    warehouse.close()
    await engines.close()
  }
}

interface Stores {
  readonly databaseUrl: string
  readonly warehouse: Warehouse
}

async function write(
  dataDir: DataDir,
  stores: Stores,
  writer: BackupWriter,
  withSecrets: boolean,
): Promise<Omit<BackupReport, 'dir' | 'seconds'>> {
  return withSession(stores.databaseUrl, async (session) => {
    const migrations = await migrationsOf(session, stores.warehouse)
    const clones = await Clones.prepare(stores.warehouse, 'backup')
    try {
      const { events, takenAt, heldMs } = await takeAll(dataDir, stores, { session, clones })
      try {
        await copyEventsOut(dataDir.tracker, events, writer)
      } finally {
        await closeSegments(events)
      }
      const catalog = await copyCatalogOut(session, writer)
      await session.query('COMMIT')
      const facts = await clones.writeOut(writer)
      if (withSecrets) await copySecrets(dataDir, writer)
      await writer.storage.sync()
      const warehouse = { tables: facts }
      const { files } = writer
      const manifest = { takenAt, hasSecrets: withSecrets, migrations, catalog, warehouse, files }
      await writeManifest(writer.storage, manifest)
      await noteBackup(dataDir, { dir: writer.storage.place, takenAt })
      const sizeBytes = files.reduce((sum, file) => sum + file.sizeBytes, 0)
      const counts = { files: files.length, sizeBytes, rows: rowsOf(manifest) }
      return { takenAt, ...counts, heldMs, hasSecrets: withSecrets }
    } finally {
      await clones.drop()
    }
  })
}

/** Takes the snapshot of all parts. The session then reads the catalog of that moment. */
async function takeAll(
  dataDir: DataDir,
  { databaseUrl }: Stores,
  { session, clones }: { session: Parameters<typeof beginSnapshot>[0]; clones: Clones },
): Promise<{ events: LogSnapshot[]; takenAt: string; heldMs: number }> {
  const names = clones.tables.map(({ name }) => name)
  const hits = 'crawler_hits'
  // A run of the judge is complete when its row is there: with that row, its verdicts must be there.
  const first = ['judge_runs'].filter((name) => names.includes(name))
  const others = names.filter((name) => name !== hits && !first.includes(name))
  for (let left = snapshotTries; left > 0; left--) {
    let heldMs = 0
    const take = async () => {
      const began = performance.now()
      const takenAt = (await beginSnapshot(session)).toISOString()
      for (const name of first) await clones.take(name)
      await Promise.all(others.map((name) => clones.take(name)))
      let isTaken = false
      const events = await withEvents(dataDir.tracker, async () => {
        if (isTaken) await clones.clear(hits)
        await clones.take(hits)
        isTaken = true
      })
      heldMs = Math.round(performance.now() - began)
      return { events, takenAt }
    }
    // The tables whose imports change rows in place have no pointer in the catalog.
    const { events, takenAt } = await withAdvisoryLock(
      databaseUrl,
      rowsInPlaceLock,
      () => whileUnchanged(databaseUrl, take),
      { waitMs: waitForImportsMs },
    )
    if (events) return { events, takenAt, heldMs }
    await session.query('ROLLBACK')
    for (const name of names) await clones.clear(name)
  }
  const message = 'The tracker stored events at each moment. Try again when fewer events come.'
  throw new CliError('tracker_busy', message)
}

/** One backup at a time: two would share the clones. */
async function underBackupLock<T>(databaseUrl: string, work: () => Promise<T>): Promise<T> {
  try {
    return await withAdvisoryLock(databaseUrl, 'backup', work, { waitMs: 0 })
  } catch (error) {
    if ((error as Error).name !== 'LockBusyError') throw error
    throw new CliError('backup_running', 'Another backup of these stores runs. Wait for its end.')
  }
}

/** @throws {CliError} `migrations_pending`, `backup_newer` unless both stores have the tables of this version */
async function migrationsOf(
  session: Parameters<typeof beginSnapshot>[0],
  warehouse: Warehouse,
): Promise<Manifest['migrations']> {
  type Named = Pick<Migration, 'name' | 'checksum'>
  const missing = (error: { code?: string }) => {
    if (error.code === '42P01') throw pending()
    throw error
  }
  const { rows } = await session.query<Named>(appliedMigrations).catch(missing)
  const known = (await readMigrations()).map(({ name }) => name)
  const unknown = rows.find(({ name }) => !known.includes(name))
  if (unknown) throw newer(`The catalog has the migration ${unknown.name}.`)
  if (rows.length < known.length) throw pending()
  const files = await run<Named>(warehouse, {
    id: 'backup.migrations',
    sql: appliedFiles,
    timeoutMs: statementMs,
  })
  return { catalog: rows, warehouse: files }
}

function pending(): CliError {
  return new CliError(
    'migrations_pending',
    'The stores have not the tables of this version. Back up with the version that runs, or run `npx sightline migrate` first.',
  )
}

/** A backup must not make the data that it copies. */
async function refuseNothing({ settings, dataDir }: Context): Promise<void> {
  if (settings.CLICKHOUSE_URL && clusterOf(settings.CLICKHOUSE_URL)) {
    const message = 'A cluster is backed up by ClickHouse itself: `BACKUP DATABASE … ON CLUSTER …`.'
    throw new CliError('cluster_not_backed_up', message)
  }
  if (settings.DATABASE_URL && settings.CLICKHOUSE_URL) return
  if (await stat(dataDir.secrets).catch(() => undefined)) return
  const message = `${dataDir.path} holds no data. Set DATA_DIR to the folder of the service.`
  throw new CliError('nothing_to_back_up', message)
}

async function refuseFiles({ place, list }: Storage): Promise<void> {
  const names = await list()
  if (names.length === 0) return
  const what = names.includes(manifestName)
    ? 'holds a backup already'
    : 'is not empty. It may be a backup that did not end: remove it'
  throw new CliError('backup_exists', `${place} ${what}. Name a new folder.`)
}

async function copySecrets({ secrets, demo }: DataDir, writer: BackupWriter): Promise<void> {
  await writer.write('secrets.json', once(await readFile(secrets)))
  const bytes = await readFile(demo).catch(() => undefined)
  if (bytes) await writer.write('demo.json', once(bytes))
}
