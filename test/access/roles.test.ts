import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Capability, KeyScope, Role } from '../../core/access.ts'
import { createKey } from '../../resolvers/keys/keys.ts'
import { addMember, changeMemberRole, removeMember } from '../../resolvers/members/members.ts'
import { signIn } from '../../resolvers/members/sessions.ts'
import { commandLine } from '../../resolvers/shared/audit-trail.ts'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { asking, faultIn } from '../kit/changes.ts'
import { credentials } from '../kit/credentials.ts'
import { subscribe } from '../kit/graphql/live.ts'
import { sampled, sized } from '../kit/soak.ts'

/** A key has the rights that it was given, as far as its person has them in the workspace now. */

const api = useApi()
const ask = asking(api, () => '')

let shop: TestWorkspace
let project = ''
/** Another process: this one does not see its writes end. */
const other = new pg.Client({ connectionString: api.databaseUrl })

beforeAll(async () => {
  await other.connect()
  shop = await api.workspace()
  project = await shop.project()
})
afterAll(() => other.end())

let people = 0

/** A person with a workspace of their own, and a role in the shop. */
async function person(role: Role) {
  const email = `person${people++}@${shop.id}.test`
  const home = await api.workspace()
  await addMember(api.db, commandLine, home.id, { email, role: 'owner' })
  const { subjectId: id } = await addMember(api.db, commandLine, shop.id, { email, role })
  const key = async (of: TestWorkspace, scopes: KeyScope[], more: KeyParts = {}) =>
    (await createKey(api.db, { workspaceId: of.id, userEmail: email, scopes, ...more })).key
  return { id, email, home, key }
}

interface KeyParts {
  readonly capabilities?: Capability[]
  readonly projectId?: string
}

type Person = Awaited<ReturnType<typeof person>>

/** Sends a body, and gives the code of a refusal. What passes the check of access fails by its arguments. */
async function send(path: string, body: object, key: string): Promise<string> {
  const headers = { ...credentials(key), 'content-type': 'application/json' }
  const response = await fetch(api.url + path, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  return codeOf(response)
}

async function codeOf(response: Response): Promise<string> {
  const { code = 'none' } = (await response.json()) as { code?: string }
  return code
}

const graph = async (text: string, key: string) => faultIn(await ask(text, key))
const rest = (path: string) => `/api/mcp/projects/${project}${path}`
const ofShop = () => `workspaceId: "${shop.id}"`

/** Each action through each door that has it: REST, GraphQL, `/api/graph`. */
const actions: Record<string, (key: string) => Promise<string[]>> = {
  read: async (key) => [
    await codeOf(await api.get(rest(''), key)),
    await graph(`{ project(id: "${project}") { name } }`, key),
    await codeOf(await api.get(`/api/graph/brand-matches?projectId=${project}&name=a`, key)),
  ],
  write: async (key) => [
    await send(rest('/reports'), {}, key),
    await graph(
      `mutation { createReport(projectId: "${project}", reportType: visibility, title: "") { __typename } }`,
      key,
    ),
    await send('/api/graph/create-schedule', { projectId: project }, key),
  ],
  draft: async (key) => [
    await send(rest('/prompts'), {}, key),
    await graph(
      `mutation { addPrompts(projectId: "${project}", prompts: []) { __typename } }`,
      key,
    ),
  ],
  project: async (key) => [
    await graph(
      `mutation { updateProject(projectId: "${project}", name: "") { __typename } }`,
      key,
    ),
    await send('/api/graph/add-topic', { projectId: project }, key),
  ],
  setup: async (key) => [
    await graph(
      `mutation { createProject(${ofShop()}, name: "", domain: "a.test") { __typename } }`,
      key,
    ),
    await graph(`{ workspace(id: "${shop.id}") { providerKeys { totalCount } } }`, key),
    await send('/api/graph/set-provider-key', { workspaceId: shop.id }, key),
  ],
  people: async (key) => [
    await graph(`mutation { createKey(${ofShop()}) { __typename } }`, key),
    await graph(`{ workspace(id: "${shop.id}") { apiKeys { totalCount } } }`, key),
    await graph(`{ workspace(id: "${shop.id}") { auditTrail { totalCount } } }`, key),
    await send('/api/graph/change-member-role', { workspaceId: shop.id }, key),
  ],
}

/**
 * By hand: `ok` passes, `scope` is 403 `missing_scope`, `role` 403 `forbidden`, `404` is `not_found`. A key of the person's
 * own workspace (`home`) reaches the projects of the shop, and never the shop itself.
 */
const table = `
role   | key            | read  | write | draft | project | setup | people
owner  | admin          | ok    | ok    | ok    | ok      | ok    | ok
owner  | read           | ok    | scope | scope | scope   | scope | scope
owner  | write          | scope | ok    | scope | scope   | scope | scope
owner  | draft          | scope | scope | ok    | scope   | scope | scope
owner  | admin, bound   | ok    | ok    | ok    | ok      | 404   | 404
owner  | admin, home    | ok    | ok    | ok    | ok      | 404   | 404
editor | admin          | ok    | ok    | ok    | ok      | ok    | role
editor | admin, bound   | ok    | ok    | ok    | ok      | 404   | 404
editor | admin, home    | ok    | ok    | ok    | ok      | 404   | 404
viewer | admin          | ok    | role  | role  | role    | role  | role
viewer | read           | ok    | scope | scope | scope   | scope | scope
viewer | write          | scope | role  | scope | scope   | scope | scope
viewer | draft          | scope | scope | role  | scope   | scope | scope
viewer | admin, bound   | ok    | role  | role  | role    | 404   | 404
viewer | admin, home    | ok    | role  | role  | role    | 404   | 404
`
const outcomes: Record<string, string> = {
  none: 'ok',
  invalid_argument: 'ok',
  missing_scope: 'scope',
  forbidden: 'role',
  not_found: '404',
}

const [head = [], ...rows] = table
  .trim()
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))

