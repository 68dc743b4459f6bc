import type { Server as HttpServer } from 'node:http'
import type { Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fieldSentence } from '../../core/rule-text.ts'
import { type Settings, SettingsError } from '../../core/settings.ts'
import { CliError } from '../errors.ts'

/** The setting that chooses a port. */
export type PortSetting = 'PORT' | 'TRACKER_PORT' | 'METRICS_PORT'

const usualPorts = { PORT: 4000, TRACKER_PORT: 4001, METRICS_PORT: 4002 } as const

/** The URL of a listener on this machine. */
export function urlOf(host: string, port: number): string {
  const isEverywhere = host === '0.0.0.0' || host === '::'
  const name = isEverywhere ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}

/** Where a port is opened; undefined for one that is not asked for. */
export function addressOf(settings: Settings, name: PortSetting) {
  if (name === 'METRICS_PORT') return settings.METRICS_PORT
  return { host: settings.HOST, port: settings[name] }
}

/** Ports that another setting of the same process has taken, a sentence each. */
export function samePorts(settings: Settings, used: readonly PortSetting[]): string[] {
  const meet = (one: string, other: string) =>
    one === other || [one, other].some((host) => host === '0.0.0.0' || host === '::')
  return used.flatMap((name, at) => {
    const given = addressOf(settings, name)
    const twin = used.slice(0, at).find((other) => {
      const taken = addressOf(settings, other)
      return taken?.port === given?.port && meet(taken?.host ?? '', given?.host ?? '')
    })
    if (given === undefined || given.port === 0 || twin === undefined) return []
    return [fieldSentence(name, `must differ from \`${twin}\`; both are ${given.port}`)]
  })
}

/** @throws {SettingsError} when two ports of one process are the same */
export function refuseSamePorts(settings: Settings, used: readonly PortSetting[]): void {
  const faults = samePorts(settings, used)
  if (faults.length > 0) throw new SettingsError(faults)
}

/** @throws {CliError} `port_in_use`, `port_not_allowed`, `host_not_available` */
export async function listen(
  server: Server,
  host: string,
  port: number,
  setting: PortSetting = 'PORT',
): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, host, resolve)
    })
  } catch (error) {
    throw explain(error as NodeJS.ErrnoException, host, port, setting)
  }
}

function explain(
  error: NodeJS.ErrnoException,
  host: string,
  port: number,
  setting: PortSetting,
): Error {
  if (error.code === 'EADDRINUSE') {
    return new CliError(
      'port_in_use',
      `Port ${port} on ${host} is in use by another program. Choose another: ${setting}=${port + 10} npm start`,
      { extras: { host, port } },
    )
  }
  if (error.code === 'EACCES') {
    return new CliError(
      'port_not_allowed',
      `This user may not open port ${port}: ports below 1024 belong to root. Choose another: ${setting}=${usualPorts[setting]} npm start`,
      { extras: { host, port } },
    )
  }
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') {
    return new CliError(
      'host_not_available',
      `${setting === 'METRICS_PORT' ? 'The address of METRICS_PORT' : 'HOST'}, ${host}, is not an address of this machine. Use 127.0.0.1 for this machine only, or 0.0.0.0 for all networks.`,
      { extras: { host } },
    )
  }
  return error
}

const DRAIN_MS = 5000
// A new connection has not sent its request yet.
const GRACE_MS = 100

/**
 * Counts requests under way, from now on.
 * @returns waits for them, 5 s at most, and then closes every connection
 */
export function drainOf(server: HttpServer): () => Promise<void> {
  let underway = 0
  let isLast = false
  server.prependListener('request', (_request, response) => {
    underway++
    response.once('close', () => {
      underway--
    })
    if (isLast) response.setHeader('Connection', 'close')
  })
  return async () => {
    const deadline = Date.now() + DRAIN_MS
    isLast = true
    await sleep(GRACE_MS)
    while (underway > 0 && Date.now() < deadline) await sleep(20)
    server.closeAllConnections()
  }
}
