import { beforeEach, expect, test } from 'vitest'
import { createKey } from '../../resolvers/keys/keys.ts'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { asking, faultIn } from '../kit/changes.ts'

const api = useApi()

/** Ann owns `home`, where her key was made, and is a member of `shop`, which Sue owns. */
let home: TestWorkspace
let shop: TestWorkspace
let ann = { id: '', key: '' }
let sue = { id: '', key: '' }
let annId = ''
let annEmail = ''
let project = ''

const ask = asking(api, () => sue.key)

beforeEach(async () => {
  home = await api.workspace()
  shop = await api.workspace()
  project = await shop.project()
  await home.project()
  ann = await home.key({ scopes: ['admin'] })
  sue = await shop.key({ scopes: ['admin'] })
  const where = { workspaceId: home.id }
  const owner = await api.db.membership.findFirstOrThrow({ where, include: { user: true } })
  annId = owner.userId
  annEmail = owner.user.email
  await api.db.membership.create({ data: { workspaceId: shop.id, userId: annId } })
})

interface Reaching {
  readonly id: string
  readonly [field: string]: unknown
}

async function reaching(): Promise<Reaching[]> {
  const fields = 'id: keyId lastFour owner { email } madeIn { id name } blockedAt lastUsedAt'
  const text = `{ workspace(id: "${shop.id}") { reachingKeys { nodes { ${fields} } } } }`
  const { data } = await ask(text)
  const found = data.workspace?.reachingKeys as { nodes: Reaching[] } | undefined
  return found?.nodes ?? []
}

function change(name: string, keyId: string, as?: string) {
  return ask(
    `mutation { ${name}(workspaceId: "${shop.id}", keyId: "${keyId}") { subjectId changed } }`,
    as,
  )
}

/** How many projects a key lists. */
async function listed(key: string): Promise<number> {
  const { data } = await ask('{ projects { totalCount } }', key)
  return Number(data.projects?.totalCount)
}

const statusOf = async (key: string) =>
  (await api.get(`/api/mcp/projects/${project}/topics`, key)).status

test('a workspace shows the keys of others that reach it, and the key shows the workspace', async () => {
  expect(await reaching()).toMatchObject([
    { id: sue.id, madeIn: { id: shop.id }, blockedAt: null },
    {
      id: ann.id,
      lastFour: ann.key.slice(-4),
      owner: { email: annEmail },
      madeIn: { id: home.id, name: 'Test' },
      blockedAt: null,
      lastUsedAt: null,
    },
  ])
  const fields = 'nodes { id owner { id email } otherWorkspaces { id name } }'
  const { data } = await ask(`{ workspace(id: "${home.id}") { apiKeys { ${fields} } } }`, ann.key)
  expect(data.workspace?.apiKeys).toEqual({
    nodes: [
      {
        id: ann.id,
        owner: { id: annId, email: annEmail },
        otherWorkspaces: [{ id: shop.id, name: 'Test' }],
      },
    ],
  })
})

test('a bound key of another workspace does not reach it', async () => {
  const bound = await home.key({ scopes: ['read'], projectId: await home.project() })
  expect((await reaching()).map(({ id }) => id)).not.toContain(bound.id)
  expect(faultIn(await change('blockKey', bound.id))).toBe('not_found')
})

test('a blocked key reaches that workspace no more through either door, and its own as before', async () => {
  expect([await listed(ann.key), await statusOf(ann.key)]).toEqual([2, 200])
  expect((await change('blockKey', ann.id)).data.blockKey).toEqual({
    subjectId: ann.id,
    changed: true,
  })
  expect([await listed(ann.key), await statusOf(ann.key)]).toEqual([1, 403])
  const { projects } = (await (await api.get('/api/mcp/projects', ann.key)).json()) as {
    projects: unknown[]
  }
  expect(projects).toHaveLength(1)
  expect(faultIn(await ask(`{ project(id: "${project}") { id } }`, ann.key))).toBe('forbidden')
  expect((await change('blockKey', ann.id)).data.blockKey).toMatchObject({ changed: false })
  expect((await change('unblockKey', ann.id)).data.unblockKey).toMatchObject({ changed: true })
  expect((await change('unblockKey', ann.id)).data.unblockKey).toMatchObject({ changed: false })
  expect([await listed(ann.key), await statusOf(ann.key)]).toEqual([2, 200])
  const where = { workspaceId: shop.id, action: { in: ['key.block', 'key.unblock'] } }
  const entries = await api.db.auditEntry.findMany({ where, orderBy: { id: 'asc' } })
  const facts = { owner: annEmail, madeIn: home.id, lastFour: ann.key.slice(-4) }
  expect(entries).toMatchObject([
    { action: 'key.block', subjectId: ann.id, keyId: sue.id, after: facts },
    { action: 'key.unblock', subjectId: ann.id, keyId: sue.id, before: facts },
  ])
})

test('the successor of a blocked key is blocked too', async () => {
  await change('blockKey', ann.id)
  const rotate = `mutation { rotateKey(workspaceId: "${home.id}", keyId: "${ann.id}") { key } }`
  const key = String((await ask(rotate, ann.key)).data.rotateKey?.key)
  expect(await listed(key)).toBe(1)
  expect(await statusOf(key)).toBe(403)
})

test('a key that was made in the workspace is blocked there, with the workspace itself', async () => {
  const own = await shop.key({ scopes: ['read'] })
  const read = `{ workspace(id: "${shop.id}") { name } }`
  expect(faultIn(await ask(read, own.key))).toBe('none')
  await change('blockKey', own.id)
  expect(faultIn(await ask(read, own.key))).toBe('forbidden')
})

test('only an owner blocks and unblocks, never the key that asks, and no key that does not reach', async () => {
  const annHere = await createKey(api.db, {
    workspaceId: shop.id,
    userEmail: annEmail,
    scopes: ['admin'],
  })
  for (const name of ['blockKey', 'unblockKey']) {
    expect(faultIn(await change(name, sue.id, annHere.key))).toBe('forbidden')
    expect(faultIn(await change(name, (await (await api.workspace()).key()).id))).toBe('not_found')
    expect(faultIn(await change(name, 'none'))).toBe('not_found')
  }
  expect(faultIn(await change('blockKey', sue.id))).toBe('invalid_argument keyId')
})

test('the last use of a key is noted, once a minute', async () => {
  const uses = async () =>
    (await api.db.apiKey.findUniqueOrThrow({ where: { id: ann.id } })).lastUsedAt
  expect(await uses()).toBeNull()
  await Promise.all([listed(ann.key), listed(ann.key)])
  await expect.poll(uses).not.toBeNull()
  const first = await uses()
  expect(Math.abs(Number(first) - Date.now())).toBeLessThan(60_000)
  await listed(ann.key)
  expect(await uses()).toEqual(first)
  const [, row] = await reaching()
  expect(row).toMatchObject({ id: ann.id, lastUsedAt: first?.toISOString() })
})
