import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openFront } from '../../cli/service/front.ts'
import { startService, type TestService, until } from '../kit/service.ts'

let service: TestService
let loadedDir: string
const open: Socket[] = []

beforeAll(async () => {
  const limits = { TRUST_PROXY: '127.0.0.9' }
  loadedDir = await mkdtemp(join(tmpdir(), 'sightline-loaded-'))
  const preload = `--import=${new URL('../kit/observability/loaded.mjs', import.meta.url)}`
  const loaded = { NODE_OPTIONS: preload, LOADED_DIR: loadedDir }
  const env = { ...limits, ...loaded, SIGHTLINE_DEMO: '0', HOST: '0.0.0.0' }
  service = await startService({ env })
})
afterAll(async () => {
  for (const socket of open) socket.destroy()
  await service.stop()
  await rm(loadedDir, { recursive: true })
})

interface Told {
  /** All that the server sent. */
  text: string
  ended: boolean
}

/** A connection from one of the machine's own addresses, that has sent `text`. */
function dial(from: string, text = '', server = service.url): Told {
  const port = Number(new URL(server).port)
  const told: Told = { text: '', ended: false }
  const socket = connect({ host: '127.0.0.1', port, localAddress: from })
  open.push(socket)
  socket.on('data', (data) => {
    told.text += data
  })
  socket.on('error', () => undefined)
  socket.once('close', () => {
    told.ended = true
  })
  if (text) socket.write(text)
  return told
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`
const closeAll = () => {
  for (const socket of open.splice(0)) socket.destroy()
}

describe.each(['url', 'trackerUrl'] as const)('the port of %s', (name) => {
  test('resets what an address opens beyond its limit, and serves others', async () => {
    const held = Array.from({ length: 1005 }, () => dial('127.0.0.2', '', service[name]))
    await until(async () => held.filter(({ ended }) => ended).length === 5)
    const other = dial('127.0.0.3', get('/healthz'), service[name])
    await until(async () => other.text.includes('{"status":"ok"}'))
    closeAll()
    // Their places are free again.
    await until(async () => {
      const again = dial('127.0.0.2', get('/healthz'), service[name])
      await until(async () => again.ended || again.text !== '')
      return again.text.startsWith('HTTP/1.1 200 OK')
    })
    closeAll()
  })
})

test('a full API answers 502, and its health', async () => {
  const front = await openFront({
    host: '127.0.0.1',
    port: 0,
    setting: 'PORT',
    limits: { all: 8, perAddress: 2, isShared: (address) => address === '127.0.0.9' },
    whileAway: 'answer',
  })
  front.show({ current: () => ({ api: 'up' }) })
  const held = [dial('127.0.0.2', '', front.url), dial('127.0.0.2', '', front.url)]
  // A proxy stands for many clients.
  held.push(...Array.from({ length: 6 }, () => dial('127.0.0.9', '', front.url)))
  await until(async () => front.open() === 8)
  const asked = async (path: string) => {
    const told = dial('127.0.0.4', get(path), front.url)
    await until(async () => told.ended)
    return told.text
  }
  const refused = await asked('/graphql')
  expect(refused).toMatch(/^HTTP\/1.1 502 .*\r\nRetry-After: 1\r\n/s)
  expect(refused).toContain('The API has as many connections as it takes.')
  expect(await asked('/healthz')).toContain('{"status":"ok"}')
  expect(await asked('/readyz')).toMatch(/^HTTP\/1.1 503 .*"api":"up"/s)
  expect(held.filter(({ ended }) => ended)).toEqual([])
  closeAll()
  await front.close()
})

test('silence before the end of a header, and within a body, ends a connection', async () => {
  const begun = performance.now()
  const silent = dial('127.0.0.6')
  const halfHeader = dial('127.0.0.6', 'GET /healthz HTTP/1.1\r\nHos')
  const halfBody = dial(
    '127.0.0.6',
    'POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{',
  )
  await until(async () => [silent, halfHeader, halfBody].every(({ ended }) => ended))
  expect(halfHeader.text).toMatch(/^HTTP\/1.1 408 /)
  // The answer needs no body: it comes at once, without a key.
  expect(halfBody.text).toMatch(/^HTTP\/1.1 401 /)
  expect(performance.now() - begun).toBeLessThan(50_000)
})

test('without OTEL_EXPORTER_OTLP_ENDPOINT, no process loads the SDK of OpenTelemetry', async () => {
  for (const pid of [await service.pidOf('api'), await service.pidOf('worker')]) {
    const loaded = await readFile(join(loadedDir, String(pid)), 'utf8')
    expect(loaded).toContain('/observability/spans.ts')
    const packages = new Set(loaded.match(/@opentelemetry\/[^/]+/g))
    expect([...packages]).toEqual(['@opentelemetry/api'])
  }
})
