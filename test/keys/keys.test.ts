import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { hashApiKey } from '../../core/access.ts'
import { createKey, revokeKey } from '../../resolvers/keys/keys.ts'
import { addMember } from '../../resolvers/members/members.ts'
import { commandLine } from '../../resolvers/shared/audit-trail.ts'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { asking, faultIn } from '../kit/changes.ts'

const api = useApi()

let workspace: TestWorkspace
let admin = { id: '', key: '' }

const ask = asking(api, () => admin.key)

beforeEach(async () => {
  workspace = await api.workspace()
  admin = await workspace.key({ scopes: ['admin'] })
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

describe('a new key', () => {
  const made = 'key apiKey { name scopes capabilities expiresAt owner { email } project { id } }'

  test('acts for who made it, with the given rights alone, and is shown once', async () => {
    const email = `ann-${randomUUID()}@acme.test`
    await addMember(api.db, commandLine, workspace.id, { email, role: 'owner' })
    const ann = await createKey(api.db, {
      workspaceId: workspace.id,
      userEmail: email,
      scopes: ['admin'],
    })
    const project = await workspace.project()
    const args = `name: "Sheets", scopes: [read], capabilities: [prompt_draft], projectId: "${project}", expiresAt: "2099-01-01T00:00:00Z"`
    const { data } = await change('createKey', args, made, ann.key)
    const { key, apiKey } = data.createKey as { key: string; apiKey: object }
    expect(apiKey).toEqual({
      name: 'Sheets',
      scopes: ['read'],
      capabilities: ['prompt_draft'],
      expiresAt: '2099-01-01T00:00:00.000Z',
      owner: { email },
      project: { id: project },
    })
    expect(faultIn(await ask('{ projects { totalCount } }', key))).toBe('none')
    const [entry] = (await trail()).nodes
    expect(entry).toMatchObject({ action: 'key.create', keyId: ann.id })
    expect(JSON.stringify(await trail())).not.toContain(key)
  })

  test('needs a right, a time to come, a project of its workspace, and a plan with keys', async () => {
    const strange = await (await api.workspace()).project()
    const faultOf = async (args: string, as?: string) =>
      faultIn(await change('createKey', args, 'key', as))
    expect(await faultOf('name: "None"')).toBe('invalid_argument scopes')
    const past = 'scopes: [read], expiresAt: "2020-01-01T00:00:00Z"'
    expect(await faultOf(past)).toBe('invalid_argument expiresAt')
    expect(await faultOf(`scopes: [read], projectId: "${strange}"`)).toBe('not_found')
    const projectId = await workspace.project()
    const bound = await workspace.key({ scopes: ['admin'], projectId })
    expect(await faultOf('scopes: [admin]', bound.key)).toBe('not_found')
    await api.db.workspace.update({ where: { id: workspace.id }, data: { plan: 'free' } })
    const session = await workspace.session()
    expect(await faultOf('scopes: [read]', session)).toBe('plan_upgrade_required')
    const rotated = await change('rotateKey', `keyId: "${admin.id}"`, 'key', session)
    expect(faultIn(rotated)).toBe('plan_upgrade_required')
  })
})

describe('keys', () => {
  const listed = 'id name lastFour scopes capabilities project { id } expiresAt revokedAt'

  test('are listed without what could be used as one', async () => {
    const project = await workspace.project()
    const bound = await workspace.key({ scopes: ['read'], projectId: project })
    const keys = nodesOf((await read(`apiKeys { nodes { ${listed} } }`))?.apiKeys)
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
    expect(faultIn(await ask(`{ workspace(id: "x") { apiKeys { nodes { hash } } } }`))).toBe(
      'invalid_argument',
    )
  })

  test('are revoked once', async () => {
    const key = await workspace.key()
    const first = await change('revokeKey', `keyId: "${key.id}"`)
    expect(first.data.revokeKey).toEqual({ subjectId: key.id, changed: true })
    expect(faultIn(await ask('{ projects { nodes { id } } }', key.key))).toBe('unauthorized')
    const again = await change('revokeKey', `keyId: "${key.id}"`)
    expect(again.data.revokeKey).toMatchObject({ changed: false })
    const { nodes: entries } = await trail()
    expect(entries.filter(({ action }) => action === 'key.revoke')).toHaveLength(1)
  })

  test('revoked from the command line are told in the trail, once', async () => {
    const key = await workspace.key()
    const first = await revokeKey(api.db, key.id)
    expect(await revokeKey(api.db, key.id)).toEqual(first)
    const { nodes: entries } = await trail()
    expect(entries.filter(({ action }) => action === 'key.revoke')).toMatchObject([
      { subjectId: key.id, keyId: null, userId: null },
    ])
  })

  test('rotate into a new one with the same grants, and the old one ends at once', async () => {
    const project = await workspace.project()
    const old = await createKey(api.db, {
      workspaceId: workspace.id,
      projectId: project,
      name: 'CI',
      scopes: ['read', 'write'],
      capabilities: ['prompt:draft'],
    })
    const { data } = await change('rotateKey', `keyId: "${old.id}"`, `key apiKey { ${listed} }`)
    const key = String(data.rotateKey?.key)
    expect(data.rotateKey?.apiKey).toMatchObject({
      name: 'CI',
      lastFour: key.slice(-4),
      expiresAt: null,
      revokedAt: null,
      scopes: ['read', 'write'],
      capabilities: ['prompt_draft'],
      project: { id: project },
    })
    expect(faultIn(await ask('{ projects { nodes { id } } }', old.key))).toBe('unauthorized')
    expect((await ask('{ projects { nodes { id } } }', key)).data.projects).toEqual({
      nodes: [{ id: project }],
    })
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
    expect(faultIn(await ask('{ projects { nodes { id } } }', old.key))).toBe('none')
    expect((await rotate(brief.id)).rotateKey?.oldKeyEndsAt).toBe(soon.toISOString())
  })

  test('one of another user is revoked by an admin, and never rotated', async () => {
    const email = `${randomUUID()}@example.com`
    await addMember(api.db, commandLine, workspace.id, { email })
    const theirs = await createKey(api.db, {
      workspaceId: workspace.id,
      scopes: ['read'],
      userEmail: email,
    })
    const refused = await change('rotateKey', `keyId: "${theirs.id}"`, 'key')
    expect(faultIn(refused)).toBe('forbidden')
    expect(JSON.stringify(refused)).not.toContain('sgl_')
    expect(faultIn(await ask('{ projects { nodes { id } } }', theirs.key))).toBe('none')
    expect(faultIn(await change('revokeKey', `keyId: "${theirs.id}"`))).toBe('none')
    expect(faultIn(await ask('{ projects { nodes { id } } }', theirs.key))).toBe('unauthorized')
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
