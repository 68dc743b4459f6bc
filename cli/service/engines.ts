import { once } from 'node:events'
import { get, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Log } from '../../core/log.ts'
import { basicAuthorization } from '../../warehouse/http.ts'
import type { DataDir, Secrets } from '../folder/data-dir.ts'
import { type RunningPart, startChild } from './child.ts'

/** An engine that this service runs on 127.0.0.1. `url` contains its password: never log it. */
export interface Engine extends RunningPart {
  readonly port: number
  readonly url: string
}

export interface EngineOptions {
  dataDir: DataDir
  secrets: Secrets
  log: Log
  /** The file descriptor of the warehouse's log. */
  stdout: number
  /** Default: a free port. */
  port?: number | undefined
  /** The address of the warehouse. Default 127.0.0.1. */
  host?: string
}

/** Starts the catalog's PostgreSQL. */
export async function startCatalog(options: EngineOptions): Promise<Engine> {
  const { startPostgres } = await import('../../prisma/embedded/postgres.ts')
  const { dataDir, secrets, log } = options
  const server = await startPostgres({
    dataDir: dataDir.postgres,
    password: secrets.postgresPassword,
    ...(options.port === undefined ? {} : { port: options.port }),
    log: (line) => log.info({ from: 'postgres' }, line),
  })
  return {
    pid: server.pid,
    port: server.port,
    url: server.url,
    ping: () => askPostgres(server.url),
    exited: server.exited.then((code) =>
      code === null ? 'it was ended by a signal' : `it ended with exit code ${code}`,
    ),
    stop: server.stop,
    kill: () => quitPostgres(server.pid),
  }
}

/** Starts the warehouse, the only process that may open chDB's folder. */
export async function startWarehouse(options: EngineOptions): Promise<Engine> {
  const { dataDir, secrets, log } = options
  const child = startChild({
    entry: './warehouse-main.ts',
    name: 'The warehouse',
    env: {
      WAREHOUSE_DIR: dataDir.warehouse,
      WAREHOUSE_HOST: options.host ?? '127.0.0.1',
      WAREHOUSE_PORT: String(options.port ?? 0),
      WAREHOUSE_PASSWORD: secrets.warehousePassword,
    },
    stdout: options.stdout,
    log,
  })
  const { port } = await child.message<{ port: number }>('ready')
  return {
    ...child,
    port,
    url: warehouseUrl(secrets, port),
    metrics: async () => {
      const headers = { Authorization: basicAuthorization('default', secrets.warehousePassword) }
      return read({ port, path: '/metrics', headers, timeoutMs: 2000 })
    },
    ping: () => read({ port, path: '/ping', timeoutMs: 5000 }),
  }
}

interface Question {
  readonly port: number
  readonly path: string
  readonly headers?: OutgoingHttpHeaders
  readonly timeoutMs: number
}

/** What a server of this machine answers. `fetch` would double the memory of an idle supervisor. */
async function read({ timeoutMs, headers = {}, ...address }: Question): Promise<string> {
  const signal = AbortSignal.timeout(timeoutMs)
  const request = get({ host: '127.0.0.1', ...address, headers, signal, agent: false })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  return text(response)
}

/** The URL of the warehouse, with its password. */
export function warehouseUrl(secrets: Secrets, port: number): string {
  return `http://default:${encodeURIComponent(secrets.warehousePassword)}@127.0.0.1:${port}`
}

/** The URL of the catalog, with its password. */
export function catalogUrl(secrets: Secrets, port: number): string {
  return `postgresql://sightline:${encodeURIComponent(secrets.postgresPassword)}@127.0.0.1:${port}/sightline`
}

/** A new connection asks PostgreSQL itself: an open one asks a process of its own, which may outlive it. */
async function askPostgres(url: string): Promise<void> {
  const { withSession } = await import('../../prisma/session.ts')
  await withSession(url, (session) => session.query('SELECT 1'))
}

// SIGQUIT makes PostgreSQL end at once, together with its processes. A stopped process gets it with SIGCONT.
function quitPostgres(pid: number): void {
  try {
    process.kill(pid, 'SIGQUIT')
    process.kill(pid, 'SIGCONT')
  } catch {
    // The process has ended already.
  }
}
