import { beforeAll, describe, expect, test } from 'vitest'
import { useApi } from '../kit/api.ts'
import { asking } from '../kit/changes.ts'
import { askingRest, outcomeOf } from '../kit/prompts.ts'

const api = useApi()
let key = ''
let project = ''
/** Two prompts of two topics, one answer each. */
let promptIds = ''
let topicIds = ''

const may = 'from=2025-05-01&to=2025-05-31'

beforeAll(async () => {
  const workspace = await api.workspace('growth')
  project = await workspace.project()
  key = (await workspace.key({ scopes: ['admin'] })).key
  await workspace.load(project, [
    { prompt: 'one?', topic: 'T1' },
    { prompt: 'two?', topic: 'T2' },
  ])
  const of = { where: { projectId: project }, select: { id: true } } as const
  const listOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id).join(',')
  promptIds = listOf(await api.db.prompt.findMany(of))
  topicIds = listOf(await api.db.topic.findMany(of))
})

const get = (path: string) => api.get(`/api/mcp/projects/${project}${path}`, key)
const rest = askingRest(
  api,
  () => project,
  () => key,
)
const ignoredBy = async (path: string) => (await get(path)).headers.get('x-ignored-parameters')

describe('two ids where one is expected', () => {
  test.each([
    ['/query-fanout', 'topicId', () => topicIds],
    ['/topics/prompt-rankings', 'topicId', () => topicIds],
    ['/answers', 'promptId', () => promptIds],
    ['/issues', 'pageId', () => promptIds],
  ])('of %s are refused, and %s is named', async (path, name, ids) => {
    const reply = await rest('GET', `${path}?${name}=${ids()}`)
    expect(outcomeOf(reply)).toBe(`400 invalid_argument ${name}`)
    expect(reply.body.message).toContain(`\`${name}\` must be one id; got \``)
  })

  test('are a list where a list is expected', async () => {
    const [one] = topicIds.split(',')
    const both = await rest('GET', `/visibility?${may}&topicId=${topicIds}`)
    const first = await rest('GET', `/visibility?${may}&topicId=${one}`)
    expect(both.body).toMatchObject({ summary: { totalResponses: 2 } })
    expect(first.body).toMatchObject({ summary: { totalResponses: 1 } })
  })

  test('are the id of nothing in GraphQL, where no list is written so', async () => {
    const list = `promptRankings(topicId: "${topicIds}") { nodes { prompt { text } } }`
    const { errors } = await asking(api, () => key)(`{ project(id: "${project}") { ${list} } }`)
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['not_found'])
  })
})

describe('an empty value is refused by name', () => {
  test.each([
    ['/query-fanout', 'topicId'],
    ['/topics/prompt-rankings', 'topicId'],
    ['/prompts', 'topicId'],
    ['/answers', 'promptId'],
    ['/issues', 'pageId'],
    ['/articles', 'status'],
    ['/traffic/logs', 'path'],
    ['/traffic/logs', 'botName'],
    ['/pages/metrics', 'url'],
    ['/sources/urls', 'cursor'],
    ['/visibility', 'country'],
  ])('of %s: %s', async (path, name) => {
    for (const value of ['', '%20']) {
      const reply = await rest('GET', `${path}?${name}=${value}`)
      expect(outcomeOf(reply)).toBe(`400 invalid_argument ${name}`)
      expect(reply.body.message).toBe(`\`${name}\` must not be empty.`)
    }
  })

  test.each([
    ['visibility', 'topicIds: []'],
    ['visibility', 'platforms: []'],
    ['visibility', 'countries: []'],
    ['visibility', 'locationIds: []'],
    ['visibility', 'topicIds: [""]'],
    ['articles', 'statuses: []'],
    ['articles', 'statuses: [""]'],
    ['crawlerHits', 'path: ""'],
    ['crawlerHits', 'hosts: []'],
  ])('of GraphQL: %s(filter: { %s })', async (field, filter) => {
    const query = `{ project(id: "${project}") { ${field}(filter: { ${filter} }) { __typename } } }`
    const { errors } = await asking(api, () => key)(query)
    expect(errors?.map(({ message }) => message)).toEqual([
      `\`filter.${filter.split(':')[0]}\` must not be empty.`,
    ])
  })
})

