import type { AddressInfo } from 'node:net'
import type { Logger } from 'pino'
import { inject } from 'vitest'
import { readSettings } from '../../../core/settings.ts'
import { startApi } from '../../../server.ts'
import type { TestApi } from '../api.ts'

/** Starts an API on the same stores that keeps no reply, and gives its address. */
export async function startFreshApi(api: TestApi, log: Logger = api.log): Promise<string> {
  const { databaseUrl, secrets } = api
  const fresh = await startApi({
    settings: readSettings({ PORT: String(api.settings.PORT) }),
    limits: { replyCacheBytes: 0 },
    databaseUrl,
    secrets,
    log,
    clickhouseUrl: inject('clickhouseUrl'),
  })
  await new Promise<void>((resolve) => fresh.server.listen(0, '127.0.0.1', resolve))
  api.atEnd(fresh.close)
  return `http://127.0.0.1:${(fresh.server.address() as AddressInfo).port}`
}

/** Refusals of a busy machine: they say nothing of the data. */
const busy = new Set([429, 502, 504])

/** The status of a reply, and its body: that of a problem names the request. A refusal of a busy machine is asked again. */
export async function bodyOf(base: string, path: string, key: string, tries = 4): Promise<string> {
  const response = await fetch(base + path, { headers: { authorization: `Bearer ${key}` } })
  const text = await response.text()
  if (busy.has(response.status) && tries > 1) return bodyOf(base, path, key, tries - 1)
  return response.ok ? `${response.status} ${text}` : String(response.status)
}

/** How often the API has found a reply in memory, and how often not. */
export async function replyLookups(
  api: TestApi,
  cache = 'replies',
): Promise<{ hits: number; misses: number }> {
  const text = await api.metricsText()
  const of = (result: string) =>
    Number(new RegExp(`cache="${cache}",result="${result}",.*} (\\d+)`).exec(text)?.[1])
  return { hits: of('hit'), misses: of('miss') }
}
