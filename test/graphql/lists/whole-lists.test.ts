import { beforeAll, describe, expect, test } from 'vitest'
import { type TestWorkspace, useApi } from '../../kit/api.ts'
import { graphRequests, triedExecutors } from '../../kit/graphql/requests.ts'
import { keepsItsPlace, type List, pagesOf } from './keysets.ts'

const api = useApi()
const request = graphRequests(api)

let workspace: TestWorkspace
let key = ''
let project = ''
let prompt = ''

beforeAll(async () => {
  workspace = await api.workspace()
  key = (await workspace.key({ scopes: ['admin'] })).key
  project = await workspace.project()
  prompt = (await api.db.prompt.create({ data: { projectId: project, text: 'Which?' } })).id
})

const ask = pagesOf(api, () => key)

const start = Date.parse('2025-05-10T08:00:00Z')
const later = (n: number) => new Date(start + n * 60_000)
/** Later than the keys of the test itself. */
const newest = (n: number) => new Date(Date.parse('2099-01-01T00:00:00Z') - n * 60_000)

const rows = (row: string) => `{ nodes { name: ${row} } pageInfo { hasNextPage endCursor } }`
const inProject = (field: string, row: string) => (args: string) =>
  `project(id: "${project}") { ${field}(${args}) ${rows(row)} }`
const inWorkspace = (field: string, row: string) => (args: string) =>
  `workspace(id: "${workspace.id}") { ${field}(${args}) ${rows(row)} }`

const named = (n: number) => `A ${n}`
const ofProject = (n: number) => ({ projectId: project, name: named(n) })

const lists: Readonly<Record<string, List>> = {
  topics: {
    query: inProject('topics', 'name'),
    make: (n) => api.db.topic.create({ data: ofProject(n) }),
    remove: (n) => api.db.topic.deleteMany({ where: ofProject(n) }),
    name: named,
  },
  locations: {
    query: inProject('locations', 'city'),
    make: (n) =>
      api.db.location.create({
        data: { projectId: project, countryCode: 'DE', city: named(n), label: named(n) },
      }),
    remove: (n) => api.db.location.deleteMany({ where: { projectId: project, city: named(n) } }),
    name: named,
  },
  'tracked competitors': {
    query: inProject('competitors', 'name'),
    make: (n) => api.db.competitor.create({ data: { ...ofProject(n), domain: 'a.com' } }),
    remove: (n) => api.db.competitor.deleteMany({ where: ofProject(n) }),
    name: named,
  },
  'aliases of the brand': {
    query: inProject('brandAliases', 'text'),
    make: (n) => api.db.brandAlias.create({ data: { projectId: project, text: named(n) } }),
    remove: (n) => api.db.brandAlias.deleteMany({ where: { projectId: project, text: named(n) } }),
    name: named,
  },
  'revisions of a prompt': {
    query: (args) =>
      `project(id: "${project}") { prompt(id: "${prompt}") { revisions(${args}) ${rows('text')} } }`,
    make: (n) =>
      api.db.promptRevision.create({
        data: {
          promptId: prompt,
          revision: 100 - n * 10,
          projectId: project,
          text: named(n),
          questionKey: '',
          change: 'created',
        },
      }),
    remove: (n) => api.db.promptRevision.deleteMany({ where: { text: named(n) } }),
    name: named,
  },
  members: {
    query: inWorkspace('members', 'name'),
    make: async (n) => {
      const email = `${workspace.id}-${n}@example.com`
      const user = await api.db.user.create({ data: { email, name: named(n) } })
      const data = { workspaceId: workspace.id, userId: user.id, createdAt: later(n) }
      await api.db.membership.create({ data: { ...data, role: 'viewer' } })
    },
    remove: (n) => api.db.user.deleteMany({ where: { email: `${workspace.id}-${n}@example.com` } }),
    name: named,
  },
  'API keys': {
    query: inWorkspace('apiKeys', 'name'),
    make: async (n) => {
      const { userId } = await api.db.membership.findFirstOrThrow({
        where: { workspaceId: workspace.id },
      })
      await api.db.apiKey.create({
        data: {
          workspaceId: workspace.id,
          userId,
          name: named(n),
          lastFour: '',
          hash: `${workspace.id}${n}`,
          createdAt: newest(n),
        },
      })
    },
    remove: (n) =>
      api.db.apiKey.deleteMany({ where: { workspaceId: workspace.id, name: named(n) } }),
    name: named,
  },
  'keys that reach a workspace': {
    query: inWorkspace('reachingKeys', 'name'),
    make: async (n) => {
      const { userId } = await api.db.membership.findFirstOrThrow({
        where: { workspaceId: workspace.id, role: 'owner' },
      })
      await api.db.apiKey.create({
        data: {
          workspaceId: workspace.id,
          userId,
          name: named(n),
          lastFour: '',
          hash: `reaching ${workspace.id}${n}`,
          createdAt: newest(n),
        },
      })
    },
    remove: (n) =>
      api.db.apiKey.deleteMany({ where: { workspaceId: workspace.id, name: named(n) } }),
    name: named,
  },
  'invitations of a workspace': {
    query: inWorkspace('invitations', 'email'),
    make: (n) =>
      api.db.invitation.create({
        data: {
          workspaceId: workspace.id,
          email: named(n),
          createdAt: newest(n),
          expiresAt: newest(0),
        },
      }),
    remove: (n) =>
      api.db.invitation.deleteMany({ where: { workspaceId: workspace.id, email: named(n) } }),
    name: named,
  },
  'ingest keys': {
    query: inWorkspace('ingestKeys', 'name'),
    make: (n) =>
      api.db.ingestKey.create({
        data: { workspaceId: workspace.id, name: named(n), createdAt: newest(n) },
      }),
    remove: (n) =>
      api.db.ingestKey.deleteMany({ where: { workspaceId: workspace.id, name: named(n) } }),
    name: named,
  },
  channels: {
    query: inWorkspace('channels', 'name'),
    make: (n) =>
      api.db.channel.create({
        data: {
          workspaceId: workspace.id,
          kind: 'slack',
          name: named(n),
          display: 'https://hooks.example',
          sealed: new Uint8Array(1),
          createdAt: later(n),
        },
      }),
    remove: (n) =>
      api.db.channel.deleteMany({ where: { workspaceId: workspace.id, name: named(n) } }),
    name: named,
  },
  'provider keys': {
    query: inWorkspace('providerKeys', 'label'),
    make: (n) =>
      api.db.providerKey.create({
        data: {
          workspaceId: workspace.id,
          provider: 'openai',
          label: named(n),
          sealed: new Uint8Array(1),
          createdAt: newest(n),
        },
      }),
    remove: (n) =>
      api.db.providerKey.deleteMany({ where: { workspaceId: workspace.id, label: named(n) } }),
    name: named,
  },
}

