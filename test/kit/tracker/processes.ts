import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeIngestKey, makeSiteToken } from '../../../core/tokens.ts'
import type { LogOptions } from '../../../ingest/log/log.ts'
import { firstLine } from '../service.ts'
import { hitOf, type Sender } from './service.ts'

/** A part of the tracker in a process of its own. */
export interface Part {
  /** Ends it by SIGKILL, with what it runs through, and resolves when it has ended. */
  kill(): Promise<void>
  /** What it wrote to standard error. */
  errors(): string
}

export interface TrackerPart extends Part {
  readonly port: number
}

export interface Site extends Sender {
  readonly secret: string
  readonly projectId: string
}

/** A project and what its servers send with. No catalog knows it: the tracker asks none. */
export function makeSite(): Site {
  const [secret, projectId, workspaceId] = [randomUUID(), randomUUID(), randomUUID()]
  const key = makeIngestKey(secret, { id: randomUUID(), workspaceId })
  return { secret, projectId, key, siteToken: makeSiteToken(secret, { projectId, workspaceId }) }
}

export interface TrackerPartOptions {
  readonly dir: string
  readonly site: Site
  /** Default: a free one. */
  readonly port?: number
  readonly limits?: Pick<LogOptions, 'segmentBytes' | 'maxBacklogBytes' | 'minFreeBytes'>
  /** What to run it by, such as strace. */
  readonly through?: readonly string[]
}

/** The endpoint and its log. */
export async function startTrackerPart(options: TrackerPartOptions): Promise<TrackerPart> {
  const { dir, site, port = 0, limits = {}, through } = options
  const args = [dir, String(port), site.secret, JSON.stringify(limits)]
  const script = new URL('../../fault/tracker-child.ts', import.meta.url)
  const { line, ...part } = await startPart(script, args, through)
  return { ...part, port: Number(line) }
}

export async function startWriterPart(dir: string, clickhouseUrl: string): Promise<Part> {
  const script = new URL('../../fault/tracker-writer-child.ts', import.meta.url)
  return startPart(script, [dir, clickhouseUrl])
}

/** Runs a script, and waits for its first line. */
async function startPart(script: URL, args: readonly string[], through: readonly string[] = []) {
  const [command = '', ...rest] = [...through, process.execPath, script.pathname, ...args]
  // A process group of its own, which ends together with its wrapper.
  const child = spawn(command, rest, { stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  const ended = once(child, 'close')
  const line = await Promise.race([firstLine(child), ended.then(() => undefined)])
  if (line === undefined) throw new Error(`${script.pathname} did not start: ${errors}`)
  return {
    line,
    errors: () => errors,
    async kill() {
      const { pid } = child
      if (pid !== undefined && child.exitCode === null && child.signalCode === null) {
        process.kill(-pid, 'SIGKILL')
      }
      await ended
    },
  }
}

/** Sends a hit for each path, in one request. @returns undefined when there was no answer */
export async function send(
  { port }: { port: number },
  { key, siteToken }: Sender,
  paths: readonly string[],
): Promise<Response | undefined> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/v1/events`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ site_token: siteToken, events: paths.map(hitOf) }),
    })
    await response.arrayBuffer()
    return response
  } catch {
    return undefined
  }
}

export interface Load {
  /** Paths of requests that were answered by 202. */
  readonly acknowledged: string[]
  /** Paths that were sent; none twice. */
  readonly sent: number
  readonly unanswered: number
  readonly refused: number
  stop(): Promise<void>
}

/** Sends ever new paths, each after the prefix, over several connections at once, until it is stopped. */
export function startLoad(
  target: { port: number },
  site: Site,
  options: { connections: number; pathsAtOnce: number; pauseMs: number },
  prefix = '',
): Load {
  const counts = { sent: 0, unanswered: 0, refused: 0 }
  const acknowledged: string[] = []
  let isStopped = false

  async function client(): Promise<void> {
    while (!isStopped) {
      const paths = Array.from({ length: options.pathsAtOnce }, () => `${prefix}/${counts.sent++}`)
      const response = await send(target, site, paths)
      if (response?.status === 202) acknowledged.push(...paths)
      else if (response === undefined) counts.unanswered += paths.length
      else counts.refused += paths.length
      await sleep(options.pauseMs)
    }
  }
  const clients = Array.from({ length: options.connections }, client)
  return {
    acknowledged,
    get sent() {
      return counts.sent
    },
    get unanswered() {
      return counts.unanswered
    },
    get refused() {
      return counts.refused
    },
    async stop() {
      isStopped = true
      await Promise.all(clients)
    },
  }
}
