import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { CliError } from '../errors.ts'
import { version } from '../package.ts'
import type { Storage } from '../storage/storage.ts'

/** The layout of a backup folder. A version of Sightline reads its own format and all older ones. */
const format = 1

export const manifestName = 'manifest.json'

const table = z.object({ columns: z.array(z.string()).min(1).readonly(), rows: z.number() })
const migration = z.object({ name: z.string(), checksum: z.string() })

const manifestSchema = z.object({
  format: z.literal(format),
  /** The version of Sightline that made the backup. */
  version: z.string(),
  /** The moment of the snapshot, ISO 8601. */
  takenAt: z.iso.datetime(),
  hasSecrets: z.boolean(),
  migrations: z.object({ catalog: z.array(migration), warehouse: z.array(migration) }),
  /** Tables of PostgreSQL by name, in an order in which a row comes after the rows that it refers to. */
  catalog: z.object({
    tables: z.record(z.string(), table),
    sequences: z.record(z.string(), z.string()),
  }),
  warehouse: z.object({ tables: z.record(z.string(), table) }),
  /** All files but this one. */
  files: z.array(
    z.object({
      path: z.string().regex(/^(?!.*\.\.)[\w.-]+(\/[\w.-]+)*$/),
      sizeBytes: z.number(),
      /** Of the bytes on disk, in hexadecimal. */
      sha256: z.string().length(64),
    }),
  ),
})

export type Manifest = z.infer<typeof manifestSchema>
export type BackupFile = Manifest['files'][number]

/** The rows of both stores in a backup. */
export function rowsOf({ catalog, warehouse }: Pick<Manifest, 'catalog' | 'warehouse'>) {
  const sum = (tables: Manifest['warehouse']['tables']) =>
    Object.values(tables).reduce((rows, table) => rows + table.rows, 0)
  return { catalog: sum(catalog.tables), warehouse: sum(warehouse.tables) }
}

/** Writes the manifest, which makes files a backup: whole, or not at all. */
export async function writeManifest(
  storage: Storage,
  manifest: Omit<Manifest, 'format' | 'version'>,
): Promise<void> {
  const text = JSON.stringify({ format, version, ...manifest }, null, 1)
  await storage.write(manifestName, Buffer.from(`${text}\n`))
}

/**
 * Reads the manifest of a backup.
 * @throws {CliError} `backup_missing`, `backup_incomplete`, `backup_newer`, `backup_damaged`
 */
export async function readManifest(dir: string): Promise<Manifest> {
  const text = await readFile(join(dir, manifestName), 'utf8').catch(
    async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error
      const names = await readdir(dir).catch(() => undefined)
      if (names === undefined) {
        const message = `There is no folder ${dir}. Name the folder of a backup.`
        throw new CliError('backup_missing', message)
      }
      throw new CliError(
        'backup_incomplete',
        `${dir} has no ${manifestName}: the backup did not end, or the folder is none. Use another backup.`,
      )
    },
  )
  const given = parsed(text)
  if (typeof given?.format === 'number' && given.format > format) {
    throw newer(`The backup is of format ${given.format} (Sightline ${given.version}).`)
  }
  const read = manifestSchema.safeParse(given)
  if (read.success) return read.data
  throw damaged(join(dir, manifestName))
}

function parsed(text: string): { format?: unknown; version?: unknown } | null {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The error for a backup of a newer version. */
export function newer(what: string): CliError {
  const message = `${what} This is Sightline ${version}, which does not know it. Restore with the newer version.`
  return new CliError('backup_newer', message)
}

/** The error for a file that is not as the backup wrote it. */
export function damaged(path: string): CliError {
  const message = `${path} is not the file that the backup wrote. Copy the backup again, or use another one.`
  return new CliError('backup_damaged', message)
}