describe('a list that is read whole', () => {
  test.each(Object.entries(lists))(
    '%s: rows that come and go before a cursor neither repeat nor hide a row',
    (_name, list) => keepsItsPlace(ask, list),
  )

  test('counts its rows, and says what follows', async () => {
    const text = `{ project(id: "${project}") { platforms(first: 2) { totalCount
      nodes { slug } edges { cursor node { slug } } pageInfo { hasNextPage hasPreviousPage endCursor } } } }`
    const { platforms } = (await request(key, text)).data.project as {
      platforms: {
        totalCount: number
        edges: { cursor: string }[]
        pageInfo: { endCursor: string }
      }
    }
    expect(platforms.totalCount).toBeGreaterThan(5)
    expect(platforms).toMatchObject({
      nodes: [{ slug: 'chatgpt' }, { slug: 'chatgpt_surface' }],
      pageInfo: {
        hasNextPage: true,
        hasPreviousPage: false,
        endCursor: platforms.edges[1]?.cursor,
      },
    })
  })
})

const people = `invitations(first: 1) { nodes { email } }
  members(first: 2) { nodes { name } }
  ingestKeys { totalCount }
  reachingKeys(first: 2) { nodes { name owner { name } } }
  apiKeys(first: 2) { nodes { name otherWorkspaces { id } project { name workspace { apiKeys(first: 1) { totalCount } } } } }`

describe.each(triedExecutors)('with %s', (executor) => {
  test('a workspace is read once for 50 projects and for the projects of its keys', async () => {
    const large = await api.workspace()
    const { key: admin } = await large.key({ scopes: ['admin'] })
    const taken = async () => {
      const text = `{ projects(first: 100) { totalCount nodes { workspace { ${people} }
        topics { totalCount } competitors { totalCount } brandAliases { totalCount } } } }`
      const { data, ofCatalog } = await request(admin, text, executor)
      return { count: (data.projects as { totalCount: number }).totalCount, ofCatalog }
    }
    const bound = async () => large.key({ projectId: await large.project() })
    await bound()
    const one = await taken()
    await bound()
    for (let i = 0; i < 48; i++) await large.project({ name: `P${i}` })
    expect(await taken()).toEqual({ count: 50, ofCatalog: one.ofCatalog })
  })
})
