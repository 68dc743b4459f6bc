import { expect, test } from 'vitest'
import { backupName, backupTime, keepRuleOf, keptBackups } from '../../core/backups.ts'

const at = (day: string, hour = '07') => new Date(`${day}T${hour}:15:00Z`)
const daysOf = (kept: Set<Date>) => [...kept].map((time) => time.toISOString().slice(0, 13)).sort()

test('the newest backup of each of the newest days, weeks and months stays', () => {
  // 1 June 2026 is a Monday. One a day until Wednesday 10 June, and two on the last day.
  const june = Array.from({ length: 10 }, (_, day) =>
    at(`2026-06-${`${day + 1}`.padStart(2, '0')}`),
  )
  const may = [at('2026-05-31'), at('2026-05-30'), at('2026-05-01')]
  const times = [...may, ...june, at('2026-06-10', '19'), at('2025-12-24')]
  const rule = (days: number, weeks: number, months: number) =>
    daysOf(keptBackups(times, { days, weeks, months }))
  expect(rule(2, 0, 0)).toEqual(['2026-06-09T07', '2026-06-10T19'])
  expect(rule(1, 3, 0)).toEqual(['2026-05-31T07', '2026-06-07T07', '2026-06-10T19'])
  expect(rule(1, 0, 3)).toEqual(['2025-12-24T07', '2026-05-31T07', '2026-06-10T19'])
  expect(rule(100, 0, 0)).toHaveLength(14)
})

test('a backup is named by its time, and other names have none', () => {
  const time = new Date('2026-11-29T07:15:03.400Z')
  expect(backupName(time)).toBe('2026-11-29T07-15-03Z')
  expect(backupTime(backupName(time))).toEqual(new Date('2026-11-29T07:15:03Z'))
  for (const name of [
    '',
    'notes',
    '2026-11-29',
    '2026-13-29T07-15-03Z',
    '2026-11-29T07-15-03Z.old',
  ]) {
    expect([name, backupTime(name)]).toEqual([name, null])
  }
})

test('a rule is three numbers, and keeps a daily backup', () => {
  expect(keepRuleOf('7,4,12')).toEqual({ days: 7, weeks: 4, months: 12 })
  for (const text of ['', '7', '7,4', '0,4,12', '7,4,x', '7, 4, 12']) {
    expect([text, keepRuleOf(text)]).toEqual([text, null])
  }
})
