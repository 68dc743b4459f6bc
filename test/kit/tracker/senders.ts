import { once } from 'node:events'
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { onTestFinished } from 'vitest'
import { root, runTool } from '../repository.ts'

const page = readFileSync(join(root, 'docs/senders.md'), 'utf8')

/** The code blocks of `docs/senders.md`, by the file name in their first line. */
export const blocks = new Map(
  [...page.matchAll(/^```\w+\n(?:<\?php\n)?(?:\/\/|#) ([\w-]+\.\w+).*\n[\s\S]*?^```$/gm)].map(
    ([block, name = '']) => [name, block.slice(block.indexOf('\n') + 1, -3)],
  ),
)

let built: string | undefined

/** A folder with the package as `npm pack` makes it, built once. */
async function packedSender(): Promise<string> {
  if (built !== undefined) return built
  const folder = mkdtempSync(join(tmpdir(), 'sightline-package-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const build = ['-p', 'packages/sender', '--outDir', join(folder, 'dist')]
  const { stdout } = await runTool(root, 'node_modules/typescript/bin/tsc', ...build)
  if (stdout !== '') throw new Error(stdout)
  copyFileSync(join(root, 'packages/sender/package.json'), join(folder, 'package.json'))
  built = folder
  return folder
}

/** The folder of a site that has installed the package, with all the JavaScript of the page. */
export async function copySenders(): Promise<string> {
  const outer = await mkdtemp(join(tmpdir(), 'sightline-senders-'))
  onTestFinished(() => rm(outer, { recursive: true, force: true }))
  // Frameworks come from here, and the package is nearer.
  await symlink(join(root, 'node_modules'), join(outer, 'node_modules'))
  const folder = join(outer, 'site')
  const installed = join(folder, 'node_modules/@sightline')
  await mkdir(installed, { recursive: true })
  await cp(await packedSender(), join(installed, 'sender'), { recursive: true })
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  for (const [name, code] of blocks) {
    if (name.endsWith('.js')) await writeFile(join(folder, name), code)
  }
  return folder
}

/** What a file of the package exports, from the folder of a site. */
export function load(folder: string, name: string) {
  const path = join(folder, 'node_modules/@sightline/sender/dist', name)
  return import(/* @vite-ignore */ pathToFileURL(path).href)
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
    const kept = { 'sightline-kept': reply.headers.get('sightline-kept') ?? '' }
    return { status: reply.status, headers: kept, content: await reply.text() }
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
