import { createHmac, randomBytes } from 'node:crypto'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { z } from 'zod'
import { sameSecret } from '../../core/access.ts'
import { CliError } from '../errors.ts'
import type { DataDir, Secrets } from './data-dir.ts'
import { listenAt, placesOf } from './holder-socket.ts'

const engine = z.object({ pid: z.number(), port: z.number() })

const infoSchema = z.object({
  pid: z.number(),
  command: z.string(),
  /** ISO 8601. */
  since: z.string(),
  /** True for a command that starts engines for itself and ends soon. */
  temporary: z.boolean(),
  /** Where the API answers. */
  url: z.string().optional(),
  /** The same, on this machine. */
  localUrl: z.string().optional(),
  api: z.object({ pid: z.number() }).optional(),
  /** Where the tracker takes events, on this machine. */
  trackerUrl: z.string().optional(),
  tracker: z.object({ pid: z.number() }).optional(),
  trackerWriter: z.object({ pid: z.number() }).optional(),
  /** The engines on this folder, on 127.0.0.1, once they answer. */
  catalog: engine.optional(),
  warehouse: engine.optional(),
  /** Set with DATABASE_URL and CLICKHOUSE_URL: where the holder's own settings point elsewhere. */
  elsewhere: z.array(z.enum(['catalog', 'warehouse'])).optional(),
})

/** Who holds a data folder. It never holds a secret: anybody on this machine may ask. */
export type HolderInfo = z.infer<typeof infoSchema>

/** Our own hold on the folder. It ends with the process, however that ends. */
export interface Hold {
  tell(news: Partial<HolderInfo>): void
  /** Resolves when no other command uses our engines. */
  unused(): Promise<void>
  release(): Promise<void>
}

/** Another process's hold. Its engines stay for us until `leave`, when it is temporary. */
export interface OtherHold {
  readonly info: HolderInfo
  leave(): void
}

const ANSWER_MS = 2000

/** Takes the folder, or returns undefined when another process has it. */
export async function takeFolder(
  dataDir: DataDir,
  secrets: Secrets,
  about: Pick<HolderInfo, 'command' | 'temporary'>,
): Promise<Hold | undefined> {
  let info: HolderInfo = { pid: process.pid, since: new Date().toISOString(), ...about }
  const guests = new Set<Socket>()
  let onLeave = () => {}
  const welcome = (socket: Socket) => {
    guests.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('close', () => {
      guests.delete(socket)
      onLeave()
    })
    // The question is a number used once, so that an old answer cannot be played back.
    socket.once('data', (nonce) => {
      const text = JSON.stringify(info)
      socket.write(`${JSON.stringify({ info: text, proof: prove(secrets, nonce, text) })}\n`)
    })
  }
  const leavePlaces = await occupy(dataDir, welcome)
  if (!leavePlaces) return undefined
  return {
    tell: (news) => {
      info = { ...info, ...news }
    },
    unused: () =>
      new Promise((resolve) => {
        onLeave = () => guests.size === 0 && resolve()
        onLeave()
      }),
    release: async () => {
      for (const socket of guests) socket.destroy()
      await leavePlaces()
    },
  }
}

/**
 * Takes the folder for a command that stays.
 * @throws {CliError} `data_dir_in_use`
 */
export async function holdFolder(
  dataDir: DataDir,
  secrets: Secrets,
  command: string,
): Promise<Hold> {
  for (;;) {
    const hold = await takeFolder(dataDir, secrets, { command, temporary: false })
    if (hold) return hold
    const other = await askHolder(dataDir, secrets)
    other?.leave()
    if (other) throw heldBy(dataDir, other.info)
    // It ended between our two questions.
  }
}

// The name first, which only one process can have; the file tells other containers.
async function occupy(
  dataDir: DataDir,
  welcome: (socket: Socket) => void,
): Promise<(() => Promise<void>) | undefined> {
  const places = await placesOf(dataDir.path)
  const servers: Server[] = []
  const leave = async () => {
    for (const server of servers) await new Promise((resolve) => server.close(resolve))
    await places.close()
  }
  for (const address of [places.name, places.file]) {
    if (address === undefined) continue
    const server = createServer(welcome).unref()
    const isOurs = await listenAt(server, address).catch((error) => {
      // Some mounted folders take no sockets: then the name has to do.
      if (servers.length === 0) throw error
    })
    if (isOurs) servers.push(server)
    if (isOurs === false) {
      await leave()
      return undefined
    }
  }
  return leave
}

/**
 * Who holds the folder now, or undefined.
 * @throws {CliError} `data_dir_in_use` when the holder does not answer, or runs in another container
 */
export async function askHolder(
  dataDir: DataDir,
  secrets: Secrets,
): Promise<OtherHold | undefined> {
  const places = await placesOf(dataDir.path)
  try {
    const near = await ask(dataDir, secrets, places.name ?? places.file)
    const far = near ?? (await ask(dataDir, secrets, places.file))
    if (near || !far) return near
    far.leave()
    throw new CliError(
      'data_dir_in_use',
      `${dataDir.path} is in use by \`${far.info.command}\` in another container. Run the command there.`,
      { extras: { holder: far.info } },
    )
  } finally {
    await places.close()
  }
}

async function ask(
  dataDir: DataDir,
  secrets: Secrets,
  address: string,
): Promise<OtherHold | undefined> {
  const socket = connect(address)
  const nonce = randomBytes(16)
  try {
    const line = await question(socket, nonce)
    if (line === undefined) return undefined
    const answer = z.object({ info: z.string(), proof: z.string() }).parse(JSON.parse(line))
    if (!sameSecret(answer.proof, prove(secrets, nonce, answer.info))) throw new Error('proof')
    socket.unref()
    return { info: infoSchema.parse(JSON.parse(answer.info)), leave: () => socket.destroy() }
  } catch (error) {
    socket.destroy()
    throw new CliError(
      'data_dir_in_use',
      `${dataDir.path} is held by a process that does not say who it is. End it, or set DATA_DIR to another folder.`,
      { cause: error },
    )
  }
}

/** What to tell a person whose command needs a folder that another process holds. */
export function heldBy(dataDir: DataDir, info: HolderInfo): CliError {
  const where = info.url ? `, at ${info.url}` : ''
  return new CliError(
    'data_dir_in_use',
    `${dataDir.path} is in use by \`${info.command}\` (process ${info.pid}, since ${info.since}${where}).\n` +
      'Use that one, stop it first, or set DATA_DIR and PORT to start another.',
    { extras: { holder: info } },
  )
}

function prove(secrets: Secrets, nonce: Buffer, text: string): string {
  const key = secrets.warehousePassword
  return createHmac('sha256', key).update('holder\0').update(nonce).update(text).digest('base64url')
}

function question(socket: Socket, nonce: Buffer): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    let text = ''
    const patience = setTimeout(() => reject(new Error('no answer')), ANSWER_MS)
    const done = (act: () => void) => {
      clearTimeout(patience)
      act()
    }
    socket.once('connect', () => socket.write(nonce))
    socket.on('data', (chunk) => {
      text += chunk
      if (text.endsWith('\n')) done(() => resolve(text))
    })
    socket.once('error', (error: NodeJS.ErrnoException) => {
      const nobody = error.code === 'ECONNREFUSED' || error.code === 'ENOENT'
      done(() => (nobody ? resolve(undefined) : reject(error)))
    })
    // It ended while we asked: nobody holds the folder any more.
    socket.once('close', () => done(() => resolve(undefined)))
  })
}
