import { expect, test } from 'vitest'
import { nextDays, nextPullAfter, pauseMs } from '../../core/pulling.ts'

const now = new Date('2026-03-10T09:00:00Z')
const firstDay = '2025-12-01'

test('a new feed reads the last 28 days, then 28 days at a time back to its first day', () => {
  let loadedFrom: string | null = null
  let readTo: string | null = null
  const read: string[] = []
  for (;;) {
    const loadedTo = loadedFrom && '2026-03-10'
    const days = nextDays({ firstDay, loadedFrom, loadedTo }, readTo, now)
    if (!days) break
    read.push(`${days.from} ${days.to}`)
    loadedFrom = days.from
    readTo = days.to
  }
  expect(read).toEqual([
    '2026-02-11 2026-03-10',
    '2026-01-14 2026-02-10',
    '2025-12-17 2026-01-13',
    '2025-12-01 2025-12-16',
  ])
})

test.each([
  ['the last four days, whose numbers change', '2026-03-09', '2026-03-07'],
  ['all days since the last pull', '2026-02-20', '2026-02-21'],
])('a loaded feed reads %s', (_what, loadedTo, from) => {
  const loaded = { firstDay, loadedFrom: firstDay, loadedTo }
  expect(nextDays(loaded, null, now)).toEqual({ from, to: '2026-03-10' })
  expect(nextDays({ ...loaded, loadedTo: '2026-03-10' }, '2026-03-10', now)).toBeNull()
})

test('a feed that keeps few days reads none before them', () => {
  const loaded = { firstDay: '2026-03-04', loadedFrom: null, loadedTo: null }
  expect(nextDays(loaded, null, now)).toEqual({ from: '2026-03-04', to: '2026-03-10' })
})

test('feeds are pulled on the next day from 5:00 to 8:00 UTC, each at a time of its own', () => {
  const times = ['a', 'b', 'c'].map((id) => nextPullAfter(id, now).toISOString())
  for (const time of times) expect(time).toMatch(/^2026-03-11T0[5-7]:/)
  expect(new Set(times).size).toBe(3)
  expect(nextPullAfter('a', new Date('2026-03-10T23:00:00Z')).toISOString()).toBe(times[0])
})

test('the pauses after failures double from a quarter of an hour to half a day', () => {
  const hours = [0, 1, 2, 3, 4, 5, 6, 50].map((failures) => pauseMs(failures) / 3_600_000)
  expect(hours).toEqual([0.25, 0.5, 1, 2, 4, 8, 12, 12])
})
