import { beforeAll, expect, test } from 'vitest'
import type { Table } from '../../mcp/table.ts'
import { useApi } from '../kit/api.ts'
import { answers, brand, may } from '../kit/reports.ts'
import { callTool, connect, recordsOf } from '../kit/tools.ts'

const api = useApi()

let project = ''
let key = ''

beforeAll(async () => {
  const workspace = await api.workspace('enterprise')
  project = await workspace.project(brand)
  key = (await workspace.key()).key
  await workspace.load(project, answers)
})

interface Result {
  readonly id: string
  readonly title: string
  readonly url: string
  readonly kind: string
  readonly snippet?: string
}

const at = (path: string) => `http://127.0.0.1:4000${path}`

async function found(given: Record<string, unknown>): Promise<Result[]> {
  const { text, structure, isError } = await callTool(await connect(api.url, key), 'search', given)
  expect(isError, text).toBe(false)
  return (structure as { results: Result[] }).results
}

async function fetched(id: string | undefined): Promise<Record<string, unknown>> {
  const { text, structure, isError } = await callTool(await connect(api.url, key), 'fetch', { id })
  expect(isError, text).toBe(false)
  return structure as Record<string, unknown>
}

test('what a search finds is fetched by its id, and shown by its address', async () => {
  const results = await found({ query: 'acme', limit: 4 })
  const pages = [
    ['brand', 'Acme', '/competitors'],
    ['source', 'acme.com', '/sources/acme.com'],
    ['page', 'https://acme.com/a', '/sources/https%3A%2F%2Facme.com%2Fa'],
    ['answer', 'best headphones', expect.stringMatching(/^\/answers\/[\da-f-]{36}$/)],
  ]
  expect(
    results.map(({ kind, title, url }) => [kind, title, url.split(`/projects/${project}`)[1]]),
  ).toEqual(pages)
  expect(results.every(({ url }) => url.startsWith(at('/projects/')))).toBe(true)
  expect(results[3]?.snippet).toMatch(/^<untrusted id=(.{8})>Acme is excellent and I love it\./)
  const things = await Promise.all(results.map(({ id }) => fetched(id)))
  expect(things).toMatchObject([
    { title: 'Acme', metadata: { id: project, domain: 'acme.com', own: true } },
    { title: 'acme.com', metadata: { cited_in: 3, citations: 3 } },
    { title: 'https://acme.com/a', text: expect.stringMatching(/^The text of this page is not/) },
    { title: 'ChatGPT: best headphones', metadata: { position: 1 } },
  ])
  expect(things.map(({ url }) => url)).toEqual(results.map(({ url }) => url))
})

test('topics and prompts, in one project or in all that the key reaches', async () => {
  const [topic, prompt] = await found({ query: 'earbuds', project: 'Acme' })
  expect([topic?.title, prompt?.title]).toEqual(['Earbuds', 'quiet earbuds'])
  expect(await fetched(topic?.id)).toMatchObject({ metadata: { prompts: 1, tracked: 1 } })
  expect(await fetched(prompt?.id)).toMatchObject({
    text: expect.stringMatching(/^<untrusted id=.{8}>quiet earbuds</),
    metadata: { topics: ['Earbuds'], tracked: true },
  })
})

test('a question is searched by the words that say something', async () => {
  const titles = async (query: string) =>
    (await found({ query, kinds: ['prompt', 'topic'] })).map(({ title }) => title)
  expect(await titles('What are the best headphones?')).toEqual(['best headphones'])
  expect(await titles('Which of our prompts are about earbuds?')).toEqual([
    'Earbuds',
    'quiet earbuds',
  ])
  expect(await titles('"best headphones"')).toEqual(['best headphones'])
  const { structure } = await callTool(await connect(api.url, key), 'search', {
    query: 'how is visibility calculated',
  })
  const { note, results } = structure as { note: string; results: Result[] }
  expect(note).toContain('No data has all of: visibility, calculated.')
  // Documentation that has most of the words stands in.
  expect(results[0]).toMatchObject({ kind: 'help', id: expect.stringMatching(/^help:/) })
})

test('help has its pages at the service', async () => {
  const [page] = await found({ query: 'interval significant', kinds: ['help'] })
  expect(page).toMatchObject({ id: expect.stringMatching(/^help:/), kind: 'help' })
  expect(await fetched(page?.id)).toMatchObject({
    url: page?.url,
    text: expect.stringContaining('#'),
  })
  const shown = await fetch(`${api.url}${new URL(page?.url ?? '').pathname}`)
  expect([shown.status, await shown.text()]).toEqual([200, expect.stringContaining('<h1 id=')])
})

test('a table over 32 kB is cut at a row, and goes on from there', async () => {
  const workspace = await api.workspace('enterprise')
  const many = await workspace.project()
  const mine = (await workspace.key()).key
  // Sixty prompts of 1,000 characters.
  const long = Array.from({ length: 60 }, (_, i) => ({
    prompt: `${String(i).padStart(3, '0')} ${'word '.repeat(200)}`,
    collectedAt: '2025-05-10T08:00:00Z',
    text: 'Nothing.',
  }))
  await workspace.load(many, long)
  const client = await connect(api.url, mine)
  const given = { project: many, report: 'visibility', by: 'prompt', ...may, limit: 60 }
  const seen: unknown[] = []
  let cursor: string | undefined
  do {
    const { text, structure } = await callTool(client, 'get_report', {
      ...given,
      ...(cursor && { cursor }),
    })
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(32 * 1024)
    const { page, ...table } = structure as unknown as Table
    seen.push(...recordsOf(table).map(({ prompt }) => prompt))
    cursor = page?.next
  } while (cursor)
  expect(seen.length).toBe(60)
  expect(new Set(seen).size).toBe(60)
})
