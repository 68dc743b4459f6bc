import {
  type GraphQLField,
  getNamedType,
  isInterfaceType,
  isObjectType,
  isRequiredArgument,
} from 'graphql'
import { beforeAll, expect, test } from 'vitest'
import { publicSchema } from '../../../schema/index.ts'
import { useApi } from '../../kit/api.ts'
import { type List, listAsker, makeNeighbours, window } from '../../kit/graphql/neighbours.ts'
import { graphRequests } from '../../kit/graphql/requests.ts'
import { isSoak } from '../../kit/soak.ts'

const api = useApi()
const request = graphRequests(api)

let key = ''
let project = ''

beforeAll(async () => {
  const workspace = await api.workspace()
  await api.db.workspace.update({ where: { id: workspace.id }, data: { plan: 'enterprise' } })
  key = (await workspace.key({ scopes: ['admin'] })).key
  project = await makeNeighbours(api, workspace, 2)
})

const ask = listAsker(request, () => key)

const isConnection = ({ type }: GraphQLField<unknown, unknown>) =>
  getNamedType(type).name.endsWith('Connection')

/** The lists of a type that take no argument of their own, with the days of the data. */
function listsOf(type: string): string[] {
  const found = publicSchema.getType(type)
  if (!isObjectType(found) && !isInterfaceType(found)) throw new Error(`no type ${type}`)
  return Object.values(found.getFields())
    .filter((field) => isConnection(field) && !field.args.some(isRequiredArgument))
    .map(({ name, args }) => {
      const days = args.some((arg) => arg.name === 'window') ? `, ${window}` : ''
      return `${name}(first: 1${days}) { totalCount nodes { __typename } pageInfo { hasNextPage } }`
    })
}

interface Found {
  readonly totalCount: number | null
  readonly nodes: readonly unknown[]
  readonly pageInfo: { readonly hasNextPage: boolean }
}

/** Lists whose number is not the one of a reader who pages to the end. */
function wrong(rows: readonly object[], type: string): string[] {
  return rows.flatMap((row) =>
    Object.entries(row as Record<string, Found | null>)
      .filter(([, list]) => {
        if (list === null) return true
        const { totalCount, nodes, pageInfo } = list
        if (totalCount === null) return true
        return pageInfo.hasNextPage ? totalCount <= 1 : totalCount !== nodes.length
      })
      .map(([name]) => `${type}.${name}`),
  )
}

test('every list of a project counts its rows', async () => {
  const faults: string[] = []
  for (const list of listsOf('Project')) {
    const { data } = await request(key, `{ project(id: "${project}") { ${list} } }`)
    faults.push(...wrong([data.project as object], 'Project'))
  }
  expect(faults).toEqual([])
})

test('lists that need an argument count their rows', async () => {
  const page = '{ totalCount nodes { __typename } pageInfo { hasNextPage } }'
  const found = await request(
    key,
    `{ project(id: "${project}") { shopping(${window}) { nodes { id: productId } } topics { nodes { id } } } }`,
  )
  const { shopping, topics } = found.data.project as Record<string, { nodes: { id: string }[] }>
  const lists = [
    `shoppingProduct(productId: "${shopping?.nodes[0]?.id}", ${window}, first: 1) ${page}`,
    `promptRankings(topicId: "${topics?.nodes[0]?.id}", ${window}, first: 1) ${page}`,
    `connectorData(dataset: prompts, first: 1) ${page}`,
  ]
  const { data } = await request(key, `{ project(id: "${project}") { ${lists.join(' ')} } }`)
  expect(wrong([data.project as object], 'Project')).toEqual([])
})

const parents: readonly (readonly [List, string])[] = [
  ['topics', 'Topic'],
  ['prompts', 'Prompt'],
  ['platforms', 'Platform'],
  ['locations', 'Location'],
  ['pages', 'Page'],
  ['sourceUrls', 'SourceUrl'],
  ['sourceDomains', 'SourceDomain'],
  ['competitors', 'Competitor'],
  ['queryFanout', 'FanoutQuery'],
  ['crawlers', 'Crawler'],
  ['answers', 'Answer'],
]

if (isSoak) {
  test.each(parents)('every list of %s counts its rows', async (list, type) => {
    const fields = listsOf(type)
    if (fields.length === 0) return
    const { rows } = await ask(project, list, fields.join(' '))
    expect(rows.length).toBeGreaterThan(0)
    expect([...new Set(wrong(rows, type))]).toEqual([])
  })
}

test('a page beyond the end knows the number of rows before it', async () => {
  const read = async (after = '') => {
    const sources = `sources(first: 2, ${window}${after}) { totalCount nodes { domain } pageInfo { endCursor } }`
    const { data } = await request(
      key,
      `{ project(id: "${project}") { topics(first: 1) { nodes { ${sources} } } } }`,
    )
    const { topics } = data.project as {
      topics: { nodes: { sources: { totalCount: number; pageInfo: { endCursor: string } } }[] }
    }
    return topics.nodes[0]?.sources
  }
  const first = await read()
  expect(first).toMatchObject({ totalCount: 2, nodes: [{}, {}] })
  const beyond = await read(`, after: "${first?.pageInfo.endCursor}"`)
  expect(beyond).toMatchObject({ totalCount: 2, nodes: [] })
})
