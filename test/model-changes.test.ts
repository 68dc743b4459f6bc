import { beforeAll, expect, test } from 'vitest'
import { useApi } from './kit/api.ts'
import { asking } from './kit/changes.ts'

const api = useApi()
let key = ''
const projects = { one: '', two: '' }
const ask = asking(api, () => key)

const answer = (day: string, platform: string, model: string, text = 'Acme is good.') => {
  return { prompt: 'p1', platform, model, collectedAt: `${day}T08:00:00Z`, text }
}

beforeAll(async () => {
  const workspace = await api.workspace()
  key = (await workspace.key()).key
  projects.one = await workspace.project()
  projects.two = await workspace.project()
  await workspace.load(projects.one, [
    // Both are of the first day of ChatGPT: no change.
    answer('2025-04-01', 'chatgpt', 'gpt-1'),
    answer('2025-04-01', 'chatgpt', 'gpt-1-mini'),
    // Before May.
    answer('2025-04-20', 'chatgpt', 'gpt-2'),
    answer('2025-05-10', 'chatgpt', 'gpt-3'),
    answer('2025-05-11', 'chatgpt', 'gpt-3'),
    answer('2025-05-12', 'chatgpt', 'gpt-2'),
    // The first model of Perplexity changes nothing, the second does.
    answer('2025-05-02', 'perplexity', 'sonar'),
    answer('2025-05-03', 'perplexity', 'sonar-pro'),
    // After May.
    answer('2025-06-01', 'perplexity', 'sonar-max'),
  ])
  await workspace.load(projects.two, [
    answer('2025-05-05', 'gemini', 'pro-1'),
    answer('2025-05-06', 'gemini', 'pro-2'),
  ])
})

const may = 'window: { from: "2025-05-01", to: "2025-05-31" }'
const row =
  'totalCount nodes { date platform { slug } model previousModel answerCount } pageInfo { endCursor }'
const change = (date: string, slug: string, model: string, previous: string, answers: number) => {
  return { date, platform: { slug }, model, previousModel: previous, answerCount: answers }
}
const sonar = change('2025-05-03', 'perplexity', 'sonar-pro', 'sonar', 1)
const gpt = change('2025-05-10', 'chatgpt', 'gpt-3', 'gpt-2', 2)

test('a model that follows others of its AI platform is a change, of one project and of several', async () => {
  const one = await ask(
    `{ project(id: "${projects.one}") { changes: modelChanges(${may}) { ${row} } } }`,
  )
  expect(one.data.project?.changes).toMatchObject({ totalCount: 2, nodes: [sonar, gpt] })
  const both = await ask(`{ projects { nodes { id modelChanges(${may}) { ${row} } } } }`)
  const { nodes } = both.data.projects as { nodes: { id: string; modelChanges: unknown }[] }
  const found = new Map(nodes.map(({ id, modelChanges }) => [id, modelChanges]))
  expect(found.get(projects.one)).toMatchObject({ totalCount: 2, nodes: [sonar, gpt] })
  const pro = change('2025-05-06', 'gemini', 'pro-2', 'pro-1', 1)
  expect(found.get(projects.two)).toMatchObject({ totalCount: 1, nodes: [pro] })
})

test('changes are filtered by AI platform, and paged', async () => {
  const asked = (args: string) =>
    ask(`{ project(id: "${projects.one}") { changes: modelChanges(${may} ${args}) { ${row} } } }`)
  const filtered = await asked('filter: { platforms: ["chatgpt"] }')
  expect(filtered.data.project?.changes).toMatchObject({ totalCount: 1, nodes: [gpt] })
  const first = (await asked('first: 1')).data.project?.changes as {
    nodes: unknown
    pageInfo: { endCursor: string }
  }
  expect(first.nodes).toEqual([sonar])
  const rest = await asked(`first: 5, after: "${first.pageInfo.endCursor}"`)
  expect(rest.data.project?.changes).toMatchObject({ totalCount: 2, nodes: [gpt] })
})
