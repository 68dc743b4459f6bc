import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type BotRegistry, builtinBots } from '../../core/bots/bots.ts'
import { type Log, silent } from '../../core/log.ts'
import { type BotsOptions, openBots } from '../../ingest/bots/bots.ts'

const patience = { timeout: 20_000, interval: 10 }
let folder = ''
let undo: (() => unknown)[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-bots-'))
  undo = []
})
afterEach(async () => {
  for (const step of undo.reverse()) await step()
  // A registry that has just arrived may still be on its way to the disk.
  await rm(folder, { recursive: true, maxRetries: 20 })
})

function registryOf(...names: string[]): BotRegistry {
  const bots = names.map((name, i) => ({
    id: i + 1,
    name,
    vendor: 'Test',
    platform: 'test',
    category: 'ai_search' as const,
    pattern: name,
  }))
  return { updatedAt: '2026-11-21', bots }
}

/** A server whose answer the test changes as it goes. */
async function serve(first: RequestListener) {
  const site = { answer: first, requests: 0, url: '', close: () => undefined as unknown }
  const server = createServer((request, response) => {
    site.requests += 1
    site.answer(request, response)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  site.url = `http://127.0.0.1:${port}/bots.json`
  site.close = () => {
    server.closeAllConnections()
    return new Promise((done) => server.close(done))
  }
  undo.push(() => site.close())
  return site
}

const json =
  (body: unknown, headers: Record<string, string> = {}): RequestListener =>
  (_, response) => {
    response.writeHead(200, headers).end(typeof body === 'string' ? body : JSON.stringify(body))
  }

async function open(options: Partial<BotsOptions>) {
  const lines: string[] = []
  const write = (fields: object, message: string) => {
    lines.push(`${JSON.stringify(fields)} ${message}`)
  }
  const log: Log = { ...silent, info: write, warn: write }
  const lastGoodFile = join(folder, 'bots.json')
  const source = await openBots({ lastGoodFile, log, refreshMs: 20, timeoutMs: 10_000, ...options })
  undo.push(() => source.close())
  const names = () => source.current().registry.bots.map(({ name }) => name)
  return { ...source, lines, names, lastGoodFile }
}

describe('without a source', () => {
  test('the built-in registry holds, and nothing is kept', async () => {
    const bots = await open({})
    expect(bots.current().registry).toBe(builtinBots)
    expect(bots.current().match('GPTBot/1.3')?.name).toBe('GPTBot')
    bots.close()
    expect(await readdir(folder)).toEqual([])
  })

  test('what a source once gave counts no longer', async () => {
    const site = await serve(json(registryOf('OwnBot')))
    const before = await open({ source: site.url })
    await vi.waitFor(() => stat(before.lastGoodFile), patience)
    expect((await open({})).current().registry).toBe(builtinBots)
  })
})

describe('a URL', () => {
  test('gives its registry soon after a start, and each change of it', async () => {
    const site = await serve(json(registryOf('OneBot')))
    const bots = await open({ source: site.url })
    await vi.waitFor(() => expect(bots.names()).toEqual(['OneBot']), patience)
    expect(bots.current().match('Mozilla/5.0 (compatible; OneBot/1.0)')?.id).toBe(1)
    expect(bots.current().match('GPTBot/1.3')).toBeUndefined()

    site.answer = json(registryOf('OneBot', 'TwoBot'))
    await vi.waitFor(() => expect(bots.names()).toEqual(['OneBot', 'TwoBot']), patience)
    expect(bots.lines.at(-1)).toContain('"bots":2,"added":["TwoBot"],"removed":[]')

    site.answer = json(registryOf('TwoBot'))
    await vi.waitFor(() => expect(bots.names()).toEqual(['TwoBot']), patience)
    expect(bots.lines.at(-1)).toContain('"bots":1,"added":[],"removed":["OneBot"]')
  })

  test('that has nothing new leaves the matcher, and what it remembers, alone', async () => {
    const site = await serve(json(registryOf('OneBot')))
    const bots = await open({ source: site.url })
    await vi.waitFor(() => expect(bots.names()).toEqual(['OneBot']), patience)
    const matcher = bots.current()
    const seen = site.requests
    await vi.waitFor(() => expect(site.requests).toBeGreaterThan(seen + 2), patience)
    expect(bots.current()).toBe(matcher)
    expect(bots.lines).toHaveLength(1)
  })

  test('is asked by the ETag of what is held, after a restart too', async () => {
    const asked: (string | undefined)[] = []
    const site = await serve((request, response) => {
      asked.push(request.headers['if-none-match'])
      if (request.headers['if-none-match'] === '"one"') response.writeHead(304).end()
      else json(registryOf('OneBot'), { etag: '"one"' })(request, response)
    })
    const bots = await open({ source: site.url })
    await vi.waitFor(() => expect(asked.length).toBeGreaterThan(2), patience)
    bots.close()
    expect(asked.slice(0, 3)).toEqual([undefined, '"one"', '"one"'])
    expect(bots.names()).toEqual(['OneBot'])

    asked.length = 0
    const again = await open({ source: site.url })
    expect(again.names()).toEqual(['OneBot'])
    await vi.waitFor(() => expect(asked.length).toBeGreaterThan(0), patience)
    expect(new Set(asked)).toEqual(new Set(['"one"']))
  })

  const faults: [string, RequestListener, string][] = [
    ['is ill', (_, response) => response.writeHead(500).end('{}'), 'the response has status 500'],
    ['is not there', (_, response) => response.writeHead(404).end(), 'the response has status 404'],
    ['says unchanged, unasked', (_, response) => response.writeHead(304).end(), 'has status 304'],
    ['hangs up', (request) => request.socket.destroy(), 'other side closed'],
    ['gives a page', json('<html>Log in</html>'), 'it is not JSON'],
    ['gives half', json(JSON.stringify(registryOf('TwoBot')).slice(0, 80)), 'it is not JSON'],
    [
      'gives no UTF-8',
      (_, response) => response.end(Buffer.from([0x22, 0xff, 0x22])),
      'it is not JSON',
    ],
    ['gives other JSON', json('"bots"'), 'expected object'],
    ['gives no bots', json({ updatedAt: '2026-11-21', bots: [] }), 'bots: Too small'],
    ['gives a broken pattern', json(registryOf('(a+)+')), 'bots[0].pattern: may hold'],
    [
      'gives a name twice',
      json(registryOf('OneBot', 'OneBot')),
      'bots[1].name: is that of bots[0]',
    ],
    ['gives too much', json(' '.repeat(1_048_577)), 'it is larger than 1 MB'],
    [
      'never ends',
      (_, response) => {
        const more = () => {
          while (!response.destroyed && response.write('[1,'.repeat(20_000)));
        }
        response.on('drain', more)
        more()
      },
      'it is larger than 1 MB',
    ],
  ]

  test.each(faults)('that %s changes nothing, and is warned of once', async (_, fault, words) => {
    const site = await serve(json(registryOf('OneBot')))
    const bots = await open({ source: site.url })
    await vi.waitFor(() => stat(bots.lastGoodFile), patience)
    const kept = await readFile(bots.lastGoodFile, 'utf8')

    site.answer = fault
    const seen = site.requests
    await vi.waitFor(() => expect(site.requests).toBeGreaterThan(seen + 3), patience)
    expect(bots.names()).toEqual(['OneBot'])
    expect(bots.lines).toHaveLength(2)
    expect(bots.lines[1]).toContain('The registry of crawlers was not updated: ')
    expect(bots.lines[1]).toContain(words)
    expect(await readFile(bots.lastGoodFile, 'utf8')).toBe(kept)

    site.answer = json(registryOf('TwoBot'))
    await vi.waitFor(() => expect(bots.names()).toEqual(['TwoBot']), patience)
  })

  test('that is slow holds up nobody, and is given up', async () => {
    const site = await serve((_, response) => {
      response.writeHead(200).write('{')
    })
    const bots = await open({ source: site.url, timeoutMs: 100 })
    expect(bots.names()).toContain('GPTBot')
    await vi.waitFor(() => expect(site.requests).toBeGreaterThan(2), patience)
    expect(bots.lines).toEqual([expect.stringContaining('timeout')])
    site.answer = json(registryOf('OneBot'))
    await vi.waitFor(() => expect(bots.names()).toEqual(['OneBot']), patience)
  })

  test('that is away leaves the last good registry at a restart', async () => {
    const site = await serve(json(registryOf('OneBot')))
    const bots = await open({ source: site.url })
    await vi.waitFor(() => stat(bots.lastGoodFile), patience)
    bots.close()
    await site.close()

    const again = await open({ source: site.url })
    expect(again.names()).toEqual(['OneBot'])
    await vi.waitFor(() => expect(again.lines[0]).toContain('ECONNREFUSED'), patience)
    expect(again.names()).toEqual(['OneBot'])
  })

  test('that another source replaces leaves nothing behind', async () => {
    const site = await serve(json(registryOf('OneBot')))
    const bots = await open({ source: site.url })
    await vi.waitFor(() => stat(bots.lastGoodFile), patience)
    bots.close()
    const other = await open({ source: join(folder, 'none.json') })
    expect(other.current().registry).toBe(builtinBots)
  })

  test('shows its secrets in no log', async () => {
    const site = await serve((_, response) => response.writeHead(500).end())
    const bots = await open({ source: `${site.url}?token=hidden` })
    await vi.waitFor(() => expect(bots.lines).toHaveLength(1), patience)
    expect(bots.lines[0]).toContain('/bots.json"')
    expect(bots.lines[0]).not.toContain('hidden')
  })

  test('is asked no more once closed', async () => {
    const site = await serve(json(registryOf('OneBot')))
    const bots = await open({ source: site.url })
    await vi.waitFor(() => expect(bots.names()).toEqual(['OneBot']), patience)
    bots.close()
    await new Promise((done) => setTimeout(done, 100))
    const seen = site.requests
    await new Promise((done) => setTimeout(done, 100))
    expect(site.requests).toBe(seen)
    expect(bots.current().match('OneBot/1')?.name).toBe('OneBot')
  })
})

describe('a file', () => {
  test('gives its registry, and each change of it', async () => {
    const source = join(folder, 'own.json')
    await writeFile(source, `\uFEFF${JSON.stringify(registryOf('OneBot'))}`)
    const bots = await open({ source })
    await vi.waitFor(() => expect(bots.names()).toEqual(['OneBot']), patience)
    await writeFile(source, '{')
    await vi.waitFor(() => expect(bots.lines.at(-1)).toContain('it is not JSON'), patience)
    await writeFile(source, JSON.stringify(registryOf('TwoBot')))
    await vi.waitFor(() => expect(bots.names()).toEqual(['TwoBot']), patience)
    await rm(source)
    await vi.waitFor(() => expect(bots.lines.at(-1)).toContain('ENOENT'), patience)
    expect(bots.names()).toEqual(['TwoBot'])
  })

  test.each([
    ['a folder', () => folder, 'it is not a regular file'],
    ['what never ends', () => '/dev/zero', 'it is not a regular file'],
  ])('cannot be %s', async (_, source, words) => {
    const bots = await open({ source: source() })
    await vi.waitFor(() => expect(bots.lines[0]).toContain(words), patience)
    expect(bots.current().registry).toBe(builtinBots)
  })

  test('is of 1 MB at most', async () => {
    const source = join(folder, 'own.json')
    await writeFile(source, JSON.stringify(registryOf('OneBot')).padEnd(1_048_577))
    const bots = await open({ source })
    await vi.waitFor(() => expect(bots.lines[0]).toContain('larger than 1 MB'), patience)
    await writeFile(source, JSON.stringify(registryOf('OneBot')).padEnd(1_048_576))
    await vi.waitFor(() => expect(bots.names()).toEqual(['OneBot']), patience)
  })
})

describe('the last good registry', () => {
  test('is for its owner alone, and whole', async () => {
    const site = await serve(json(registryOf('OneBot'), { etag: '"one"' }))
    const bots = await open({ source: site.url })
    await vi.waitFor(() => stat(bots.lastGoodFile), patience)
    expect((await stat(bots.lastGoodFile)).mode & 0o777).toBe(0o600)
    expect(JSON.parse(await readFile(bots.lastGoodFile, 'utf8'))).toEqual({
      source: site.url,
      etag: '"one"',
      list: registryOf('OneBot'),
    })
    bots.close()
    await vi.waitFor(async () => expect(await readdir(folder)).toEqual(['bots.json']), patience)
  })

  test.each(['', '{', '[]', '{"source":"x","registry":{"updatedAt":"2026-11-21","bots":[]}}'])(
    'that is %j is warned of, and made anew',
    async (text) => {
      const site = await serve(json(registryOf('OneBot')))
      await writeFile(join(folder, 'bots.json'), text)
      const bots = await open({ source: site.url })
      expect(bots.lines[0]).toContain('The stored registry of crawlers cannot be used')
      await vi.waitFor(() => expect(bots.names()).toEqual(['OneBot']), patience)
      await vi.waitFor(
        async () => expect(await readFile(bots.lastGoodFile, 'utf8')).toContain('OneBot'),
        patience,
      )
    },
  )

  test('that cannot be kept is in use all the same, and kept when that is mended', async () => {
    const site = await serve(json(registryOf('OneBot'), { etag: '"one"' }))
    const lastGoodFile = join(folder, 'gone', 'bots.json')
    const bots = await open({ source: site.url, lastGoodFile })
    await vi.waitFor(() => expect(bots.lines).toHaveLength(2), patience)
    expect(bots.lines[1]).toContain('the new one is in use, but could not be stored: ENOENT')
    expect(bots.names()).toEqual(['OneBot'])
    await mkdir(join(folder, 'gone'))
    await vi.waitFor(() => stat(lastGoodFile), patience)
  })
})