async function keyFor({ key, home }: Person, [name = '', place]: readonly string[]) {
  const isDraft = name === 'draft'
  const scopes = isDraft ? [] : [name as KeyScope]
  return key(place === 'home' ? home : shop, scopes, {
    ...(isDraft && { capabilities: ['prompt:draft'] }),
    ...(place === 'bound' && { projectId: project }),
  })
}

describe('role, key and action', () => {
  const byRole = new Map<string, Person>()
  beforeAll(async () => {
    for (const role of ['owner', 'editor', 'viewer'] as const) byRole.set(role, await person(role))
  })
  test.each(
    sampled(rows, 8).map(([role = '', key = '', ...wanted]) => [role, key, wanted] as const),
  )('%s with a key of %s', async (role, name, wanted) => {
    const key = await keyFor(byRole.get(role) as Person, name.split(', '))
    const found = []
    for (const action of head.slice(2)) {
      const codes = (await actions[action]?.(key)) ?? []
      const each = codes.map((code) => outcomes[code.split(' ')[0] ?? ''] ?? code)
      found.push([...new Set(each)].join('/'))
    }
    expect(found).toEqual(wanted)
  })
})

const change = (name: string, args: string, key: string) =>
  graph(`mutation { ${name}(${ofShop()}, ${args}) { __typename } }`, key)

const roleOf = async ({ id }: Person) => {
  const where = { workspaceId_userId: { workspaceId: shop.id, userId: id } }
  return (await api.db.membership.findUnique({ where }))?.role
}

test('an owner makes, demotes and removes owners, and steps down', async () => {
  const [owner, editor] = [await person('owner'), await person('editor')]
  const key = await owner.key(shop, ['admin'])
  const set = (role: Role, who = editor) =>
    change('changeMemberRole', `userId: "${who.id}", role: ${role}`, key)
  expect([await set('owner'), await roleOf(editor)]).toEqual(['none', 'owner'])
  expect([await set('viewer'), await roleOf(editor)]).toEqual(['none', 'viewer'])
  await set('owner')
  expect(await change('removeMember', `userId: "${editor.id}"`, key)).toBe('none')
  expect([await set('editor', owner), await roleOf(owner)]).toEqual(['none', 'editor'])
  // From the next request on.
  expect(await set('owner', owner)).toBe('forbidden')
})

/** What an owner did before who only reads now. */
const ownerWork = [
  () => `mutation { addMember(${ofShop()}, email: "a@b.test") { __typename } }`,
  () => `mutation { createKey(${ofShop()}, scopes: [admin]) { __typename } }`,
  () => `mutation { createIngestKey(${ofShop()}) { __typename } }`,
  () => `mutation { addTopic(projectId: "${project}", name: "Audio") { __typename } }`,
  () => `mutation { createSiteToken(projectId: "${project}") { __typename } }`,
  () => `{ workspace(id: "${shop.id}") { apiKeys { totalCount } } }`,
  () => `{ workspace(id: "${shop.id}") { auditTrail { totalCount } } }`,
  () => `{ workspace(id: "${shop.id}") { reachingKeys { totalCount } } }`,
  () => `{ workspace(id: "${shop.id}") { providerKeys { totalCount } } }`,
]
const allWork = (key: string) => Promise.all(ownerWork.map((text) => graph(text(), key)))

