import { beforeAll, beforeEach, expect, test } from 'vitest'
import { makePageCode } from '../../resolvers/keys/page-codes.ts'
import { inviteMember } from '../../resolvers/members/invitations.ts'
import { addMember, removeMember } from '../../resolvers/members/members.ts'
import { removePassword } from '../../resolvers/members/passwords.ts'
import { signIn, signInUser } from '../../resolvers/members/sessions.ts'
import { commandLine } from '../../resolvers/shared/audit-trail.ts'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { cookieOf, credentials } from '../kit/credentials.ts'

/** Passwords and invitations by link, and what people try with them. */

const api = useApi()
let workspace: TestWorkspace
let owner = ''
let people = 0
const address = () => `person${people++}@${workspace.id}.test`

beforeAll(async () => {
  workspace = await api.workspace()
})
beforeEach(async () => {
  const where = { workspaceId: workspace.id, role: 'owner' } as const
  const { userId } = await api.db.membership.findFirstOrThrow({ where })
  owner = (await signInUser(api.db, userId))?.token ?? ''
})

async function post(path: string, body: object, token = '') {
  const response = await fetch(api.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: api.url, cookie: cookieOf(token) },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  const { code, ...rest } = text ? JSON.parse(text) : {}
  const [, found = ''] = /=(sgs_[\w-]{43});/.exec(response.headers.get('set-cookie') ?? '') ?? []
  return {
    status: response.status,
    code,
    token: found,
    retry: response.headers.get('retry-after'),
    ...rest,
  }
}

/** The token in the link of a new invitation, as an owner copies it. */
async function invited(email: string): Promise<string> {
  await inviteMember(api.db, commandLine, workspace.id, { email })
  const fields = `{ workspace(id: "${workspace.id}") { invitations { nodes { email link } } } }`
  const { data } = await (await api.graphql(fields, owner)).json()
  const nodes = data.workspace.invitations.nodes as { email: string; link: string }[]
  return nodes.find((node) => node.email === email)?.link.split('/join#')[1] ?? ''
}

const password = 'correct horse battery'
const asked = async (token: string) =>
  (await api.graphql('{ projects { totalCount } }', token)).status

test('an invited person chooses a password, once, and signs in by it anywhere', async () => {
  const email = address()
  const token = await invited(email)
  const shown = await post('/join/invitation', { token })
  expect(shown).toMatchObject({ email, workspace: 'Test', role: 'viewer', state: 'new' })
  expect((await post('/join/accept', { token, password: 'short' })).code).toBe('invalid_argument')
  const joined = await post('/join/accept', { token, password })
  expect([joined.status, await asked(joined.token)]).toEqual([204, 200])
  // The link was used.
  expect((await post('/join/invitation', { token })).code).toBe('not_found')
  expect((await post('/join/accept', { token, password })).code).toBe('not_found')
  const again = await post('/sign-in/password', { email: email.toUpperCase(), password })
  expect([again.status, await asked(again.token)]).toEqual([204, 200])
  const wrong = { status: 401, code: 'unauthorized', token: '' }
  const message = 'The e-mail address or the password is wrong.'
  for (const guess of [
    { email, password: 'wrong horse' },
    { email: address(), password },
  ]) {
    expect(await post('/sign-in/password', guess)).toMatchObject({ ...wrong, message })
  }
})

test('the operator adds no account that a link made, whose address is not proven', async () => {
  const email = address()
  await post('/join/accept', { token: await invited(email), password })
  const other = await api.workspace()
  await expect(addMember(api.db, commandLine, other.id, { email })).rejects.toThrow('invite it')
  // Nor does another link open the account, once it is of no workspace.
  const { id } = await api.db.user.findUniqueOrThrow({ where: { email } })
  await removeMember(api.db, commandLine, workspace.id, id)
  const again = await invited(email)
  expect(await post('/join/invitation', { token: again })).toMatchObject({ state: 'known' })
})

test('two requests with one link make one member', async () => {
  const email = address()
  const token = await invited(email)
  const both = await Promise.all([
    post('/join/accept', { token, password }),
    post('/join/accept', { token, password: 'another horse battery' }),
  ])
  // The later one finds the account, or no invitation.
  const [first, second] = both.map(({ status }) => status).sort()
  expect(first).toBe(204)
  expect([403, 404]).toContain(second)
  expect(await api.db.user.count({ where: { email } })).toBe(1)
})

test('an invitation that expired, was withdrawn or is forged opens nothing', async () => {
  const email = address()
  const token = await invited(email)
  const [body = '', signature = ''] = token.split('.')
  for (const wrong of [`${body}.${signature.slice(1)}A`, 'none', '']) {
    expect((await post('/join/invitation', { token: wrong })).code).toBe('not_found')
  }
  await api.db.invitation.updateMany({ where: { email }, data: { expiresAt: new Date() } })
  expect((await post('/join/accept', { token, password })).code).toBe('not_found')
})

