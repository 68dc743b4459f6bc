import { expect, test } from 'vitest'
import { useApi } from '../kit/api.ts'
import { flat } from '../kit/graphql/flat.ts'

const api = useApi()

/** Acme is third of a list, second of a table, set aside once, and second in a sentence. */
const lines = [
  { prompt: 'list', text: '1. Yeti\n2. **Bolt**\n3. **Acme One** – lighter than Bolt' },
  { prompt: 'table', text: '| Rank | Brand |\n|---|---|\n| 2 | Acme |\n| 1 | Bolt |' },
  { prompt: 'aside', text: 'Unlike Acme, Bolt is light.' },
  { prompt: 'text', text: 'Bolt and Acme.' },
].map((line) => ({ ...line, collectedAt: '2025-05-10T08:00:00Z' }))

test('ranks are those of lists and tables, and positions are their mean', async () => {
  const workspace = await api.workspace()
  const project = await workspace.project({ competitors: [{ name: 'Bolt', domain: 'bolt.io' }] })
  const { key } = await workspace.key()
  await workspace.load(project, lines)
  const of = 'from=2025-05-01&to=2025-05-31'
  const get = async (path: string) =>
    (await api.get(`/api/mcp/projects/${project}${path}?${of}`, key)).json()

  const shown = (await get('/answers')) as { answers: { text: string; position: number }[] }
  const positions = shown.answers.map(({ text, position }) => [text.slice(0, 6), position])
  expect(Object.fromEntries(positions)).toEqual({
    '1. Yet': 3,
    '| Rank': 2,
    Unlike: 2,
    'Bolt a': 2,
  })
  expect(await get('/visibility')).toMatchObject({ summary: { averagePosition: 2.25 } })

  const window = 'window: { from: "2025-05-01", to: "2025-05-31" }'
  const question = `{ project(id: "${project}") {
    visibility(${window}) { summary { averagePosition } }
    answers(${window}) { nodes { promptText: prompt { text } mentions { name: brand { name } rank rankBasis } } }
  } }`
  const { data } = (await (await api.graphql(question, key)).json()) as {
    data: {
      project: {
        visibility: unknown
        answers: { nodes: { promptText: string; mentions: object[] }[] }
      }
    }
  }
  expect(data.project.visibility).toEqual({ summary: { averagePosition: 2.25 } })
  const { nodes } = flat(data.project.answers)
  const at = (name: string, rank: number, rankBasis: string) => ({ name, rank, rankBasis })
  expect(Object.fromEntries(nodes.map((node) => [node.promptText, node.mentions]))).toEqual({
    list: [at('Bolt', 2, 'list'), at('Acme', 3, 'list')],
    table: [at('Bolt', 1, 'table'), at('Acme', 2, 'table')],
    aside: [at('Bolt', 1, 'text'), at('Acme', 2, 'text')],
    text: [at('Bolt', 1, 'text'), at('Acme', 2, 'text')],
  })
})
