import { beforeAll, describe, expect, test } from 'vitest'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { countStatements } from '../kit/catalog-statements.ts'
import { asking } from '../kit/changes.ts'
import { askingRest, outcomeOf } from '../kit/prompts.ts'
import { parseCsv } from '../kit/rest/rfc4180.ts'

const api = useApi()

let workspace: TestWorkspace
let key = ''
let project = ''
const rest = askingRest(
  api,
  () => project,
  () => key,
)
const ask = asking(api, () => key)

/** The prompts of the project by their texts, oldest first. */
const ids: Record<string, string> = {}
const texts = ['100% cotton?', '=SUM of Äpfel', 'Acme_boots', 'acme shoes'] as const
const topics: Record<string, string> = {}
let berlin = ''

async function makePrompt(text: string, createdAt: string, more: object = {}) {
  const { id } = await api.db.prompt.create({
    data: { projectId: project, text, createdAt, textChangedAt: createdAt, ...more },
  })
  const revision = { promptId: id, revision: 1, projectId: project, questionKey: text }
  await api.db.promptRevision.create({
    data: { ...revision, text: text === 'acme shoes' ? 'shoes?' : text, change: 'created' },
  })
  ids[text] = id
}

beforeAll(async () => {
  workspace = await api.workspace()
  key = (await workspace.key()).key
  project = await workspace.project()
  for (const name of ['A', 'B']) {
    topics[name] = (await api.db.topic.create({ data: { projectId: project, name } })).id
  }
  const place = { projectId: project, label: 'berlin, , de', countryCode: 'DE', city: 'Berlin' }
  berlin = (await api.db.location.create({ data: { ...place, latitude: 52.5 } })).id
  await makePrompt(texts[0], '2025-05-01T10:00:00Z')
  await makePrompt(texts[1], '2025-05-02T10:00:00Z', {
    isTracked: false,
    intentCategory: 'commercial',
  })
  await makePrompt(texts[2], '2025-05-03T10:00:00Z', {
    isBranded: true,
    topics: { create: { topicId: topics.B ?? '' } },
  })
  await makePrompt(texts[3], '2025-05-04T10:00:00Z', {
    isBranded: true,
    currentRevision: 3,
    keywordSearchVolume: 1300,
    keywordDifficulty: 42,
    topics: {
      create: [
        { topicId: topics.B ?? '', position: 0 },
        { topicId: topics.A ?? '', position: 1 },
      ],
    },
    locations: { create: { locationId: berlin } },
  })
})

const idOf = (text: (typeof texts)[number]) => ids[text] ?? ''

async function listed(query: string): Promise<string[]> {
  const { body } = await rest('GET', `/prompts${query}`)
  return body.prompts.map(({ text }) => text)
}

/** What a list shows of the newest prompt, in the order of the contract. */
const shoes = () => ({
  id: idOf('acme shoes'),
  text: 'acme shoes',
  topics: [
    { id: topics.B, name: 'B' },
    { id: topics.A, name: 'A' },
  ],
  lastUpdated: '2025-05-04T10:00:00.000Z',
  locations: [
    {
      id: berlin,
      countryCode: 'DE',
      city: 'Berlin',
      region: null,
      latitude: 52.5,
      longitude: null,
    },
  ],
  usesFallbackLocation: false,
  currentRevision: 3,
  topicId: topics.B,
  topicName: 'B',
  createdAt: '2025-05-04T10:00:00.000Z',
  isFromOnboarding: false,
  isCustomized: true,
  isTracked: true,
  fallbackLocation: null,
  projectId: project,
  intentCategory: null,
  promptType: null,
  isBranded: true,
  keywordSearchVolume: 1300,
  keywordDifficulty: 42,
  updatedAt: expect.any(String),
})

