import { createHmac, randomBytes } from 'node:crypto'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { sameSecret } from '../../core/access.ts'
import { tryLockFile } from '../../disk/file-lock.ts'
import { CliError } from '../errors.ts'
import type { DataDir, Secrets } from './data-dir.ts'
import { listenAt, ownerSockets } from './owner-socket.ts'

const engine = z.object({ pid: z.number(), port: z.number() })

const ownerSchema = z.object({
  pid: z.number(),
  command: z.string(),
  /** ISO 8601. */
  since: z.string(),
  /** True for a command that starts engines for itself and ends soon. */
  temporary: z.boolean(),
  /** The URL of the API for clients. */
  url: z.string().optional(),
  /** The URL of the API on this machine. */
  localUrl: z.string().optional(),
  api: z.object({ pid: z.number() }).optional(),
  /** The URL of the tracker on this machine. */
  trackerUrl: z.string().optional(),
  tracker: z.object({ pid: z.number() }).optional(),
  trackerWriter: z.object({ pid: z.number() }).optional(),
  worker: z.object({ pid: z.number() }).optional(),
  /** The engines of the folder on 127.0.0.1, once they answer. */
  catalog: engine.optional(),
  warehouse: engine.optional(),
  /** The stores that the owner reaches by DATABASE_URL and CLICKHOUSE_URL. */
  elsewhere: z.array(z.enum(['catalog', 'warehouse'])).optional(),
})

/** The process that holds the lock of a data folder. It contains no secret: any process on this machine may ask. */
export type DataDirOwner = z.infer<typeof ownerSchema>

/** The lock of this process on a data folder. It ends with the process. */
export interface DataDirLock {
  /** Changes the answer to other processes. */
  publish(changes: Partial<DataDirOwner>): void
  /** Resolves when no other command uses the engines of this process. From then on, no command is offered them. */
  unused(): Promise<void>
  release(): Promise<void>
}

/** A connection to the owner. A temporary owner keeps its engines running until `leave`. */
export interface OwnerConnection {
  readonly owner: DataDirOwner
  leave(): void
}

const ANSWER_MS = 2000
// A new owner listens within milliseconds of its lock, and answers.
const UNKNOWN_OWNER_MS = 10_000

/** Locks the folder; undefined when another process holds the lock. */
export async function tryLockDataDir(
  dataDir: DataDir,
  secrets: Secrets,
  about: Pick<DataDirOwner, 'command' | 'temporary'>,
): Promise<DataDirLock | undefined> {
  let owner: DataDirOwner = { pid: process.pid, since: new Date().toISOString(), ...about }
  const guests = new Set<Socket>()
  let onLeave = () => {}
  const answer = (socket: Socket) => {
    guests.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('close', () => {
      guests.delete(socket)
      onLeave()
    })
    // The question is a nonce, so that an old answer cannot be replayed.
    socket.once('data', (nonce) => {
      const text = JSON.stringify(owner)
      socket.write(`${JSON.stringify({ info: text, proof: prove(secrets, nonce, text) })}\n`)
    })
  }
  const unlock = await lockAndListen(dataDir, answer)
  if (!unlock) return undefined
  return {
    publish: (changes) => {
      owner = { ...owner, ...changes }
    },
    unused: () =>
      new Promise((resolve) => {
        onLeave = () => {
          if (guests.size > 0) return
          // Who asks while the engines stop would use them, and lose them.
          owner = { ...owner, catalog: undefined, warehouse: undefined }
          resolve()
        }
        onLeave()
      }),
    release: async () => {
      for (const socket of guests) socket.destroy()
      await unlock()
    },
  }
}

/**
 * Locks the folder for a service.
 * @throws {CliError} `data_dir_in_use`
 */
export async function lockDataDir(
  dataDir: DataDir,
  secrets: Secrets,
  command: string,
): Promise<DataDirLock> {
  const deadline = Date.now() + UNKNOWN_OWNER_MS
  for (;;) {
    const lock = await tryLockDataDir(dataDir, secrets, { command, temporary: false })
    if (lock) return lock
    const connection = await askOwner(dataDir, secrets)
    connection?.leave()
    if (connection) throw inUseBy(dataDir, connection.owner)
    if (Date.now() > deadline) throw inUseByUnknown(dataDir)
    // The owner has not begun to listen yet, or it has just ended.
    await sleep(20)
  }
}

