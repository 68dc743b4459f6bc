import { spawn } from 'node:child_process'
import {
  chown,
  lchown,
  lstat,
  mkdtemp,
  readdir,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { syncFolder } from '../../disk/durable-file.ts'
import type { PostgresBinaries } from './binaries.ts'
import type { PostgresUser } from './user.ts'

/** The role that owns the catalog. */
export const ROLE = 'sightline'

/**
 * @returns true for a folder with PostgreSQL's data, false for an empty or missing folder
 * @throws when the folder holds other files, or this process may not read it
 */
export async function holdsData(dataDir: string): Promise<boolean> {
  try {
    await stat(join(dataDir, 'PG_VERSION'))
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EACCES') {
      const { uid } = await stat(dataDir)
      throw new Error(`The user ${uid} owns ${dataDir}: start as that user, or hand it over.`)
    }
    if (code !== 'ENOENT') throw error
  }
  const names = await readdir(dataDir).catch(() => [])
  if (names.length > 0) throw new Error(`${dataDir} holds something else than PostgreSQL's data.`)
  return false
}

/**
 * Makes the data folder under a temporary name and then renames it, so a killed process leaves no half-made folder.
 * When another process was faster, its folder stays.
 */
export async function createFolder(
  dataDir: string,
  password: string,
  binaries: PostgresBinaries,
  user: PostgresUser,
): Promise<void> {
  const workshop = await mkdtemp(`${dataDir}.init-${process.pid}-`)
  try {
    const passwordFile = join(workshop, 'password')
    await writeFile(passwordFile, `${password}\n`, { mode: 0o600 })
    if (user.handsOver) {
      await chown(passwordFile, user.uid, user.gid)
      await chown(workshop, user.uid, user.gid)
    }
    const made = join(workshop, 'data')
    await runInitdb(binaries, user, [`--pgdata=${made}`, `--pwfile=${passwordFile}`])
    await rename(made, dataDir)
    await syncFolder(dirname(dataDir))
  } catch (error) {
    if (!(await holdsData(dataDir))) throw error
  } finally {
    await rm(workshop, { recursive: true, force: true })
  }
}

async function runInitdb(
  binaries: PostgresBinaries,
  user: PostgresUser,
  places: readonly string[],
): Promise<void> {
  const [command, args] = user.command(binaries.initdb, [
    ...places,
    `--username=${ROLE}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--no-locale',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
  ])
  const child = spawn(command, args, {
    ...user.ids,
    cwd: '/',
    env: postgresEnv(binaries),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  const [code, errors] = await Promise.all([ended, text(child.stderr)])
  if (code !== 0) throw new Error(`initdb failed (${code ?? 'killed'}): ${errors.trim()}`)
}

/** The environment of PostgreSQL's programs. It leaves out ours, which may hold secrets. */
export function postgresEnv(binaries: PostgresBinaries): Record<string, string> {
  return { PATH: process.env.PATH ?? '', LC_ALL: 'C', TZ: 'UTC', ...binaries.env }
}

/** Removes temporary folders of `createFolder` whose process was killed. */
export async function removeLeftovers(dataDir: string): Promise<void> {
  const parent = dirname(dataDir)
  for (const entry of await readdir(parent)) {
    if (!entry.startsWith(`${basename(dataDir)}.init-`)) continue
    const pid = Number(/-(\d+)-\w+$/.exec(entry)?.[1])
    if (pid !== process.pid && isAlive(pid)) continue
    // initdb ends a little later than its parent, and writes until then.
    await rm(join(parent, entry), { recursive: true, force: true, maxRetries: 10 })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Gives root's files to PostgreSQL's user, for example after a restored backup. The top folder comes last. */
export async function handOver(path: string, user: PostgresUser): Promise<void> {
  const entry = await lstat(path)
  if (entry.isDirectory()) {
    for (const name of await readdir(path)) await handOver(join(path, name), user)
  }
  if (entry.uid === 0) await lchown(path, user.uid, user.gid)
}
