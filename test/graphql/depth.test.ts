import { beforeAll, expect, test } from 'vitest'
import { useApi } from '../kit/api.ts'

const api = useApi()
let key = ''
let project = ''
let workspaceId = ''

beforeAll(async () => {
  const workspace = await api.workspace()
  workspaceId = workspace.id
  key = (await workspace.key({ scopes: ['admin'] })).key
  project = await workspace.project()
})

const window = 'window: { days: 30 }'

type Form = (rows: string) => string

/** A list in both forms. */
const forms: Readonly<Record<string, Form>> = {
  nodes: (rows) => `{ nodes { ${rows} } }`,
  'edges { node }': (rows) => `{ edges { node { ${rows} } } }`,
}

/** From the projects of a key to what crawlers read of the pages that answers cite: six lists. */
function honest(list: Form): string {
  const crawlers = `crawlers(${window}) { pages(first: 2) ${list('path')} }`
  const page = `page { metrics(${window}) { crawls { series { date } } } answers(${window}, first: 2) ${list(`platform { ${crawlers} }`)} }`
  const answers = `answers(${window}, first: 2) ${list(`citations { sourceUrl(${window}) { ${page} } }`)}`
  return `{ projects(first: 1) ${list(`topics(first: 2) ${list(`prompts(first: 2) ${list(answers)}`)}`)} }`
}

const cycle = (times: number, [open, close]: readonly [string, string]) =>
  `{ project(id: "${project}") { ${open.repeat(times)} id ${close.repeat(times)} } }`

async function ask(query: string) {
  const response = await api.graphql(query, key)
  const { errors } = (await response.json()) as { errors?: { message: string }[] }
  return { status: response.status, message: errors?.[0]?.message }
}

test.each(Object.entries(forms))('a question of six lists is answered in `%s`', async (_, list) => {
  expect(await ask(honest(list))).toEqual({ status: 200, message: undefined })
})

test.each([
  ['lists in `nodes`', ['topics { nodes { prompts { nodes { topics {', '} } } } }']],
  [
    'lists in edges',
    ['prompts { edges { node { answers { edges { node { prompt {', '} } } } } } }'],
  ],
  ['objects', ['workspace { apiKeys { nodes { project {', '} } } }']],
] as const)('a cycle of 40 %s is refused', async (_, parts) => {
  const text = cycle(40, [`${parts[0]} `, parts[1]])
  expect(await ask(text)).toEqual({
    status: 400,
    message: expect.stringMatching(/ limit of \d+ exceeded/),
  })
})

test('eight lists are too many, however few levels they take', async () => {
  const eight = 'prompts { nodes { answers { nodes { prompt { '
  const text = `{ projects { nodes { topics { nodes { ${eight.repeat(3)} id ${'} } } } } '.repeat(3)} } } } } }`
  expect(await ask(text)).toEqual({
    status: 400,
    message: 'Nested lists limit of 7 exceeded, found 8.',
  })
})

test('a fragment that is spread in fragments again and again is refused in no time', async () => {
  const levels = Array.from(
    { length: 40 },
    (_, i) => `fragment F${i} on Workspace { ...F${i + 1} ...F${i + 1} }`,
  )
  const last = 'fragment F40 on Workspace { name }'
  const text = `{ workspace(id: "${workspaceId}") { ...F0 } } ${[...levels, last].join(' ')}`
  const before = performance.now()
  expect(await ask(text)).toEqual({
    status: 400,
    message: 'The document selects more than 10000 fields.',
  })
  expect(performance.now() - before).toBeLessThan(60_000)
})