/** @returns unlocks; undefined when another process holds the lock */
async function lockAndListen(
  dataDir: DataDir,
  answer: (socket: Socket) => void,
): Promise<(() => Promise<void>) | undefined> {
  const lock = tryLockFile(join(dataDir.path, 'holder.lock'))
  if (!lock) return undefined
  const sockets = await ownerSockets(dataDir.path)
  const servers: Server[] = []
  const unlock = async () => {
    // The socket of the folder first: alone, it would look like an owner in another container.
    for (const server of servers.toReversed()) {
      await new Promise((resolve) => server.close(resolve))
    }
    await sockets.close()
    lock.release()
  }
  try {
    for (const address of [sockets.name, sockets.file]) {
      if (address === undefined) continue
      const server = createServer(answer).unref()
      const isOurs = await listenAt(server, address).catch((error) => {
        // Some mounted folders accept no sockets: then the abstract socket has to do.
        if (servers.length === 0) throw error
      })
      if (isOurs) servers.push(server)
      if (isOurs === false) {
        // A version without the lock file owns the folder.
        await unlock()
        return undefined
      }
    }
    return unlock
  } catch (error) {
    await unlock()
    throw error
  }
}

/**
 * Connects to the owner of the folder; undefined when no process answers.
 * @throws {CliError} `data_dir_in_use` when the owner gives no valid answer, or runs in another container
 */
export async function askOwner(
  dataDir: DataDir,
  secrets: Secrets,
): Promise<OwnerConnection | undefined> {
  const sockets = await ownerSockets(dataDir.path)
  try {
    for (let seen = ''; ; ) {
      const near = await ask(dataDir, secrets, sockets.name ?? sockets.file)
      if (near) return near
      const far = await ask(dataDir, secrets, sockets.file)
      if (!far) return undefined
      far.leave()
      const { pid, since, command } = far.owner
      // An owner that begins or ends between both questions is not seen twice.
      if (seen === `${pid} ${since}`) {
        throw new CliError(
          'data_dir_in_use',
          `${dataDir.path} is in use by \`${command}\` in another container. Run the command there.`,
          { extras: { holder: far.owner } },
        )
      }
      seen = `${pid} ${since}`
    }
  } finally {
    await sockets.close()
  }
}

async function ask(
  dataDir: DataDir,
  secrets: Secrets,
  address: string,
): Promise<OwnerConnection | undefined> {
  const socket = connect(address)
  const nonce = randomBytes(16)
  try {
    const line = await sendNonce(socket, nonce)
    if (line === undefined) return undefined
    const answer = z.object({ info: z.string(), proof: z.string() }).parse(JSON.parse(line))
    if (!sameSecret(answer.proof, prove(secrets, nonce, answer.info))) throw new Error('proof')
    socket.unref()
    return { owner: ownerSchema.parse(JSON.parse(answer.info)), leave: () => socket.destroy() }
  } catch (error) {
    socket.destroy()
    throw inUseByUnknown(dataDir, error)
  }
}

/** The error of a command that needs a folder that another process holds. */
export function inUseBy(dataDir: DataDir, owner: DataDirOwner): CliError {
  const address = owner.url ? `, at ${owner.url}` : ''
  return new CliError(
    'data_dir_in_use',
    `${dataDir.path} is in use by \`${owner.command}\` (process ${owner.pid}, since ${owner.since}${address}).\n` +
      'Use that service, stop it first, or set DATA_DIR and PORT to start another.',
    { extras: { holder: owner } },
  )
}

/** The error for an owner that does not answer. */
export function inUseByUnknown(dataDir: DataDir, cause?: unknown): CliError {
  return new CliError(
    'data_dir_in_use',
    `${dataDir.path} is in use by a process that does not identify itself. End it, or set DATA_DIR to another folder.`,
    { cause },
  )
}

function prove(secrets: Secrets, nonce: Buffer, text: string): string {
  const key = secrets.warehousePassword
  return createHmac('sha256', key).update('holder\0').update(nonce).update(text).digest('base64url')
}

/** Nobody listens, or the owner ended before it took the connection. */
const absentCodes = new Set(['ECONNREFUSED', 'ENOENT', 'ECONNRESET', 'EPIPE'])

function sendNonce(socket: Socket, nonce: Buffer): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    let text = ''
    const timeout = setTimeout(() => reject(new Error('no answer')), ANSWER_MS)
    const settle = (act: () => void) => {
      clearTimeout(timeout)
      act()
    }
    socket.once('connect', () => socket.write(nonce))
    socket.on('data', (chunk) => {
      text += chunk
      if (text.endsWith('\n')) settle(() => resolve(text))
    })
    socket.once('error', (error: NodeJS.ErrnoException) => {
      settle(() => (absentCodes.has(error.code ?? '') ? resolve(undefined) : reject(error)))
    })
    // The owner ended before its answer: the folder is free.
    socket.once('close', () => settle(() => resolve(undefined)))
  })
}
