import { randomUUID } from 'node:crypto'
import { builtinBots, createBotMatcher } from '../../../core/bots/bots.ts'
import { hitLine } from '../../../ingest/event/event.ts'
import type { Catalog } from '../../../prisma/client.ts'
import { insert, type Warehouse } from '../../../warehouse/run.ts'

/** One event of a crawler, with what most tests do not care about filled in. */
export interface TestHit {
  /** The name of a crawler of the built-in registry. */
  readonly bot: string
  /** ISO 8601. */
  readonly at: string
  readonly path?: string
  readonly host?: string
  readonly method?: string
  readonly status?: number
  readonly tookMs?: number
  readonly country?: string
  readonly referrer?: string
  readonly event?: string
  /** The address of the client. */
  readonly ip?: string
  /** The host of the agent that signed it. */
  readonly signedBy?: string
  /** How a registry of that day called it. */
  readonly as?: { readonly name: string; readonly vendor?: string }
}

const bots = createBotMatcher(builtinBots)

function eventOf(hit: TestHit) {
  const { host = 'acme.com', path = '/' } = hit
  return {
    event_name: hit.event ?? 'server_request',
    timestamp: Date.parse(hit.at),
    method: hit.method ?? 'GET',
    path,
    url: `https://${host}${path}`,
    status_code: hit.status ?? 200,
    response_time_ms: hit.tookMs ?? 12,
    user_agent: `Mozilla/5.0 (compatible; ${hit.bot}/1.0)`,
    ip_address: hit.ip ?? '192.0.2.77',
    country: hit.country,
    referrer: hit.referrer,
  }
}

/**
 * Puts events into the warehouse, as the tracker would have on the day of each.
 * @throws {Error} for one that the tracker would drop
 */
export async function putHits(
  warehouse: Warehouse,
  projectId: string,
  hits: readonly TestHit[],
): Promise<void> {
  const rows = hits.map((hit) => {
    const now = Date.parse(hit.at)
    const { line, dropped } = hitLine(eventOf(hit), { projectId, source: 'tracker', bots, now })
    if (dropped) throw new Error(`${hit.bot} at ${hit.at}: ${dropped}`)
    const { name, vendor } = hit.as ?? {}
    return {
      ...(JSON.parse(line) as Record<string, unknown>),
      ...(name ? { bot_name: name } : {}),
      ...(vendor ? { bot_vendor: vendor } : {}),
      ...(hit.signedBy ? { signed_by: hit.signedBy, verification: 'verified' } : {}),
    }
  })
  await insert(warehouse, { table: 'crawler_hits', rows, token: randomUUID() })
}

/** Connects a source of crawls to a project. */
export async function connectSource(
  db: Catalog,
  projectId: string,
  source: { kind?: 'tracker' | 'cdn' | 'log'; host?: string; createdAt?: Date } = {},
): Promise<void> {
  await db.connection.create({ data: { projectId, kind: 'tracker', ...source } })
}
