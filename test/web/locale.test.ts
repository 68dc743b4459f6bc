import { expect, test } from 'vitest'
import { readingOf } from '../../web/share/locale.ts'

test.each([
  [['en-US', 'en'], 'en-US'],
  [['de-AT', 'en-ZA', 'en-US'], 'en-ZA'],
  [['EN'], 'en-GB'],
  [['de-AT', 'fr'], 'en-GB'],
  [[], 'en-GB'],
])('a reader of %j has English texts, and numbers and dates of %s', (wanted, locale) => {
  expect(readingOf(wanted)).toEqual({ language: 'en', locale })
})
