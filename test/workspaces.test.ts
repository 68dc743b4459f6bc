import { beforeEach, describe, expect, test } from 'vitest'
import { hashApiKey } from '../core/access.ts'
import { createKey, revokeKey } from '../resolvers/keys/keys.ts'
import { type TestWorkspace, useApi } from './kit/api.ts'
import { asking, faultIn, type GraphAnswer } from './kit/changes.ts'

const api = useApi()

let workspace: TestWorkspace
let admin = { id: '', key: '' }
let owner = ''

const ask = asking(api, () => admin.key)

beforeEach(async () => {
  workspace = await api.workspace()
  admin = await workspace.key({ scopes: ['admin'] })
  const where = { workspaceId: workspace.id }
  owner = (await api.db.membership.findFirstOrThrow({ where })).userId
})

function change(name: string, args: string, fields = 'subjectId changed', as?: string) {
  const text = `mutation { ${name}(workspaceId: "${workspace.id}", ${args}) { ${fields} } }`
  return ask(text, as)
}

async function read(fields: string) {
  const { data } = await ask(`{ workspace(workspaceId: "${workspace.id}") { ${fields} } }`)
  return data.workspace
}

async function trail(args = '(limit: 50)') {
  const answer = await read(`auditTrail${args} {
    entries { action subjectId before after keyId userId }
    pagination { totalCount hasMore nextOffset }
  }`)
  return answer?.auditTrail as {
    entries: { action: string; subjectId: string }[]
    pagination: { totalCount: number }
  }
}

const address = (name: string) => `${name}@${workspace.id}.test`
const idOf = ({ data }: GraphAnswer, name: string) => String(data[name]?.subjectId)

