import { expect, test } from 'vitest'
import { boundedEvent, mostBodyBytes } from '../../core/channels/events.ts'
import { nextTryMs } from '../../core/channels/tries.ts'

test('tries spread over three days: 5 s, 5 and 30 min, 2, 5, 10, 14, 20 and 24 h, a fifth more or less', () => {
  const pauses = Array.from({ length: 10 }, (_, at) => nextTryMs(at + 1, 0.5))
  const hour = 3_600_000
  expect(pauses).toEqual([
    5000,
    300_000,
    1_800_000,
    2 * hour,
    5 * hour,
    10 * hour,
    14 * hour,
    20 * hour,
    24 * hour,
    null,
  ])
  expect([nextTryMs(1, 0), nextTryMs(1, 1)]).toEqual([4000, 6000])
})

test('a receiver that asks for a pause gets it, up to a day', () => {
  expect(nextTryMs(1, 0.5, 60_000)).toBe(60_000)
  expect(nextTryMs(2, 0.5, 60_000)).toBe(300_000)
  expect(nextTryMs(1, 0.5, 30 * 24 * 3_600_000)).toBe(24 * 3_600_000)
})

test('the largest event fits into a payload', () => {
  const long = '\u{1F600}'.repeat(10_000)
  const fact = { label: long, value: long, note: long }
  const event = boundedEvent({
    type: 'digest.ready',
    timestamp: '2026-11-28T07:00:00.000Z',
    data: {
      workspaceId: long.slice(0, 36),
      project: { id: '1', name: long, domain: long },
      title: long,
      text: long,
      facts: Array.from({ length: 100 }, () => fact),
      sections: [{ heading: long, facts: [fact], items: [{ text: long }] }],
      link: '/',
    },
  })
  expect(Buffer.byteLength(JSON.stringify(event))).toBeLessThan(mostBodyBytes)
})
