import { beforeAll, expect, test } from 'vitest'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { flat } from '../kit/graphql/flat.ts'

const api = useApi()
let workspace: TestWorkspace
let key = ''

beforeAll(async () => {
  workspace = await api.workspace()
  key = (await workspace.key()).key
})

const may = 'from=2025-05-01&to=2025-05-31'
const inMay = 'window: { from: "2025-05-01", to: "2025-05-31" }'
const competitors = Array.from({ length: 30 }, (_, i) => ({
  name: `Rival${String(i + 1).padStart(2, '0')}x`,
  domain: `rival${i + 1}.com`,
}))
const names = competitors.map(({ name }) => name)

interface Ranking {
  readonly entities: readonly {
    readonly name: string
    readonly rank: number
    readonly isBrand: boolean
  }[]
  readonly hasMore: boolean
}

/** Names and ranks at both doors. */
async function rankingOf(project: string): Promise<Ranking> {
  const path = `/api/mcp/projects/${project}/visibility?${may}&include=industryRanking`
  const { industryRanking } = (await (await api.get(path, key)).json()) as {
    industryRanking: Ranking
  }
  const ranking =
    'industryRanking { entities { name: brand { name } rank isBrand: brand { isOwn } } hasMore }'
  const query = `{ project(id: "${project}") { visibility(${inMay}) { ${ranking} } } }`
  const entities = industryRanking.entities.map(({ name, rank, isBrand }) => {
    return { name, rank, isBrand }
  })
  expect(flat(await (await api.graphql(query, key)).json())).toEqual({
    data: { project: { visibility: { industryRanking: { ...industryRanking, entities } } } },
  })
  return industryRanking
}

test('the own brand stays among the 25 of the ranking, with its own rank', async () => {
  const project = await workspace.project({ competitors })
  // All thirty competitors are named, and Acme is not: it is the 31st.
  await workspace.load(project, [{ text: `${names.join(', ')}.` }])
  const { entities, hasMore } = await rankingOf(project)
  expect(entities).toHaveLength(25)
  expect(hasMore).toBe(true)
  expect(entities.slice(0, 24).map(({ name }) => name)).toEqual(names.slice(0, 24))
  expect(entities[24]).toMatchObject({ name: 'Acme', rank: 31, mentions: 0, isBrand: true })
})

test('the own brand of rank 25 has its place', async () => {
  const project = await workspace.project({ competitors })
  await workspace.load(project, [
    { text: `${names.slice(0, 24).join(', ')}.`, run: 1 },
    { text: 'Acme.', run: 2 },
    { text: `${names.slice(0, 24).join(', ')}.`, run: 3 },
  ])
  const { entities } = await rankingOf(project)
  expect(entities.map(({ rank }) => rank)).toEqual(Array.from({ length: 25 }, (_, i) => i + 1))
  expect(entities[24]).toMatchObject({ name: 'Acme', rank: 25, mentions: 1 })
})
