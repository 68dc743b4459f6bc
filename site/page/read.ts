import { normaliseUrl } from '../../core/sites/urls.ts'
import type { ReadOptions, ReadPage } from '../document/document.ts'
import type { Chain } from '../net/chain.ts'
import type { Client } from '../net/client.ts'
import { Failure } from '../net/errors.ts'
import { type FollowOptions, follow, locationOf } from '../net/follow.ts'
import type { Answer, PageOutcome, PageReading } from '../reading.ts'
import { charsetOf, type PageAnswer, readAnswer } from './answer.ts'
import type { PageParser } from './parser.ts'

/** A page as read, with its HTML where the outcome is `read`. */
export interface PageResult {
  readonly reading: PageReading
  readonly page: ReadPage | null
}

export interface PageSource {
  readonly client: Client
  readonly parser: PageParser
  readonly check: FollowOptions<unknown>['check']
  readonly options: Omit<ReadOptions, 'xRobotsTag' | 'link'>
}

async function parsed(
  { parser, options }: PageSource,
  answer: Answer,
  bytes: Uint8Array,
): Promise<{ outcome: PageOutcome; page: ReadPage | null }> {
  const { address, xRobotsTag, link } = answer
  const charset = charsetOf(answer.contentType)
  const page = await parser.parse({
    bytes,
    charset,
    address,
    options: { ...options, xRobotsTag, link },
  })
  return typeof page === 'string'
    ? { outcome: { kind: 'too_deep', answer, limit: page }, page: null }
    : { outcome: { kind: 'read', answer }, page }
}

async function outcomeOf(
  source: PageSource,
  { kind, answer, bytes }: PageAnswer,
): Promise<{ outcome: PageOutcome; page: ReadPage | null }> {
  if (bytes !== null) return parsed(source, answer, bytes)
  if (kind === 'too_large') return { outcome: { kind, answer }, page: null }
  if (kind === 'too_deep') return { outcome: { kind, answer, limit: 'depth' }, page: null }
  if (kind === 'not_html') {
    const detail = answer.contentType ?? 'no Content-Type'
    return { outcome: { kind: 'skipped', reason: 'not_html', detail }, page: null }
  }
  return { outcome: { kind: 'answered', answer }, page: null }
}

/** A slow page is asked once more, for the time of its first byte alone. */
async function measuredTwice(client: Client, chain: Chain, found: PageAnswer): Promise<PageAnswer> {
  const [firstMs = 0] = found.answer.firstByteMs
  if (found.bytes === null || firstMs <= client.limits.slowMs) return found
  const url = new URL(found.answer.address)
  const secondMs = await client
    .askOnce(chain, url, 'GET', async ({ firstByteMs }) => [firstByteMs])
    .catch((error: unknown) => {
      if (error instanceof Failure) return []
      throw error
    })
  return { ...found, answer: { ...found.answer, firstByteMs: [firstMs, ...secondMs] } }
}

/** Reads the page at an address, with its redirects. */
export async function readPage(source: PageSource, address: URL): Promise<PageResult> {
  const { client } = source
  const chain = client.open()
  const reading = (hops: PageReading['hops'], outcome: PageOutcome): PageReading => ({
    address: address.href,
    url: normaliseUrl(address.href) ?? address.href,
    hops,
    outcome,
  })
  try {
    const { hops, end } = await follow<PageAnswer>({
      start: address,
      maxHops: client.limits.hops,
      check: source.check,
      step: (url) =>
        client.ask(chain, url, 'GET', async (exchange) => {
          const location = locationOf(exchange, url)
          if (location !== null) return { status: exchange.status, location }
          return { status: exchange.status, end: await readAnswer(exchange, url, client.limits) }
        }),
    })
    if (end.kind !== 'end') return { reading: reading(hops, end), page: null }
    const found = await measuredTwice(client, chain, end.value)
    const { outcome, page } = await outcomeOf(source, found)
    return { reading: reading(hops, outcome), page }
  } finally {
    await chain.close()
  }
}
