import { randomUUID } from 'node:crypto'

/** Well below 128 kB: V8 gives a larger text pages of its own, which cost more than its parsing. */
const partBytes = 32 * 1024

const comma = 0x2c
const openList = 0x5b
const closeList = 0x5d

/** Between two events of a list, as `JSON.stringify` and as other languages write it. */
const separators = ['},{', '}, {']
const listStart = /"events"\s*:\s*\[$/

/** No sender knows it, so no body holds it. */
const mark = randomUUID()

export interface EventsBody {
  readonly siteToken: unknown
  /** Lists that are `events` when joined; undefined when that is no list. */
  readonly lists: Iterable<readonly unknown[]> | undefined
}

/**
 * Parses a body at once. One without fields, such as `null` or a number, has neither token nor events.
 * @throws {SyntaxError} for bytes that are not JSON
 */
export function parseWhole(bytes: Buffer): EventsBody {
  const body: unknown = JSON.parse(bytes.toString())
  const { site_token, events } = (body ?? {}) as Readonly<Record<string, unknown>>
  return { siteToken: site_token, lists: Array.isArray(events) ? [events] : undefined }
}

/**
 * Parses a body with a long list of events part by part, while its lists are read. This is faster, and the memory of a
 * part is free before the next. Parts that are lists of their own make the same list when joined, wherever the cuts
 * are. Otherwise a part throws a `SyntaxError`, and the body must be parsed whole.
 * @param bytes changed while the lists are read
 * @returns undefined for a body that is short, or does not fall apart into such parts
 */
export function parseInParts(bytes: Buffer): EventsBody | undefined {
  if (bytes.length <= partBytes) return undefined
  const start = startOfEvents(bytes)
  const end = bytes.lastIndexOf(closeList)
  if (start === undefined || end <= start || bytes.length - end > partBytes) return undefined
  const around = parsedAround(bytes, start, end)
  // The mark is elsewhere where the list is part of a text, of another field or of an earlier field of the name.
  if (!Array.isArray(around?.events) || around.events[0] !== mark) return undefined
  return { siteToken: around.site_token, lists: partsOf(bytes, start, end) }
}

interface Around {
  readonly site_token?: unknown
  readonly events?: unknown
}

/** The body with the mark in place of its events. */
function parsedAround(bytes: Buffer, start: number, end: number): Around | null {
  const text = `${bytes.toString('utf8', 0, start + 1)}"${mark}"${bytes.toString('utf8', end)}`
  try {
    return JSON.parse(text) as Around | null
  } catch {
    return null
  }
}

/** The place of the bracket that opens the list. */
function startOfEvents(bytes: Buffer): number | undefined {
  const name = bytes.indexOf('"events"')
  if (name < 0 || name > partBytes) return undefined
  const bracket = bytes.indexOf(openList, name)
  const isStart = bracket >= 0 && listStart.test(bytes.toString('latin1', name, bracket + 1))
  return isStart ? bracket : undefined
}

/**
 * Parses the list in parts. Commas between parts are brackets meanwhile.
 * @throws {SyntaxError} when a part is not a list of its own
 */
function* partsOf(bytes: Buffer, start: number, end: number): Generator<readonly unknown[], void> {
  const cuts: number[] = []
  const separator = separators.find((it) => within(bytes.indexOf(it, start), start + partBytes))
  try {
    for (let from = start; from !== end; ) {
      const found = separator === undefined ? -1 : bytes.indexOf(separator, from + partBytes)
      const cut = within(found, end) ? found + 1 : end
      bytes[cut] = closeList
      if (cut !== end) cuts.push(cut)
      yield JSON.parse(bytes.toString('utf8', from, cut + 1)) as readonly unknown[]
      if (cut !== end) bytes[cut] = openList
      from = cut
    }
  } finally {
    for (const cut of cuts) bytes[cut] = comma
  }
}

const within = (place: number, end: number) => place >= 0 && place < end
