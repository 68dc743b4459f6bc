import { describe, expect, test } from 'vitest'
import { clearOfMidnight } from '../kit/day.ts'
import {
  browser,
  clfTime,
  combinedLine,
  gptBot,
  hitsOf,
  importBytes,
  noon,
  pathsOf,
} from '../kit/imports/access-logs.ts'
import { makeProject, useStores } from '../kit/imports/imports.ts'

await clearOfMidnight()

const stores = useStores()
const asText = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('')
const seconds = (date: Date) => `${date.toISOString().slice(0, 19).replace('T', ' ')}.000`
const shown = 'timestamp, source, host, method, path, status_code, response_time_ms, bot_name, '
const columns = `${shown}ip_address, referrer, country`

async function load(text: string | Buffer, options: Parameters<typeof importBytes>[3] = {}) {
  const projectId = await makeProject(stores)
  const result = await importBytes(stores, projectId, text, options)
  return { projectId, result, hits: await hitsOf(stores, projectId, columns) }
}

describe('the combined format', () => {
  test('gives the hits that one counts by hand', async () => {
    const referrer = 'https://chatgpt.com/?q=\\"a\\"'
    const { result, hits } = await load(
      asText([
        combinedLine({ request: 'GET /a?utm_source=x HTTP/2.0', referrer }),
        combinedLine({
          front: 'www.acme.com:443 2a03:2880:1:2::5 - -',
          request: 'post /b HTTP/1.1',
          status: '404',
          behind: ' "10.0.0.1" 0.004 rt=0.1',
        }),
        combinedLine({ front: 'crawl-1.openai.com - Ann Lee', request: 'GET /c' }),
        combinedLine({ request: 'GET http://other.example/d%20e HTTP/1.1' }),
        combinedLine({ request: 'GET /\\xc3\\xa9 HTTP/1.1', agent: `\\x22${gptBot}\\x22` }),
        combinedLine({ agent: browser }),
      ]),
    )
    const visit = {
      timestamp: seconds(noon(1)),
      source: 'log',
      host: 'acme.com',
      method: 'GET',
      status_code: 200,
      response_time_ms: 0,
      bot_name: 'GPTBot',
      ip_address: '20.171.207.0',
      referrer: '',
      country: '',
    }
    expect(hits).toEqual([
      { ...visit, path: '/a', referrer: 'https://chatgpt.com/' },
      {
        ...visit,
        path: '/b',
        host: 'www.acme.com',
        method: 'POST',
        status_code: 404,
        ip_address: '2a03:2880:1::',
      },
      { ...visit, path: '/c', ip_address: '0.0.0.0' },
      { ...visit, path: '/d%20e' },
      { ...visit, path: '/é' },
    ])
    expect(result).toEqual({
      read: 6,
      kept: 5,
      dropped: { not_a_crawler: 1 },
      readBefore: 0,
      isUnfinished: false,
    })
  })

  test('takes an offset into account, and refuses what is no time', async () => {
    const time = clfTime(noon(2))
    const { result, hits } = await load(
      asText([
        combinedLine({ time: time.replace('+0000', '-0730') }),
        combinedLine({ time: time.replace(/^\d\d\/\w{3}/, '31/Feb') }),
        combinedLine({ time: time.replace(/\/\w{3}/, '/Foo') }),
        combinedLine({ time: time.replace('12:00:00', '25:00:00') }),
      ]),
    )
    expect(hits.map(({ timestamp }) => timestamp)).toEqual([
      seconds(new Date(noon(2).getTime() + 7.5 * 3_600_000)),
    ])
    expect(result.dropped).toEqual({ malformed: 3 })
  })

  test('counts as malformed what is no request, whoever sent it', async () => {
    const requests = ['-', '', '\\x16\\x03\\x01\\x00', 'OPTIONS * HTTP/1.1', 'CONNECT a.com:443']
    const { result } = await load(
      asText([
        ...requests.map((request) => combinedLine({ request })),
        combinedLine({ status: '-' }),
        combinedLine({ front: '20.171.207.9' }),
        combinedLine().replace(/ "[^"]*" "[^"]*"$/, ''),
        'GPTBot',
        `"${'\\"'.repeat(1000)}`,
      ]),
    )
    expect(result).toMatchObject({ read: 10, kept: 0, dropped: { malformed: 10 } })
  })

  test('leaves out what is older than 400 days or newer than an hour from now', async () => {
    const later = (ms: number) => clfTime(new Date(Date.now() + ms))
    const { result } = await load(
      asText([
        combinedLine({ time: clfTime(noon(402)) }),
        combinedLine({ time: clfTime(noon(398)) }),
        combinedLine({ time: later(30 * 60_000) }),
        combinedLine({ time: later(90 * 60_000) }),
      ]),
    )
    expect(result).toMatchObject({ kept: 2, dropped: { timestamp_out_of_range: 2 } })
  })
})

