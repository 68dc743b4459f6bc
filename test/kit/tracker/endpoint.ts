import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { makeIngestKey, makeSiteToken } from '../../../core/tokens.ts'
import { openBots } from '../../../ingest/bots/bots.ts'
import { openRanges } from '../../../ingest/bots/ranges.ts'
import { createVerifier } from '../../../ingest/endpoint/key.ts'
import { startTracker, type TrackerOptions } from '../../../ingest/endpoint/tracker.ts'
import type { LogOptions } from '../../../ingest/log/log.ts'
import { listen, makeFolder, open, rowsInLog } from './folder.ts'

const secret = 'a secret of tests'

type Options = Partial<Pick<LogOptions, 'maxBacklogBytes'>> &
  Partial<Pick<TrackerOptions, 'maxHeldBytes' | 'maxConnections' | 'requestTimeoutMs'>> & {
    /** The registry of the operator. */
    readonly botsFile?: string
    /** The ranges of the operator. */
    readonly rangesFile?: string
  }

/** A tracker on a free port with a log of its own, for the test that asks for it. */
export async function startEndpoint({
  maxBacklogBytes,
  botsFile,
  rangesFile,
  ...bounds
}: Options = {}) {
  const dir = await makeFolder()
  const told = listen()
  const log = await open(dir, maxBacklogBytes === undefined ? {} : { maxBacklogBytes })
  const bots = await openBots({
    source: botsFile,
    lastGoodFile: join(dir, 'bots.json'),
    log: told.log,
    refreshMs: 50,
  })
  onTestFinished(bots.close)
  const ranges = await openRanges({
    source: rangesFile,
    lastGoodFile: join(dir, 'crawler-ranges.json'),
    log: told.log,
    refreshMs: 50,
  })
  onTestFinished(ranges.close)
  const revoked = { keys: new Set<string>(), projects: new Set<string>() }
  const verifier = createVerifier({ secrets: [secret], revoked: () => revoked })
  const parts = { log, bots, ranges, verifier, logger: told.log }
  const tracker = await startTracker({ host: '127.0.0.1', port: 0, ...parts, ...bounds })
  let closing: Promise<void> | undefined
  const close = () => (closing ??= tracker.close())
  onTestFinished(close)

  const ids = { keyId: randomUUID(), projectId: randomUUID(), workspaceId: randomUUID() }
  const key = makeIngestKey(secret, { id: ids.keyId, workspaceId: ids.workspaceId })
  const siteToken = makeSiteToken(secret, ids)
  const { port, url } = tracker
  return {
    ...ids,
    key,
    siteToken,
    port,
    url,
    dir,
    close,
    told,
    revoked,
    bots,
    ranges,
    signed: {
      key: (of: { workspaceId: string; permissions?: string[] }) =>
        makeIngestKey(secret, { id: randomUUID(), ...of }, of.permissions),
      site: (site: { projectId: string; workspaceId: string }) => makeSiteToken(secret, site),
    },
    bodyOf: (events: unknown, more: object = {}) =>
      JSON.stringify({ site_token: siteToken, events, ...more }),
    /** What answers to a body: status, reason, text. */
    async post(body: string | Buffer<ArrayBuffer>, headers: Record<string, string> = {}) {
      const authorization = `Bearer ${key}`
      const response = await fetch(`${url}/v1/events`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization, ...headers },
        body,
      })
      return answerOf(response)
    },
    /** The paths that are in the log. */
    async paths(): Promise<string[]> {
      return (await rowsInLog(dir)).map((row) => JSON.parse(row).path)
    },
    /** The value of a line of `/metrics`. */
    async metric(name: string): Promise<number> {
      const text = await (await fetch(`${url}/metrics`)).text()
      const line = text.split('\n').find((each) => each.startsWith(`sightline_tracker_${name} `))
      return Number(line?.split(' ').at(-1))
    },
    dial: () => dial(port),
    /** The head of an events request with the key, to be followed by a body. */
    head: (...lines: string[]) =>
      headOf('POST /v1/events', `Authorization: Bearer ${key}`, ...lines),
  }
}

export type Endpoint = Awaited<ReturnType<typeof startEndpoint>>

async function answerOf(response: Response) {
  const text = await response.text()
  const { error, message } = text === '' ? {} : JSON.parse(text)
  return { status: response.status, error, message, text, headers: response.headers }
}

/** The head of a request. */
export function headOf(target: string, ...lines: string[]): string {
  return `${[`${target} HTTP/1.1`, 'Host: tracker', ...lines].join('\r\n')}\r\n\r\n`
}

/** A connection that sends what no client library would, and hears what comes back. */
export async function dial(port: number) {
  const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true })
  let heard = ''
  let isClosed = false
  // A reset is a way to close.
  socket.on('error', () => undefined)
  socket.on('close', () => {
    isClosed = true
  })
  socket.setEncoding('utf8').on('data', (text: string) => {
    heard += text
  })
  onTestFinished(() => {
    socket.destroy()
  })
  const statuses = () =>
    [...heard.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
  await once(socket, 'connect')
  return {
    socket,
    send: (text: string | Buffer) => socket.write(text),
    get heard() {
      return heard
    },
    get isClosed() {
      return isClosed
    },
    /** The statuses that came, in order. */
    get statuses(): number[] {
      return statuses()
    },
    /** Waits until so many answers came, or the connection is closed. */
    async answers(count: number): Promise<number[]> {
      const deadline = Date.now() + 30_000
      while (statuses().length < count && !isClosed && Date.now() < deadline) await sleep(10)
      return statuses()
    },
    async closed(limitMs = 30_000): Promise<boolean> {
      const deadline = Date.now() + limitMs
      while (!isClosed && Date.now() < deadline) await sleep(10)
      return isClosed
    },
  }
}