test('a demotion ends rights with the next request, also of bound keys, and a promotion gives them back', async () => {
  const ann = await person('owner')
  const key = await ann.key(shop, ['admin'])
  const bound = await ann.key(shop, ['admin'], { projectId: project })
  const set = (role: Role) => changeMemberRole(api.db, commandLine, shop.id, ann.id, { role })
  const rename = (as: string) =>
    graph(`mutation { addTopic(projectId: "${project}", name: "Audio") { __typename } }`, as)
  for (let round = 0; round < sized({ normal: 1, soak: 3 }); round++) {
    expect([...new Set(await allWork(key)), await rename(bound)]).toEqual(['none', 'none'])
    await set('viewer')
    expect([...new Set(await allWork(key)), await rename(bound)]).toEqual([
      'forbidden',
      'forbidden',
    ])
    expect(await graph(`{ project(id: "${project}") { name } }`, key)).toBe('none')
    await set('owner')
  }
})

test('a demotion by another process is known by its notice', async () => {
  const ann = await person('owner')
  const key = await ann.key(shop, ['admin'])
  const work = () =>
    graph(`mutation { addTopic(projectId: "${project}", name: "") { __typename } }`, key)
  expect([await work(), await work()]).toEqual(['invalid_argument name', 'invalid_argument name'])
  await other.query(
    'UPDATE "Membership" SET role = $3 WHERE "workspaceId" = $1 AND "userId" = $2',
    [shop.id, ann.id, 'viewer'],
  )
  await expect.poll(work, { interval: 10, timeout: 1500 }).toBe('forbidden')
})

test('an open stream shows no more than the role of its person does now', async () => {
  const ann = await person('owner')
  const key = await ann.key(shop, ['admin'])
  const trail = 'project { workspace { auditTrail { totalCount } } }'
  const field = `projectUpdated(projectId: "${project}", kinds: [project_edited]) { ${trail} }`
  const stream = await subscribe(api, key, field)
  const owner = await shop.key({ scopes: ['admin'] })
  const edit = (name: string) =>
    graph(
      `mutation { addTopic(projectId: "${project}", name: "${name}") { __typename } }`,
      owner.key,
    )
  await edit('Streams')
  expect((await stream.next())?.errors).toBeUndefined()
  await changeMemberRole(api.db, commandLine, shop.id, ann.id, { role: 'viewer' })
  await edit('Rivers')
  expect((await stream.next())?.errors?.[0]?.extensions?.code).toBe('forbidden')
  await stream.end()
})

test('a repeated write is not answered from memory after a demotion', async () => {
  const ann = await person('owner')
  const key = await ann.key(shop, ['admin'])
  const repeated = () =>
    graph(
      `mutation { addTopic(projectId: "${project}", name: "Once", idempotencyKey: "${ann.id}") { __typename } }`,
      key,
    )
  expect([await repeated(), await repeated()]).toEqual(['none', 'none'])
  await changeMemberRole(api.db, commandLine, shop.id, ann.id, { role: 'viewer' })
  expect(await repeated()).toBe('forbidden')
})

test('a person who was removed has no rights, by no key', async () => {
  const ann = await person('owner')
  const [here, away] = [await ann.key(shop, ['admin']), await ann.key(ann.home, ['admin'])]
  const rename = (key: string) =>
    graph(`mutation { addTopic(projectId: "${project}", name: "Audio") { __typename } }`, key)
  expect([await rename(here), await rename(away)]).toEqual(['none', 'none'])
  await removeMember(api.db, commandLine, shop.id, ann.id)
  expect([await rename(here), await rename(away)]).toEqual(['unauthorized', 'forbidden'])
})

test('a key of the command line acts for the oldest owner, with the role that the owner has now', async () => {
  const alone = await api.workspace()
  const { key } = await alone.key({ scopes: ['admin'] })
  const id = await alone.project()
  const rename = () =>
    graph(`mutation { addTopic(projectId: "${id}", name: "Audio") { __typename } }`, key)
  const { userId } = await api.db.membership.findFirstOrThrow({ where: { workspaceId: alone.id } })
  await addMember(api.db, commandLine, alone.id, { email: `new@${alone.id}.test`, role: 'owner' })
  expect(await rename()).toBe('none')
  await changeMemberRole(api.db, commandLine, alone.id, userId, { role: 'viewer' })
  expect(await rename()).toBe('forbidden')
})

test('a sign-in has in each workspace what the person may do there', async () => {
  const ann = await person('viewer')
  const signedIn = await signIn(api.db, ann.email)
  const key = 'token' in signedIn ? signedIn.token : ''
  const { data } = await ask('{ currentKey { scopes role workspace { id } } }', key)
  expect(data.currentKey).toEqual({
    scopes: ['read', 'write', 'admin'],
    role: 'owner',
    workspace: { id: ann.home.id },
  })
  const own = await ann.home.project()
  const rename = (id: string) =>
    graph(`mutation { updateProject(projectId: "${id}", name: "Acme") { __typename } }`, key)
  expect([await rename(own), await rename(project)]).toEqual(['none', 'forbidden'])
})
