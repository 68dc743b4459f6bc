import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { onTestFinished } from 'vitest'
import { root } from '../repository.ts'

const page = readFileSync(join(root, 'docs/senders.md'), 'utf8')

/** The code blocks of `docs/senders.md`, by the file name in their first line. */
export const blocks = new Map(
  [...page.matchAll(/^```\w+\n(?:\/\/|#) ([\w-]+\.\w+).*\n[\s\S]*?^```$/gm)].map(
    ([block, name = '']) => [name, block.slice(block.indexOf('\n') + 1, -3)],
  ),
)

/** A folder with all the JavaScript of the page, as a person would copy it. */
export async function copySenders(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-senders-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  for (const [name, code] of blocks) {
    if (name.endsWith('.js')) await writeFile(join(folder, name), code)
  }
  return folder
}

/** What a copied file exports. */
export function load(folder: string, name: string) {
  return import(/* @vite-ignore */ pathToFileURL(join(folder, name)).href)
}

type Mode = 'down' | 'hangs' | 'overloaded' | 'works'

/** A front of a tracker that fails on request. It hears each request, and passes it on only while it works. */
export async function startFront(tracker: string) {
  let mode: Mode = 'works'
  const bodies: string[] = []
  const heard: { status: number; at: number }[] = []
  let connections = 0

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request)
    bodies.push(body)
    if (mode === 'hangs') return
    const passedOn = mode === 'works' && (await passOn(request, body))
    const { status, headers, content } = passedOn || overloaded
    heard.push({ status, at: performance.now() })
    response.writeHead(status, headers).end(content)
  }
  async function passOn(
    { url = '', headers: { authorization = '' } }: IncomingMessage,
    body: string,
  ) {
    const headers = { authorization, 'content-type': 'application/json' }
    const reply = await fetch(tracker + url, { method: 'POST', headers, body })
    return { status: reply.status, headers: {}, content: await reply.text() }
  }
  const overloaded = { status: 503, headers: { 'retry-after': '1' }, content: '{}' }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  server.on('connection', () => connections++)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const close = async () => {
    server.closeAllConnections()
    if (server.listening) await once(server.close(), 'close')
  }
  onTestFinished(close)
  return {
    url: `http://127.0.0.1:${port}`,
    /** All bodies that came, also those that were not answered. */
    bodies,
    /** What was answered. */
    heard,
    get connections() {
      return connections
    },
    async becomes(next: Mode): Promise<void> {
      if (next === 'down') await close()
      else if (!server.listening) await once(server.listen(port, '127.0.0.1'), 'listening')
      mode = next
      if (next !== 'hangs') server.closeIdleConnections()
    },
  }
}

/** The events of a body. */
export function eventsOf(body: string): Record<string, unknown>[] {
  return JSON.parse(body).events
}
