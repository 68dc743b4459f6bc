import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { readHits } from '../../ingest/endpoint/hits.ts'
import { context, needed } from '../kit/tracker/crawler-event.ts'

const projectId = randomUUID()
const key = { id: 'key', workspaceId: 'workspace' }
const verifier = {
  key: () => key,
  site: (token: string) => (token === 'st_known' ? { projectId, ...key } : undefined),
}
const read = (bytes: Buffer) => readHits(bytes, key, { bots: context.bots, verifier })

function bodyOf(events: readonly object[], token = 'st_known'): Buffer {
  return Buffer.from(JSON.stringify({ site_token: token, events }))
}

const eventAt = (at: number, more: object = {}) => ({
  ...needed,
  timestamp: Date.now(),
  path: `/${at}`,
  ...more,
})

function pathsOf(bytes: Buffer): string[] {
  const found = read(bytes)
  if (!('rows' in found)) throw new Error(`refused: ${found.body}`)
  const lines = found.rows.toString().split('\n').slice(0, -1)
  expect(found.tally.kept).toBe(lines.length)
  return lines.map((line) => (JSON.parse(line) as { path: string }).path)
}

const pathsTo = (count: number) => Array.from({ length: count }, (_, at) => `/${at}`)

test('a long body gives each hit once, in order', () => {
  const events = pathsTo(500).map((_, at) => eventAt(at))
  expect(bodyOf(events).length).toBeGreaterThan(3 * 32_768)
  expect(pathsOf(bodyOf(events))).toEqual(pathsTo(500))
})

test('rows may be longer than a body', () => {
  const city = 'ü'.repeat(128)
  const events = pathsTo(1800).map((_, at) => eventAt(at, { city }))
  expect(bodyOf(events).length).toBeLessThan(2 ** 20)
  expect(pathsOf(bodyOf(events))).toEqual(pathsTo(1800))
  expect(pathsOf(bodyOf([eventAt(0)]))).toEqual(['/0'])
})

test.each([
  ['short', 1],
  ['long', 500],
])('a %s body that is not JSON is refused as such, whatever its token', (_, count) => {
  const events = pathsTo(count).map((_, at) => eventAt(at))
  const foreign = bodyOf(events, 'st_foreign')
  expect(read(foreign)).toMatchObject({ status: 403 })
  const broken = Buffer.from(foreign.toString().replace('"GET"', 'GET'))
  expect(read(broken)).toMatchObject({ status: 400 })
})
