import { beforeEach, expect, test } from 'vitest'
import { createKey } from '../../resolvers/keys/keys.ts'
import { addMember } from '../../resolvers/members/members.ts'
import { commandLine } from '../../resolvers/shared/audit-trail.ts'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { asking, faultIn } from '../kit/changes.ts'

const api = useApi()

/** Sue owns `shop`. Ann owns `home`, where her keys were made. */
let shop: TestWorkspace
let home: TestWorkspace
let sue = { id: '', key: '' }
let ann = { id: '', key: '' }
let annId = ''
let email = ''

const ask = asking(api, () => sue.key)

beforeEach(async () => {
  shop = await api.workspace()
  home = await api.workspace()
  await shop.project()
  await home.project()
  sue = await shop.key({ scopes: ['admin'] })
  ann = await home.key({ scopes: ['admin'] })
  const where = { workspaceId: home.id }
  const owner = await api.db.membership.findFirstOrThrow({ where, include: { user: true } })
  annId = owner.userId
  email = owner.user.email
})

const inShop = (name: string, args: string) =>
  ask(`mutation { ${name}(workspaceId: "${shop.id}", ${args}) { subjectId changed } }`)

const invite = async (args = '') => {
  const { data } = await inShop('addMember', `email: "${email}"${args}`)
  return data.addMember as { subjectId: string; changed: boolean }
}

const reply = (name: string, id: string, as = ann.key) =>
  ask(`mutation { ${name}(invitationId: "${id}") { subjectId workspaceId } }`, as)

const leave = (id: string, as = ann.key) =>
  ask(`mutation { leaveWorkspace(workspaceId: "${id}") { subjectId workspaceId } }`, as)

/** How many projects a key lists. */
async function listed(key: string): Promise<number> {
  const { data } = await ask('{ projects { totalCount } }', key)
  return Number(data.projects?.totalCount)
}

async function shopShows(): Promise<{ members: unknown[]; invitations: unknown[] }> {
  const fields = `members { nodes { userId role } }
    invitations { nodes { id email role createdAt expiresAt } }`
  const { data } = await ask(`{ workspace(id: "${shop.id}") { ${fields} } }`)
  type Lists = Record<'members' | 'invitations', { nodes: unknown[] }>
  const { members, invitations } = data.workspace as unknown as Lists
  return { members: members.nodes, invitations: invitations.nodes }
}

async function received(key = ann.key): Promise<unknown[]> {
  const fields = 'id workspaceId workspaceName role'
  const { data } = await ask(`{ invitations { nodes { ${fields} } totalCount } }`, key)
  return (data.invitations as { nodes: unknown[] }).nodes
}

const trailOf = async (action: RegExp) => {
  const entries = await api.db.auditEntry.findMany({
    where: { workspaceId: shop.id },
    orderBy: { id: 'asc' },
  })
  return entries.filter((entry) => action.test(entry.action))
}

test('an invitation makes no member, shows nothing of the person, and changes no list of their keys', async () => {
  const made = await invite(', role: editor')
  const stranger = `nobody@${shop.id}.test`
  await inShop('addMember', `email: "${stranger}"`)
  const { members, invitations } = await shopShows()
  expect(members).toHaveLength(1)
  const dates = { createdAt: expect.any(String), expiresAt: expect.any(String) }
  expect(invitations).toEqual([
    { id: expect.any(String), email: stranger, role: 'viewer', ...dates },
    { id: made.subjectId, email, role: 'editor', ...dates },
  ])
  expect(await api.db.user.count({ where: { email: stranger } })).toBe(0)
  expect(await listed(ann.key)).toBe(1)
  const [open] = await api.db.invitation.findMany({ where: { id: made.subjectId } })
  expect(Number(open?.expiresAt) - Number(open?.createdAt)).toBeCloseTo(7 * 86_400_000, -4)
  const facts = (await trailOf(/^invitation/)).map(({ before, after }) => ({ before, after }))
  expect(JSON.stringify(facts)).not.toContain(annId)
})

