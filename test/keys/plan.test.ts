import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { PlanName } from '../../core/plans.ts'
import { commandLine } from '../../resolvers/shared/audit-trail.ts'
import { updateWorkspace } from '../../resolvers/workspaces.ts'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { subscribe } from '../kit/graphql/live.ts'

/** API keys need a plan that has them, at each request; people sign in on every plan. */

const api = useApi()
/** Another process: this one does not see its writes end. */
const other = new pg.Client({ connectionString: api.databaseUrl })
beforeAll(() => other.connect())
afterAll(() => other.end())

let workspace: TestWorkspace
let project = ''
let key = ''
let session = ''

beforeEach(async () => {
  workspace = await api.workspace('starter')
  project = await workspace.project()
  key = (await workspace.key()).key
  session = await workspace.session()
})

const setPlan = (plan: PlanName) => updateWorkspace(api.db, commandLine, workspace.id, { plan })

/** A request through each door, and some that ask nothing of the project. */
const requests: Record<string, (as: string, id: string) => Promise<Response>> = {
  'a read of REST': (as, id) => api.get(`/api/mcp/projects/${id}`, as),
  'a report of REST': (as, id) => api.get(`/api/mcp/projects/${id}/visibility?days=30`, as),
  'a list of REST': (as) => api.get('/api/mcp/projects', as),
  GraphQL: (as, id) => api.graphql(`{ project(id: "${id}") { name } }`, as),
  'the key itself': (as) => api.graphql('{ currentKey { id } }', as),
  introspection: (as) => api.graphql('{ __schema { queryType { name } } }', as),
  '/api/graph': (as, id) => api.get(`/api/graph/brand-matches?projectId=${id}&name=a`, as),
}

/** The outcome of each request: its status, and the code of a refusal. */
async function outcomes(as: string, id = project): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const [name, send] of Object.entries(requests)) {
    const response = await send(as, id)
    const body = (await response.json()) as Refusal & {
      errors?: readonly { extensions: Refusal }[]
    }
    const { code, requiresUpgrade } = body.errors?.[0]?.extensions ?? body
    const refusal = code ? ` ${code}${requiresUpgrade ? ' upgrade' : ''}` : ''
    found[name] = `${response.status}${refusal}`
  }
  return found
}

interface Refusal {
  readonly code?: string
  readonly requiresUpgrade?: boolean
}

const all = (outcome: string) =>
  Object.fromEntries(Object.keys(requests).map((name) => [name, outcome]))

const refused = all('403 plan_upgrade_required upgrade')

test('on the free plan a key is refused from the next request on, and works again after an upgrade', async () => {
  // The second time from memory.
  expect([await outcomes(key), await outcomes(key)]).toEqual([all('200'), all('200')])
  await setPlan('free')
  expect(await outcomes(key)).toEqual(refused)
  expect(await outcomes(session)).toEqual(all('200'))
  await setPlan('growth')
  expect(await outcomes(key)).toEqual(all('200'))
})

test('another process of the API hears of the plan by its notice', async () => {
  expect([await outcomes(key), await outcomes(key)]).toEqual([all('200'), all('200')])
  const put = (plan: PlanName) =>
    other.query('UPDATE "Workspace" SET plan = $2::"Plan" WHERE id = $1', [workspace.id, plan])
  await put('free')
  await expect.poll(() => outcomes(key), { interval: 10, timeout: 3000 }).toEqual(refused)
  await put('starter')
  await expect.poll(() => outcomes(key), { interval: 10, timeout: 3000 }).toEqual(all('200'))
})

test('a refused request counts, and has no 304', async () => {
  const path = `/api/mcp/projects/${project}`
  const first = await api.get(path, key)
  await setPlan('free')
  const second = await api.get(path, key, { 'if-none-match': first.headers.get('etag') ?? '' })
  expect([first.status, second.status]).toEqual([200, 403])
  const left = (response: Response) => Number(response.headers.get('x-ratelimit-remaining'))
  expect(left(second)).toBe(left(first) - 1)
})

test('a live stream of a key ends with the plan, and that of a person goes on', async () => {
  const field = `projectUpdated(projectId: "${project}", kinds: [project_edited]) { __typename }`
  const [ofKey, ofPerson] = [await subscribe(api, key, field), await subscribe(api, session, field)]
  await setPlan('free')
  expect((await ofKey.next())?.errors?.[0]?.extensions?.code).toBe('plan_upgrade_required')
  expect(await ofKey.next()).toBeUndefined()
  await api.graphql(
    `mutation { addTopic(projectId: "${project}", name: "Audio") { __typename } }`,
    session,
  )
  expect((await ofPerson.next())?.data?.projectUpdated).toEqual({ __typename: 'ProjectEdited' })
  await ofPerson.end()
})

test('the plan of its own workspace decides for a key, wherever it reaches', async () => {
  const paid = await api.workspace('growth')
  const shown = await paid.project()
  const where = { workspaceId: workspace.id }
  const { userId } = await api.db.membership.findFirstOrThrow({ where })
  await api.db.membership.create({ data: { workspaceId: paid.id, userId, role: 'viewer' } })
  const paidKeyOfFreeProject = await paid.key()
  const { userId: owner } = await api.db.membership.findFirstOrThrow({
    where: { workspaceId: paid.id, role: 'owner' },
  })
  await api.db.membership.create({ data: { workspaceId: workspace.id, userId: owner } })
  await setPlan('free')
  expect(await outcomes(key, shown)).toEqual(refused)
  expect(await outcomes(paidKeyOfFreeProject.key, project)).toEqual(all('200'))
})

test('a key that is called as that of a browser is an API key, and that of a session is none', async () => {
  const where = { workspaceId: workspace.id, kind: 'browser' } as const
  const { id } = await api.db.apiKey.findFirstOrThrow({ where })
  const make = async (name: string, args: string) => {
    const text = `mutation { ${name}(workspaceId: "${workspace.id}", ${args}) { key } }`
    const { data } = await (await api.graphql(text, session)).json()
    return data[name]
  }
  const { key: called } = await make('createKey', 'name: "Browser", scopes: [read]')
  expect(await make('rotateKey', `keyId: "${id}"`)).toMatchObject({ code: 'not_found' })
  expect(await outcomes(called)).toEqual(all('200'))
  await setPlan('free')
  expect(await outcomes(called)).toEqual(refused)
})
