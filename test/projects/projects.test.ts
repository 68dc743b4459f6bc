import { parse } from 'graphql'
import { LRUCache } from 'lru-cache'
import { pino } from 'pino'
import { beforeAll, describe, expect, test } from 'vitest'
import { hashApiKey } from '../../core/access.ts'
import { readSettings, retentionOf } from '../../core/settings.ts'
import { runCompiled } from '../../plugins/compiled.ts'
import type { Catalog } from '../../prisma/client.ts'
import { authorize, publicSchema } from '../../schema/index.ts'
import type { Context } from '../../schema/kit/context.ts'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { liveOf } from '../kit/graphql/live.ts'
import { isSoak } from '../kit/soak.ts'

const api = useApi()

let workspace: TestWorkspace
let key = ''
let project = ''

beforeAll(async () => {
  workspace = await api.workspace('growth')
  project = await workspace.project({
    name: 'Zebra',
    domain: 'https://www.zebra.com/en',
    aliases: [{ text: 'Zebra Inc', caseSensitive: false }],
    description: 'Scanners.',
    industry: 'Hardware',
  })
  await workspace.project({ name: 'Alpha', domain: 'alpha.org', kind: 'pitch' })
  key = (await workspace.key()).key
  await workspace.load(project, [
    {
      prompt: 'p1',
      topic: 'Scanners',
      location: 'Berlin, Germany',
      model: 'gpt-5',
      collectedAt: '2025-05-10',
    },
    { prompt: 'p2', topic: 'Scanners', platform: 'Mistral Chat', collectedAt: '2025-05-09' },
    {
      prompt: 'p3',
      topic: 'Printers',
      platform: 'chatgpt',
      model: 'gpt-4o',
      collectedAt: '2025-05-11',
    },
  ])
  await api.db.prompt.updateMany({
    where: { projectId: project, text: 'p2' },
    data: { isTracked: false },
  })
})

const get = async (path: string) =>
  (await (await api.get(path, key)).json()) as Record<string, unknown>

const reference = () => ({ id: project, name: 'Zebra', domain: 'zebra.com' })