describe('a list of prompts', () => {
  test('has what the contract shows of each, newest first, at both doors', async () => {
    const { status, body } = await rest('GET', '/prompts')
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['project', 'prompts', 'pagination'])
    expect(body.prompts.map(({ text }) => text)).toEqual([...texts].reverse())
    const [first, second, third] = body.prompts
    expect(first).toEqual(shoes())
    expect(Object.keys(first ?? {})).toEqual(Object.keys(shoes()))
    expect(second).toMatchObject({ topicName: 'B', isCustomized: false, locations: [] })
    const bare = { topics: [], topicId: null, topicName: null, usesFallbackLocation: true }
    expect(third).toMatchObject({ ...bare, isTracked: false, intentCategory: 'commercial' })
    const { fallbackLocation: _gone, locations: _places, topics: _topics, ...rows } = shoes()
    const { topicId: _first, topicName: _named, ...flat } = rows
    // GraphQL has no type of a prompt, which nothing sets.
    const { promptType: _unset, ...shared } = flat
    const { lastUpdated: _said, ...same } = shared
    const fields = `lastUpdated: wordingChangedAt ${Object.keys(same).join(' ')}`
    const { data } = await ask(
      `{ project(id: "${project}") { prompts(first: 1) { prompts: nodes { ${fields} topics { id name } locations { id } isImported } } } }`,
    )
    const prompt = { ...shared, topics: shoes().topics, locations: [{ id: berlin }] }
    expect(data.project).toEqual({ prompts: { prompts: [{ ...prompt, isImported: false }] } })
  })

  test.each([
    ['?search=ACME', ['acme shoes', 'Acme_boots']],
    ['?search=0%25', ['100% cotton?']],
    ['?search=%25%25', []],
    ['?search=_', ['Acme_boots']],
    ['?search=%C3%84PFEL', ['=SUM of Äpfel']],
    ['?search=a%CC%88pfel', ['=SUM of Äpfel']],
    ['?search=%EF%BC%A1cme', ['acme shoes', 'Acme_boots']],
    ["?search='%20OR%20''='", []],
    ['?search=%5C', []],
    ['?search=', ['acme shoes', 'Acme_boots', '=SUM of Äpfel', '100% cotton?']],
    ['?isTracked=false', ['=SUM of Äpfel']],
    ['?isTracked=true&search=e', ['acme shoes', 'Acme_boots']],
    ['?intentCategory=commercial', ['=SUM of Äpfel']],
    ['?branded=true', ['acme shoes', 'Acme_boots']],
    ['?unbranded=true', ['=SUM of Äpfel', '100% cotton?']],
    ['?unbranded=false&branded=false&limit=1', ['acme shoes']],
  ])('%s', async (query, expected) => {
    expect(await listed(query)).toEqual(expected)
  })

  test('of several intents in GraphQL', async () => {
    const filter = 'filter: { intentCategories: [commercial, navigational] }'
    const query = `{ project(id: "${project}") { prompts(${filter}) { nodes { text } } } }`
    expect((await ask(query)).data).toEqual({
      project: { prompts: { nodes: [{ text: '=SUM of Äpfel' }] } },
    })
  })

  test('of topics: one, or any of several; a prompt of both comes once', async () => {
    expect(await listed(`?topicId=${topics.A}`)).toEqual(['acme shoes'])
    expect(await listed(`?topicId=${topics.A},${topics.B?.toUpperCase()}`)).toEqual([
      'acme shoes',
      'Acme_boots',
    ])
    const foreign = await api.db.topic.create({
      data: { projectId: await workspace.project(), name: 'A' },
    })
    for (const id of [foreign.id, 'A', '%00']) {
      expect(outcomeOf(await rest('GET', `/prompts?topicId=${id}`))).toBe('404 not_found')
    }
  })

  test.each([
    ['?search=a%00', 'search'],
    ['?search=a&search=b', 'search'],
    ['?branded=true&unbranded=true', 'branded'],
    ['?isTracked=2', 'isTracked'],
    ['?intentCategory=Commercial', 'intentCategory'],
    ['?limit=0', 'limit'],
    ['?offset=-1', 'offset'],
    ['?format=xml', 'format'],
  ])('%s is refused by name', async (query, field) => {
    expect(outcomeOf(await rest('GET', `/prompts${query}`))).toBe(`400 invalid_argument ${field}`)
  })

  test('pages: every prompt once, and a page behind the end still tells the total', async () => {
    const page = (query: string) => rest('GET', `/prompts?${query}`)
    expect((await page('limit=3')).body.pagination).toEqual({
      limit: 3,
      offset: 0,
      returnedCount: 3,
      totalCount: 4,
      hasMore: true,
      nextOffset: 3,
    })
    expect((await page('limit=3&offset=3')).body).toMatchObject({
      prompts: [{ text: texts[0] }],
      pagination: { totalCount: 4, hasMore: false, nextOffset: 4 },
    })
    expect((await page('offset=9007199254740991&limit=99999')).body).toMatchObject({
      prompts: [],
      pagination: { limit: 1000, totalCount: 4, hasMore: false },
    })
  })

  test('as CSV has the fields as columns, nested ones minified, formulas disarmed', async () => {
    const response = await api.get(`/api/mcp/projects/${project}/prompts?format=csv&limit=3`, key)
    expect(response.headers.get('link')).toContain('offset=3')
    const [columns = [], ...rows] = parseCsv((await response.text()).replace(/^\uFEFF/, ''))
    expect(columns).toEqual(Object.keys(shoes()))
    const cell = (row: number, name: string) => rows[row]?.[columns.indexOf(name)]
    expect(cell(0, 'topics')).toBe(JSON.stringify(shoes().topics))
    expect(cell(0, 'fallbackLocation')).toBe('')
    expect(cell(0, 'keywordSearchVolume')).toBe('1300')
    expect(cell(2, 'text')).toBe("'=SUM of Äpfel")
  })
})

