import { expect, test } from 'vitest'
import { hashPassword, isPassword } from '../../core/password.ts'

test('a hash names its cost, has a salt of its own, and knows one password in any spelling of Unicode', async () => {
  const [one, two] = [await hashPassword('Zürich 2026!'), await hashPassword('Zürich 2026!')]
  expect(one).toMatch(/^scrypt\$15\$8\$3\$[\w+/]{22}==\$[\w+/]{43}=$/)
  expect(one).not.toBe(two)
  expect(await isPassword('Zu\u0308rich 2026!', one)).toBe(true)
  expect(await isPassword('zürich 2026!', one)).toBe(false)
  expect(await isPassword('anything')).toBe(false)
})
