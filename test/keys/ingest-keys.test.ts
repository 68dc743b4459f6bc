import { beforeEach, describe, expect, test } from 'vitest'
import { createVerifier } from '../../ingest/endpoint/key.ts'
import { signingSecret, type TestWorkspace, useApi } from '../kit/api.ts'
import { asking, faultIn, type GraphAnswer } from '../kit/changes.ts'

const api = useApi()

let workspace: TestWorkspace
let admin = { id: '', key: '' }

const ask = asking(api, () => admin.key)

const nothing = { keys: new Set<string>(), projects: new Set<string>() }
const verifier = createVerifier({ secrets: [signingSecret], revoked: () => nothing })

beforeEach(async () => {
  workspace = await api.workspace()
  admin = await workspace.key({ scopes: ['admin'] })
})

function make(name: string | null, as?: string): Promise<GraphAnswer> {
  const text = `mutation { createIngestKey(workspaceId: "${workspace.id}", name: ${JSON.stringify(name)}) { id key } }`
  return ask(text, as)
}

const revoke = (keyId: string) =>
  ask(
    `mutation { revokeIngestKey(workspaceId: "${workspace.id}", keyId: "${keyId}") { subjectId changed } }`,
  )

async function listed() {
  const text = `{ workspace(id: "${workspace.id}") { ingestKeys { nodes { id name revokedAt } } } }`
  const { workspace: found } = (await ask(text)).data
  return (found as unknown as { ingestKeys: { nodes: unknown } }).ingestKeys.nodes
}

async function trail() {
  const where = { workspaceId: workspace.id, action: { notIn: ['workspace.create'] } }
  const entries = await api.db.auditEntry.findMany({ where, orderBy: { id: 'asc' } })
  return entries
    .map(({ action, keyId, before, after }) => ({ action, keyId, before, after }))
    .filter(({ action }) => /^(ingestKey|connection)/.test(action))
}

describe('an ingest key', () => {
  test('is signed for the workspace, and listed without what could be used as one', async () => {
    const { data } = await make('Edge')
    const { id, key } = data.createIngestKey as { id: string; key: string }
    expect(verifier.key(key)).toEqual({ id, workspaceId: workspace.id })
    expect(await listed()).toEqual([{ id, name: 'Edge', revokedAt: null }])
    const kept = JSON.stringify([await api.db.ingestKey.findMany(), await trail()])
    expect(kept).not.toContain(key.split('.')[1])
    expect(await trail()).toEqual([
      { action: 'ingestKey.create', keyId: admin.id, before: null, after: { name: 'Edge' } },
    ])
  })

  test('needs no name, but one line if it has one', async () => {
    expect((await make(null)).errors).toBeUndefined()
    for (const name of ['', ' ', 'two\nlines', 'x'.repeat(201)]) {
      expect(faultIn(await make(name))).toBe('invalid_argument name')
    }
    expect(await listed()).toMatchObject([{ name: null }])
  })

  test('is revoked once, and stays in the list', async () => {
    const id = String((await make('Edge')).data.createIngestKey?.id)
    expect((await revoke(id)).data.revokeIngestKey).toEqual({ subjectId: id, changed: true })
    expect((await revoke(id)).data.revokeIngestKey).toEqual({ subjectId: id, changed: false })
    expect(await listed()).toEqual([{ id, name: 'Edge', revokedAt: expect.any(String) }])
    expect((await trail()).map(({ action }) => action)).toEqual([
      'ingestKey.create',
      'ingestKey.revoke',
    ])
  })

  test('of another workspace is not found', async () => {
    const foreign = await api.db.ingestKey.create({ data: { workspaceId: workspace.id } })
    workspace = await api.workspace()
    admin = await workspace.key({ scopes: ['admin'] })
    for (const id of [foreign.id, 'none']) expect(faultIn(await revoke(id))).toBe('not_found')
    const row = await api.db.ingestKey.findUniqueOrThrow({ where: { id: foreign.id } })
    expect(row.revokedAt).toBeNull()
  })

  test('is nothing for a plan without keys, as an API key is', async () => {
    await api.db.workspace.update({ where: { id: workspace.id }, data: { plan: 'free' } })
    expect(faultIn(await make('Edge', await workspace.session()))).toBe('plan_upgrade_required')
    expect(await api.db.ingestKey.count({ where: { workspaceId: workspace.id } })).toBe(0)
  })

  test('is made and listed by `admin` alone', async () => {
    const { key } = await workspace.key({ scopes: ['read', 'write'] })
    expect(faultIn(await make('Edge', key))).toBe('missing_scope')
  })
})
