import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hasGrant, hashApiKey, isApiKey, makeApiKey, sameSecret } from '../../core/access.ts'

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const secretBegins = 'sgl_'.length
const checksumBegins = secretBegins + 32

/** Secrets with the CRC-32 of each in base 62, reckoned by another program. */
const knownKeys = [
  'sgl_000000000000000000000000000000002wjyrI',
  'sgl_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA3Ae0o2',
  'sgl_The0Quick1Brown2Fox3Jumps4Over5L2aF3F3',
]

function replaceAt(text: string, index: number, letter: string): string {
  return text.slice(0, index) + letter + text.slice(index + 1)
}

function swapAt(text: string, index: number): string {
  return text.slice(0, index) + text.charAt(index + 1) + text.charAt(index) + text.slice(index + 2)
}

describe('an API key', () => {
  test('is sgl_, 32 letters or digits, and 6 of checksum; no two are alike', () => {
    const keys = Array.from({ length: 500 }, () => makeApiKey().key)
    for (const key of keys) {
      expect(key).toMatch(/^sgl_[0-9A-Za-z]{38}$/)
      expect(isApiKey(key)).toBe(true)
    }
    expect(new Set(keys).size).toBe(500)
  })

  test('draws every letter of its alphabet', () => {
    const drawn = Array.from({ length: 100 }, () =>
      makeApiKey().key.slice(secretBegins, checksumBegins),
    )
    expect(new Set(drawn.join(''))).toEqual(new Set(letters))
  })

  test('is stored as its SHA-256 in hex, and told apart by its last four letters', () => {
    const { key, hash, lastFour } = makeApiKey()
    expect(hash).toBe(createHash('sha256').update(key, 'utf8').digest('hex'))
    expect(hashApiKey(key)).toBe(hash)
    expect(lastFour).toBe(key.slice(38))
  })

  test.each(knownKeys)('%s stays a key, so that no key ever issued stops working', (key) => {
    expect(isApiKey(key)).toBe(true)
  })

  test.each(knownKeys)('%s with any one character wrong is not a key', (key) => {
    for (let index = 0; index < key.length; index++) {
      for (const letter of letters) {
        if (letter === key.charAt(index)) continue
        expect(isApiKey(replaceAt(key, index, letter))).toBe(false)
      }
    }
  })

  test('with any one character wrong is not a key, whichever key it is', () => {
    fc.assert(
      fc.property(fc.nat({ max: 41 }), fc.constantFrom(...letters), (index, letter) => {
        const { key } = makeApiKey()
        fc.pre(letter !== key.charAt(index))
        expect(isApiKey(replaceAt(key, index, letter))).toBe(false)
      }),
      { numRuns: 500 },
    )
  })

  test('with two neighbours swapped is not a key', () => {
    // A swap across the border of secret and checksum changes both: CRC-32 promises nothing there.
    const border = checksumBegins - 1
    const positions = fc.nat({ max: 40 }).filter((index) => index !== border)
    fc.assert(
      fc.property(positions, (index) => {
        const { key } = makeApiKey()
        fc.pre(key.charAt(index) !== key.charAt(index + 1))
        expect(isApiKey(swapAt(key, index))).toBe(false)
      }),
      { numRuns: 500 },
    )
  })

  test('is not recognised in other spellings', () => {
    const key = 'sgl_The0Quick1Brown2Fox3Jumps4Over5L2aF3F3'
    const others = [
      '',
      'sgl_',
      key.toLowerCase(),
      key.toUpperCase(),
      key.slice(4),
      `sk_live_${key.slice(4)}`,
      ` ${key}`,
      `${key}\n`,
      `${key}0`,
      key.slice(0, -1),
      key.replace('0', '０'),
    ]
    expect(others.filter(isApiKey)).toEqual([])
  })
})

describe('grants', () => {
  const key = (scopes: string[], capabilities: string[] = []) => ({ scopes, capabilities })

  test('each scope grants itself alone: they are not tiers', () => {
    expect(hasGrant(key(['read']), 'read')).toBe(true)
    expect(hasGrant(key(['read']), 'write')).toBe(false)
    expect(hasGrant(key(['write']), 'write')).toBe(true)
    expect(hasGrant(key(['write']), 'read')).toBe(false)
    expect(hasGrant(key(['read', 'write']), 'admin')).toBe(false)
  })

  test('write does not give prompt:draft, and prompt:draft does not give write', () => {
    expect(hasGrant(key(['write']), 'prompt:draft')).toBe(false)
    expect(hasGrant(key([], ['prompt:draft']), 'prompt:draft')).toBe(true)
    expect(hasGrant(key([], ['prompt:draft']), 'write')).toBe(false)
  })

  test('admin grants every scope and capability', () => {
    for (const needed of ['read', 'write', 'admin', 'prompt:draft'] as const) {
      expect(hasGrant(key(['admin']), needed)).toBe(true)
    }
  })

  test('a key without grants may do nothing', () => {
    for (const needed of ['read', 'write', 'admin', 'prompt:draft'] as const) {
      expect(hasGrant(key([]), needed)).toBe(false)
    }
  })
})

test('sameSecret is equality, for texts of any length', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (a, b) => {
      expect(sameSecret(a, b)).toBe(a === b)
      expect(sameSecret(a, a)).toBe(true)
    }),
  )
})