describe('members', () => {
  test('are added by address, in any case, once, as `member` unless told', async () => {
    const first = await change('addMember', `email: "${address('Ann').toUpperCase()}"`)
    expect(first.data.addMember).toMatchObject({ changed: true })
    const again = await change('addMember', `email: "${address('ann')}"`)
    expect(again.data.addMember).toEqual({ subjectId: idOf(first, 'addMember'), changed: false })
    await change('addMember', `email: "${address('bob')}", role: owner`)
    const members = (await read('members { email role userId }'))?.members
    expect(members).toMatchObject([
      { userId: owner, role: 'owner' },
      { email: address('ann'), role: 'member' },
      { email: address('bob'), role: 'owner' },
    ])
    expect((await trail()).entries.slice(0, 2)).toMatchObject([
      { action: 'member.add', after: { email: address('bob'), role: 'owner' }, keyId: admin.id },
      { action: 'member.add', before: null, userId: owner },
    ])
    expect((await trail()).entries.filter(({ action }) => action === 'member.add')).toHaveLength(2)
  })

  test('with another role, or what is no address, are refused by field', async () => {
    await change('addMember', `email: "${address('ann')}"`)
    const other = await change('addMember', `email: "${address('ann')}", role: admin`)
    expect(faultIn(other)).toBe('invalid_argument email')
    expect(faultIn(await change('addMember', 'email: "ann"'))).toBe('invalid_argument email')
  })

  test('change their role and leave, and their keys end with them', async () => {
    const id = idOf(await change('addMember', `email: "${address('ann')}"`), 'addMember')
    const wanted = { workspaceId: workspace.id, userEmail: address('ann') }
    const key = await createKey(api.db, { ...wanted, scopes: ['read'] })
    const promoted = await change('changeMemberRole', `userId: "${id}", role: admin`)
    expect(promoted.data.changeMemberRole).toMatchObject({ changed: true })
    const same = await change('changeMemberRole', `userId: "${id}", role: admin`)
    expect(same.data.changeMemberRole).toMatchObject({ changed: false })
    expect(faultIn(await ask('{ projects { id } }', key.key))).toBe('none')
    await change('removeMember', `userId: "${id}"`)
    expect(faultIn(await ask('{ projects { id } }', key.key))).toBe('unauthorized')
    expect(faultIn(await change('removeMember', `userId: "${id}"`))).toBe('not_found')
    expect((await trail()).entries.slice(0, 3)).toMatchObject([
      { action: 'key.revoke', subjectId: key.id },
      { action: 'member.remove', subjectId: id, before: { email: address('ann'), role: 'admin' } },
      { action: 'member.update', before: { role: 'member' }, after: { role: 'admin' } },
    ])
  })

  test('the last owner neither leaves nor steps down', async () => {
    expect(faultIn(await change('removeMember', `userId: "${owner}"`))).toBe(
      'invalid_argument userId',
    )
    expect(faultIn(await change('changeMemberRole', `userId: "${owner}", role: member`))).toBe(
      'invalid_argument role',
    )
    expect((await read('members { role }'))?.members).toEqual([{ role: 'owner' }])
  })

  test('of another workspace are not found', async () => {
    const strangers = await api.workspace()
    const where = { workspaceId: strangers.id }
    const { userId } = await api.db.membership.findFirstOrThrow({ where })
    for (const id of [userId, 'none']) {
      expect(faultIn(await change('removeMember', `userId: "${id}"`))).toBe('not_found')
      expect(faultIn(await change('changeMemberRole', `userId: "${id}", role: owner`))).toBe(
        'not_found',
      )
    }
  })

  test('two owners who remove each other at once leave one', async () => {
    for (let round = 0; round < 5; round++) {
      const before = await api.db.membership.findMany({ where: { workspaceId: workspace.id } })
      const [one] = before.map(({ userId }) => userId)
      const email = address(`second${round}`)
      await api.db.user.create({
        data: {
          ...{ email, name: email },
          memberships: { create: { workspaceId: workspace.id, role: 'owner' } },
        },
      })
      const two = await api.db.user.findUniqueOrThrow({ where: { email } })
      const first = await api.db.user.findUniqueOrThrow({ where: { id: one ?? '' } })
      const keyOf = (userEmail: string) =>
        createKey(api.db, { workspaceId: workspace.id, userEmail, scopes: ['admin'] })
      const [ones, twos] = [await keyOf(first.email), await keyOf(email)]
      const answers = await Promise.all([
        change('removeMember', `userId: "${two.id}"`, 'changed', ones.key),
        change('removeMember', `userId: "${first.id}"`, 'changed', twos.key),
      ])
      expect(answers.filter(({ errors }) => errors === undefined)).toHaveLength(1)
      const left = await api.db.membership.findMany({ where: { workspaceId: workspace.id } })
      expect(left.map(({ role }) => role)).toEqual(['owner'])
    }
  })
})

