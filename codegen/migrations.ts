import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The record of landed migrations, as `sha256sum --check` reads it: in the order in which they landed. */
export const recordFile = 'codegen/landed-migrations.sha256'

const folders = ['prisma/migrations', 'warehouse/migrations']

/** Landed with the number of another one, before numbers were checked. Databases know it by this name. */
const sharesItsNumber = 'warehouse/migrations/0014_response_times.sql'

interface Migration {
  readonly path: string
  readonly checksum: string
}

/** The record with the migrations that landed since, and what breaks the rules of landed migrations. */
export interface LandedMigrations {
  readonly record: string
  /** Each with its remedy. */
  readonly faults: readonly string[]
}

/**
 * Compares the migrations below `root` with the record: a landed migration never changes, and a new one has a number
 * above all that landed, so that every database applies them in one order.
 * @param before the record, undefined when there is none yet
 */
export async function landedMigrations(
  root: string,
  before: string | undefined,
): Promise<LandedMigrations> {
  const recorded = parse(before ?? '')
  const present = new Map((await migrationsBelow(root)).map((found) => [found.path, found]))
  const changed = recorded.flatMap(({ path, checksum }) => {
    const now = present.get(path)
    if (now?.checksum === checksum) return []
    const what = now === undefined ? 'was removed' : 'was changed'
    return [
      `${path} ${what} after it landed. Restore it, and put the change into a new migration. ` +
        `If it has never landed, delete its line from ${recordFile} instead.`,
    ]
  })
  const known = new Set(recorded.map(({ path }) => path))
  const added = [...present.values()].filter(({ path }) => !known.has(path))
  const all = [...recorded, ...added]
  const lines = all.map(({ checksum, path }) => `${checksum}  ${path}\n`)
  return { record: lines.join(''), faults: [...changed, ...outOfOrder(all)] }
}

function parse(record: string): Migration[] {
  return record
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [checksum = '', path = ''] = line.split('  ')
      return { path, checksum }
    })
}

/** The migrations of both stores, in the order of their names. */
async function migrationsBelow(root: string): Promise<Migration[]> {
  const paths = await Promise.all(
    folders.map(async (folder) => {
      const names = await readdir(join(root, folder), { recursive: true })
      const scripts = names.filter((name) => name.endsWith('.sql')).sort()
      return scripts.map((name) => `${folder}/${name}`)
    }),
  )
  return Promise.all(
    paths.flat().map(async (path) => {
      const text = await readFile(join(root, path))
      return { path, checksum: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

function outOfOrder(migrations: readonly Migration[]): string[] {
  return folders.flatMap((folder) => {
    let last = ''
    return migrations.flatMap(({ path }) => {
      if (!path.startsWith(`${folder}/`)) return []
      // Its name, or that of its folder, begins with the number.
      const [number = ''] = path.slice(folder.length + 1).split('_', 1)
      if (number > last) last = number
      else if (path !== sharesItsNumber) {
        return [`${path} must have a number above ${last}. Rename it and run: npm run codegen`]
      }
      return []
    })
  })
}
