import pRetry from 'p-retry'
import { z } from 'zod'
import { mayPass, Refusal, type RefusalProblem } from './refusal.ts'

/** How Bing Webmaster Tools is reached. */
export interface BingReach {
  /** Stands in the place of `https://ssl.bing.com`. */
  readonly baseUrl?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** How often a request is tried again at once. */
  readonly retries: number
}

/** Asks a method of the API, and gives the list that it answers. */
export type AskBing = (method: string, siteUrl?: string) => Promise<readonly unknown[]>

const service = 'https://ssl.bing.com'
const timeoutMs = 60_000

/**
 * The API of Bing Webmaster Tools under a key. Too many requests and faults of Bing are tried again.
 * The key is a part of each address: no message and no cause of an error has the address.
 * @throws {Refusal} by each request
 * @see https://learn.microsoft.com/en-us/dotnet/api/microsoft.bing.webmaster.api.interfaces.iwebmasterapi
 */
export function askBing(key: string, { baseUrl = service, signal, retries }: BingReach): AskBing {
  const ask = async (method: string, siteUrl: string | undefined) => {
    const url = new URL(`${baseUrl.replace(/\/$/, '')}/webmaster/api.svc/json/${method}`)
    if (siteUrl !== undefined) url.searchParams.set('siteUrl', siteUrl)
    url.searchParams.set('apikey', key)
    const limit = AbortSignal.timeout(timeoutMs)
    const response = await fetch(url, {
      headers: { accept: 'application/json' },
      redirect: 'error',
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    })
    return readList(response.status, await response.text())
  }
  return (method, siteUrl) =>
    pRetry(() => ask(method, siteUrl).catch((error) => asRefusal(error, signal)), {
      retries,
      minTimeout: 500,
      ...(signal ? { signal } : {}),
      shouldRetry: ({ error }) => mayPass(error),
    })
}

/** A connection that breaks is a TypeError of fetch, and a limit of time a TimeoutError. */
function asRefusal(error: unknown, signal: AbortSignal | undefined): never {
  if (error instanceof Refusal || signal?.aborted) throw error
  throw new Refusal('unavailable', 'Bing cannot be reached.')
}

const success = z.object({ d: z.array(z.unknown()) })
const failure = z.object({ ErrorCode: z.number().int(), Message: z.string() })

/** What Bing's error codes mean. @see https://learn.microsoft.com/en-us/dotnet/api/microsoft.bing.webmaster.api.interfaces.apierrorcode */
const refusals: Readonly<Record<number, readonly [RefusalProblem, string]>> = {
  3: ['signInEnded', 'Bing does not know the API key: it was deleted or replaced.'],
  4: ['quota', 'Bing takes no more requests with this key for now (ThrottleUser).'],
  5: ['quota', 'Bing takes no more requests about this site for now (ThrottleHost).'],
  6: ['signInEnded', 'Bing has blocked the account of the API key.'],
  7: ['notFound', 'Bing does not know the site.'],
  10: ['signInEnded', 'Bing does not know the account of the API key.'],
  11: ['notFound', 'Bing does not know the site.'],
  13: ['accessDenied', 'Bing does not let the account of the API key read the site.'],
  14: ['accessDenied', 'Bing does not let the account of the API key read the site.'],
}

/** Bing answers its errors by 400, and a code in the body. */
function readList(status: number, text: string): readonly unknown[] {
  const body = jsonOf(text)
  const { data } = success.safeParse(body)
  if (data && status === 200) return data.d
  const code = failure.safeParse(body).data?.ErrorCode
  const [problem, message] = refusals[code ?? 0] ?? refusalOf(status, code)
  throw new Refusal(problem, message)
}

function refusalOf(status: number, code: number | undefined): readonly [RefusalProblem, string] {
  if (status === 429) return ['quota', 'Bing takes no more requests for now (429).']
  if (code !== undefined) return ['unavailable', `Bing answered ${status} with its error ${code}.`]
  return ['unavailable', `Bing answered ${status}, and no data.`]
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const userSite = z.object({ Url: z.string(), IsVerified: z.boolean().optional() })

/** The verified sites of the account, by name. */
export async function listBingSites(ask: AskBing): Promise<readonly string[]> {
  const found = await ask('GetUserSites')
  const sites = found.flatMap((site) => userSite.safeParse(site).data ?? [])
  return sites.flatMap(({ Url, IsVerified }) => (IsVerified === false ? [] : [Url])).sort()
}
