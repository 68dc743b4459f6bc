import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { beforeEach, describe, expect, inject, test } from 'vitest'
import { startApi } from '../../server.ts'
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

const about = 'name: "Sony", domain: "https://www.sony.com/"'
const create = (args = about, fields = 'project { id name domain }', of = workspace.id) =>
  `mutation { createProject(workspaceId: "${of}", ${args}) { ${fields} } }`

test('a project has its names and competitors, and who made it is known', async () => {
  const args = `${about}, industry: "Electronics", kind: pitch,
    aliases: [{ text: "Sony Corporation" }, { text: "PlayStation", caseSensitive: true }],
    competitors: [{ name: "Bose", domain: "bose.com", aliases: [{ text: "Bose Corp" }] }]`
  const fields = `project { id name domain kind workspace { id } aliases brandProfile { industry }
    competitors { nodes { name domain aliases { text } } }
    auditTrail { nodes { action keyId after } } }`
  const { data } = await ask(create(args, fields))
  const found = data.createProject?.project as Record<string, unknown>
  expect(found).toMatchObject({
    name: 'Sony',
    domain: 'sony.com',
    kind: 'pitch',
    workspace: { id: workspace.id },
    aliases: ['PlayStation', 'Sony Corporation'],
    brandProfile: { industry: 'Electronics' },
    competitors: {
      nodes: [{ name: 'Bose', domain: 'bose.com', aliases: [{ text: 'Bose Corp' }] }],
    },
  })
  const entry = { action: 'project.create', keyId: admin.id }
  expect(found.auditTrail).toMatchObject({ nodes: [entry] })
  const rows = await api.db.brandAlias.findMany({ where: { projectId: String(found.id) } })
  expect(rows.map(({ text, caseSensitive }) => [text, caseSensitive]).sort()).toEqual([
    ['PlayStation', true],
    ['Sony Corporation', null],
  ])
})

test('a project is there at once, for the key that made it and in another process', async () => {
  const other = await startApi({ ...api, clickhouseUrl: inject('clickhouseUrl') })
  await new Promise<void>((resolve) => other.server.listen(0, '127.0.0.1', resolve))
  api.atEnd(other.close)
  const { port } = other.server.address() as AddressInfo
  const headers = { authorization: `Bearer ${admin.key}` }
  const listed = async (url: string) => {
    const { projects } = await (await fetch(`${url}/api/mcp/projects`, { headers })).json()
    return projects.map(({ id }: { id: string }) => id)
  }
  const urls = [api.url, `http://127.0.0.1:${port}`]
  for (const url of urls) expect(await listed(url)).toEqual([])
  const { data } = await ask(create())
  const id = (data.createProject?.project as { id?: string } | undefined)?.id
  for (const url of urls) {
    expect(await listed(url)).toEqual([id])
    expect((await fetch(`${url}/api/mcp/projects/${id}`, { headers })).status).toBe(200)
  }
})

describe('refuses', () => {
  test.each([
    ['name: " ", domain: "sony.com"', 'invalid_argument name'],
    ['name: "Sony", domain: "sony"', 'invalid_argument domain'],
    [`${about}, aliases: [{ text: "" }]`, 'invalid_argument aliases.0.text'],
    [
      `${about}, competitors: [{ name: "Bose", domain: "sony.com" }]`,
      'invalid_argument competitors.0',
    ],
    [
      `${about}, competitors: [{ name: "Bose", domain: "bose.com", aliases: [{ text: "SONY" }] }]`,
      'invalid_argument competitors.0',
    ],
  ])('%s', async (args, fault) => {
    expect(faultIn(await ask(create(args)))).toBe(fault)
    expect(await api.db.project.count({ where: { workspaceId: workspace.id } })).toBe(0)
  })

  test('more names than a project may have', async () => {
    const aliases = Array.from({ length: 1001 }, (_, at) => `{ text: "Name ${at}" }`)
    const outcome = await ask(create(`${about}, aliases: [${aliases.join()}]`))
    expect(faultIn(outcome)).toMatch(/^(invalid_argument|query_too_large)/)
    expect(await api.db.project.count({ where: { workspaceId: workspace.id } })).toBe(0)
  })

  test('keys without admin, bound keys, and keys of other workspaces', async () => {
    const projectId = await workspace.project()
    const stranger = await (await api.workspace()).key({ scopes: ['admin'] })
    const kinds = [
      [await workspace.key({ scopes: ['read', 'write'] }), 'missing_scope'],
      [await workspace.key({ scopes: ['admin'], projectId }), 'not_found'],
      [stranger, 'not_found'],
    ] as const
    for (const [{ key }, fault] of kinds) expect(faultIn(await ask(create(), key))).toBe(fault)
    const nowhere = create(about, 'project { id }', randomUUID())
    expect(faultIn(await ask(nowhere))).toBe('not_found')
    expect(await api.db.project.count({ where: { workspaceId: workspace.id } })).toBe(1)
  })
})

test('a repeated request makes one project', async () => {
  const text = create(`${about}, idempotencyKey: "once"`)
  const [first, again] = [await ask(text), await ask(text)]
  expect(again).toEqual(first)
  expect(await api.db.project.count({ where: { workspaceId: workspace.id } })).toBe(1)
})

describe('the key of a request', () => {
  const fields = 'currentKey { id scopes workspace { id name plan } }'

  test('names its workspace, where a first project can be made', async () => {
    const { data } = await ask(`{ ${fields} }`)
    const { name, plan } = { name: 'Test', plan: 'enterprise' }
    expect(data.currentKey).toEqual({
      id: admin.id,
      scopes: ['admin'],
      workspace: { id: workspace.id, name, plan },
    })
  })

  test('says of a bound key, and of one whose user has left, that it reaches no workspace', async () => {
    const bound = await workspace.key({ projectId: await workspace.project() })
    expect((await ask(`{ ${fields} }`, bound.key)).data.currentKey?.workspace).toBeNull()
    await api.db.membership.deleteMany({ where: { workspaceId: workspace.id } })
    expect((await ask(`{ ${fields} }`)).data.currentKey?.workspace).toBeNull()
  })
})
