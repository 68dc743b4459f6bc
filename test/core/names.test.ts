import { expect, test } from 'vitest'
import { nameRule } from '../../core/names.ts'

test.each(['a', 'é', '東', '🚀', '👩\u200d🚀', '\u200fאקמי\u200e', 'a\u00adb', '…'])(
  '%j is a name',
  (name) => {
    expect(nameRule(name)).toBeNull()
  },
)

test.each(['\u200b', '\u2060\ufe0f', '\u3164', '\u00ad', '\u200e', ' \u3000'])(
  '%j has no visible character',
  (name) => {
    expect(nameRule(name)).toBe('must have a visible character')
  },
)

test.each(['\u202eemcA', 'Acme\u202c', '\u2066Acme\u2069'])('%j turns the text', (name) => {
  expect(nameRule(name)).toContain('turn the direction of text')
})
