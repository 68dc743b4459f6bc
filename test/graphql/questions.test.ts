import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { useApi } from '../kit/api.ts'
import { makeNeighbours } from '../kit/graphql/neighbours.ts'
import { graphRequests } from '../kit/graphql/requests.ts'
import { root } from '../kit/repository.ts'
import { putHits } from '../kit/tracker/hits.ts'

const api = useApi()
const request = graphRequests(api)

const page = readFileSync(join(root, 'docs/graphql.md'), 'utf8')
const questions = new Map(
  [...page.matchAll(/^```graphql\nquery (\w+) ([\s\S]*?)^```$/gm)].map(
    ([, name = '', body = '']) => [name, `query ${name} ${body}`] as const,
  ),
)

/** The table of the page: the question, statements of PostgreSQL, statements of the warehouse. */
const table = [...page.matchAll(/^\| `(\w+)` \| (\d+) \| (\d+) \|$/gm)].map(
  ([, name = '', catalog, warehouse]) => [name, Number(catalog), Number(warehouse)] as const,
)

/** Passes every statement on to PostgreSQL. */
const sent = vi.spyOn(pg.Client.prototype, 'query')
afterAll(() => sent.mockRestore())

/** The keys of the first project alone, and of a workspace of two projects and of ten. */
const keys = { small: '', large: '', few: '', many: '' }

async function projectsOf(projects: number, rows: number) {
  const workspace = await api.workspace()
  const first = await makeNeighbours(api, workspace, rows)
  const at = '2025-05-11T08:00:00Z'
  const hits = Array.from({ length: rows }, (_, n) => ({
    bot: 'GPTBot',
    path: `/page-${n + 1}`,
    at,
  }))
  await putHits(api.warehouse, first, hits)
  // Answers that are lost, and answers that speak badly of Acme.
  const numbers = Array.from({ length: rows }, (_, n) => n + 1)
  const later = numbers.flatMap((n) => [
    {
      prompt: `Question ${n}?`,
      collectedAt: '2025-05-11T08:00:00Z',
      text: `Rivalco${n} leads.`,
      citations: [{ url: `https://site-${n}.com/` }],
    },
    {
      prompt: `Question ${n}?`,
      collectedAt: '2025-05-12T08:00:00Z',
      text: 'Acme has a terrible battery.',
      sentiment: 'negative',
    },
  ])
  expect(await workspace.load(first, later)).toMatchObject({ loaded: 2 * rows })
  for (let n = 1; n < projects; n++) await workspace.project({ name: `Later ${n}` })
  const [one, all] = [await workspace.key({ projectId: first }), await workspace.key()]
  return [one.key, all.key] as const
}

beforeAll(async () => {
  ;[keys.small, keys.few] = await projectsOf(2, 2)
  ;[keys.large, keys.many] = await projectsOf(10, 20)
})

/**
 * A question in a window of the facts, with every row on its first page. Each question has a window of its own: a
 * statement that another question has sent would not be sent again.
 */
function ofAll(name: string, text: string): string {
  const last = 12 + [...questions.keys()].indexOf(name)
  const window = `window: { from: "2025-05-01", to: "2025-05-${last}" }`
  return text.replaceAll(/window: \{[^}]*\}/g, window).replaceAll(/first: \d+/g, 'first: 100')
}

/** Questions that rows do not answer, but AI platforms or weeks, or a number of results: every project has as many. */
const isFixed = ['Assistants', 'FindByWords', 'Weeks', 'WhoLeads']

async function ask(key: string, text: string) {
  sent.mockClear()
  const { data, statements } = await request(key, text)
  return { data: JSON.stringify(data), catalog: sent.mock.calls.length, warehouse: statements }
}

test('the page has a line for each question that is about several areas', () => {
  expect(table.map(([name]) => name).sort()).toEqual([...questions.keys()].sort())
  expect(table.length).toBeGreaterThanOrEqual(10)
})

test.each([...questions])('%s costs the same statements for 20 as for two', async (name, text) => {
  const asked = ofAll(name, text)
  const [few, many] = name === 'Portfolio' ? [keys.few, keys.many] : [keys.small, keys.large]
  const small = await ask(few, asked)
  const large = await ask(many, asked)
  if (!isFixed.includes(name)) {
    expect(large.data.length).toBeGreaterThan(2 * small.data.length)
  }
  expect(large.warehouse).toEqual(small.warehouse)
  expect(large.catalog).toBe(small.catalog)
  const counted = [name, small.catalog, small.warehouse.length]
  expect(table.find(([of]) => of === name)).toEqual(counted)
})
