import { beforeAll, expect, test } from 'vitest'
import { useApi } from '../kit/api.ts'
import { asking, faultIn } from '../kit/changes.ts'
import { answers, brand } from '../kit/reports.ts'

const api = useApi()
let key = ''
let project = ''
const ask = asking(api, () => key)

beforeAll(async () => {
  const workspace = await api.workspace()
  key = (await workspace.key()).key
  project = await workspace.project(brand)
  await workspace.load(project, answers)
})

interface Result {
  readonly kind: string
  readonly title: string
  readonly snippet: string | null
  readonly node: Record<string, unknown>
}

async function found(args: string, fields = 'kind title snippet'): Promise<Result[]> {
  const { data, errors } = await ask(
    `{ project(id: "${project}") { search(${args}) { ${fields} } } }`,
  )
  expect(errors).toBeUndefined()
  return data.project?.search as Result[]
}

test('the kinds take turns, each with its best first', async () => {
  const results = await found('query: "acme"')
  expect(results.map(({ kind, title }) => [kind, title])).toEqual([
    ['brand', 'Acme'],
    ['source', 'acme.com'],
    ['page', 'https://acme.com/a'],
    // Six answers in the last year name Acme; the newest comes first.
    ['answer', 'best headphones'],
    ['answer', 'quiet earbuds'],
    ['answer', 'best headphones'],
    ['answer', 'quiet earbuds'],
    ['answer', 'best headphones'],
    ['answer', 'best headphones'],
  ])
  expect(results[3]?.snippet).toBe('Acme is excellent and I love it.')
})

test('words match in any order and case, phrases as they are, of the kinds alone', async () => {
  expect(await found('query: "HEADPHONES best"')).toEqual([
    { kind: 'prompt', title: 'best headphones', snippet: null },
  ])
  expect(await found(String.raw`query: "\"headphones best\""`)).toEqual([])
  expect(await found('query: "head", kinds: [topic]')).toEqual([
    { kind: 'topic', title: 'Headphones', snippet: null },
  ])
  // A page is found by its address: of three citations of it, one row.
  expect(await found('query: "wired /a", kinds: [page, source]')).toEqual([
    { kind: 'page', title: 'https://wired.com/a', snippet: 'https://wired.com/a' },
  ])
  expect(await found('query: "o", first: 2')).toHaveLength(2)
})

test('each result leads to its object', async () => {
  const node = `kind node { __typename ... on OwnBrand { name } ... on Competitor { name }
    ... on Topic { name } ... on Prompt { text } ... on SourceDomain { citedIn } ... on SourceUrl { citedIn }
    ... on Answer { text } }`
  const [own, source, page, answer] = await found('query: "acme"', node)
  expect(own?.node).toEqual({ __typename: 'OwnBrand', name: 'Acme' })
  expect(source?.node).toEqual({ __typename: 'SourceDomain', citedIn: 3 })
  expect(page?.node).toEqual({ __typename: 'SourceUrl', citedIn: 3 })
  expect(answer?.node).toEqual({ __typename: 'Answer', text: 'Acme is excellent and I love it.' })
  const [bose] = await found('query: "bose", kinds: [brand]', node)
  expect(bose?.node).toEqual({ __typename: 'Competitor', name: 'Bose' })
  const [topic, prompt] = await found('query: "earbuds"', node)
  expect(topic?.node).toEqual({ __typename: 'Topic', name: 'Earbuds' })
  expect(prompt?.node).toEqual({ __typename: 'Prompt', text: 'quiet earbuds' })
})

test('a query without a word is refused, and a project of others is not searched', async () => {
  const refused = await ask(`{ project(id: "${project}") { search(query: " ") { kind } } }`)
  expect(faultIn(refused)).toBe('invalid_argument query')
  const stranger = await (await api.workspace()).project()
  const foreign = await ask(`{ project(id: "${stranger}") { search(query: "a") { kind } } }`)
  expect(faultIn(foreign)).toMatch(/^forbidden/)
})
