import { beforeEach, describe, expect, test } from 'vitest'
import { createKey } from '../../resolvers/keys/keys.ts'
import { addMember, type MemberInput } from '../../resolvers/members/members.ts'
import { commandLine } from '../../resolvers/shared/audit-trail.ts'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { asking, faultIn } from '../kit/changes.ts'
import { isSoak } from '../kit/soak.ts'

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

const nodesOf = (list: unknown) => (list as { nodes: unknown }).nodes

async function read(fields: string) {
  const { data } = await ask(`{ workspace(id: "${workspace.id}") { ${fields} } }`)
  return data.workspace
}

async function trail(args = '') {
  const answer = await read(`auditTrail${args} {
    nodes { action subjectId before after keyId userId }
    totalCount
    pageInfo { hasNextPage endCursor }
  }`)
  return answer?.auditTrail as {
    nodes: { action: string; subjectId: string }[]
    totalCount: number
    pageInfo: { hasNextPage: boolean; endCursor: string }
  }
}

const address = (name: string) => `${name}@${workspace.id}.test`
const add = (input: MemberInput) => addMember(api.db, commandLine, workspace.id, input)

describe('members', () => {
  test('are added by the operator, in any case, once, as `viewer` unless told', async () => {
    const first = await add({ email: address('Ann').toUpperCase() })
    expect(first).toMatchObject({ changed: true })
    expect(await add({ email: address('ann') })).toEqual({ ...first, changed: false })
    await add({ email: address('bob'), role: 'owner' })
    const members = nodesOf((await read('members { nodes { email role userId } }'))?.members)
    expect(members).toMatchObject([
      { userId: owner, role: 'owner' },
      { email: address('ann'), role: 'viewer' },
      { email: address('bob'), role: 'owner' },
    ])
    expect((await trail()).nodes.slice(0, 2)).toMatchObject([
      { action: 'member.add', after: { email: address('bob'), role: 'owner' }, keyId: null },
      { action: 'member.add', before: null, userId: null },
    ])
    expect((await trail()).nodes.filter(({ action }) => action === 'member.add')).toHaveLength(2)
    await expect(add({ email: address('ann'), role: 'editor' })).rejects.toThrow('already')
  })

  test('change their role and leave, and their keys end with them', async () => {
    const { subjectId: id } = await add({ email: address('ann') })
    const wanted = { workspaceId: workspace.id, userEmail: address('ann') }
    const key = await createKey(api.db, { ...wanted, scopes: ['read'] })
    const promoted = await change('changeMemberRole', `userId: "${id}", role: editor`)
    expect(promoted.data.changeMemberRole).toMatchObject({ changed: true })
    const same = await change('changeMemberRole', `userId: "${id}", role: editor`)
    expect(same.data.changeMemberRole).toMatchObject({ changed: false })
    expect(faultIn(await ask('{ projects { nodes { id } } }', key.key))).toBe('none')
    await change('removeMember', `userId: "${id}"`)
    expect(faultIn(await ask('{ projects { nodes { id } } }', key.key))).toBe('unauthorized')
    expect(faultIn(await change('removeMember', `userId: "${id}"`))).toBe('not_found')
    expect((await trail()).nodes.slice(0, 3)).toMatchObject([
      { action: 'key.revoke', subjectId: key.id },
      { action: 'member.remove', subjectId: id, before: { email: address('ann'), role: 'editor' } },
      { action: 'member.update', before: { role: 'viewer' }, after: { role: 'editor' } },
    ])
  })

  test('the last owner neither leaves nor steps down', async () => {
    expect(faultIn(await change('removeMember', `userId: "${owner}"`))).toBe(
      'invalid_argument userId',
    )
    expect(faultIn(await change('changeMemberRole', `userId: "${owner}", role: viewer`))).toBe(
      'invalid_argument role',
    )
    expect(nodesOf((await read('members { nodes { role } }'))?.members)).toEqual([
      { role: 'owner' },
    ])
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

  if (isSoak) {
    test('two owners who remove each other at once leave one', async () => {
      for (let round = 0; round < 5; round++) {
        const before = await api.db.membership.findMany({ where: { workspaceId: workspace.id } })
        const [one] = before.map(({ userId }) => userId)
        const email = address(`second${round}`)
        await api.db.user.create({
          data: {
            email,
            name: email,
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
        expect(answers.filter((answer) => faultIn(answer) === 'none')).toHaveLength(1)
        const left = await api.db.membership.findMany({ where: { workspaceId: workspace.id } })
        expect(left.map(({ role }) => role)).toEqual(['owner'])
      }
    })
  }
})
