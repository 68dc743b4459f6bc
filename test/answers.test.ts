import { beforeAll, describe, expect, test } from 'vitest'
import { type TestWorkspace, useApi } from './kit/api.ts'
import { flat } from './kit/graphql/flat.ts'

const api = useApi()

/**
 * Newest first; the two of 12 May were collected at the same time.
 *
 *   name    collected     prompt  platform    names                   tone
 *   fourth  12 May 08:00  p1      chatgpt     nothing
 *   fifth   12 May 08:00  p2      perplexity  nothing
 *   third   11 May 08:00  p2      chatgpt     Acme                    none
 *   second  10 May 09:00  p1      perplexity  Rival
 *   first   10 May 08:00  p1      chatgpt     Rival, then Acme twice  positive
 *   april   20 April      p1      chatgpt     Acme                    negative
 */
const lines = [
  {
    prompt: 'p1',
    topic: 'T1',
    model: 'gpt-4o',
    location: 'Berlin, Germany',
    collectedAt: '2025-05-10T08:00:00.250Z',
    text: 'Rival, but rather Acme.\nAcme is "good" — first.',
    sentiment: 'positive',
    citations: [
      { position: 2, url: 'https://en.wikipedia.org/a?utm_source=x', title: 'A' },
      { position: 1, url: 'https://rival.com/r' },
    ],
    searchQueries: ['loud headphones', 'best brands'],
  },
  {
    prompt: 'p1',
    platform: 'perplexity',
    collectedAt: '2025-05-10T09:00:00Z',
    text: 'Rival, second.',
    sentiment: 'negative',
  },
  { prompt: 'p2', topic: 'T2', collectedAt: '2025-05-11T08:00:00Z', text: 'Acme, third.' },
  { prompt: 'p1', collectedAt: '2025-05-12T08:00:00Z', text: 'fourth' },
  { prompt: 'p2', platform: 'perplexity', collectedAt: '2025-05-12T08:00:00Z', text: 'fifth' },
  { prompt: 'p1', collectedAt: '2025-04-20T08:00:00Z', text: 'Acme, april.', sentiment: -1 },
]

interface Answer {
  id: string
  promptId: string
  text: string
  locationId: string | null
  [field: string]: unknown
}
interface List {
  answers: Answer[]
  pagination: Record<string, unknown>
  [key: string]: unknown
}

let workspace: TestWorkspace
let key = ''
let project = ''
let other = ''
let rival = ''
const promptIds: Record<string, string> = {}

beforeAll(async () => {
  workspace = await api.workspace()
  project = await workspace.project({ competitors: [{ name: 'Rival', domain: 'rival.com' }] })
  other = await workspace.project({ name: 'Bolt', domain: 'bolt.io' })
  key = (await workspace.key({ scopes: ['read'] })).key
  const result = await workspace.load(project, lines)
  expect(result).toEqual({ read: 6, loaded: 6, skipped: 0, rejected: [] })
  await workspace.load(other, [{ prompt: 'foreign', text: 'Bolt.' }])
  for (const { id, text } of await api.db.prompt.findMany({
    where: { projectId: { in: [project, other] } },
  })) {
    promptIds[text] = id
  }
  rival = (await api.db.competitor.findFirst({ where: { projectId: project } }))?.id ?? ''
})