describe('a country whose name has a comma', () => {
  beforeAll(async () => {
    const workspace = await api.workspace()
    korea = await workspace.project()
    koreaKey = (await workspace.key()).key
    await workspace.load(
      korea,
      ['Seoul, KR', 'Kralendijk, BQ', 'Berlin, DE'].map((location) => ({ location })),
    )
  })
  let korea = ''
  let koreaKey = ''

  test.each([
    ['Korea, Republic of', 1],
    ['Bonaire, Sint Eustatius and Saba', 1],
    ['Germany,Korea, Republic of, Bonaire, Sint Eustatius and Saba', 3],
    ['DE,KR', 2],
  ])('is one of a list: %s', async (country, totalResponses) => {
    const path = `/api/mcp/projects/${korea}/visibility?${may}&country=${encodeURIComponent(country)}`
    const reply = await (await api.get(path, koreaKey)).json()
    expect(reply).toMatchObject({ summary: { totalResponses } })
  })
})

describe('parameters that an operation does not have', () => {
  test.each([
    ['/visibility?dayz=7', 'dayz'],
    [`/visibility?${may}&topicid=x&Platform=chatgpt&topicid=y`, 'topicid, Platform'],
    ['/usage?days=7', 'days'],
    ['/usage?projectId=x', 'projectId'],
    ['/sources/domains/a.com/urls?domain=b.com', 'domain'],
    ['/visibility?a%20b,c=1&%C3%A9=2&%0d%0ax=3', 'a%20b%2Cc, %C3%A9, %0D%0Ax'],
    // Those of a problem too.
    ['/visibility?days=0&dayz=7', 'dayz'],
  ])('%s are named', async (path, names) => {
    expect(await ignoredBy(path)).toBe(names)
  })

  test('are ignored all the same', async () => {
    const [plain, more] = [await get(`/visibility?${may}`), await get(`/visibility?${may}&dayz=7`)]
    expect(await more.json()).toEqual(await plain.json())
  })

  test('are at most ten in the header, and each is cut', async () => {
    const many = Array.from({ length: 99 }, (_, i) => `n${i}=1`).join('&')
    expect((await ignoredBy(`/usage?${many}`))?.split(', ')).toHaveLength(10)
    expect(await ignoredBy(`/usage?${'x'.repeat(500)}=1`)).toBe('x'.repeat(60))
  })

  test('are all of those that a write has in its address', async () => {
    const reply = await fetch(`${api.url}/api/mcp/projects/${project}/prompts?prompts=x`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ prompts: [{ text: 'three?' }] }),
    })
    expect([reply.status, reply.headers.get('x-ignored-parameters')]).toEqual([200, 'prompts'])
  })

  test.each([
    `/visibility?${may}&days=`,
    '/usage?format=json',
    `/sources/domains?${may}&format=csv&limit=1`,
    '/topics/heatmap?platform=chatgpt',
    '/usage',
  ])('no header speaks of the parameters of %s', async (path) => {
    expect(await ignoredBy(path)).toBeNull()
  })
})

describe('the header `Accept` of a list that has CSV', () => {
  const typeFor = async (path: string, accept: string) => {
    const reply = await api.get(`/api/mcp/projects/${project}${path}`, key, { accept })
    return [reply.headers.get('content-type'), reply.headers.get('vary')]
  }
  const csv = ['text/csv; charset=utf-8', 'Authorization, Accept']
  const json = ['application/json', 'Authorization, Accept']

  test.each([
    ['text/csv', csv],
    ['TEXT/CSV; charset=utf-8', csv],
    ['text/csv, */*;q=0.1', csv],
    ['application/json;q=0.5, text/csv', csv],
    ['application/json, text/csv', json],
    ['text/csv;q=0', json],
    ['*/*', json],
    ['text/html', json],
  ])('%s', async (accept, expected) => {
    expect(await typeFor(`/sources/domains?${may}`, accept)).toEqual(expected)
  })

  test('decides about the next page too', async () => {
    const reply = await api.get(`/api/mcp/projects/${project}/prompts?limit=1`, key, {
      accept: 'text/csv',
    })
    const [, next = ''] = /^<(.+)>; rel="next"$/.exec(reply.headers.get('link') ?? '') ?? []
    const second = await api.get(next, key)
    expect(second.headers.get('content-type')).toBe(csv[0])
  })

  test('does not weigh against `format`, and asks nothing of other lists', async () => {
    const path = `/sources/domains?${may}&format=`
    expect(await typeFor(`${path}json`, 'text/csv')).toEqual(json)
    expect(await typeFor(`${path}csv`, 'application/json')).toEqual(csv)
    expect(await typeFor('/usage', 'text/csv')).toEqual(['application/json', 'Authorization'])
  })
})