describe('projects', () => {
  test('are listed by name, with the whole pagination block', async () => {
    const body = await get('/api/mcp/projects?limit=1')
    expect(body).toMatchObject({
      projects: [
        { name: 'Alpha', kind: 'pitch', status: 'active', isActive: true, dataAvailableFrom: null },
      ],
      pagination: {
        limit: 1,
        offset: 0,
        returnedCount: 1,
        totalCount: 2,
        hasMore: true,
        nextOffset: 1,
      },
    })
    const { projects, pagination } = await get('/api/mcp/projects?limit=5&offset=1')
    expect(projects).toEqual([
      {
        ...reference(),
        kind: 'regular',
        status: 'active',
        isActive: true,
        dataAvailableFrom: '2025-05-09',
      },
    ])
    expect(pagination).toEqual({
      limit: 5,
      offset: 1,
      returnedCount: 1,
      totalCount: 2,
      hasMore: false,
      nextOffset: 2,
    })
    expect((await get('/api/mcp/projects?offset=9')).pagination).toMatchObject({
      returnedCount: 0,
      totalCount: 2,
      nextOffset: 9,
    })
    expect((await get('/api/mcp/projects?limit=5000')).pagination).toMatchObject({ limit: 1000 })
  })

  test('a bound key lists its own alone', async () => {
    const bound = await workspace.key({ projectId: project })
    const { projects } = (await (await api.get('/api/mcp/projects', bound.key)).json()) as {
      projects: unknown[]
    }
    expect(projects).toMatchObject([{ id: project }])
  })

  test('one project has its integrations and its sitemap', async () => {
    const body = (await get(`/api/mcp/projects/${project}`)) as { project: Record<string, unknown> }
    expect(Object.keys(body.project)).toEqual([
      'id',
      'name',
      'domain',
      'kind',
      'status',
      'isActive',
      'dataAvailableFrom',
      'createdAt',
      'integrations',
      'sitemap',
    ])
    expect(body.project).toMatchObject({
      integrations: { searchConsole: false, webAnalytics: false, traffic: false },
      sitemap: { status: 'idle', jobId: null, lastRefreshedAt: null },
    })
    await api.db.connection.create({ data: { projectId: project, kind: 'cdn', host: 'zebra.com' } })
    const again = await get(`/api/mcp/projects/${project}`)
    expect(again).toMatchObject({ project: { integrations: { traffic: true } } })
  })

  test('topics count their prompts, tracked and all', async () => {
    const body = await get(`/api/mcp/projects/${project}/topics`)
    expect(body).toMatchObject({
      project: reference(),
      topics: [
        { name: 'Printers', promptCount: 1, trackedPromptCount: 1 },
        { name: 'Scanners', promptCount: 2, trackedPromptCount: 1 },
      ],
    })
  })

  test('locations, platforms and the brand profile', async () => {
    const locations = await get(`/api/mcp/projects/${project}/locations`)
    expect(locations).toEqual({
      project: reference(),
      locations: [
        {
          id: expect.any(String),
          countryCode: 'DE',
          city: 'Berlin',
          region: null,
          latitude: null,
          longitude: null,
        },
      ],
    })
    const { platforms } = (await get(`/api/mcp/projects/${project}/platforms`)) as {
      platforms: { id: string; models: string[] }[]
    }
    expect(platforms.find(({ id }) => id === 'chatgpt')).toMatchObject({
      displayName: 'ChatGPT',
      models: ['gpt-4o', 'gpt-5'],
    })
    const profile = await get(`/api/mcp/projects/${project}/brand-profile`)
    expect(profile).toEqual({
      project: reference(),
      brandProfile: {
        name: 'Zebra',
        aliases: ['Zebra Inc'],
        domains: ['zebra.com'],
        description: 'Scanners.',
        industry: 'Hardware',
        updatedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    })
  })

  test('GraphQL gives the same', async () => {
    const response = await api.graphql(
      `{ project(id: "${project}") { id name domain kind status isActive dataAvailableFrom aliases ownDomains
          topics { nodes { name promptCount trackedPromptCount } } locations { nodes { countryCode city } }
          brandProfile { name industry } integrations { traffic } sitemap { status } workspace { plan } } }`,
      key,
    )
    expect(await response.json()).toEqual({
      data: {
        project: {
          ...reference(),
          kind: 'regular',
          status: 'active',
          isActive: true,
          dataAvailableFrom: '2025-05-09',
          aliases: ['Zebra Inc'],
          ownDomains: ['zebra.com'],
          topics: {
            nodes: [
              { name: 'Printers', promptCount: 1, trackedPromptCount: 1 },
              { name: 'Scanners', promptCount: 2, trackedPromptCount: 1 },
            ],
          },
          locations: { nodes: [{ countryCode: 'DE', city: 'Berlin' }] },
          brandProfile: { name: 'Zebra', industry: 'Hardware' },
          integrations: { traffic: true },
          sitemap: { status: 'idle' },
          workspace: { plan: 'growth' },
        },
      },
    })
  })
})

if (isSoak) {
  describe('statements', () => {
    async function statements(limit: number, token: string): Promise<number> {
      let count = 0
      const counting = api.db.$extends({
        query: {
          $allOperations: ({ args, query }) => {
            count += 1
            return query(args)
          },
        },
      })
      const row = await api.db.apiKey.findUniqueOrThrow({ where: { hash: hashApiKey(token) } })
      const context: Context = {
        requestId: 'test',
        authorize,
        principal: { ...row, keyId: row.id },
        services: {
          db: counting as unknown as Catalog,
          databaseUrl: api.databaseUrl,
          warehouse: api.warehouse,
          warehouseFor: () => api.warehouse,
          baseUrl: '',
          trackerUrl: '',
          cursorSecret: 'x',
          signingSecrets: ['x'] as const,
          snapshots: new LRUCache({ max: 10 }),
          live: liveOf(api),
          privateHosts: [],
          retention: retentionOf(readSettings({})),
          mail: null,
          maxResponseBytes: 32 * 1024 ** 2,
          log: pino({ level: 'silent' }),
        },
      }
      const document = parse(
        `{ projects(first: ${limit}) { nodes { name topics { nodes { name } } locations { nodes { city } } platforms { nodes { slug } } workspace { name } } } }`,
      )
      const result = await runCompiled({ schema: publicSchema, document, contextValue: context })
      expect(result?.errors).toBeUndefined()
      expect(result?.data?.projects).toMatchObject({ nodes: { length: limit } })
      return count
    }

    test('do not grow with the page: 50 projects take as many as one, compiled too', async () => {
      const large = await api.workspace()
      for (let i = 0; i < 50; i++) await large.project({ name: `P${i}` })
      const { key: token } = await large.key()
      const one = await statements(1, token)
      expect(await statements(50, token)).toBe(one)
      expect(one).toBeLessThanOrEqual(7)
    })
  })
}
