import { beforeAll, describe, expect, test } from 'vitest'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { clearOfMidnight } from '../kit/day.ts'
import { assertProblem } from '../kit/rest/problem-schema.ts'
import { connectSource, putHits } from '../kit/tracker/hits.ts'

await clearOfMidnight()

const api = useApi()

let workspace: TestWorkspace
let key = ''

beforeAll(async () => {
  workspace = await api.workspace()
  key = (await workspace.key({ scopes: ['read'] })).key
})

type Body = Record<string, unknown>

async function rest(project: string, path: string) {
  const response = await api.get(`/api/mcp/projects/${project}/traffic/${path}`, key)
  return { status: response.status, body: (await response.json()) as Body }
}

async function graph(query: string) {
  const response = await api.graphql(query, key)
  return (await response.json()) as {
    data: Body
    errors?: { message: string; extensions: { code: string } }[]
  }
}

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()

describe('the status of the connection', () => {
  const at = new Date('2025-05-01T00:00:00Z')
  const source = { kind: 'tracker', host: null, createdAt: at.toISOString() }

  test.each([
    ['not_connected', false, []],
    ['waiting', true, []],
    ['connected', true, ['sign_up 23', 'server_request 30']],
    ['connected', true, ['server_request -0.5']],
    ['stale', true, ['server_request 25', 'server_request 300']],
    ['not_connected', false, ['server_request 1']],
  ])('is %s (source: %s, events by hours ago: %j)', async (status, isConnected, events) => {
    const project = await workspace.project()
    if (isConnected) await connectSource(api.db, project, { createdAt: at })
    const hits = events.map((text) => {
      const [event = '', hours] = text.split(' ')
      return { bot: 'GPTBot', at: hoursAgo(Number(hours)), event }
    })
    await putHits(api.warehouse, project, hits)
    const sources = isConnected ? [source] : []
    const expected = { status, sources, lastEventAt: hits[0]?.at ?? null }
    expect(await rest(project, 'status')).toEqual({ status: 200, body: expected })
    const fields = '{ status sources { kind host createdAt } lastEventAt }'
    const { data } = await graph(`{ project(id: "${project}") { trafficStatus ${fields} } }`)
    expect(data).toEqual({ project: { trafficStatus: expected } })
  })

  test('names all sources of crawls, oldest first, and no others', async () => {
    const project = await workspace.project()
    const createdAt = (day: number) => new Date(Date.UTC(2025, 4, day))
    const log = { kind: 'log', host: 'shop.acme.com', createdAt: createdAt(2) } as const
    await connectSource(api.db, project, log)
    await connectSource(api.db, project, { kind: 'cdn', createdAt: createdAt(1) })
    await api.db.connection.create({ data: { projectId: project, kind: 'searchConsole' } })
    const { body } = await rest(project, 'status')
    expect(body.sources).toEqual([
      { kind: 'cdn', host: null, createdAt: '2025-05-01T00:00:00.000Z' },
      { kind: 'log', host: 'shop.acme.com', createdAt: '2025-05-02T00:00:00.000Z' },
    ])
  })
})

describe('without a source', () => {
  const reports = [
    ['overview', 'tracker', 'trafficOverview { dateRange { from } }'],
    ['bots', 'cdn', 'crawlers { dateRange { from } }'],
    ['logs', 'log', 'crawlerHits { dateRange { from } }'],
  ] as const

  test.each(reports)('%s are refused, and served with a %s', async (path, kind, field) => {
    const project = await workspace.project()
    await api.db.connection.create({ data: { projectId: project, kind: 'webAnalytics' } })
    await putHits(api.warehouse, project, [{ bot: 'GPTBot', at: hoursAgo(1) }])
    const query = `{ project(id: "${project}") { integrations { traffic } ${field} } }`

    const { status, body } = await rest(project, path)
    expect([status, assertProblem(body).code]).toEqual([409, 'traffic_not_connected'])
    const refused = await graph(query)
    expect(refused.errors?.map(({ extensions }) => extensions.code)).toEqual([body.code])
    expect(refused.data.project).toMatchObject({ integrations: { traffic: false } })

    await connectSource(api.db, project, { kind })
    expect(await rest(project, path)).toMatchObject({ status: 200 })
    const served = await graph(query)
    expect(served.errors).toBeUndefined()
    expect(served.data.project).toMatchObject({ integrations: { traffic: true } })
  })

  test.each(reports)('%s: what is wrong with an argument comes first', async (path) => {
    const project = await workspace.project()
    const { status, body } = await rest(project, `${path}?days=0`)
    expect([status, body.code]).toEqual([400, 'invalid_argument'])
  })

  test('one project is refused, and the others are served', async () => {
    const [one, other] = [await workspace.project(), await workspace.project()]
    await connectSource(api.db, one)
    await putHits(api.warehouse, one, [{ bot: 'GPTBot', at: hoursAgo(1) }])
    const of = (id: string) => `project(id: "${id}") { crawlers { bots: nodes { botName } } }`
    const { data, errors } = await graph(`{ one: ${of(one)} other: ${of(other)} }`)
    expect(data).toEqual({
      one: { crawlers: { bots: [{ botName: 'GPTBot' }] } },
      other: { crawlers: null },
    })
    expect(errors).toHaveLength(1)
  })
})

