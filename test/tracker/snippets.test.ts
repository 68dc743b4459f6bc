import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { builtinBots } from '../../core/bots/bots.ts'
import { gptBot } from '../kit/imports/access-logs.ts'
import { emptyFolder, root } from '../kit/repository.ts'
import { until } from '../kit/service.ts'
import { startEndpoint } from '../kit/tracker/endpoint.ts'
import { rowsInLog } from '../kit/tracker/folder.ts'
import { blocks, startFront } from '../kit/tracker/senders.ts'
import { freePort } from '../kit/web/free-port.ts'

/** The files of docs/senders.md for sites without Node.js, run by PHP and Python, with a tracker that fails and comes back. */

/** Whether a program is there. Continuous integration must have it. */
function has(...command: [string, ...string[]]): boolean {
  const [program, ...args] = command
  const found = spawnSync(program, args, { encoding: 'utf8' })
  const isThere = found.status === 0 && !found.stdout.includes('lacking')
  if (!isThere && process.env.CI === 'true') throw new Error(`${program} is missing`)
  return isThere
}

const lacksPhp = !has('php', '-r', "echo extension_loaded('pdo_sqlite') ? 'there' : 'lacking';")
const lacksPython = !has('python3', '--version')

const person =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'

interface Site {
  /** File of docs/senders.md. */
  readonly file: string
  /** Starts a server of the site. */
  serve(folder: string, port: number): readonly [string, ...string[]]
  /** What makes waiting events go, where nothing does by itself. */
  readonly tick?: string
}

const router = `<?php
require 'sightline.php';
if (strpos($_SERVER['REQUEST_URI'], '/absent') === 0) http_response_code(404);
echo 'Hello';
`
const wsgi = `
import sys
from wsgiref.simple_server import make_server, WSGIRequestHandler
from sightline import SightlineWSGI
class Quiet(WSGIRequestHandler):
    def log_message(self, *args): pass
def app(environ, start_response):
    status = "404 Not Found" if environ["PATH_INFO"] == "/absent" else "200 OK"
    start_response(status, [("Content-Type", "text/plain")])
    return [b"Hello"]
make_server("127.0.0.1", int(sys.argv[1]), SightlineWSGI(app), handler_class=Quiet).serve_forever()
`

const sites: Record<string, Site> = {
  PHP: {
    file: 'sightline.php',
    serve: (folder, port) => [
      'php',
      '-d',
      `sys_temp_dir=${folder}`,
      '-S',
      `127.0.0.1:${port}`,
      join(folder, 'router.php'),
    ],
    tick: '/person',
  },
  'the plugin of WordPress': {
    file: 'sightline-wordpress.php',
    serve: (_, port) => [
      'php',
      '-S',
      `127.0.0.1:${port}`,
      join(root, 'test/kit/tracker/wordpress.php'),
    ],
    tick: '/wp-cron.php',
  },
  Python: {
    file: 'sightline.py',
    serve: (folder, port) => ['python3', join(folder, 'wsgi.py'), String(port)],
  },
}

/** A folder with a file of the page, with the credentials filled in, and pauses of a second. */
async function folderWith(file: string, filled: Readonly<Record<string, string>>) {
  const folder = emptyFolder()
  let code = blocks.get(file) ?? ''
  for (const [example, value] of Object.entries(filled)) {
    expect(code).toContain(example)
    code = code.replaceAll(example, value)
  }
  code = code
    .replace(/(FIRST_PAUSE_SECONDS =) \d+/, '$1 1')
    .replace(/(TIMEOUT_SECONDS =) 5/, '$1 2')
  await writeFile(join(folder, file), code)
  await writeFile(join(folder, 'router.php'), router)
  await writeFile(join(folder, 'wsgi.py'), wsgi)
  return folder
}

async function startSite({ file, serve, tick }: Site) {
  const endpoint = await startEndpoint()
  const front = await startFront(endpoint.url)
  const folder = await folderWith(file, {
    'https://tracker.example.com': front.url,
    'sk_live_…': endpoint.key,
    'st_…': endpoint.siteToken,
  })
  const port = await freePort()
  const [program, ...args] = serve(folder, port)
  const env = { ...process.env, PLUGIN: join(folder, file), OPTIONS: join(folder, 'options.db') }
  const child: ChildProcess = spawn(program, args, { cwd: folder, env, stdio: 'ignore' })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  const visit = async (path: string, headers: Record<string, string> = {}) => {
    const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
      headers: { 'user-agent': gptBot, connection: 'close', ...headers },
    })
    return [reply.status, await reply.text()]
  }
  const ask = (path: string) => visit(path, { 'user-agent': person })
  await until(() =>
    ask('/person').then(
      () => true,
      () => false,
    ),
  )
  const arrived = async (paths: readonly string[]) => {
    if (tick) await ask(tick)
    const found = new Set(await endpoint.paths())
    return paths.every((path) => found.has(path))
  }
  return { endpoint, front, visit, ask, arrived }
}

