import { createServer } from 'node:net'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createPageParser } from '../../site/page/parser.ts'
import { type Handler, html, sendHtml, useTestSites } from './server.ts'

const { open, shop } = useTestSites({ maxMs: 60_000, maxMb: 512, threads: 1 })

const redirect =
  (status: number, location: string): Handler =>
  (_, response) => {
    response.writeHead(status, { Location: location }).end('moved')
  }

test('a page is read with its headers, and its HTML is parsed', async () => {
  const { site, server } = await shop({
    '/a': (_, response) => {
      response.writeHead(200, [
        'Content-Type',
        'text/html; charset=iso-8859-1',
        'X-Robots-Tag',
        'noindex',
        'X-Robots-Tag',
        'GPTBot: none',
        'Link',
        '<https://shop.test/b>; rel=canonical',
        'Last-Modified',
        'yesterday',
        'Content-Encoding',
        'gzip',
      ])
      response.end(gzipSync(Buffer.from(html('<h1>Café</h1>'), 'latin1')))
    },
  })
  const { reading, page } = await site.read('http://shop.test/a#top')
  expect(reading).toMatchObject({ url: 'https://shop.test/a', hops: [] })
  expect(reading.outcome).toMatchObject({
    kind: 'read',
    answer: {
      status: 200,
      address: 'http://shop.test/a',
      isHtml: true,
      looksLikeHtml: true,
      contentEncoding: 'gzip',
      xRobotsTag: ['noindex', 'GPTBot: none'],
      link: ['<https://shop.test/b>; rel=canonical'],
      lastModified: 'yesterday',
      bytes: html('<h1>Cafe</h1>').length,
    },
  })
  expect(page?.document.h1).toEqual(['Café'])
  expect(server.asked.map(({ path }) => path)).toEqual(['/robots.txt', '/a'])
  expect(new Set(server.asked.map(({ agent }) => agent))).toEqual(
    new Set(['Mozilla/5.0 (compatible; SightlineBot/test; +http://127.0.0.1/bot)']),
  )
})

test('redirects are followed within the site, at most ten and never in a circle', async () => {
  const chain = Object.fromEntries(
    Array.from({ length: 12 }, (_, i) => [`/c${i}`, redirect(302, `/c${i + 1}`)]),
  )
  const { read, outcome, server } = await shop({
    '/old': redirect(301, 'http://shop.test/new#part'),
    '/new': (_, response) => sendHtml(response),
    '/loop': redirect(302, '/pool'),
    '/pool': redirect(302, '/loop'),
    '/away': redirect(307, 'http://other.test/x'),
    '/nowhere': (_, response) => response.writeHead(302).end(),
    '/umlaut': redirect(301, Buffer.from('/ü').toString('latin1')),
    '/%C3%BC': (_, response) => sendHtml(response),
    ...chain,
  })
  expect(await read('/old')).toMatchObject({
    hops: [{ address: 'http://shop.test/old', status: 301, to: 'http://shop.test/new' }],
    outcome: { kind: 'read', answer: { address: 'http://shop.test/new' } },
  })
  expect(await outcome('/loop')).toEqual({
    kind: 'redirect_loop',
    address: 'http://shop.test/loop',
  })
  expect(await outcome('/away')).toEqual({
    kind: 'redirect_off_site',
    address: 'http://other.test/x',
  })
  expect(await outcome('/nowhere')).toMatchObject({ kind: 'unreachable', cause: 'protocol' })
  expect(await outcome('/umlaut')).toMatchObject({ kind: 'read' })
  expect(await read('/c0')).toMatchObject({ outcome: { kind: 'redirect_loop' } })
  expect(server.asked.filter(({ path }) => path === '/c10')).toHaveLength(1)
  expect(server.asked.filter(({ path }) => path === '/c11')).toHaveLength(0)
  expect(await read('/c2')).toMatchObject({
    outcome: { kind: 'answered', answer: { status: 404 } },
  })
})

