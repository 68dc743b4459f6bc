import { describe, expect, test } from 'vitest'
import { invalid } from '../../core/errors.ts'
import { quoted, withGot } from '../../core/rule-text.ts'
import { readSettings } from '../../core/settings.ts'

describe('a value in an error', () => {
  test.each([
    ['x', '`x`'],
    [7, '`7`'],
    [null, '`null`'],
    ['', 'an empty text'],
    ['a`b', '`a\\x60b`'],
    ['a\nb\u0000', '`a\\x0ab\\x00`'],
    ['\u001b[31mred', '`\\x1b[31mred`'],
    ['\u202eabc\u2028', '`\\u{202e}abc\\u{2028}`'],
    ['\ud800', '`\ufffd`'],
    ['x'.repeat(40), `\`${'x'.repeat(40)}\``],
    ['x'.repeat(41), `\`${'x'.repeat(40)}…\``],
  ])('%j is written in one line of at most 40 characters', (value, text) => {
    expect(quoted(value)).toBe(text)
  })

  test('follows the rule, and is absent where it does not help', () => {
    expect(withGot('must be true or false', 'maybe')).toBe('must be true or false; got `maybe`')
    expect(withGot('must be given once')).toBe('must be given once')
    const fault = invalid('days', 'must be a whole number from 1', 'x')
    expect(fault.message).toBe('`days` must be a whole number from 1; got `x`.')
    expect(fault.extras.details?.fieldErrors).toEqual({
      days: ['must be a whole number from 1; got `x`'],
    })
  })
})

test.each(['DATABASE_URL', 'CLICKHOUSE_URL', 'REDIS_URL', 'PUBLIC_URL', 'OIDC_ISSUER'])(
  'a wrong %s is never shown: it may hold a password',
  (name) => {
    const thrown = () => readSettings({ [name]: 'mysql://me:secret@db' })
    expect(thrown).toThrow(`\`${name}\` must be a URL`)
    expect(thrown).not.toThrow('secret')
  },
)
