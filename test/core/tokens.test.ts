import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { makeSiteToken, openToken, signToken } from '../../core/tokens.ts'

const secret = 'a secret'

describe('a signed token', () => {
  test('is two base64url segments: the payload and its HMAC-SHA-256, bound to the purpose', () => {
    const [body = '', signature, ...rest] = signToken(secret, 'cursor', { a: 1 }).split('.')
    expect(rest).toEqual([])
    expect(Buffer.from(body, 'base64url').toString()).toBe('{"a":1}')
    const expected = createHmac('sha256', secret).update(`cursor\0${body}`).digest('base64url')
    expect(signature).toBe(expected)
  })

  test('gives back the payload that was signed', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.jsonValue(), (key, purpose, payload) => {
        const token = signToken(key, purpose, payload)
        expect(openToken(key, purpose, token)).toEqual(JSON.parse(JSON.stringify(payload)))
      }),
    )
  })

  test('opens with its own secret and for its own purpose alone', () => {
    const token = signToken(secret, 'cursor', 1)
    expect(openToken(secret, 'cursor', token)).toBe(1)
    expect(openToken('another', 'cursor', token)).toBeUndefined()
    expect(openToken(secret, 'site', token)).toBeUndefined()
    expect(openToken(secret, '', token)).toBeUndefined()
  })

  test('of one purpose does not pass for another whose name and body run together alike', () => {
    const [body = '', signature = ''] = signToken(secret, 'a', 'x').split('.')
    for (let cut = 1; cut <= body.length; cut++) {
      const token = `${body.slice(cut)}.${signature}`
      expect(openToken(secret, `a${body.slice(0, cut)}`, token)).toBeUndefined()
    }
  })

  test('with a signature of another length is refused', () => {
    const [body = ''] = signToken(secret, 'cursor', 1).split('.')
    for (const length of [0, 1, 31, 33, 64]) {
      const signature = Buffer.alloc(length).toString('base64url')
      expect(openToken(secret, 'cursor', `${body}.${signature}`)).toBeUndefined()
    }
  })

  test('made of any text is undefined, never an error', () => {
    const word = fc.string({ unit: 'binary' })
    const dotted = fc.array(word, { maxLength: 4 }).map((parts) => parts.join('.'))
    fc.assert(
      fc.property(dotted, (text) => {
        expect(openToken(secret, 'cursor', text)).toBeUndefined()
      }),
    )
  })
})

test('a site token begins with st_ and carries project and workspace, signed for sites', () => {
  const token = makeSiteToken(secret, { projectId: 'p-1', workspaceId: 'w-1' })
  expect(token).toMatch(/^st_[\w-]+\.[\w-]+$/)
  expect(openToken(secret, 'site', token.slice(3))).toEqual({ p: 'p-1', w: 'w-1' })
  expect(openToken(secret, 'cursor', token.slice(3))).toBeUndefined()
})