describe("Cloudflare's logs", () => {
  const at = noon(3)
  const request = {
    EdgeStartTimestamp: at.toISOString(),
    ClientRequestMethod: 'GET',
    ClientRequestHost: 'www.acme.com',
    ClientRequestURI: '/a?b=1',
    ClientRequestUserAgent: gptBot,
    ClientRequestReferer: 'https://chatgpt.com/c/1',
    ClientIP: '20.171.207.9',
    ClientCountry: 'us',
    EdgeResponseStatus: 200,
    EdgeTimeToFirstByteMs: 31,
    OriginResponseDurationMs: 17,
    RayID: '1',
  }
  const asJson = (lines: readonly object[]) => asText(lines.map((line) => JSON.stringify(line)))

  test('give the hits that one counts by hand', async () => {
    const { ClientRequestURI, EdgeTimeToFirstByteMs, ...less } = request
    const { result, hits } = await load(
      asJson([
        request,
        { ...request, ClientRequestURI: '/b', EdgeStartTimestamp: at.getTime() / 1000 },
        { ...less, ClientRequestPath: '/c', EdgeStartTimestamp: at.getTime() * 1e6 },
        { ...request, ClientRequestUserAgent: browser },
        { ...request, ClientRequestHost: '', ClientRequestURI: '/d', ClientRequestReferer: null },
      ]),
      { format: 'cloudflare' },
    )
    const visit = {
      timestamp: seconds(at),
      source: 'cdn',
      host: 'www.acme.com',
      method: 'GET',
      status_code: 200,
      response_time_ms: 31,
      bot_name: 'GPTBot',
      ip_address: '20.171.207.0',
      referrer: 'https://chatgpt.com/c/1',
      country: 'US',
    }
    expect(hits).toEqual([
      { ...visit, path: '/a' },
      { ...visit, path: '/b' },
      { ...visit, path: '/c', response_time_ms: 17 },
      { ...visit, path: '/d', host: 'acme.com', referrer: '' },
    ])
    expect(result).toMatchObject({ read: 5, kept: 4, dropped: { not_a_crawler: 1 } })
  })

  test('without what a hit needs are malformed', async () => {
    const { ClientRequestURI, ...noPath } = request
    const { ClientRequestUserAgent, ...noAgent } = request
    const { result } = await load(
      `${asJson([
        noPath,
        noAgent,
        { ...request, EdgeStartTimestamp: 'yesterday' },
        { ...request, EdgeStartTimestamp: 1e300 },
        { ...request, EdgeResponseStatus: '200' },
        [request],
      ])}{"ClientRequestHost":\n`,
      { format: 'cloudflare' },
    )
    const dropped = { malformed: 6, timestamp_out_of_range: 1 }
    expect(result).toMatchObject({ read: 7, kept: 0, dropped })
  })
})

