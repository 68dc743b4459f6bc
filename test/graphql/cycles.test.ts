import { beforeAll, expect, test } from 'vitest'
import { useApi } from '../kit/api.ts'
import { countStatements } from '../kit/catalog-statements.ts'

/** Ways through the graph that come back to where they began. */

const api = useApi()
let key = ''
let project = ''

beforeAll(async () => {
  const workspace = await api.workspace('enterprise')
  key = (await workspace.key({ scopes: ['read', 'admin'] })).key
  project = await workspace.project()
  for (let i = 0; i < 4; i++) await workspace.key({ projectId: await workspace.project() })
})

const times = (count: number, [open, close]: readonly [string, string]) =>
  `{ project(id: "${project}") { ${`${open} `.repeat(count)} ${`${close} `.repeat(count)} } }`
const keys = (first: number) =>
  [`workspace { apiKeys(first: ${first}) { nodes { project { name`, '} } } }'] as const

const ask = (count: number, cycle: readonly [string, string]) =>
  countStatements(api, key, times(count, cycle))

test('keys of a workspace take two statements a level, however many there are', async () => {
  const depths = [2, 4, 6]
  const counts = []
  for (const depth of depths) counts.push((await ask(depth, keys(1))).statements)
  expect(counts).toEqual([7, 11, 15])
  // 4 keys at each level: 4,096 at the last.
  const many = await ask(6, keys(4))
  expect(many.statements).toBe(15)
  expect(many.values).toBeLessThanOrEqual(5)
})

test('projects of a workspace take no more statements at any depth', async () => {
  const cycle = ['workspace { projects(first: 3) { nodes { name', '} } }'] as const
  const counts = []
  for (const depth of [2, 4, 6]) counts.push((await ask(depth, cycle)).statements)
  expect(new Set(counts).size).toBe(1)
})
