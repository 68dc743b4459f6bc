import { type HitContext, hitLine } from '../event/event.ts'
import type { IngestKey, Site, Verifier } from './key.ts'
import { emptyTally, type Tally } from './metrics.ts'
import { type Reply, refuse } from './replies.ts'

/** What a body holds. */
export interface Hits {
  readonly site: Site
  /** Rows of JSONEachRow, each ending in a line feed. */
  readonly rows: Buffer
  readonly tally: Tally
}

export type HitsContext = Pick<HitContext, 'bots' | 'verify' | 'agents'> & {
  readonly verifier: Verifier
}

const invalidJson = refuse('invalid_json')
const missingSiteToken = refuse('missing_site_token')
const invalidSiteToken = refuse('invalid_site_token')
const invalidEventsArray = refuse('invalid_events_array')

/** Reads the hits of crawlers out of a body, or why it is refused: JSON, site token, list of events, in this order. */
export function readHits(bytes: Buffer, key: IngestKey, context: HitsContext): Hits | Reply {
  let body: unknown
  try {
    // Programs of Windows begin a text with a byte order mark. @see RFC 8259, section 8.1
    body = JSON.parse(bytes.toString().replace(/^\uFEFF/, ''))
  } catch {
    return invalidJson
  }
  // A body without fields, such as `null` or a number, has neither token nor events.
  const { site_token: token, events } = (body ?? {}) as Readonly<Record<string, unknown>>
  if (typeof token !== 'string' || !token.startsWith('st_')) return missingSiteToken
  const site = context.verifier.site(token)
  if (site?.workspaceId !== key.workspaceId) return invalidSiteToken
  if (!Array.isArray(events)) return invalidEventsArray
  return { site, ...rowsOf(events, { ...context, projectId: site.projectId }) }
}

function rowsOf(
  events: readonly unknown[],
  context: Pick<HitContext, 'projectId' | 'bots' | 'verify' | 'agents'>,
): Pick<Hits, 'rows' | 'tally'> {
  const hitContext = { ...context, source: 'tracker', now: Date.now() } as const
  const tally = emptyTally()
  const lines: string[] = []
  for (const event of events) {
    const { line, dropped } = hitLine(event, hitContext)
    if (line === undefined) tally.dropped[dropped]++
    else lines.push(line)
  }
  tally.kept = lines.length
  return { rows: Buffer.from(lines.join('')), tally }
}