test('the invited user sees it and accepts, and only then reaches the workspace', async () => {
  const { subjectId: id } = await invite(', role: editor')
  expect(await received()).toEqual([
    { id, workspaceId: shop.id, workspaceName: 'Test', role: 'editor' },
  ])
  expect(await received(sue.key)).toEqual([])
  expect(faultIn(await reply('acceptInvitation', id, sue.key))).toBe('not_found')
  expect((await reply('acceptInvitation', id)).data.acceptInvitation).toEqual({
    subjectId: id,
    workspaceId: shop.id,
  })
  expect(await listed(ann.key)).toBe(2)
  const { members, invitations } = await shopShows()
  expect(members).toContainEqual({ userId: annId, role: 'editor' })
  expect([invitations, await received()]).toEqual([[], []])
  expect(faultIn(await reply('acceptInvitation', id))).toBe('not_found')
  expect(await trailOf(/^(invitation|member)/)).toMatchObject([
    { action: 'invitation.create', keyId: sue.id, after: { email, role: 'editor' } },
    { action: 'invitation.accept', userId: annId },
    { action: 'member.add', subjectId: annId, userId: annId, after: { role: 'editor' } },
  ])
  expect(await invite(', role: editor')).toEqual({ subjectId: annId, changed: false })
})

test('the invited user declines, and the workspace does not learn who', async () => {
  const { subjectId: id } = await invite()
  expect(faultIn(await reply('declineInvitation', id))).toBe('none')
  expect([(await shopShows()).invitations, await received()]).toEqual([[], []])
  expect(faultIn(await reply('acceptInvitation', id))).toBe('not_found')
  expect(await trailOf(/^invitation/)).toMatchObject([
    { action: 'invitation.create' },
    { action: 'invitation.decline', userId: null, keyId: null },
  ])
})

test('an admin takes it back, once', async () => {
  const { subjectId: id } = await invite()
  const revoke = () => inShop('revokeInvitation', `invitationId: "${id}"`)
  expect(faultIn(await revoke())).toBe('none')
  expect(faultIn(await revoke())).toBe('not_found')
  expect(faultIn(await reply('acceptInvitation', id))).toBe('not_found')
  expect(await received()).toEqual([])
})

test('it is made once, with one role, and expires', async () => {
  const first = await invite()
  expect(await invite()).toEqual({ subjectId: first.subjectId, changed: false })
  const other = await inShop('addMember', `email: "${email}", role: owner`)
  expect(faultIn(other)).toBe('invalid_argument email')
  expect(faultIn(await inShop('addMember', 'email: "ann"'))).toBe('invalid_argument email')
  await api.db.invitation.update({
    where: { id: first.subjectId },
    data: { expiresAt: new Date(Date.now() - 1000) },
  })
  expect([(await shopShows()).invitations, await received()]).toEqual([[], []])
  expect(faultIn(await reply('acceptInvitation', first.subjectId))).toBe('not_found')
  expect(await invite(', role: owner')).toMatchObject({ changed: true })
})

test('a bound key and a key without `admin` answer none', async () => {
  const { subjectId: id } = await invite()
  const bound = await home.key({ scopes: ['admin'], projectId: await home.project() })
  const reader = await home.key({ scopes: ['read'] })
  expect(await received(bound.key)).toEqual([])
  for (const name of ['acceptInvitation', 'declineInvitation']) {
    expect(faultIn(await reply(name, id, bound.key))).toBe('not_found')
    expect(faultIn(await reply(name, id, reader.key))).toBe('missing_scope')
  }
  expect(await received()).toHaveLength(1)
})

test('a member leaves, and the keys that the workspace made for the member end', async () => {
  await addMember(api.db, commandLine, shop.id, { email })
  const wanted = { workspaceId: shop.id, userEmail: email }
  const there = await createKey(api.db, { ...wanted, scopes: ['read'] })
  expect(await listed(ann.key)).toBe(2)
  expect((await leave(shop.id)).data.leaveWorkspace).toEqual({
    subjectId: annId,
    workspaceId: shop.id,
  })
  expect(await listed(ann.key)).toBe(1)
  expect(faultIn(await ask('{ projects { nodes { id } } }', there.key))).toBe('unauthorized')
  expect(faultIn(await leave(shop.id))).toBe('not_found')
  expect(await trailOf(/^(member.leave|key.revoke)/)).toMatchObject([
    { action: 'member.leave', subjectId: annId, userId: annId },
    { action: 'key.revoke', subjectId: there.id },
  ])
  expect(faultIn(await leave(home.id))).toBe('invalid_argument workspaceId')
})

test('the operator accepts for a user who has no key yet, and who is created so', async () => {
  const { acceptInvitation } = await import('../../resolvers/members/invitations.ts')
  const address = `new@${shop.id}.test`
  const { data } = await inShop('addMember', `email: "${address}"`)
  await acceptInvitation(api.db, commandLine, String(data.addMember?.subjectId))
  expect((await shopShows()).members).toHaveLength(2)
  expect(await api.db.user.count({ where: { email: address } })).toBe(1)
})
