import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, realpath, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { basename, dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { findPostgres } from './binaries.ts'
import { endOrphans, endWithUs, removeStaleLock } from './exit.ts'
import { createFolder, handOver, holdsData, postgresEnv, ROLE, removeLeftovers } from './folder.ts'
import { type PostgresUser, postgresUser } from './user.ts'

export interface EmbeddedPostgres {
  /** Connection string of the catalog, password included. */
  readonly url: string
  readonly port: number
  readonly pid: number
  /** Stops the server cleanly: it cuts connections and writes everything to disk. */
  stop(): Promise<void>
  /** Resolves when the server has ended: to its exit code, or to null after a signal. */
  readonly exited: Promise<number | null>
}

export interface PostgresOptions {
  /** Created when missing. */
  dataDir: string
  /** Set when the folder is created; later starts need the same password. */
  password: string
  /** Default: a free port. */
  port?: number
  /** Receives the server's log, line by line. */
  log?: (line: string) => void
}

const DATABASE = 'sightline'
const RETRY_MS = 5_000
const PATIENCE_MS = 10_000
const READY = 'database system is ready to accept connections'
// The complaint of a server while children of its killed predecessor still live.
const PASSES =
  /lock file "postmaster\.pid" already exists|shared memory block .* in use|could not bind|could not create any TCP/

const ORPHANED = /shared memory block .* in use/

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  timezone: 'UTC',
  log_timezone: 'UTC',
  fsync: 'on',
  synchronous_commit: 'on',
  // One process is enough for the reads of a catalog; a pool of readers would take three.
  io_method: 'sync',
  jit: 'off',
  max_logical_replication_workers: '0',
  // The API reports rejected statements. Their text in this log would repeat people's data.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
  log_line_prefix: '',
}

/**
 * Starts PostgreSQL from npm's binaries on 127.0.0.1. The server ends with this process, also after SIGKILL.
 * Started by root, it runs as the owner of the data, or as nobody.
 * @throws when the folder is in use, the port is taken, or the server refuses the folder; the message quotes the server
 */
export async function startPostgres(options: PostgresOptions): Promise<EmbeddedPostgres> {
  const binaries = findPostgres()
  const dataDir = await place(options.dataDir)
  const owner = await stat(dataDir).catch(() => undefined)
  const user = postgresUser(binaries.postgres, dirname(dataDir), owner)
  await removeLeftovers(dataDir)
  if (!(await holdsData(dataDir))) await createFolder(dataDir, options.password, binaries, user)
  else if (user.handsOver && owner?.uid === 0) await handOver(dataDir, user)
  const cluster = `sightline-${createHash('sha256').update(dataDir).digest('hex').slice(0, 12)}`
  const deadline = Date.now() + RETRY_MS
  for (;;) {
    await removeStaleLock(dataDir)
    const port = options.port ?? (await freePort())
    const [program, args] = user.command(binaries.postgres, [
      '-D',
      dataDir,
      ...asArguments({ ...SETTINGS, port: String(port), cluster_name: cluster }),
    ])
    const start = await launch(program, args, user, postgresEnv(binaries), options.log)
    if ('child' in start) return serve(start.child, start.exited, port, options.password)
    const words = start.lines.join('\n')
    if (!PASSES.test(words) || Date.now() > deadline) {
      throw new Error(`PostgreSQL did not start on ${dataDir}, port ${port}:\n${words}`)
    }
    if (ORPHANED.test(words)) await endOrphans(cluster)
    await sleep(50)
  }
}

/** The absolute path of the folder without links. Creates its parent. */
async function place(dataDir: string): Promise<string> {
  const wanted = resolve(dataDir)
  await mkdir(dirname(wanted), { recursive: true })
  return join(await realpath(dirname(wanted)), basename(wanted))
}

function asArguments(settings: Record<string, string>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

type Launch = { child: ChildProcess; exited: Promise<number | null> } | { lines: string[] }

async function launch(
  program: string,
  args: readonly string[],
  user: PostgresUser,
  env: Record<string, string>,
  log?: (line: string) => void,
): Promise<Launch> {
  // A separate session: Ctrl-C in a terminal reaches only this process, which stops the server last.
  const child = spawn(program, args, {
    ...user.ids,
    cwd: '/',
    detached: true,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const lines: string[] = []
  const exited = new Promise<number | null>((resolve) => {
    child.once('exit', resolve)
    child.once('error', (error) => {
      lines.push(error.message)
      resolve(null)
    })
  })
  const reader = createInterface({ input: child.stderr })
  const silent = new Promise<false>((resolve) => reader.once('close', () => resolve(false)))
  const ready = new Promise<true>((resolve) => {
    reader.on('line', (line) => {
      log?.(line)
      if (lines.push(line) > 50) lines.shift()
      if (line.includes(READY)) resolve(true)
    })
  })
  if (child.pid !== undefined && !user.diesWithParent) exited.then(endWithUs(child.pid))
  if (await Promise.race([ready, silent])) return { child, exited }
  await exited
  return { lines }
}

async function serve(
  child: ChildProcess,
  exited: Promise<number | null>,
  port: number,
  password: string,
): Promise<EmbeddedPostgres> {
  const stop = async () => {
    child.kill('SIGINT')
    const impatience = setTimeout(() => child.kill('SIGQUIT'), PATIENCE_MS)
    await exited.finally(() => clearTimeout(impatience))
  }
  const address = (database: string) =>
    `postgresql://${ROLE}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`
  try {
    await ensureDatabase(address('postgres'))
  } catch (error) {
    await stop()
    throw error
  }
  return { url: address(DATABASE), port, pid: child.pid ?? 0, stop, exited }
}

async function ensureDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const known = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE])
    if (known.rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`)
  } catch (error) {
    if ((error as { code?: string }).code !== '28P01') throw error
    throw new Error('The PostgreSQL data folder was made with another password.', { cause: error })
  } finally {
    await client.end()
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
