import { beforeAll, expect, test } from 'vitest'
import { run } from '../../warehouse/run.ts'
import { useApi } from '../kit/api.ts'
import { graphRequests } from '../kit/graphql/requests.ts'
import { addPages } from '../kit/work/opportunities.ts'

const api = useApi()
const request = graphRequests(api)

const window = 'window: { from: "2025-05-01", to: "2025-05-30" }'
const day = (n: number) => `2025-05-${String(n).padStart(2, '0')}T10:00:00Z`
const cite = (url: string, more: object = {}) => ({ url, ...more })
const read = { cited: false }

/** Rival's page is read twice and cited never. Acme's `/b` is read once and cited once, `/a` is cited twice. */
const lines = [
  {
    prompt: 'one',
    platform: 'chatgpt',
    text: 'Acme.',
    collectedAt: day(1),
    citations: [
      cite('https://acme.com/a'),
      cite('https://rival.com/r/', { ...read, title: 'Old' }),
      cite('https://acme.com/b', { ...read, title: 'B' }),
    ],
  },
  {
    prompt: 'two',
    platform: 'perplexity',
    text: 'None.',
    collectedAt: day(2),
    citations: [
      cite('https://acme.com/b', { cited: true }),
      cite('https://rival.com/r#top', { ...read, title: 'New' }),
      cite('https://rival.com/r', read),
    ],
  },
  {
    prompt: 'three',
    platform: 'chatgpt',
    text: 'Acme.',
    collectedAt: day(3),
    citations: [cite('https://acme.com/a', read), cite('https://acme.com/a')],
  },
]

let key = ''
let project = ''

beforeAll(async () => {
  const workspace = await api.workspace()
  key = (await workspace.key()).key
  project = await workspace.project({ name: 'Acme', domain: 'acme.com' })
  await workspace.load(project, lines)
  await addPages(api, project, [{ url: 'https://acme.com/b' }])
})

async function ask<Project>(fields: string): Promise<Project> {
  const { data } = await request(key, `{ project(id: "${project}") { ${fields} } }`)
  return data.project as Project
}

test('what was only read is no citation at either door', async () => {
  const path = `/api/mcp/projects/${project}/sources/urls?from=2025-05-01&to=2025-05-30`
  const { urls } = await (await api.get(path, key)).json()
  const counted = urls.map((row: { url: string; responsesWithUrl: number }) => [
    row.url,
    row.responsesWithUrl,
  ])
  expect(counted).toEqual([
    ['https://acme.com/a', 2],
    ['https://acme.com/b', 1],
  ])
  const { answers } = await ask<{ answers: { nodes: object[] } }>(
    `answers(${window}) { nodes { prompt { text } citations { url } retrievedUrls { url domain title position page { url } } } }`,
  )
  const rival = { url: 'https://rival.com/r', domain: 'rival.com', page: null }
  const b = 'https://acme.com/b'
  expect(answers.nodes).toEqual([
    { prompt: { text: 'three' }, citations: [{ url: 'https://acme.com/a' }], retrievedUrls: [] },
    {
      prompt: { text: 'two' },
      citations: [{ url: b }],
      retrievedUrls: [{ ...rival, title: 'New', position: 2 }],
    },
    {
      prompt: { text: 'one' },
      citations: [{ url: 'https://acme.com/a' }],
      retrievedUrls: [
        { ...rival, title: 'Old', position: 2 },
        { url: b, domain: 'acme.com', title: 'B', position: 3, page: { url: b } },
      ],
    },
  ])
})

test('the list of retrieved URLs counts answers, by pages, filters and slices', async () => {
  const rival = { url: 'https://rival.com/r', domain: 'rival.com', title: 'New', responses: 2 }
  const fields =
    'totalCount nodes { url domain title responses: retrievedIn } pageInfo { hasNextPage endCursor }'
  const list = (args: string) =>
    ask<{ retrievedUrls: { nodes: object[]; pageInfo: { endCursor: string } } }>(
      `retrievedUrls(${window} ${args}) { ${fields} }`,
    ).then(({ retrievedUrls }) => retrievedUrls)
  const first = await list('first: 1')
  expect(first).toMatchObject({ totalCount: 2, nodes: [rival], pageInfo: { hasNextPage: true } })
  expect(await list(`first: 1, after: "${first.pageInfo.endCursor}"`)).toMatchObject({
    totalCount: 2,
    nodes: [{ url: 'https://acme.com/b', title: 'B', responses: 1 }],
    pageInfo: { hasNextPage: false },
  })
  expect((await list('filter: { platforms: ["perplexity"] }')).nodes).toEqual([
    { ...rival, responses: 1 },
  ])
  const { platforms } = await ask<{
    platforms: { nodes: { id: string; retrievedUrls: object }[] }
  }>(
    `platforms { nodes { id: slug retrievedUrls(${window}) { nodes { url responses: retrievedIn } } } }`,
  )
  const slices = platforms.nodes.filter(({ id }) =>
    ['chatgpt', 'perplexity', 'claude'].includes(id),
  )
  expect(Object.fromEntries(slices.map(({ id, retrievedUrls }) => [id, retrievedUrls]))).toEqual({
    chatgpt: {
      nodes: [
        { url: 'https://acme.com/b', responses: 1 },
        { url: 'https://rival.com/r', responses: 1 },
      ],
    },
    perplexity: { nodes: [{ url: 'https://rival.com/r', responses: 1 }] },
    claude: { nodes: [] },
  })
})

test('a cited URL and a page say how often they were only read', async () => {
  const { sourceUrls, pages } = await ask<{ sourceUrls: object; pages: object }>(
    `sourceUrls(${window}) { nodes { url responsesWithUrl: citedIn retrieved: retrievedIn } }
     pages { nodes { url metrics(${window}) { retrievals { total } citations { total } } } }`,
  )
  expect(sourceUrls).toEqual({
    nodes: [
      { url: 'https://acme.com/a', responsesWithUrl: 2, retrieved: 0 },
      { url: 'https://acme.com/b', responsesWithUrl: 1, retrieved: 1 },
    ],
  })
  expect(pages).toEqual({
    nodes: [
      {
        url: 'https://acme.com/b',
        metrics: { retrievals: { total: 1 }, citations: { total: 1 } },
      },
    ],
  })
})

test('an import keeps the entries that no table stores as they came', async () => {
  const found = await run(api.warehouse, {
    id: 'test.extra',
    sql: 'SELECT extra FROM answers WHERE project_id = {project:UUID} ORDER BY collected_at',
    params: { project },
    row: ({ extra }) => (extra === '' ? '' : JSON.parse(String(extra))),
  })
  expect(found).toEqual([
    '',
    {
      citations: [
        { url: 'https://rival.com/r#top', title: 'New', cited: false },
        { url: 'https://rival.com/r', cited: false },
      ],
    },
    { citations: [{ url: 'https://acme.com/a', cited: false }] },
  ])
})