const numbered = (from: number) => Array.from({ length: 5 }, (_, i) => `/page/${from + i}`)

describe.each(Object.entries(sites))('%s', (_, site) => {
  test.skipIf(site.file.endsWith('.py') ? lacksPython : lacksPhp)(
    'reports bots without address and query, answers while the tracker is away, and sends what waited',
    async () => {
      const { endpoint, front, visit, ask, arrived } = await startSite(site)
      const forwarded = { 'x-forwarded-host': 'www.acme.com', 'x-forwarded-proto': 'https' }
      expect(await visit('/page/0?token=hush', forwarded)).toEqual([200, 'Hello'])
      expect(await visit('/absent', forwarded)).toEqual([404, 'Hello'])
      await until(() => arrived(['/page/0', '/absent']))
      const rows = (await rowsInLog(endpoint.dir)).map((row) => JSON.parse(row))
      expect(rows).toMatchObject([
        { path: '/page/0', host: 'www.acme.com', bot_name: 'GPTBot', ip_address: '127.0.0.0' },
        { path: '/absent', host: 'www.acme.com', status_code: 404 },
      ])
      expect(rows[0]).toMatchObject({ method: 'GET', status_code: 200 })

      let next = 1
      for (const mode of ['down', 'hangs', 'overloaded'] as const) {
        await front.becomes(mode)
        for (const path of numbered(next)) expect(await visit(path)).toEqual([200, 'Hello'])
        next += 5
      }
      const tries = front.bodies.length
      await front.becomes('works')
      const expected = Array.from({ length: next - 1 }, (_, i) => `/page/${i + 1}`)
      await until(() => arrived(expected))
      // The breaker: not each of the fifteen visits has tried.
      expect(tries).toBeLessThan(10)
      await ask('/person')
      const sent = front.bodies.join()
      for (const secret of ['hush', '127.0.0.1"', '/person', 'Chrome/142']) {
        expect(sent).not.toContain(secret)
      }
    },
  )
})

test.skipIf(lacksPython)(
  'Python sends what an ASGI application answered before it ends',
  async () => {
    const endpoint = await startEndpoint()
    const folder = await folderWith('sightline.py', {
      'https://tracker.example.com': endpoint.url,
      'sk_live_…': endpoint.key,
      'st_…': endpoint.siteToken,
    })
    const program = `
import asyncio
from sightline import SightlineASGI
async def app(scope, receive, send):
    if scope["path"] == "/fails": raise ValueError("of the site")
    await send({"type": "http.response.start", "status": 201, "headers": []})
    await send({"type": "http.response.body", "body": b"Hello"})
async def visit(path):
    headers = [(b"host", b"www.acme.com"), (b"user-agent", ${JSON.stringify(gptBot)}.encode())]
    scope = {"type": "http", "method": "GET", "path": path, "scheme": "https", "headers": headers,
             "client": ["2a03:2880:1:2::5", 1], "query_string": b"token=hush"}
    sent = []
    async def send(message): sent.append(message)
    await SightlineASGI(app)(scope, None, send)
    assert [m["type"] for m in sent] == ["http.response.start", "http.response.body"]
asyncio.run(visit("/größe"))
try: asyncio.run(visit("/fails"))
except ValueError: pass
`
    await writeFile(join(folder, 'program.py'), program)
    const child = spawn('python3', [join(folder, 'program.py')], { stdio: 'inherit' })
    expect(await once(child, 'exit')).toEqual([0, null])
    const rows = (await rowsInLog(endpoint.dir)).map((row) => JSON.parse(row))
    expect(rows).toMatchObject([
      {
        path: '/gr%C3%B6%C3%9Fe',
        host: 'www.acme.com',
        status_code: 201,
        ip_address: '2a03:2880:1::',
      },
      { path: '/fails', status_code: 500 },
    ])
  },
)

test('each file knows every crawler of the list from a person', () => {
  const browsers = /(Mozilla\\?\/5\\\.0 \\\(\(\?:[^)]*\))/
  const words = /"?\/?(bot\|crawl[^/"]*)/
  for (const { file } of Object.values(sites)) {
    const code = blocks.get(file) ?? ''
    const [browser, bot] = [browsers, words].map(
      (pattern) => new RegExp(pattern.exec(code)?.[1] ?? 'none of the file', 'i'),
    )
    const isPerson = (agent: string) => browser?.test(agent) && !bot?.test(agent)
    expect(isPerson(person)).toBe(true)
    const taken = builtinBots.bots.flatMap(({ name }) =>
      [
        `${name}/1.0`,
        `Mozilla/5.0 (compatible; ${name}/1.0)`,
        `${person} (compatible; ${name}/1.0)`,
      ]
        .concat(`${person}; ${name}/1.0; +https://example.com/about`)
        .filter(isPerson),
    )
    expect(taken).toEqual([])
  }
})
