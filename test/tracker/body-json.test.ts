import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type EventsBody, parseInParts, parseWhole } from '../../ingest/endpoint/body-json.ts'

const contentOf = ({ siteToken, lists }: EventsBody) => ({
  siteToken,
  events: lists && [...lists].flat(),
})

/** The token and the events as `JSON.parse` reads them, or that it refuses the bytes. */
function whole(bytes: Buffer): unknown {
  try {
    return contentOf(parseWhole(bytes))
  } catch {
    return 'refused'
  }
}

/** The same in parts. Undefined when the body must be parsed whole. */
function inParts(bytes: Buffer): unknown {
  try {
    const body = parseInParts(bytes)
    return body && contentOf(body)
  } catch (error) {
    expect(error).toBeInstanceOf(SyntaxError)
    return undefined
  }
}

/** Pieces of text that look like the borders of a list, beside any other text. */
const text = fc.oneof(
  fc.constantFrom('},{', '}, {', ']', '[', '"events":[', '"}],"events":[{"', '\\', 'ü\u2028😀'),
  fc.string({ unit: 'binary', maxLength: 20 }),
)
const leaf = fc.oneof(text, fc.integer(), fc.constantFrom(null, true))
const value = fc.oneof(
  leaf,
  fc.array(fc.dictionary(text, leaf, { maxKeys: 3 }), { maxLength: 3 }),
  fc.dictionary(text, leaf, { maxKeys: 3 }),
)
const event = fc.dictionary(fc.oneof(text, fc.constantFrom('user_agent', 'events')), value, {
  maxKeys: 5,
})
const fill = 'x'.repeat(4000)

/** A body of 40 kB to 300 kB. */
const body = fc
  .record({
    events: fc.array(event, { minLength: 10, maxLength: 70 }),
    before: fc.dictionary(text, value, { maxKeys: 2 }),
    after: fc.dictionary(fc.oneof(text, fc.constant('events')), value, { maxKeys: 2 }),
    spaces: fc.constantFrom(undefined, 1),
  })
  .map(({ events, before, after, spaces }) => {
    const filled = events.map((it) => ({ ...it, fill }))
    const json = JSON.stringify({ ...before, events: filled, site_token: 'st_' }, null, spaces)
    const last = JSON.stringify(after).slice(1)
    // A field may be there twice: the last one counts.
    return last === '}' ? json : `${json.slice(0, -1)},${last}`
  })

test('a long list in parts is the list that JSON.parse reads', () => {
  let read = 0
  fc.assert(
    fc.property(body, (json) => {
      const bytes = Buffer.from(json)
      const before = Buffer.from(bytes)
      const value = inParts(bytes)
      if (value !== undefined) {
        expect(value).toEqual(whole(before))
        read++
      }
      expect(bytes.equals(before)).toBe(true)
    }),
    { numRuns: 60 },
  )
  expect(read).toBeGreaterThan(0)
})

test('a damaged body is refused or read as JSON.parse does', () => {
  const damage = fc.record({
    at: fc.double({ min: 0, max: 0.999, noNaN: true }),
    byte: fc.nat(255),
  })
  fc.assert(
    fc.property(body, fc.array(damage, { minLength: 1, maxLength: 2 }), (json, damages) => {
      const bytes = Buffer.from(json)
      for (const { at, byte } of damages) bytes[Math.floor(at * bytes.length)] = byte
      const value = inParts(Buffer.from(bytes))
      if (value !== undefined) expect(value).toEqual(whole(bytes))
    }),
    { numRuns: 60 },
  )
})

test('each way to write the list is read', () => {
  const events = Array.from({ length: 100 }, (_, at) => ({ at, fill: 'y'.repeat(1000) }))
  const inPython = `{"site_token": "st_", "events": [${events.map((it) => JSON.stringify(it)).join(', ')}]}`
  for (const json of [
    inPython,
    JSON.stringify({ events, site_token: 'st_' }),
    JSON.stringify({ site_token: 'st_', events }, null, 2),
  ]) {
    expect(inParts(Buffer.from(json))).toEqual({ siteToken: 'st_', events })
  }
  // A list after the events, and an earlier field of the name: such bodies are parsed whole.
  for (const json of [
    JSON.stringify({ site_token: 'st_', events, tags: [1] }),
    `{"site_token":"st_","events":[1],"events":${JSON.stringify(events)}}`,
  ]) {
    expect(inParts(Buffer.from(json))).toBe(undefined)
    expect(whole(Buffer.from(json))).toEqual({ siteToken: 'st_', events })
  }
})
