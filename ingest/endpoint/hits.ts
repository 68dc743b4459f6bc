import { type HitContext, hitLine } from '../event/event.ts'
import { type EventsBody, parseInParts, parseWhole } from './body-json.ts'
import type { IngestKey, Site, Verifier } from './key.ts'
import { emptyTally, type Tally } from './metrics.ts'
import { type Reply, refuse } from './replies.ts'

/** What a body holds. */
export interface Hits {
  readonly site: Site
  /** Rows of JSONEachRow, each ending in a line feed. The next body overwrites them. */
  readonly rows: Buffer
  readonly tally: Tally
}

export type HitsContext = Pick<HitContext, 'bots' | 'verify'> & { readonly verifier: Verifier }

const invalidJson = refuse('invalid_json')
const missingSiteToken = refuse('missing_site_token')
const invalidSiteToken = refuse('invalid_site_token')
const invalidEventsArray = refuse('invalid_events_array')

/**
 * Reads the hits of crawlers out of a body, or why it is refused.
 * @param bytes changed meanwhile
 */
export function readHits(bytes: Buffer, key: IngestKey, context: HitsContext): Hits | Reply {
  try {
    const body = parseInParts(withoutMark(bytes))
    const read = body && hitsOf(body, key, context)
    // What is no JSON is refused as such, before all else.
    if (read && 'rows' in read) return read
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  try {
    return hitsOf(parseWhole(withoutMark(bytes)), key, context)
  } catch (error) {
    if (error instanceof SyntaxError) return invalidJson
    throw error
  }
}

/** A body without the byte order mark that programs of Windows begin it with. @see RFC 8259, section 8.1 */
function withoutMark(bytes: Buffer): Buffer {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  return hasMark ? bytes.subarray(3) : bytes
}

/** @throws {SyntaxError} when a part of the body cannot be parsed alone */
function hitsOf({ siteToken, lists }: EventsBody, key: IngestKey, context: HitsContext) {
  if (typeof siteToken !== 'string' || !siteToken.startsWith('st_')) return missingSiteToken
  const site = context.verifier.site(siteToken)
  if (site?.workspaceId !== key.workspaceId) return invalidSiteToken
  if (lists === undefined) return invalidEventsArray
  return { site, ...rowsOf(lists, { ...context, projectId: site.projectId }) }
}

/** Texts of rows beyond this length would cost more to write than several texts do. */
const longestText = 32 * 1024

function rowsOf(
  lists: Iterable<readonly unknown[]>,
  context: Pick<HitContext, 'projectId' | 'bots' | 'verify'>,
): Pick<Hits, 'rows' | 'tally'> {
  const hitContext = { ...context, source: 'tracker', now: Date.now() } as const
  const tally = emptyTally()
  rows.clear()
  for (const list of lists) {
    let text = ''
    for (const event of list) {
      const { line, dropped } = hitLine(event, hitContext)
      if (line === undefined) {
        tally.dropped[dropped]++
        continue
      }
      tally.kept++
      text += line
      if (text.length < longestText) continue
      rows.add(text)
      text = ''
    }
    rows.add(text)
  }
  return { rows: rows.bytes, tally }
}

/** Of a body, mostly. What is larger is not kept for the next one. */
const keptBytes = 2 ** 20

/** Texts as bytes: as texts they would be copied by each collection. */
class Rows {
  #buffer = Buffer.allocUnsafeSlow(keptBytes)
  #end = 0

  clear(): void {
    this.#end = 0
    if (this.#buffer.length > keptBytes) this.#buffer = Buffer.allocUnsafeSlow(keptBytes)
  }

  add(text: string): void {
    // A character takes three bytes at most.
    const size = this.#end + 3 * text.length
    if (size > this.#buffer.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(size, 2 * this.#buffer.length))
      this.#buffer.copy(larger, 0, 0, this.#end)
      this.#buffer = larger
    }
    this.#end += this.#buffer.write(text, this.#end)
  }

  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#end)
  }
}

/** One for all bodies, since each is read without a pause and its rows are taken before the next one. */
const rows = new Rows()