describe('one prompt', () => {
  test('is the record of the contract, and its revision is the ETag', async () => {
    const { headers, body } = await rest('GET', `/prompts/${idOf('acme shoes').toUpperCase()}`)
    const record = {
      id: idOf('acme shoes'),
      projectId: project,
      text: 'acme shoes',
      intentCategory: null,
      promptType: null,
      isBranded: true,
      isTracked: true,
      keywordSearchVolume: 1300,
      keywordDifficulty: 42,
      currentRevision: 3,
      createdAt: '2025-05-04T10:00:00.000Z',
      updatedAt: expect.any(String),
    }
    expect(body).toEqual({ prompt: record })
    expect(Object.keys(body.prompt)).toEqual(Object.keys(record))
    expect(headers.get('etag')).toBe('"3"')
  })

  test.each(['"3"', 'W/"3"', '"1", "3"', '*'])('is not sent again for %s', async (known) => {
    const path = `/api/mcp/projects/${project}/prompts/${idOf('acme shoes')}`
    const response = await api.get(path, key, { 'if-none-match': known })
    expect([response.status, response.headers.get('etag')]).toEqual([304, '"3"'])
    expect((await api.get(path, key, { 'if-none-match': '"2"' })).status).toBe(200)
  })

  test('hangs on its answers, and its revisions on it', async () => {
    await workspace.load(project, [{ prompt: 'from an answer', collectedAt: '2025-05-10' }])
    const range = 'from: "2025-05-01", to: "2025-05-31"'
    const { data } = await ask(
      `{ project(id: "${project}") { answers(window: { ${range} }) { nodes { prompt { text isImported revisions { nodes { revision change } } } } } } }`,
    )
    const revisions = [{ revision: 1, change: 'created' }]
    const prompt = { text: 'from an answer', isImported: true, revisions: { nodes: revisions } }
    expect(data.project).toEqual({ answers: { nodes: [{ prompt }] } })
    await api.db.prompt.deleteMany({ where: { projectId: project, isImported: true } })
  })

  test('has revisions, with the wording of each', async () => {
    const { body } = await rest('GET', `/prompts/${idOf('acme shoes')}/revisions`)
    const revision = { revision: 1, text: 'shoes?', createdAt: expect.any(String) }
    const expected = {
      promptId: idOf('acme shoes'),
      revisions: [{ ...revision, change: 'created' }],
    }
    expect(body).toEqual(expected)
    const { data } = await ask(`{ project(id: "${project}") {
      prompt(id: "${idOf('acme shoes')}") { promptId: id revisions { nodes { revision text createdAt change } } }
    } }`)
    const { revisions: nodes, promptId } = expected
    expect(data.project?.prompt).toEqual({ promptId, revisions: { nodes } })
  })

  test('of another project, or none at all, is not found', async () => {
    const other = await workspace.project()
    const { id } = await api.db.prompt.create({ data: { projectId: other, text: 'x' } })
    for (const unknown of [id, '00000000-0000-4000-8000-000000000000', 'acme shoes', '%00']) {
      for (const tail of ['', '/revisions']) {
        const path = `/prompts/${encodeURI(unknown)}${tail}`
        expect(outcomeOf(await rest('GET', path))).toBe('404 not_found')
      }
    }
  })
})

describe('statements', () => {
  test('do not grow with the page: 50 prompts take as many as one, compiled too', async () => {
    const projectId = await workspace.project()
    await api.db.prompt.createMany({
      data: Array.from({ length: 50 }, (_, i) => ({ projectId, text: `p${i}` })),
    })
    const all =
      'id isCustomized topics { id } locations { id } revisions { nodes { text } } usesFallbackLocation'
    for (const limit of [1, 50]) {
      const text = `{ project(id: "${projectId}") { prompts(first: ${limit}) { prompts: nodes { ${all} } } } }`
      const { statements, data } = await countStatements(api, key, text)
      expect((data.project as { prompts: unknown }).prompts).toMatchObject({
        prompts: { length: limit },
      })
      // The project, the page, the total, the parts of each prompt, the topics, and the revisions.
      expect(statements).toBe(6)
    }
  })
})
