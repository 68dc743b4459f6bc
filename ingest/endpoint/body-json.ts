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

/**
 * Parses a body like `JSON.parse(bytes.toString())`, and faster when its `events` are a long list: this list is parsed
 * in parts. Parts that are lists of their own make the same list when joined, wherever the cuts are. A body that does
 * not fall apart into such parts is parsed whole.
 * @param bytes changed meanwhile
 * @throws {SyntaxError} for bytes that are not JSON
 */
export function parseBody(bytes: Buffer): unknown {
  if (bytes.length <= partBytes) return JSON.parse(bytes.toString())
  return parseInParts(bytes) ?? JSON.parse(bytes.toString())
}

/** @returns undefined for a body that must be parsed whole */
function parseInParts(bytes: Buffer): object | undefined {
  const start = startOfEvents(bytes)
  const end = bytes.lastIndexOf(closeList)
  if (start === undefined || end <= start || bytes.length - end > partBytes) return undefined
  const cuts: number[] = []
  try {
    const around = `${bytes.toString('utf8', 0, start + 1)}"${mark}"${bytes.toString('utf8', end)}`
    const body = JSON.parse(around) as { events?: unknown } | null
    // The mark is elsewhere where the list is part of a text, of another field or of an earlier field of the name.
    if (!Array.isArray(body?.events) || body.events[0] !== mark) return undefined
    body.events = partsOf(bytes, { start, end }, cuts)
    return body
  } catch {
    return undefined
  } finally {
    for (const cut of cuts) bytes[cut] = comma
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
 * Parses the list in parts, and joins them. Commas between parts become brackets.
 * @param cuts takes the places of these commas
 * @throws {SyntaxError} when a part is not a list of its own
 */
function partsOf(bytes: Buffer, { start, end }: { start: number; end: number }, cuts: number[]) {
  const events: unknown[] = []
  const separator = separators.find((it) => within(bytes.indexOf(it, start), start + partBytes))
  for (let from = start; ; ) {
    const found = separator === undefined ? -1 : bytes.indexOf(separator, from + partBytes)
    const cut = within(found, end) ? found + 1 : end
    bytes[cut] = closeList
    if (cut !== end) cuts.push(cut)
    const part = JSON.parse(bytes.toString('utf8', from, cut + 1)) as unknown[]
    for (const event of part) events.push(event)
    if (cut === end) return events
    bytes[cut] = openList
    from = cut
  }
}

const within = (place: number, end: number) => place >= 0 && place < end
