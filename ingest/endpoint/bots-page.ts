import type { IncomingMessage } from 'node:http'
import etag from 'etag'
import fresh from 'fresh'
import type { BotMatcher, BotRegistry } from '../../core/bots/bots.ts'
import type { BotsSource } from '../bots/bots.ts'
import type { Reply } from './replies.ts'

// The registry changes about once a day; a delay of an hour does no harm.
const cacheControl = 'public, max-age=3600'

function pageOf(registry: BotRegistry) {
  const body = JSON.stringify(registry)
  const headers = { ETag: etag(body), 'Cache-Control': cacheControl }
  return { status: 200, contentType: 'application/json', body, headers }
}

/** The registry of crawlers, for senders that drop other events themselves. */
export function botsPage(bots: BotsSource): (request: IncomingMessage) => Reply {
  const pages = new WeakMap<BotMatcher, ReturnType<typeof pageOf>>()
  return (request) => {
    const matcher = bots.current()
    const page = pages.get(matcher) ?? pageOf(matcher.registry)
    pages.set(matcher, page)
    // Only `If-None-Match` counts: `fetch` adds `Cache-Control: no-cache`, which is meant for caches.
    const asked = { 'if-none-match': request.headers['if-none-match'] }
    const { headers } = page
    return fresh(asked, { etag: headers.ETag }) ? { status: 304, headers } : page
  }
}
