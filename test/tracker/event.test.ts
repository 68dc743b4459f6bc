import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { builtinBots } from '../../core/bots/bots.ts'
import { dropReasons, hitLine } from '../../ingest/event/event.ts'
import { insertText } from '../../warehouse/chdb/insert.ts'
import { run } from '../../warehouse/run.ts'
import { isSoak } from '../kit/soak.ts'
import { column, context, gptBot, hit, needed, now } from '../kit/tracker/crawler-event.ts'
import { useWarehouse } from '../kit/tracker/folder.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

test('an event with what it needs is a row with its bot; all else keeps the default of its column', () => {
  const gptbot = builtinBots.bots.find(({ name }) => name === 'GPTBot')
  expect(hit(needed)).toEqual({
    project_id: context.projectId,
    source: 'tracker',
    bot_id: gptbot?.id,
    bot_name: 'GPTBot',
    bot_vendor: 'OpenAI',
    bot_category: 'ai_training',
    platform: 'chatgpt',
    timestamp: now - 1,
    event_name: 'server_request',
    method: 'GET',
    host: 'www.acme.com',
    path: '/prices',
    status_code: 200,
    response_time_ms: 12,
    user_agent: gptBot,
    ip_address: '0.0.0.0',
  })
})

test('a line is one line, with its line feed', () => {
  const { line } = hitLine({ ...needed, city: 'a\nb\r\u2028' }, context)
  expect(line?.indexOf('\n')).toBe((line?.length ?? 0) - 1)
  expect(JSON.parse(line ?? '').city).toBe('a\nb\r\u2028')
})

test('what an event shares with the one before is not taken for what differs', () => {
  const other = {
    event_name: 'page "view"',
    method: 'post',
    url: 'http://shop.acme.com/x',
    user_agent: 'GPTBot/9',
    ip_address: '20.171.206.77',
  }
  for (let turn = 0; turn < 2; turn++) {
    expect(hit({ ...needed, ...other })).toMatchObject({
      event_name: 'page "view"',
      method: 'POST',
      host: 'shop.acme.com',
      user_agent: 'GPTBot/9',
      ip_address: '20.171.206.0',
    })
    expect(hit(needed)).toMatchObject({
      event_name: 'server_request',
      method: 'GET',
      host: 'www.acme.com',
      user_agent: gptBot,
      ip_address: '0.0.0.0',
    })
    expect(column('host', { url: 'https://www.acme.com.evil.example/prices' })).toBe(
      'www.acme.com.evil.example',
    )
  }
  const project = { ...context, projectId: randomUUID() }
  expect(JSON.parse(hitLine(needed, project).line ?? '').project_id).toBe(project.projectId)
})

describe('dropped', () => {
  test.each([undefined, '', 7, null, ['GPTBot'], 'Mozilla/5.0 (Windows NT 10.0) Chrome/131.0.0.0'])(
    'is what no known crawler asked for, whatever else is wrong: agent %j',
    (user_agent) => {
      expect(hit({ ...needed, user_agent })).toBe('not_a_crawler')
      expect(hit({ user_agent })).toBe('not_a_crawler')
    },
  )

  test.each([null, 5, 'x', true, []])('is what is no object: %j', (event) => {
    expect(hit(event)).toBe('malformed')
  })

  test.each(Object.keys(needed).filter((name) => name !== 'user_agent'))(
    'is an event without %s, or with one of another kind',
    (name) => {
      for (const value of [undefined, null, '', 'x'.repeat(3), true, [], {}, Number.NaN]) {
        const isText = ['event_name', 'method', 'path', 'url'].includes(name)
        if (isText && value === 'xxx') continue
        expect(hit({ ...needed, [name]: value }), String(value)).toBe('malformed')
      }
    },
  )

  test.each([
    ['status_code', [99, 1000, 200.5, -200, '2e2', '0xc8', '200.5', Number.POSITIVE_INFINITY]],
    ['response_time_ms', [-1, 2 ** 32, '1e3', '12ms', Number.POSITIVE_INFINITY]],
    ['timestamp', ['2026-03-01T12:00:00Z', Number.POSITIVE_INFINITY, '1e12']],
  ])('is an event whose %s is out of its range', (name, values) => {
    for (const value of values) {
      expect(hit({ ...needed, [name]: value }), String(value)).toBe('malformed')
    }
  })

  test('is an event older than 400 days or more than an hour ahead', () => {
    expect(hit({ ...needed, timestamp: now - 400 * dayMs - 1 })).toBe('timestamp_out_of_range')
    expect(hit({ ...needed, timestamp: now + hourMs + 1 })).toBe('timestamp_out_of_range')
    // Seconds, by mistake.
    expect(hit({ ...needed, timestamp: now / 1000 })).toBe('timestamp_out_of_range')
    expect(column('timestamp', { timestamp: now - 400 * dayMs })).toBe(now - 400 * dayMs)
    // A clock that is ahead: the event came now.
    expect(column('timestamp', { timestamp: now + hourMs })).toBe(now)
  })
})