test('a link that was forwarded gives nobody the account of another person', async () => {
  const email = address()
  const mine = await invited(email)
  const { token: ann } = await post('/join/accept', { token: mine, password })
  // Another workspace invites the same address: only that person accepts.
  const other = await api.workspace()
  const { subjectId } = await inviteMember(api.db, commandLine, other.id, { email })
  const { userId } = await api.db.membership.findFirstOrThrow({ where: { workspaceId: other.id } })
  const boss = (await signInUser(api.db, userId))?.token ?? ''
  const fields = `{ workspace(id: "${other.id}") { invitations { nodes { link } } } }`
  const { data } = await (await api.graphql(fields, boss)).json()
  const [token = ''] = data.workspace.invitations.nodes[0].link.split('/join#').slice(1)
  expect(await post('/join/invitation', { token })).toMatchObject({ state: 'known' })
  expect((await post('/join/accept', { token, password: 'taken over now' })).code).toBe('forbidden')
  expect(await post('/join/invitation', { token }, boss)).toMatchObject({ state: 'other' })
  expect((await post('/join/accept', { token }, boss)).code).toBe('forbidden')
  // Whose address nobody verified needs the link.
  const accept = `mutation { acceptInvitation(invitationId: "${subjectId}") { subjectId } }`
  const refused = await (await api.graphql(accept, ann)).json()
  expect(refused.data.acceptInvitation.code).toBe('not_found')
  expect(await post('/join/invitation', { token }, ann)).toMatchObject({ state: 'mine' })
  expect((await post('/join/accept', { token }, ann)).status).toBe(204)
  expect(await api.db.membership.count({ where: { workspaceId: other.id } })).toBe(2)
})

test('who had the link loses the account to the person whose address a provider verifies', async () => {
  const email = address()
  const { token } = await post('/join/accept', { token: await invited(email), password })
  const verified = await signIn(api.db, email)
  expect(await asked('token' in verified ? verified.token : '')).toBe(200)
  expect(await asked(token)).toBe(401)
  expect((await post('/sign-in/password', { email, password })).status).toBe(401)
})

test('a new password signs out the other browsers and needs the present one', async () => {
  const email = address()
  const { token } = await post('/join/accept', { token: await invited(email), password })
  const { token: other } = await post('/sign-in/password', { email, password })
  const next = { current: password, password: 'a new horse battery' }
  expect((await post('/account/password', { ...next, current: 'no' }, token)).code).toBe(
    'invalid_argument',
  )
  expect((await post('/account/password', next)).code).toBe('unauthorized')
  expect((await post('/account/password', next, token)).status).toBe(204)
  expect([await asked(token), await asked(other)]).toEqual([200, 401])
  const { key } = await workspace.key({ scopes: ['admin'] })
  const byKey = await fetch(`${api.url}/sign-in/key`, {
    method: 'POST',
    headers: { ...credentials(key), origin: api.url, 'content-type': 'application/json' },
  })
  const [, session = ''] = /=(sgs_[\w-]{43});/.exec(byKey.headers.get('set-cookie') ?? '') ?? []
  expect((await post('/account/password', next, session)).code).toBe('forbidden')
})

test('the eleventh wrong password of an account is not looked at, nor is the right one then', async () => {
  const email = address()
  await post('/join/accept', { token: await invited(email), password })
  const guess = (word: string) => post('/sign-in/password', { email, password: word })
  const wrong = await Promise.all(Array.from({ length: 12 }, (_, i) => guess(`guess number ${i}`)))
  const statuses = wrong.map(({ status }) => status).sort()
  expect(statuses).toEqual([...Array(10).fill(401), 429, 429])
  const right = await guess(password)
  expect([right.status, right.token]).toEqual([429, ''])
  expect(Number(right.retry)).toBeGreaterThan(800)
  // Another account at the address is as it was.
  const friend = address()
  await post('/join/accept', { token: await invited(friend), password })
  expect((await post('/sign-in/password', { email: friend, password })).status).toBe(204)
})

test('who forgot the password is signed in by a link of the operator, and has none until it is set', async () => {
  const email = address()
  const { token: before } = await post('/join/accept', { token: await invited(email), password })
  const { id } = await api.db.user.findUniqueOrThrow({ where: { email } })
  await removePassword(api.db, id)
  const code = await makePageCode(api.db, { userId: id })
  const { token } = await post('/page-key', { code })
  expect([await asked(before), await asked(token)]).toEqual([401, 200])
  expect((await post('/sign-in/password', { email, password })).status).toBe(401)
  const { data } = await (await api.graphql('{ account { email hasPassword } }', token)).json()
  expect(data.account).toEqual({ email, hasPassword: false })
  expect((await post('/account/password', { password: 'yet another horse' }, token)).status).toBe(
    204,
  )
})