describe("CloudFront's logs", () => {
  const [day, time] = noon(4).toISOString().slice(0, 19).split('T')
  const header =
    '#Version: 1.0\n#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status ' +
    'cs(Referer) cs(User-Agent) cs-uri-query x-host-header time-taken\n'
  const line = (stem: string, agent: string, { host = 'www.acme.com', query = '-' } = {}) =>
    [day, time, 'FRA2', '9', '20.171.207.9', 'GET', 'd1.cloudfront.net', stem, '200']
      .concat(['-', agent, query, host, '0.0415'])
      .join('\t')
  const encoded = gptBot.replaceAll(' ', '%20')

  test('give the hits that one counts by hand, also when files were joined', async () => {
    const other = `#Fields: date time cs-method cs-uri-stem sc-status cs(User-Agent)\n`
    const { result, hits } = await load(
      header +
        asText([
          line('/a%2520b', encoded, { query: 'x=1' }),
          line('/c', encoded.replaceAll('%', '%25'), { host: '-' }),
          line('/d%zz', encoded),
          line('/e', encodeURIComponent(browser)),
          line('/f', encoded).slice(0, -7),
        ]) +
        other +
        asText([[day, time, 'HEAD', '/g', '304', 'ClaudeBot/1.0'].join('\t')]),
      { format: 'cloudfront' },
    )
    const visit = {
      timestamp: seconds(noon(4)),
      source: 'cdn',
      host: 'www.acme.com',
      method: 'GET',
      status_code: 200,
      response_time_ms: 41.5,
      bot_name: 'GPTBot',
      ip_address: '20.171.207.0',
      referrer: '',
      country: '',
    }
    expect(hits).toEqual([
      { ...visit, path: '/a%20b' },
      { ...visit, path: '/c', host: 'd1.cloudfront.net' },
      { ...visit, path: '/d%zz' },
      {
        ...visit,
        path: '/g',
        host: 'acme.com',
        method: 'HEAD',
        status_code: 304,
        response_time_ms: 0,
        bot_name: 'ClaudeBot',
        ip_address: '0.0.0.0',
      },
    ])
    expect(result).toMatchObject({ read: 6, dropped: { not_a_crawler: 1, malformed: 1 } })
  })

  test('are refused without a header that names what a hit needs', async () => {
    const poor = '#Fields: date time cs-method cs-uri-stem sc-status\n'
    const text = `${line('/a', encoded)}\n${poor}${[day, time, 'GET', '/b', '200'].join('\t')}\n`
    const refused = load(text, { format: 'cloudfront' })
    await expect(refused).rejects.toThrow('takes standard logs of CloudFront')
  })

  test('go on by the header that was read before', async () => {
    const { projectId } = await load(header + asText([line('/a', encoded)]), {
      format: 'cloudfront',
    })
    const grown = header + asText([line('/a', encoded), line('/b', encoded)])
    const result = await importBytes(stores, projectId, grown, { format: 'cloudfront' })
    expect(result).toMatchObject({ read: 1, kept: 1, readBefore: 1 })
    expect(await pathsOf(stores, projectId)).toEqual(['/a', '/b'])
  })
})

describe('odd bytes', () => {
  test('end no import', async () => {
    const visit = (path: string) => combinedLine({ request: `GET ${path} HTTP/1.1` })
    const { result, projectId } = await load(
      Buffer.concat([
        Buffer.from(`\ufeff${visit('/a')}\r\n\r\n\n`),
        Buffer.from(`${visit('/bad')}\n`).fill(0xff, 4, 6),
        Buffer.from(`${visit(`/${'x'.repeat(1024 * 1024)}`)}\n`),
        // Longer than what is held at once.
        Buffer.from(`${'y'.repeat(9 * 1024 * 1024)}\n`),
        Buffer.from('\0\0\0\n'),
        Buffer.from(`${visit('/b')}\n`),
      ]),
    )
    expect(result).toMatchObject({ read: 6, kept: 2, dropped: { malformed: 4 } })
    expect(await pathsOf(stores, projectId)).toEqual(['/a', '/b'])
  })

  test('and no bytes at all are no log', async () => {
    const { result, projectId } = await load('')
    expect(result).toEqual({
      read: 0,
      kept: 0,
      dropped: {},
      readBefore: 0,
      isUnfinished: false,
    })
    expect(await stores.db.accessLog.count({ where: { projectId } })).toBe(0)
  })
})
