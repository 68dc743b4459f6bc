import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { AccessLogFormat } from '../../imports/access-log/access-log.ts'
import { clearOfMidnight } from '../kit/day.ts'
import { combinedLine, hitsOf, importBytes, noon, pathsOf } from '../kit/imports/access-logs.ts'
import { makeProject, useStores } from '../kit/imports/imports.ts'

await clearOfMidnight()

const stores = useStores()
const shown = 'timestamp, source, host, method, path, status_code, response_time_ms, bot_name, '
const columns = `${shown}ip_address, referrer, country`
const yesterday = noon(1)
const day = yesterday.toISOString().slice(0, 10)

const fixtures = {
  caddy: 'caddy/access.jsonl',
  alb: 'alb/access-log.txt',
  fastly: 'fastly/endpoint.jsonl',
  datadog: 'fastly/datadog.jsonl',
  iis: 'iis/u_ex.txt',
} as const

/** A fixture with its day replaced by yesterday: what is imported must be of the last 400 days. */
async function fixture(name: keyof typeof fixtures): Promise<string> {
  const path = join(import.meta.dirname, '../fixtures', fixtures[name])
  const text = await readFile(path, 'utf8')
  const seconds = String(yesterday.getTime() / 1000).slice(0, -1)
  const dated = text.replaceAll('2026-11-20', day).replaceAll('179517600', seconds)
  return name === 'iis' ? dated.replaceAll('\n', '\r\n') : dated
}

async function load(text: string, format: AccessLogFormat) {
  const projectId = await makeProject(stores)
  const result = await importBytes(stores, projectId, text, { format })
  return { projectId, result, hits: await hitsOf(stores, projectId, columns) }
}

const visit = {
  source: 'log',
  host: 'www.acme.com',
  method: 'GET',
  status_code: 200,
  bot_name: 'GPTBot',
  ip_address: '20.171.207.0',
  country: '',
}
const privateReferrer = 'https://chatgpt.com/c/1'

test("Caddy's entries of requests count, and its other entries do not", async () => {
  const { result, hits } = await load(await fixture('caddy'), 'caddy')
  const at = { referrer: '' }
  expect(hits).toEqual([
    {
      ...visit,
      timestamp: `${day} 12:00:00.250`,
      path: '/a',
      referrer: privateReferrer,
      response_time_ms: 41.5,
    },
    {
      ...visit,
      ...at,
      timestamp: `${day} 12:00:01.000`,
      path: '/b',
      status_code: 502,
      response_time_ms: 1,
    },
    {
      ...visit,
      ...at,
      timestamp: `${day} 12:00:02.000`,
      path: '/c',
      method: 'HEAD',
      host: 'acme.com',
      status_code: 304,
      response_time_ms: 0,
      bot_name: 'ClaudeBot',
      ip_address: '2a03:2880:1::',
    },
  ])
  expect(result).toMatchObject({ read: 5, kept: 3, dropped: { not_a_crawler: 1, malformed: 1 } })
})

test('entries of a load balancer of AWS count at the time of their request', async () => {
  const { result, hits } = await load(await fixture('alb'), 'alb')
  const at = { referrer: '' }
  expect(hits).toEqual([
    { ...visit, ...at, timestamp: `${day} 12:00:00.000`, path: '/a', response_time_ms: 41.5 },
    {
      ...visit,
      ...at,
      timestamp: `${day} 12:00:01.000`,
      path: '/b',
      status_code: 503,
      response_time_ms: 0,
    },
  ])
  expect(result).toMatchObject({ read: 4, kept: 2, dropped: { not_a_crawler: 1, malformed: 1 } })
})

test("Fastly's formats for endpoints give the hits that one counts by hand", async () => {
  const { result, hits } = await load(await fixture('fastly'), 'fastly')
  const cdn = { ...visit, source: 'cdn', country: 'DE' }
  expect(hits).toEqual([
    {
      ...cdn,
      timestamp: `${day} 12:00:00.000`,
      path: '/a',
      referrer: privateReferrer,
      response_time_ms: 0,
    },
    {
      ...cdn,
      timestamp: `${day} 12:00:01.000`,
      path: '/b',
      method: 'POST',
      referrer: '',
      status_code: 404,
      response_time_ms: 41.5,
    },
  ])
  expect(result).toMatchObject({ read: 4, kept: 2, dropped: { not_a_crawler: 1, malformed: 1 } })
  const datadog = await load(await fixture('datadog'), 'fastly')
  expect(datadog.hits).toEqual([
    {
      ...cdn,
      timestamp: `${day} 12:00:00.000`,
      path: '/c',
      host: 'acme.com',
      referrer: '',
      response_time_ms: 41.5,
      ip_address: '2a03:2880:1::',
      country: 'US',
    },
  ])
})

describe("IIS's logs", () => {
  test('are read by the header that stands before each line', async () => {
    const { result, hits } = await load(await fixture('iis'), 'iis')
    expect(hits).toEqual([
      {
        ...visit,
        timestamp: `${day} 12:00:00.000`,
        path: '/a',
        host: 'acme.com',
        referrer: privateReferrer,
        response_time_ms: 41,
      },
      {
        ...visit,
        timestamp: `${day} 12:00:02.000`,
        path: '/b',
        method: 'HEAD',
        referrer: '',
        status_code: 304,
        response_time_ms: 0,
        ip_address: '2a03:2880:1::',
      },
    ])
    expect(result).toMatchObject({ read: 5, kept: 2, dropped: { not_a_crawler: 1, malformed: 2 } })
  })

  test('go on by the last header when they have grown', async () => {
    const log = await fixture('iis')
    const { projectId } = await load(log, 'iis')
    const more = `${day} 12:00:09 GET /later - 20.171.207.9 www.acme.com GPTBot/1.2 200\r\n`
    const result = await importBytes(stores, projectId, log + more, { format: 'iis' })
    expect(result).toMatchObject({ read: 1, kept: 1, readBefore: 5 })
    expect(await pathsOf(stores, projectId)).toEqual(['/a', '/b', '/later'])
  })
})

test.each(['caddy', 'alb', 'fastly', 'iis'] as const)(
  '%s logs that have grown give only their new lines',
  async (format) => {
    const lines = (await fixture(format)).split('\n').slice(0, -1)
    const kept = lines.slice(0, -1).join('\n')
    const { projectId, result } = await load(`${kept}\n`, format)
    const all = await importBytes(stores, projectId, `${lines.join('\n')}\n`, { format })
    expect(all).toMatchObject({ read: 1, kept: 0, readBefore: result.read })
  },
)

describe('a log of another format is refused, with the format that reads it', () => {
  const names = ['caddy', 'alb', 'fastly', 'iis'] as const
  const pairs = names.flatMap((is) =>
    names.filter((to) => to !== is).map((to) => [is, to] as const),
  )
  test.each([
    ...pairs,
    ...names.flatMap((name) => [['combined', name] as const, [name, 'combined'] as const]),
    ...names.flatMap((name) => [[name, 'cloudflare'] as const, [name, 'cloudfront'] as const]),
  ])('%s, given to %s', async (is, to) => {
    const text = is === 'combined' ? `${combinedLine()}\n` : await fixture(is)
    // The fixture of IIS begins within a log: its header names the program.
    const whole = is === 'iis' ? text.slice(text.indexOf('#')) : text
    const projectId = await makeProject(stores)
    await expect(importBytes(stores, projectId, whole, { format: to })).rejects.toThrow(
      `\`sightline import access-log --format ${is}\` takes such a file.`,
    )
    expect(await stores.db.import.count({ where: { projectId } })).toBe(0)
  })
})
