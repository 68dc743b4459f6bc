import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { makeIngestKey, makeSiteToken, openToken, signToken } from '../../core/tokens.ts'
import { createVerifier, type Revoked } from '../../ingest/endpoint/key.ts'

const secret = 'the secret of today'
const workspaceId = randomUUID()
const keyOf = (id = randomUUID()) => ({ id, workspaceId })
const nothing: Revoked = { keys: new Set(), projects: new Set() }

function verifierOf(options: { secrets?: string[]; revoked?: () => Revoked } = {}) {
  return createVerifier({ secrets: [secret], revoked: () => nothing, ...options })
}

/** The same bytes in another spelling: the last character of 43 carries two bits that count for nothing. */
function respelled(token: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const last = alphabet.indexOf(token.at(-1) ?? '')
  return token.slice(0, -1) + alphabet[last + 1]
}

describe('an ingest key', () => {
  test('begins with sk_live_ and is two base64url segments: key, workspace, permission, signed', () => {
    const id = randomUUID()
    const key = makeIngestKey(secret, { id, workspaceId })
    expect(key).toMatch(/^sk_live_[\w-]+\.[\w-]{43}$/)
    const payload = { i: id, w: workspaceId, p: ['events:write'] }
    expect(openToken(secret, 'ingest', key.slice('sk_live_'.length))).toEqual(payload)
  })

  test('that we signed tells its workspace, the second time too', () => {
    const key = keyOf()
    const verifier = verifierOf()
    const token = makeIngestKey(secret, key)
    expect([verifier.key(token), verifier.key(token)]).toEqual([key, key])
  })

  test('is refused in any other form', () => {
    const verifier = verifierOf()
    const token = makeIngestKey(secret, keyOf())
    expect(verifier.key(token)).toBeTypeOf('object')
    const [payload = '', signature = ''] = token.slice('sk_live_'.length).split('.')
    const other = Buffer.from(JSON.stringify({ i: 'x', w: workspaceId, p: [] })).toString(
      'base64url',
    )
    const forged = [
      '',
      'sk_live_',
      token.slice(0, -1),
      respelled(token),
      `${token}=`,
      `${token}.`,
      ` ${token}`,
      token.replace('sk_live_', 'sk_test_'),
      token.replace('sk_live_', ''),
      token.replace('sk_live_', 'st_'),
      token.toUpperCase(),
      `sk_live_${other}.${signature}`,
      `sk_live_${payload}.`,
      `sk_live_.${signature}`,
      `sk_live_${'x'.repeat(100_000)}.${signature}`,
      makeIngestKey('another secret', keyOf()),
      makeSiteToken(secret, { projectId: randomUUID(), workspaceId }),
      `sk_live_${makeSiteToken(secret, { projectId: randomUUID(), workspaceId }).slice(3)}`,
    ]
    for (const text of forged) expect(verifier.key(text), text).toBe('invalid_signature')
  })

  test('of a secret that was replaced counts as long as that is listed', () => {
    const token = makeIngestKey('the secret of yesterday', keyOf())
    const both = [secret, 'the secret of yesterday']
    expect(verifierOf({ secrets: both }).key(token)).toMatchObject({ workspaceId })
    expect(verifierOf().key(token)).toBe('invalid_signature')
    expect(verifierOf({ secrets: [] }).key(token)).toBe('invalid_signature')
  })

  test('without the permission to log events gets an error that says so', () => {
    const verifier = verifierOf()
    expect(verifier.key(makeIngestKey(secret, keyOf(), []))).toBe('missing_permission')
    expect(verifier.key(makeIngestKey(secret, keyOf(), ['events:read']))).toBe('missing_permission')
  })

  test('is refused from its revocation on, although it is cached', () => {
    let revoked = nothing
    const verifier = verifierOf({ revoked: () => revoked })
    const [mine, other] = [keyOf(), keyOf()]
    const [token, otherToken] = [makeIngestKey(secret, mine), makeIngestKey(secret, other)]
    expect(verifier.key(token)).toEqual(mine)
    revoked = { ...nothing, keys: new Set([mine.id]) }
    expect(verifier.key(token)).toBe('revoked')
    expect(verifier.key(otherToken)).toEqual(other)
    revoked = nothing
    expect(verifier.key(token)).toEqual(mine)
  })
})

describe('a site token', () => {
  const site = { projectId: randomUUID(), workspaceId }

  test('that we signed tells its project and workspace, the second time too', () => {
    const verifier = verifierOf()
    const token = makeSiteToken(secret, site)
    expect([verifier.site(token), verifier.site(token)]).toEqual([site, site])
  })

  test('is refused in any other form', () => {
    const verifier = verifierOf()
    const token = makeSiteToken(secret, site)
    const forged = [
      'st_',
      token.slice(0, -1),
      respelled(token),
      token.slice(3),
      makeSiteToken('another secret', site),
      makeIngestKey(secret, keyOf()),
      `st_${makeIngestKey(secret, keyOf()).slice('sk_live_'.length)}`,
      `st_${signToken(secret, 'cursor', { p: site.projectId, w: workspaceId })}`,
      // The warehouse has projects by UUID.
      makeSiteToken(secret, { projectId: 'no-uuid', workspaceId }),
      `st_${signToken(secret, 'site', null)}`,
    ]
    for (const text of forged) expect(verifier.site(text), text).toBeUndefined()
  })

  test('is refused once its project is deleted', () => {
    let revoked = nothing
    const verifier = verifierOf({ revoked: () => revoked })
    const token = makeSiteToken(secret, site)
    expect(verifier.site(token)).toEqual(site)
    revoked = { ...nothing, projects: new Set([site.projectId]) }
    expect(verifier.site(token)).toBeUndefined()
  })
})