test('pages that are no HTML are skipped, and HTML of a wrong type is recognised', async () => {
  const { outcome } = await shop({
    '/pdf': (_, response) =>
      response.writeHead(200, { 'Content-Type': 'application/pdf' }).end('%PDF'),
    '/none': (_, response) => response.end(' \n<!DOCTYPE HTML><p>x'),
    '/text': (_, response) =>
      response.writeHead(200, { 'Content-Type': 'text/plain' }).end(html('x')),
    '/deflate': (_, response) =>
      response
        .writeHead(200, { 'Content-Type': 'text/html', 'Content-Encoding': 'deflate' })
        .end('x'),
    '/broken': (_, response) =>
      response.writeHead(200, { 'Content-Type': 'text/html', 'Content-Encoding': 'br' }).end('xx'),
  })
  expect(await outcome('/pdf')).toMatchObject({ kind: 'skipped', reason: 'not_html' })
  expect(await outcome('/none')).toMatchObject({
    kind: 'answered',
    answer: { isHtml: false, looksLikeHtml: true, contentType: null },
  })
  expect(await outcome('/text')).toMatchObject({ answer: { looksLikeHtml: true, isHtml: false } })
  expect(await outcome('/deflate')).toMatchObject({ kind: 'unreachable', cause: 'encoding' })
  expect(await outcome('/broken')).toMatchObject({ kind: 'unreachable', cause: 'protocol' })
})

test('failures are tried three times, timeouts twice, and a page may recover', async () => {
  let tries = 0
  const { outcome, server } = await shop(
    {
      '/503': (_, response) => response.writeHead(503, { 'Retry-After': '0' }).end(),
      '/429': (_, response) => response.writeHead(429).end(),
      '/reset': (request) => request.socket.destroy(),
      '/cut': (_, response) => {
        response.writeHead(200, { 'Content-Type': 'text/html', 'Content-Length': '99' })
        response.write('<p>', () => response.destroy())
      },
      '/hang': () => {},
      '/recovers': (_, response) => {
        if (++tries < 3) response.writeHead(500).end()
        else sendHtml(response)
      },
    },
    { limits: { headersMs: 100 } },
  )
  const asked = (path: string) => server.asked.filter((each) => each.path === path).length
  expect(await outcome('/503')).toMatchObject({ kind: 'answered', answer: { status: 503 } })
  expect(await outcome('/429')).toMatchObject({ kind: 'answered', answer: { status: 429 } })
  expect(await outcome('/reset')).toMatchObject({ kind: 'unreachable', cause: 'connection' })
  expect(await outcome('/cut')).toMatchObject({ kind: 'unreachable', cause: 'connection' })
  expect(await outcome('/hang')).toMatchObject({ kind: 'unreachable', cause: 'timeout' })
  expect(await outcome('/recovers')).toMatchObject({ kind: 'read' })
  expect(['/503', '/429', '/reset', '/cut', '/hang', '/recovers'].map(asked)).toEqual([
    3, 3, 3, 3, 2, 3,
  ])
})

test('a body that trickles or falls silent ends as unreachable', async () => {
  const drip: Handler = (_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' })
    const timer = setInterval(() => response.write('<p>'), 20)
    response.on('close', () => clearInterval(timer))
  }
  const { outcome } = await shop(
    {
      '/drip': drip,
      '/silent': (_, response) =>
        response.writeHead(200, { 'Content-Type': 'text/html' }).write('<p>'),
    },
    { limits: { totalMs: 300, silenceMs: 150 } },
  )
  expect(await outcome('/drip')).toEqual({
    kind: 'unreachable',
    cause: 'timeout',
    detail: 'the answer took over 300 ms',
  })
  expect(await outcome('/silent')).toMatchObject({ kind: 'unreachable', cause: 'timeout' })
})