describe('arguments', () => {
  let project = ''

  beforeAll(async () => {
    project = await workspace.project()
    await connectSource(api.db, project)
  })

  const accepted = 'platform, botCategory, botName'
  const categories = 'ai_training, ai_search, ai_assistant, ai_agent, search_engine'

  test.each([
    ['overview?groupBy=vendor', 'groupBy', `must be one of ${accepted}`],
    ['overview?groupBy=', 'groupBy', `must be one of ${accepted}`],
    ['bots?groupBy=path', 'groupBy', `must be one of ${accepted}`],
    ['overview?groupBy=platform&groupBy=botName', 'groupBy', 'must be given once'],
    ['overview?host=', 'host', 'must not be empty'],
    ['overview?host=https://acme.com', 'host', 'must be a host name'],
    ['bots?host=acme.com,a%20b', 'host', 'such as www.example.com; got `a b`'],
    ['logs?host=acme.com/path', 'host', 'must be a host name'],
    ['logs?botCategory=ai', 'botCategory', `must be one of ${categories}`],
    ['logs?limit=0', 'limit', 'must be a whole number from 1; got `0`'],
    ['bots?offset=-1', 'offset', 'must be a whole number from 0; got `-1`'],
    ['overview?from=2025-05-01', 'to', 'is required'],
    [
      'overview?from=2024-05-01&to=2025-05-01',
      'from',
      'a range of 366 days; accepted are at most 365 days',
    ],
    ['logs?days=30&from=2025-05-01&to=2025-05-02', 'days', 'cannot be combined'],
    ['overview?format=csv', 'format', 'must be json: this endpoint has no CSV'],
  ])('%s is refused by the name of %s', async (path, field, message) => {
    const { status, body } = await rest(project, path)
    expect([status, body.code]).toEqual([400, 'invalid_argument'])
    const { fieldErrors } = body.details as { fieldErrors: Record<string, string[]> }
    expect(fieldErrors).toEqual({ [field]: [expect.stringContaining(message)] })
  })

  test('in GraphQL too', async () => {
    const of = (fields: string) => `{ project(id: "${project}") { ${fields} } }`
    const { data, errors } = await graph(
      of(`trafficOverview(filter: { hosts: ["a b"] }) { dateRange { from } }
          crawlers(first: 0) { dateRange { from } }`),
    )
    expect(data).toEqual({ project: { trafficOverview: null, crawlers: null } })
    expect(errors?.map(({ message }) => message).sort()).toEqual([
      '`filter.hosts` must be a host name, such as www.example.com; got `a b`.',
      '`first` must be a whole number from 1; got `0`.',
    ])
    const unknown = await graph(
      of('crawlerHits(filter: { botCategories: [ai] }) { dateRange { from } }'),
    )
    expect(unknown.errors?.[0]?.message).toContain('must be one of ai_training')
  })

  test('a long look-back is cut to a year', async () => {
    const { body } = await rest(project, 'overview?days=999')
    const { from, to } = body.dateRange as { from: string; to: string }
    expect((Date.parse(to) - Date.parse(from)) / 86_400_000).toBe(364)
  })
})
