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

test('what did not happen is left out of the sentence', () => {
  const text = (kind: 'prompts.changed' | 'sources.changed', evidence: object) =>
    alarmText({ kind, estimate: null, evidence })
  expect(text('prompts.changed', { lost: [1, 2, 3] })).toBe('The brand lost 3 prompts.')
  expect(text('prompts.changed', { lost: [1], won: [1, 2] })).toBe(
    'The brand lost 1 prompt and won 2 prompts.',
  )
  expect(text('sources.changed', { gone: [1] })).toBe('Answers no longer cite 1 source.')
})
