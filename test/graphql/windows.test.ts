import { beforeAll, expect, test } from 'vitest'
import { useApi } from '../kit/api.ts'
import { dayMs } from '../kit/day.ts'

/** Which days a field covers that has no `window`. */

const api = useApi()
const daysAgo = (days: number) =>
  new Date(Date.now() - days * dayMs).toISOString().slice(0, 'YYYY-MM-DD'.length)
let key = ''
let project = ''

/**
 *   days ago  platform    topic  cites
 *   10        chatgpt     T1     a.com, b.com/1
 *   60        chatgpt     T1     a.com, b.com/2
 *   60        perplexity  T2     a.com, b.com/3
 *   100       chatgpt     T1     a.com, b.com/4
 */
const lines = (
  [
    [10, 'chatgpt', 'T1'],
    [60, 'chatgpt', 'T1'],
    [60, 'perplexity', 'T2'],
    [100, 'chatgpt', 'T1'],
  ] as const
).map(([days, platform, topic], i) => ({
  platform,
  topic,
  prompt: `prompt of ${topic}`,
  collectedAt: `${daysAgo(days)}T08:00:00Z`,
  citations: ['https://a.com/', `https://b.com/${i + 1}`].map((url, at) => ({
    position: at + 1,
    url,
  })),
}))

beforeAll(async () => {
  const workspace = await api.workspace()
  project = await workspace.project()
  key = (await workspace.key()).key
  expect(await workspace.load(project, lines)).toMatchObject({ loaded: 4 })
})

async function ask(fields: string) {
  const reply = await (await api.graphql(`{ project(id: "${project}") { ${fields} } }`, key)).json()
  expect(reply.errors).toBeUndefined()
  return { found: reply.data.project, notices: reply.extensions?.notices }
}

const counts = `answers { totalCount } citedUrls: coCitedUrls { totalCount } sources { totalCount }
  prompts { totalCount } urls { totalCount }`

test('a domain hands its window and its filters to all its fields that have none of their own', async () => {
  const { found, notices } = await ask(`
    quarter: sourceDomains(window: { days: 90 }, first: 1) { nodes { domain nodeId ${counts}
      recent: answers(window: { days: 30 }) { totalCount }
      ofPerplexity: answers(filter: { platforms: ["perplexity"] }) { totalCount } } }
    chatgpt: sourceDomains(window: { days: 90 }, filter: { platforms: ["chatgpt"] }, first: 1) { nodes { ${counts} } }
    month: sourceDomains(window: { days: 30 }, first: 1) { nodes { ${counts} } }`)
  const of = (answers: number, citedUrls: number, prompts: number) => ({
    answers: { totalCount: answers },
    citedUrls: { totalCount: citedUrls },
    sources: { totalCount: 2 },
    prompts: { totalCount: prompts },
    urls: { totalCount: 1 },
  })
  const [quarter] = found.quarter.nodes
  expect(quarter).toEqual({
    domain: 'a.com',
    nodeId: quarter.nodeId,
    ...of(3, 4, 2),
    recent: { totalCount: 1 },
    ofPerplexity: { totalCount: 1 },
  })
  expect(found.chatgpt.nodes).toEqual([of(2, 3, 1)])
  expect(found.month.nodes).toEqual([of(1, 2, 1)])
  expect(notices).toBeUndefined()
  const again = await api.graphql(
    `{ node(id: "${quarter.nodeId}") { ... on SourceDomain { ${counts} } } }`,
    key,
  )
  expect((await again.json()).data).toEqual({ node: of(3, 4, 2) })
})

test('a domain in the answers to a topic hands on the topic', async () => {
  const { found } =
    await ask(`topics { nodes { name sources(window: { days: 90 }, first: 1) { nodes {
    citedIn sourceDomain { answers { totalCount } citedUrls: coCitedUrls { totalCount } } } } } }`)
  const ofTopic = (name: string, citedIn: number, urls: number) => {
    const sourceDomain = { answers: { totalCount: citedIn }, citedUrls: { totalCount: urls } }
    return { name, sources: { nodes: [{ citedIn, sourceDomain }] } }
  }
  expect(found.topics.nodes).toEqual([ofTopic('T1', 2, 3), ofTopic('T2', 1, 2)])
})

test('a field without a window beside or below one with another window is said in a notice', async () => {
  const total = '{ summary { answerCount } }'
  const mixed = await ask(`visibility(window: { days: 90 }) ${total} sentiment { summary { rated } }
    brands(window: { days: 90 }) { nodes { brand { visibility { answerCount } } } }`)
  expect(mixed.found.visibility.summary.answerCount).toBe(3)
  expect(mixed.found.brands.nodes[0].brand.visibility.answerCount).toBe(1)
  const [month, quarter] = [30, 90].map((days) => `${daysAgo(days - 1)} to ${daysAgo(0)}`)
  const said = (name: string, other: string) =>
    `\`${name}\` has no \`window\` and covers ${month}, while \`${other} it covers ${quarter}. Give both a \`window\`.`
  expect(mixed.notices).toEqual([
    {
      code: 'mixed_windows',
      path: ['project', 'sentiment'],
      message: said('sentiment', 'visibility` beside'),
    },
    {
      code: 'mixed_windows',
      path: ['project', 'brands', 'nodes', 'brand', 'visibility'],
      message: said('visibility', 'brands` above'),
    },
  ])
  const same = await ask(
    `visibility(window: { days: 30 }) ${total} sentiment { summary { rated } }`,
  )
  expect(same.notices).toBeUndefined()
  const given = await ask(
    `visibility(window: { days: 90 }) ${total} sentiment(window: { days: 30 }) { summary { rated } }`,
  )
  expect(given.notices).toBeUndefined()
})
