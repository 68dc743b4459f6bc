import { randomBytes } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
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

/** Creates missing folders, for their owner only (0700). */
export async function makeDataDir(dataDir: DataDir): Promise<void> {
  try {
    for (const folder of [dataDir.path, dataDir.tracker, dirname(dataDir.logFile)]) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
    }
  } catch (error) {
    throw unusable(dataDir.path, error)
  }
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
 * owner can read (0600).
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

function unusable(path: string, error: unknown): Error {
  const { code, message } = error as NodeJS.ErrnoException
  if (code !== 'EACCES' && code !== 'EPERM' && code !== 'EROFS' && code !== 'ENOTDIR') {
    return error as Error
  }
  const user = process.getuid ? `user ${process.getuid()}` : 'this user'
  return new CliError(
    'data_dir_not_writable',
    `${path} cannot be used by ${user} (${message}). Set DATA_DIR to another folder, or change the owner of this one.`,
  )
}