describe('keys', () => {
  const listed = 'id name lastFour scopes capabilities project { id } expiresAt revokedAt'

  test('are listed without what could be used as one', async () => {
    const project = await workspace.project()
    const bound = await workspace.key({ scopes: ['read'], projectId: project })
    const keys = (await read(`apiKeys { ${listed} }`))?.apiKeys
    expect(keys).toEqual([
      {
        id: bound.id,
        name: null,
        lastFour: bound.key.slice(-4),
        scopes: ['read'],
        capabilities: [],
        project: { id: project },
        expiresAt: null,
        revokedAt: null,
      },
      expect.objectContaining({ id: admin.id, scopes: ['admin'], project: null }),
    ])
    expect(faultIn(await ask(`{ workspace(workspaceId: "x") { apiKeys { hash } } }`))).toBe(
      'invalid_argument',
    )
  })

  test('are revoked once', async () => {
    const key = await workspace.key()
    const first = await change('revokeKey', `keyId: "${key.id}"`)
    expect(first.data.revokeKey).toEqual({ subjectId: key.id, changed: true })
    expect(faultIn(await ask('{ projects { id } }', key.key))).toBe('unauthorized')
    const again = await change('revokeKey', `keyId: "${key.id}"`)
    expect(again.data.revokeKey).toMatchObject({ changed: false })
    const { entries } = await trail()
    expect(entries.filter(({ action }) => action === 'key.revoke')).toHaveLength(1)
  })

  test('revoked from the command line are told in the trail, once', async () => {
    const key = await workspace.key()
    const first = await revokeKey(api.db, key.id)
    expect(await revokeKey(api.db, key.id)).toEqual(first)
    const { entries } = await trail()
    expect(entries.filter(({ action }) => action === 'key.revoke')).toMatchObject([
      { subjectId: key.id, keyId: null, userId: null },
    ])
  })

  test('rotate into a new one with the same grants, and the old one ends at once', async () => {
    const project = await workspace.project()
    const old = await createKey(api.db, {
      ...{ workspaceId: workspace.id, projectId: project, name: 'CI' },
      ...{ scopes: ['read', 'write'], capabilities: ['prompt:draft'] },
    })
    const { data } = await change('rotateKey', `keyId: "${old.id}"`, `key apiKey { ${listed} }`)
    const key = String(data.rotateKey?.key)
    expect(data.rotateKey?.apiKey).toMatchObject({
      ...{ name: 'CI', lastFour: key.slice(-4), expiresAt: null, revokedAt: null },
      ...{ scopes: ['read', 'write'], capabilities: ['prompt:draft'], project: { id: project } },
    })
    expect(faultIn(await ask('{ projects { id } }', old.key))).toBe('unauthorized')
    expect((await ask('{ projects { id } }', key)).data.projects).toEqual([{ id: project }])
    const text = JSON.stringify(await trail())
    expect(text).toContain('key.rotate')
    for (const secret of [key, old.key, hashApiKey(key), hashApiKey(old.key)]) {
      expect(text).not.toContain(secret)
    }
  })

  test('the old one works on for as long as is given, and never longer than it would have', async () => {
    const soon = new Date(Date.now() + 60_000)
    const old = await workspace.key()
    const brief = await workspace.key({ expiresAt: soon })
    const rotate = async (id: string) =>
      (await change('rotateKey', `keyId: "${id}", graceSeconds: 3600`, 'oldKeyEndsAt key')).data
    const ends = Date.parse(String((await rotate(old.id)).rotateKey?.oldKeyEndsAt))
    expect(Math.abs(ends - Date.now() - 3_600_000)).toBeLessThan(10_000)
    expect(faultIn(await ask('{ projects { id } }', old.key))).toBe('none')
    expect((await rotate(brief.id)).rotateKey?.oldKeyEndsAt).toBe(soon.toISOString())
  })

  test('one that has ended, or of another workspace, does not rotate', async () => {
    const key = await workspace.key()
    await change('revokeKey', `keyId: "${key.id}"`)
    const fault = async (args: string) => faultIn(await change('rotateKey', args, 'key'))
    expect(await fault(`keyId: "${key.id}"`)).toBe('invalid_argument keyId')
    expect(await fault(`keyId: "${admin.id}", graceSeconds: -1`)).toBe(
      'invalid_argument graceSeconds',
    )
    const strange = await (await api.workspace()).key()
    expect(await fault(`keyId: "${strange.id}"`)).toBe('not_found')
    expect(faultIn(await change('revokeKey', `keyId: "${strange.id}"`))).toBe('not_found')
  })
})

test('the trail pages from the newest, and tells what the command line did', async () => {
  const project = await workspace.project()
  const add = (name: string) =>
    ask(`mutation { addTopic(projectId: "${project}", name: "${name}") { changed } }`)
  for (const name of ['A', 'B', 'C']) await add(name)
  const all = (await trail()).entries.map(({ action }) => action)
  expect(all).toEqual([
    ...['topic.add', 'topic.add', 'topic.add', 'project.create', 'key.create'],
    'workspace.create',
  ])
  const page = await trail('(limit: 2, offset: 1)')
  expect(page.entries).toMatchObject([{ after: { name: 'B' } }, { after: { name: 'A' } }])
  expect(page.pagination).toEqual({ totalCount: 6, hasMore: true, nextOffset: 3 })
  expect((await trail('(offset: 3)')).entries[0]).toMatchObject({ keyId: null, userId: null })
})
