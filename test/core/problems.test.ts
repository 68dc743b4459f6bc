import { expect, test } from 'vitest'
import { catalog } from '../../core/errors.ts'
import { askError, sentenceOf } from '../../dashboard/state/problem.ts'

/** Marks of code, indices of lists, the name of a member of a problem, and commands. */
const forPrograms = /`|\.\d+|\bdetails\b|sightline |--|\bAPI\b|\bscope\b/

test.each(Object.keys(catalog))('%s has a sentence of its own for people', (code) => {
  expect(sentenceOf(code)).not.toMatch(forPrograms)
  expect(sentenceOf(code)).toMatch(/^[A-Z].*[.]$/)
})

test.each([
  [
    'competitors.1.domain',
    'must be a domain, such as `example.com`; got an empty text',
    'Competitor 2, Domain: Must be a domain, such as example.com.',
  ],
  [
    'timeZone',
    'must be the IANA name of a time zone; got `Berlin`.',
    'Time zone: Must be the IANA name of a time zone.',
  ],
  ['keys', 'name no key: store a provider key first', 'Name no key: store a provider key first.'],
  [null, 'must not be empty', 'Must not be empty.'],
])('%s is named as the form names it', (path, message, wanted) => {
  const { message: said } = askError('invalid_argument', [{ path, message }])
  expect(said).toBe(wanted)
  expect(said).not.toMatch(forPrograms)
})
