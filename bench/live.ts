import { fork } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { readSettings } from '../core/settings.ts'
import { importAnswers } from '../imports/answers/answers.ts'
import { type ApiOptions, startApi } from '../server.ts'
import { say, startBenchService } from './service.ts'

/**
 * node bench/live.ts [READERS]
 *
 * Opens idle readers of `projectUpdated` on an API process of its own, and prints by how much its memory grew. It also
 * prints the time in which one import reached all of them, and the memory after they left.
 */
const readers = Number(process.argv[2] ?? 1000)
const perKey = 500

type Begin = Pick<ApiOptions, 'databaseUrl' | 'clickhouseUrl' | 'secrets'>

/** The API process: it listens, and then answers each message with its memory in bytes. */
async function serve(): Promise<void> {
  const [begin] = (await once(process, 'message')) as [Begin]
  const log = pino({ level: 'silent' })
  const api = await startApi({
    ...begin,
    settings: readSettings({}),
    limits: { streamsPerKey: perKey },
    log,
  })
  await new Promise<void>((resolve) => api.server.listen(0, '127.0.0.1', resolve))
  process.send?.(api.server.address())
  process.on('message', () => {
    for (let i = 0; i < 3; i++) globalThis.gc?.()
    const { rss, heapUsed, external } = process.memoryUsage()
    process.send?.({ rss, heapUsed, external })
  })
}

interface Memory {
  readonly rss: number
  readonly heapUsed: number
  readonly external: number
}

const shown = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MB`

async function subscribe(port: number, key: string, projectId: string): Promise<Socket> {
  const query = `subscription { projectUpdated(projectId: "${projectId}") { __typename at } }`
  const body = JSON.stringify({ query })
  const socket = connect(port, '127.0.0.1')
  socket.write(
    `POST /graphql HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${key}\r\n` +
      'Content-Type: application/json\r\nAccept: text/event-stream\r\n' +
      `Content-Length: ${body.length}\r\n\r\n${body}`,
  )
  const [head] = (await once(socket, 'data')) as [Buffer]
  if (!head.includes(' 200 ')) throw new Error(head.toString())
  return socket
}

async function measure(): Promise<void> {
  const service = await startBenchService()
  const child = fork(import.meta.filename, ['serve'], { execArgv: ['--expose-gc'] })
  try {
    child.send({
      databaseUrl: service.databaseUrl,
      clickhouseUrl: service.warehouseUrl,
      secrets: { cursorSecret: 'bench', signingSecrets: ['bench'] },
    } satisfies Begin)
    const [{ port }] = (await once(child, 'message')) as [{ port: number }]
    const memory = async (): Promise<Memory> => {
      child.send({})
      return ((await once(child, 'message')) as [Memory])[0]
    }
    const open = async (count: number) => {
      const sockets: Socket[] = []
      let key = ''
      for (let i = 0; i < count; i++) {
        if (i % perKey === 0) key = await service.newKey()
        sockets.push(await subscribe(port, key, service.projectId))
      }
      return sockets
    }
    const leave = async (sockets: readonly Socket[]) => {
      for (const socket of sockets) socket.destroy()
      await sleep(2000)
    }
    // What the first requests load stays.
    await leave(await open(readers))
    const before = await memory()
    const sockets = await open(readers)
    await sleep(15_000)
    const idle = await memory()
    const began = performance.now()
    const events = sockets.map(async (socket) => {
      for (;;) {
        const [chunk] = (await once(socket, 'data')) as [Buffer]
        if (chunk.includes('DataImported')) return
      }
    })
    const lines = [{ prompt: 'best tv', platform: 'chatgpt', text: 'A', collectedAt: '2025-05-10' }]
    await importAnswers(service, {
      projectId: service.projectId,
      lines: lines.map((line) => JSON.stringify(line)),
    })
    const visible = performance.now()
    await Promise.all(events)
    const reachedMs = performance.now() - visible
    await leave(sockets)
    const after = await memory()
    say(
      `${readers} idle readers: rss +${shown(idle.rss - before.rss)} (heap +${shown(idle.heapUsed - before.heapUsed)}, outside +${shown(idle.external - before.external)}), of ${shown(before.rss)}`,
    )
    say(
      `an import reached all of them in ${Math.round(reachedMs)} ms after it was visible (import ${Math.round(visible - began)} ms)`,
    )
    say(
      `after they left: rss ${shown(after.rss)}, heap +${shown(after.heapUsed - before.heapUsed)}`,
    )
  } finally {
    child.kill()
    await service.stop()
  }
}

await (process.argv[2] === 'serve' ? serve() : measure())