async function get(path: string, ofProject = project) {
  const response = await api.get(`/api/mcp/projects/${ofProject}${path}`, key)
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

async function list(query = '', path = '/answers'): Promise<List> {
  const { status, body } = await get(`${path}?from=2025-05-01&to=2025-05-31${query}`)
  expect(status).toBe(200)
  return body as List
}

async function graph(field: string) {
  const text = `query($id: ID!) { project(id: $id) { ${field} } }`
  const response = await api.graphql(text, key, { id: project })
  return flat(await response.json()) as {
    data: { project: Record<string, unknown> } | null
    errors?: { extensions: { code: string } }[]
  }
}

/** The last word of each text says which answer it is. */
const namesOf = ({ answers }: List) => answers.map(({ text }) => text.match(/\w+(?=\W*$)/)?.[0])

async function idOf(name: string): Promise<string> {
  const { answers } = await list()
  return answers.find(({ text }) => text.includes(name))?.id ?? ''
}

/** The two of 12 May in the order of their ids. */
async function tied(): Promise<string[]> {
  const ids = [
    ['fourth', await idOf('fourth')],
    ['fifth', await idOf('fifth')],
  ] as const
  return ids.toSorted((a, b) => (a[1] < b[1] ? -1 : 1)).map(([name]) => name)
}

const base = (answer: Answer | undefined) => ({
  id: answer?.id,
  promptId: promptIds.p1,
  platform: 'chatgpt',
  model: 'gpt-4o',
  locationId: answer?.locationId,
  text: 'Rival, but rather Acme.\nAcme is "good" — first.',
  brandMentioned: true,
  position: 2,
  sentiment: 'positive',
  citations: [
    { url: 'https://rival.com/r', domain: 'rival.com', title: null, position: 1 },
    { url: 'https://en.wikipedia.org/a', domain: 'wikipedia.org', title: 'A', position: 2 },
  ],
  collectedAt: '2025-05-10T08:00:00.250Z',
})

const mentions = () => [
  { brandId: rival, name: 'Rival', isBrand: false, occurrences: 1, rank: 1, sentiment: null },
  { brandId: project, name: 'Acme', isBrand: true, occurrences: 2, rank: 2, sentiment: 'positive' },
]

const fields =
  'id promptId: prompt { id } platform { slug } model locationId: location { id } text brandMentioned position sentiment citations { url domain title position } collectedAt'

describe('answers', () => {
  test('both doors give them whole, newest first, ties by id', async () => {
    const body = await list()
    expect(Object.keys(body)).toEqual(['project', 'answers', 'pagination', 'dateRange'])
    expect(body.project).toEqual({ id: project, name: 'Acme', domain: 'acme.com' })
    expect(body.dateRange).toEqual({ from: '2025-05-01', to: '2025-05-31' })
    expect(body.pagination).toEqual({
      limit: 50,
      offset: 0,
      returnedCount: 5,
      totalCount: 5,
      hasMore: false,
      nextOffset: 5,
    })
    expect(namesOf(body)).toEqual([...(await tied()), 'third', 'second', 'first'])
    const last = body.answers[4]
    expect(JSON.stringify(last)).toBe(JSON.stringify(base(last)))
    expect(last?.locationId).toMatch(/^[0-9a-f-]{36}$/)
    const { data } = await graph(
      `answers(window: { from: "2025-05-01", to: "2025-05-31" }) { nodes { ${fields} } }`,
    )
    expect(data?.project.answers).toEqual({ nodes: body.answers })
  })

  test('what is not known is null, and a model that is not known the id of its platform', async () => {
    const { answers } = await list()
    const facts = answers.map((row) => [row.locationId, row.position, row.sentiment])
    // The third only names Acme; the tone of the second, which does not name it, is not Acme's.
    expect(facts.slice(0, 4)).toEqual([
      [null, null, null],
      [null, null, null],
      [null, 1, null],
      [null, null, null],
    ])
    const newest = answers.slice(0, 4)
    expect(newest.map(({ model }) => model)).toEqual(newest.map(({ platform }) => platform))
    expect(answers[3]).toMatchObject({ brandMentioned: false, citations: [] })
  })

  test('GraphQL gives the prompt, the mentions and the search queries of every row too', async () => {
    const { data } = await graph(
      'answers(window: { from: "2025-05-10", to: "2025-05-10" }) { nodes { promptText: prompt { text } searchQueries mentions { brandId: brand { id } name: brand { name } isBrand: brand { isOwn } occurrences rank sentiment } } }',
    )
    const second = { ...mentions()[0], occurrences: 1, rank: 1 }
    expect(data?.project.answers).toEqual({
      nodes: [
        { promptText: 'p1', searchQueries: [], mentions: [second] },
        {
          promptText: 'p1',
          searchQueries: ['loud headphones', 'best brands'],
          mentions: mentions(),
        },
      ],
    })
  })

  test.each([
    ['mentioned=true', ['third', 'first']],
    ['mentioned=false&platform=Perplexity', ['fifth', 'second']],
    ['platform=perplexity', ['fifth', 'second']],
    ['country=Germany', ['first']],
  ])('%s narrows them, and the total', async (query, names) => {
    const body = await list(`&${query}`)
    expect(namesOf(body)).toEqual(names)
    expect(body.pagination.totalCount).toBe(names.length)
  })

  test('of one prompt, with the other filters', async () => {
    const promptId = promptIds.p1
    expect(namesOf(await list(`&promptId=${promptId?.toUpperCase()}`))).toEqual([
      'fourth',
      'second',
      'first',
    ])
    const topic = await api.db.topic.findFirst({ where: { projectId: project, name: 'T2' } })
    const none = await list(`&promptId=${promptId}&topicId=${topic?.id}`)
    expect([none.answers, none.pagination.totalCount]).toEqual([[], 0])
  })

  test('page by page each comes once, and a page beyond the end knows the total', async () => {
    const names: unknown[] = []
    let page = await list('&limit=2')
    for (let offset = 0; offset < 6; offset += 2) {
      page = await list(`&limit=2&offset=${offset}`)
      names.push(...namesOf(page))
    }
    expect(names).toEqual([...(await tied()), 'third', 'second', 'first'])
    expect(page.pagination).toMatchObject({ returnedCount: 1, hasMore: false, nextOffset: 5 })
    const beyond = await list('&offset=50')
    expect(beyond).toMatchObject({
      answers: [],
      pagination: { returnedCount: 0, totalCount: 5, hasMore: false, nextOffset: 50 },
    })
  })

  test('an import in between moves no row of a page walk', async () => {
    const june = '&from=2025-06-01&to=2025-06-30'
    const query = async (offset: number) =>
      (await get(`/answers?limit=1&offset=${offset}${june}`)).body as unknown as List
    await workspace.load(project, [
      { collectedAt: '2025-06-01T00:00:00Z', text: 'older' },
      { collectedAt: '2025-06-02T00:00:00Z', text: 'newer' },
    ])
    expect(namesOf(await query(0))).toEqual(['newer'])
    await workspace.load(project, [{ collectedAt: '2025-06-03T00:00:00Z', text: 'newest' }])
    expect(namesOf(await query(1))).toEqual(['older'])
    expect(namesOf(await query(0))).toEqual(['newest'])
  })
})

describe('answers to one prompt', () => {
  test('are those of the list of answers, narrowed by platform', async () => {
    const path = `/prompts/${promptIds.p1}/answers`
    const body = await list('', path)
    expect(body).toEqual(await list(`&promptId=${promptIds.p1}`))
    expect(namesOf(body)).toEqual(['fourth', 'second', 'first'])
    expect(namesOf(await list('&platform=perplexity', path))).toEqual(['second'])
    const { data } = await graph(
      `prompt(id: "${promptIds.p1}") { answers(window: { from: "2025-05-01", to: "2025-05-31" }) { totalCount nodes { id } } }`,
    )
    const nodes = body.answers.map(({ id }) => id)
    expect(data?.project.prompt).toEqual({ answers: { totalCount: 3, nodes } })
  })

  test('narrow the answers of every object, as those of the project', async () => {
    const window = 'window: { from: "2025-05-01", to: "2025-05-31" }'
    const of = (name: string) =>
      `answers(${window}, filter: { promptId: "${name}" }) { nodes { id } }`
    const { data } = await graph(
      `platform(slug: "perplexity") { p1: ${of(promptIds.p1 ?? '')} other: ${of(promptIds.foreign ?? '')} }`,
    )
    const nodes = [await idOf('second')]
    expect(data?.project.platform).toEqual({ p1: { nodes }, other: null })
  })
})

describe('one answer', () => {
  test('has its prompt, mentions and search queries, at both doors', async () => {
    const id = await idOf('first')
    const { body } = await get(`/answers/${id.toUpperCase()}`)
    const answer = body.answer as Answer
    const { promptId, platform, citations, collectedAt, ...rest } = base(answer)
    const whole = {
      id,
      promptId,
      promptText: 'p1',
      platform,
      model: rest.model,
      locationId: rest.locationId,
      text: rest.text,
      brandMentioned: true,
      position: 2,
      sentiment: 'positive',
      mentions: mentions(),
      citations,
      searchQueries: ['loud headphones', 'best brands'],
      collectedAt,
    }
    expect(JSON.stringify(body)).toBe(JSON.stringify({ answer: whole }))
    const { data } = await graph(
      `answer(id: "${id}") { ${fields} promptText: prompt { text } searchQueries mentions { brandId: brand { id } name: brand { name } isBrand: brand { isOwn } occurrences rank sentiment } }`,
    )
    expect(data?.project.answer).toEqual(whole)
  })

  test('is found on any day', async () => {
    const { body } = await get('/answers?from=2025-04-01&to=2025-04-30')
    const [april] = (body as unknown as List).answers
    const one = await get(`/answers/${april?.id}`)
    expect(one.body.answer).toMatchObject({ text: 'Acme, april.', sentiment: 'negative' })
  })
})

describe('what is not of the project is not found', () => {
  const nobody = '11111111-1111-4111-8111-111111111111'

  test.each([
    ['an answer that is nowhere', async () => `/answers/${nobody}`],
    ['an answer id that is no UUID', async () => '/answers/first'],
    ["another project's prompt", async () => `/answers?promptId=${promptIds.foreign}`],
    ['a prompt that is nowhere', async () => `/prompts/${nobody}/answers`],
    ['a prompt id that is no UUID', async () => '/prompts/p1/answers'],
    ["answers to another project's prompt", async () => `/prompts/${promptIds.foreign}/answers`],
  ])('%s', async (_name, path) => {
    const { status, body } = await get(await path())
    expect([status, body.code]).toEqual([404, 'not_found'])
  })

  test("another project's answer", async () => {
    const id = await idOf('first')
    expect((await get(`/answers/${id}`, other)).status).toBe(404)
  })

  test.each([
    `answer(id: "${nobody}") { id }`,
    'answers(filter: { promptId: "p1" }) { nodes { id } }',
    `prompt(id: "${nobody}") { answers { nodes { id } } }`,
  ])('through GraphQL: %s', async (field) => {
    expect((await graph(field)).errors?.[0]?.extensions.code).toBe('not_found')
  })
})

test('the places of names are those of the text, by the names of today', async () => {
  const id = await idOf('first')
  const ofAnswer = async () => {
    const { data, errors } = await graph(
      `answer(id: "${id}") { text places { brandId: brand { id } start end } }`,
    )
    expect(errors).toBeUndefined()
    return data?.project.answer as {
      text: string
      places: { brandId: string; start: number; end: number }[]
    }
  }
  const { text, places } = await ofAnswer()
  expect(places).toEqual([
    { brandId: rival, start: 0, end: 5 },
    { brandId: project, start: 18, end: 22 },
    { brandId: project, start: 24, end: 28 },
  ])
  expect(places.map(({ start, end }) => text.slice(start, end))).toEqual(['Rival', 'Acme', 'Acme'])

  const alias = await api.db.brandAlias.create({ data: { projectId: project, text: 'good' } })
  expect((await ofAnswer()).places.slice(3)).toEqual([{ brandId: project, start: 33, end: 37 }])
  await api.db.brandAlias.delete({ where: { id: alias.id } })
})