test('bombs, endless bodies and large pages stop at the limit of decoded bytes', async () => {
  const bomb = Buffer.alloc(200_000_000, 'x')
  const packed: Record<string, Buffer> = {
    gzip: gzipSync(bomb, { level: 1 }),
    br: brotliCompressSync(bomb, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  }
  const send =
    (coding: string): Handler =>
    (_, response) =>
      response
        .writeHead(200, { 'Content-Type': 'text/html', 'Content-Encoding': coding })
        .end(packed[coding])
  const { outcome } = await shop({
    '/gzip': send('gzip'),
    '/br': send('br'),
    '/large': (_, response) => sendHtml(response, Buffer.alloc(2_000_001, ' ')),
    '/whole': (_, response) => sendHtml(response, html('x').padEnd(2_000_000)),
    '/endless': (_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html' })
      const more = () => {
        while (response.write(' '.repeat(65_536)));
      }
      response.on('drain', more)
      more()
    },
  })
  const before = process.memoryUsage().rss
  for (const path of ['/gzip', '/br', '/large', '/endless']) {
    expect(await outcome(path)).toMatchObject({ kind: 'too_large', answer: { bytes: 2_000_000 } })
  }
  expect((process.memoryUsage().rss - before) / 1e6).toBeLessThan(128)
  expect(await outcome('/whole')).toMatchObject({ kind: 'read', answer: { bytes: 2_000_000 } })
})

test('deep pages are not parsed', async () => {
  const deep =
    (count: number): Handler =>
    (_, response) =>
      sendHtml(response, html('<div>'.repeat(count)))
  const { outcome, server } = await shop({
    '/254': deep(254),
    '/255': deep(255),
    '/100000': deep(100_000),
    '/list': (_, response) => sendHtml(response, html(`<ul>${'<li><p>x'.repeat(400)}</ul>`)),
  })
  expect(await outcome('/254')).toMatchObject({ kind: 'read' })
  expect(await outcome('/255')).toMatchObject({ kind: 'too_deep', limit: 'depth' })
  expect(await outcome('/list')).toMatchObject({ kind: 'read' })
  expect(await outcome('/100000')).toMatchObject({ kind: 'too_deep', limit: 'depth' })
  expect(server.asked.filter(({ path }) => path === '/100000')).toHaveLength(1)
})

test('the parser gives up on a page that takes too long or too much memory, and reads the next', async () => {
  const options = { xRobotsTag: [], link: [], ownDomains: [], brand: null, now: new Date() }
  const task = (text: string) => ({
    bytes: Buffer.from(text),
    charset: 'utf-8',
    address: 'http://shop.test/',
    options,
  })
  const hasty = createPageParser({ maxMs: 30, maxMb: 512, threads: 1 })
  const small = createPageParser({ maxMs: 60_000, maxMb: 24, threads: 1 })
  const heavy = html('<p><b>x</b></p>'.repeat(60_000))
  try {
    expect(await hasty.parse(task(heavy))).toBe('time')
    expect(await small.parse(task(heavy))).toBe('memory')
    expect(await small.parse(task(html('<h1>Next</h1>')))).toMatchObject({
      document: { h1: ['Next'] },
    })
  } finally {
    await Promise.all([hasty.close(), small.close()])
  }
})

test('a slow page is asked a second time', async () => {
  const { outcome } = await shop(
    { '/slow': (_, response) => setTimeout(() => sendHtml(response), 40) },
    { limits: { slowMs: 30 } },
  )
  expect(await outcome('/slow')).toMatchObject({
    kind: 'read',
    answer: { firstByteMs: [expect.any(Number), expect.any(Number)] },
  })
})

test('a server that speaks no HTTP, or headers without end, is unreachable', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => {}).resume()
    socket.write(`HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(40_000)}\r\n\r\n`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const site = open({ port })
  const robots = await site.robots('http://shop.test')
  expect(robots.reading).toMatchObject({ state: 'unreachable', status: null })
  expect(robots.reading.detail).toContain('HEADERS_OVERFLOW')
  server.close()
})
