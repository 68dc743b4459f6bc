import { expect, test } from 'vitest'
import { alarmText, newLevel } from '../../../core/alarms/kinds/words.ts'

test('an estimated share is said within 0% and 100%, and nothing is not minus nothing', () => {
  const estimate = { before: 0.875, after: -1e-9, low: -0.05, high: 0.05 }
  const evidence = { name: 'Rival' }
  expect(alarmText({ kind: 'visibility.fell', estimate, evidence: {} })).toBe(
    'Visibility fell from 87.5% to 0%.',
  )
  expect(newLevel('visibility.fell', estimate)).toEqual({ level: '0%', interval: '0% to 5%' })
  expect(alarmText({ kind: 'competitor.gained', estimate, evidence })).toBe(
    'The lead in share of voice of Rival grew from +87.5 to 0 points.',
  )
})