describe('numbers', () => {
  test.each([
    ['status_code', '200', 200],
    ['status_code', ' 404 ', 404],
    ['status_code', '200.0', 200],
    ['status_code', 100, 100],
    ['status_code', 999, 999],
    ['response_time_ms', 12.5, 12.5],
    ['response_time_ms', '12.4', 12.4],
    ['response_time_ms', -0.4, 0],
    ['response_time_ms', 0, 0],
    ['response_time_ms', 2 ** 32 - 1, 2 ** 32 - 1],
    ['timestamp', String(now), now],
    ['timestamp', now - 0.5, now - 1],
  ])('%s %j is stored as %j', (name, given, stored) => {
    expect(column(name, { [name]: given })).toBe(stored)
  })
})

/** Any JSON, with the texts that are hardest on readers. */
const hardText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('\0', '\ud800', '\udc00x', '\\u0000', '\\\\ud800', '"\n\t\u007f\u0001', "'\\N"),
)
const hardJson = fc.oneof(hardText, fc.jsonValue({ stringUnit: 'binary' }))
const hardMap = fc.dictionary(hardText, hardJson, { maxKeys: 5 })
const hardEvent = fc.record(
  {
    event_name: hardText,
    method: hardText,
    path: hardText,
    url: hardText,
    timestamp: fc.integer({ min: now - 30 * dayMs, max: now }),
    status_code: fc.integer({ min: 100, max: 999 }),
    response_time_ms: fc.nat(2 ** 32 - 1),
    user_agent: hardText.map((text) => `${gptBot} ${text}`),
    ip_address: hardJson,
    referrer: hardJson,
    referrer_domain: hardJson,
    country: hardJson,
    region: hardJson,
    city: hardText,
    utm_source: hardJson,
    headers: hardMap,
    query_parameters: hardMap,
    custom_properties: hardMap,
  },
  {
    requiredKeys: ['event_name', 'method', 'path', 'url', 'timestamp', 'status_code', 'user_agent'],
  },
)

test('whatever JSON says is a line or a reason, never an error', () => {
  const anything = fc.oneof(hardJson, hardEvent, hardMap)
  fc.assert(
    fc.property(anything, (value) => {
      const { line, dropped } = hitLine(JSON.parse(JSON.stringify(value)), context)
      if (line === undefined) expect(dropReasons).toContain(dropped)
      else expect(JSON.parse(line)).toMatchObject({ bot_name: 'GPTBot' })
    }),
    { numRuns: 2000 },
  )
})

describe('the warehouse', () => {
  test('takes every line as it is', async () => {
    const { warehouse } = useWarehouse()
    const full = {
      ...needed,
      timestamp: now - 1,
      ip_address: '2001:db8:aaaa:bbbb::1',
      referrer: 'https://www.google.com/search?q=x',
      country: 'de',
      region: 'B\0\ud800\\u0000"\'\\N\t',
      city: `${'x'.repeat(127)}😀`,
      utm_term: 'ü😀\u2028',
      headers: { accept: '*/*', constructor: 'c' },
      custom_properties: { 'a\\"b': "it's", '': 'unnamed', n: 1.5 },
    }
    const { line = '' } = hitLine(full, context)
    const statement = { table: 'crawler_hits', token: randomUUID(), timeoutMs: 60_000 }
    await insertText(warehouse, { ...statement, lines: Buffer.from(line) })
    const rows = await run(warehouse, {
      id: 'test.row',
      sql: `SELECT *, toUnixTimestamp64Milli(timestamp) AS ms, toString(day) AS date
        FROM crawler_hits WHERE project_id = {projectId:UUID}`,
      params: { projectId: context.projectId },
      row: (raw) => raw,
    })
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatchObject({
      ms: now - 1,
      date: '2026-03-01',
      source: 'tracker',
      bot_name: 'GPTBot',
      platform: 'chatgpt',
      host: 'www.acme.com',
      path: '/prices',
      status_code: 200,
      response_time_ms: 12,
      user_agent: gptBot,
      ip_address: '2001:db8:aaaa::',
      referrer: 'https://www.google.com/search',
      referrer_domain: 'google.com',
      country: 'DE',
      region: 'B\ufffd\ufffd\\u0000"\'\\N\t',
      city: `${'x'.repeat(127)}\ufffd`,
      utm_source: '',
      utm_term: 'ü😀\u2028',
      headers: { accept: '*/*', constructor: 'c' },
      query_parameters: {},
      custom_properties: { 'a\\"b': "it's", n: '1.5' },
    })
  })

  if (isSoak) {
    test('refuses none of two thousand that are hard to read, and gives back the paths of all', async () => {
      const { warehouse, projectId, paths } = useWarehouse()
      const lines = fc
        .sample(hardEvent, 2000)
        .map((event) => hitLine({ ...event, response_time_ms: 1 }, { ...context, projectId }))
        .flatMap(({ line }) => line ?? [])
      expect(lines.length).toBeGreaterThan(1000)
      const statement = { table: 'crawler_hits', token: randomUUID(), timeoutMs: 60_000 }
      await insertText(warehouse, { ...statement, lines: Buffer.from(lines.join('')) })
      const sent = lines.map((line) => String(JSON.parse(line).path))
      expect((await paths()).sort()).toEqual(sent.sort())
    })
  }
})
