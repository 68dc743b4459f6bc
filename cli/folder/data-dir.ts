import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { access, mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import { createFile } from '../../disk/durable-file.ts'
import { CliError } from '../errors.ts'
import { packageRoot } from '../package.ts'

/** The files and folders of DATA_DIR, as absolute paths. */
export interface DataDir {
  readonly path: string
  readonly secrets: string
  readonly demo: string
  readonly postgres: string
  readonly warehouse: string
  /** The event log, which the tracker and its writer share. */
  readonly tracker: string
  readonly logFile: string
  /** Compiled code, which makes later starts faster. Safe to delete. */
  readonly cache: string
}

/**
 * The data folder. A relative DATA_DIR counts from the working directory. The default is `.sightline` beside
 * `package.json`.
 */
export function locateDataDir(env: Record<string, string | undefined>): DataDir {
  const path = env.DATA_DIR ? resolve(env.DATA_DIR) : join(packageRoot, '.sightline')
  return {
    path,
    secrets: join(path, 'secrets.json'),
    demo: join(path, 'demo.json'),
    postgres: join(path, 'postgres'),
    warehouse: join(path, 'warehouse'),
    tracker: join(path, 'tracker'),
    logFile: join(path, 'logs', 'sightline.log'),
    cache: join(path, 'cache'),
  }
}

/** The same as `recursive` of `mkdir`, which never ends where the system refuses each name, as in `/proc`. */
async function makeFolder(path: string): Promise<void> {
  const make = () =>
    mkdir(path, { mode: 0o700 }).catch(async (error) => {
      if (error.code !== 'EEXIST' || !(await stat(path)).isDirectory()) throw error
    })
  await make().catch(async (error) => {
    const above = dirname(path)
    if (error.code !== 'ENOENT' || above === path) throw error
    await makeFolder(above)
    await make()
  })
}

/**
 * Creates missing folders, for their owner only (0700).
 * @throws {CliError} `data_dir_exposed` when other users can read the folder or a secret in it; `data_dir_not_writable`
 */
export async function makeDataDir(dataDir: DataDir): Promise<void> {
  try {
    for (const folder of [dataDir.path, dataDir.tracker, dirname(dataDir.logFile)]) {
      await makeFolder(folder)
      // A folder of an earlier start may have another owner, or be mounted read-only.
      await access(folder, constants.W_OK | constants.X_OK)
    }
  } catch (error) {
    throw unusable(dataDir.path, error)
  }
  await refuseExposed(dataDir)
}

/** The rights of the group and of all others. */
const rightsOfOthers = 0o077

/** What other users can read of the folder and its secrets, with the mode that mends it. Windows has no such rights. */
export async function exposedPlace({
  path,
  secrets,
  demo,
}: DataDir): Promise<{ readonly place: string; readonly mend: string } | undefined> {
  if (!process.getuid) return undefined
  for (const place of [path, secrets, demo]) {
    const found = await stat(place).catch(() => undefined)
    if (!found || (found.mode & rightsOfOthers) === 0) continue
    return { place, mend: `chmod ${found.isDirectory() ? '700' : '600'} ${place}` }
  }
  return undefined
}

async function refuseExposed(dataDir: DataDir): Promise<void> {
  const exposed = await exposedPlace(dataDir)
  if (!exposed) return
  const { place, mend } = exposed
  throw new CliError(
    'data_dir_exposed',
    `Other users of this machine can read ${place}, which holds secrets. Run: ${mend}`,
  )
}

/** Data that only the secrets of its folder open. Call it when there are none. */
export async function lockedData(dataDir: DataDir): Promise<string | undefined> {
  for (const place of [dataDir.postgres, dataDir.warehouse, dataDir.tracker]) {
    const names = await readdir(place).catch(() => [])
    if (names.length > 0) return place
  }
  return undefined
}

async function refuseWithoutSecrets(dataDir: DataDir): Promise<void> {
  const place = await lockedData(dataDir)
  if (place === undefined) return
  throw new CliError(
    'secrets_missing',
    `${dataDir.secrets} is missing, but ${place} has data that cannot be opened without it. Restore secrets.json from a backup of ${dataDir.path}. To start over without the data, move the folder away.`,
  )
}

const secret = z.string().min(32)
const secretsSchema = z.object({
  postgresPassword: secret,
  warehousePassword: secret,
  /** The first secret signs. Signatures of every secret are accepted. */
  signingSecrets: z.tuple([secret], secret),
  cursorSecret: secret,
})

export type Secrets = z.infer<typeof secretsSchema>

/**
 * The secrets of this service. The first call creates them: 32 random bytes each, base64url, in a file that only its
 * owner can read (0600). Secrets that are missing beside data are never replaced.
 * @throws {CliError} `secrets_missing`, `secrets_damaged`, `data_dir_not_writable`
 */
export async function readSecrets(dataDir: DataDir): Promise<Secrets> {
  const random = () => randomBytes(32).toString('base64url')
  const fresh: Secrets = {
    postgresPassword: random(),
    warehousePassword: random(),
    signingSecrets: [random()],
    cursorSecret: random(),
  }
  try {
    const text = await readFile(dataDir.secrets, 'utf8').catch(async (error) => {
      if (error.code !== 'ENOENT') throw error
      await refuseWithoutSecrets(dataDir)
      await createFile(dataDir.secrets, `${JSON.stringify(fresh, null, 2)}\n`)
      return readFile(dataDir.secrets, 'utf8')
    })
    return secretsSchema.parse(JSON.parse(text))
  } catch (error) {
    if (error instanceof z.ZodError || error instanceof SyntaxError) {
      throw new CliError(
        'secrets_damaged',
        `${dataDir.secrets} is incomplete. Restore it from a backup: the data in ${dataDir.path} needs its passwords.`,
      )
    }
    throw unusable(dataDir.secrets, error)
  }
}

/** What a place of the system, a file in the place of the folder, or the rights of another user give. */
const unusableCodes = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ENOENT'])

function unusable(path: string, error: unknown): Error {
  const { code = '', message } = error as NodeJS.ErrnoException
  if (!unusableCodes.has(code)) return error as Error
  const user = process.getuid ? `user ${process.getuid()}` : 'this user'
  return new CliError(
    'data_dir_not_writable',
    `${path} cannot be used by ${user} (${message}). Set DATA_DIR to another folder, or change the owner of this one.`,
  )
}
