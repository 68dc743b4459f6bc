import { type Hit, type HitContext, hitLine } from '../event/event.ts'
import { eventOf, type LineReader } from './request.ts'

/** The longest line of a request, in bytes. Servers and CDNs accept far shorter requests. */
export const maxLineBytes = 256 * 1024

export interface LineContext extends HitContext {
  readonly lines: LineReader
}

export interface HitOfLine {
  /** Undefined for a line without a request. */
  readonly hit: Hit | undefined
  /** Unix time of the request, in milliseconds. */
  readonly at: number
  /** What names the request in the log, where the log has such a name. */
  readonly id?: string | undefined
}

const malformed: HitOfLine = { hit: { dropped: 'malformed' }, at: 0 }
const nothing: HitOfLine = { hit: undefined, at: 0 }

/** The hit of a line and its time. @param line undefined for one that is not UTF-8, or too long */
export function hitOfLine(line: string | undefined, context: LineContext): HitOfLine {
  if (line === undefined) return malformed
  const request = line === '' ? 'nothing' : context.lines.read(line)
  if (request === 'nothing') return nothing
  if (request === 'malformed') return malformed
  const event = eventOf(request)
  if (event === undefined) return malformed
  return { hit: hitLine(event, context), at: request.at, id: request.id }
}
