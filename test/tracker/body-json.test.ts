import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseBody } from '../../ingest/endpoint/body-json.ts'

/** What `JSON.parse` makes of the bytes, or that it refuses them. */
function whole(bytes: Buffer): unknown {
  try {
    return { value: JSON.parse(bytes.toString()) }
  } catch {
    return 'refused'
  }
}

function inParts(bytes: Buffer): unknown {
  try {
    return { value: parseBody(bytes) }
  } catch {
    return 'refused'
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
  fc.assert(
    fc.property(body, (json) => {
      const bytes = Buffer.from(json)
      const before = Buffer.from(bytes)
      expect(inParts(bytes)).toEqual(whole(before))
      expect(bytes.equals(before)).toBe(true)
    }),
    { numRuns: 60 },
  )
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
      expect(inParts(Buffer.from(bytes))).toEqual(whole(bytes))
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
    JSON.stringify({ site_token: 'st_', events, tags: [1] }),
    JSON.stringify({ site_token: 'st_', events }, null, 2),
    `{"site_token":"st_","events":[1],"events":${JSON.stringify(events)}}`,
  ]) {
    expect(parseBody(Buffer.from(json))).toEqual({ ...JSON.parse(json) })
  }
})
