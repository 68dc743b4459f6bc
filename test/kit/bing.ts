import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

type Answer = { readonly status?: number; readonly body: unknown }
/** What each method answers; those that are absent answer an empty list. */
type Answers = Readonly<Record<string, Answer>>

/** The API of Bing Webmaster Tools on the loopback, with a key that it knows. */
export interface FakeBing {
  readonly url: string
  /** What leads a command to it. */
  readonly env: Readonly<Record<string, string>>
  readonly key: string
  /** What was asked since the last time, without the key. */
  taken(): { method: string; siteUrl: string | null }[]
  /** What is answered from now on. */
  answer(answers: Answers): void
  /** The error of each method from now on, as Bing answers it; null for none. */
  refuse(code: number | null, name?: string): void
  close(): Promise<void>
}

const key = '0123456789abcdef0123456789abcdef'

/** A moment as Bing writes the midnight of a day in its Pacific time. */
const bingDate = (day: string) => `/Date(${Date.parse(`${day}T07:00:00Z`)}-0700)/`

const typed = (name: string, fields: object) => ({
  __type: `${name}:#Microsoft.Bing.Webmaster.Api`,
  ...fields,
})

/** A day of GetRankAndTrafficStats. */
export const bingDay = (day: string, clicks: number, impressions: number) =>
  typed('RankAndTrafficStats', { Clicks: clicks, Date: bingDate(day), Impressions: impressions })

/** A week of GetQueryStats or GetPageStats, which ends on a day. */
export const bingWeek = (
  last: string,
  name: string,
  [clicks, impressions, position]: readonly [number, number, number],
) =>
  typed('QueryStats', {
    AvgClickPosition: clicks === 0 ? -1 : position,
    AvgImpressionPosition: position,
    Clicks: clicks,
    Date: bingDate(last),
    Impressions: impressions,
    Query: name,
  })

export const bingSites = (...urls: readonly string[]): Answer => ({
  body: {
    d: urls.map((url) =>
      typed('Site', {
        AuthenticationCode: 'C0',
        DnsVerificationCode: 'd0',
        IsVerified: true,
        Url: url,
      }),
    ),
  },
})

export async function startBing(): Promise<FakeBing> {
  const asked: { method: string; siteUrl: string | null }[] = []
  let answers: Answers = {}
  let refusal: Answer | null = null
  const errorOf = (code: number, name: string) => ({
    status: 400,
    body: { ErrorCode: code, Message: `ERROR!!! ${name}` },
  })
  const answerTo = (url: URL): Answer => {
    const [, method = ''] = /^\/webmaster\/api\.svc\/json\/(\w+)$/.exec(url.pathname) ?? []
    if (url.searchParams.get('apikey') !== key) return errorOf(3, 'InvalidApiKey')
    asked.push({ method, siteUrl: url.searchParams.get('siteUrl') })
    return refusal ?? answers[method] ?? { body: { d: [] } }
  }
  const server = createServer((request, response) => {
    const { status = 200, body } = answerTo(new URL(request.url ?? '', 'http://bing'))
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const preload = `--import=${new URL('search-addresses.mjs', import.meta.url)}`
  return {
    url,
    env: { NODE_OPTIONS: preload, BING_STAND_IN: url },
    key,
    taken: () => asked.splice(0),
    answer(given) {
      answers = given
      refusal = null
    },
    refuse(code, name = '') {
      refusal = code === null ? null : errorOf(code, name)
    },
    close: async () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
