import {
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from 'graphql'
import { beforeAll, describe, expect, test } from 'vitest'
import { publicSchema } from '../../schema/index.ts'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { makeNeighbours, window } from '../kit/graphql/neighbours.ts'
import { graphRequests, triedExecutors } from '../kit/graphql/requests.ts'

const api = useApi()
const request = graphRequests(api)

interface Node {
  readonly __typename: string
  readonly nodeId: string
  /** Absent in objects that their name identifies. */
  readonly id?: string
}

let workspace: TestWorkspace
let key = ''
let project = ''
const found = new Map<string, Node[]>()

const fields = '__typename nodeId id'
const named = {
  SourceUrl: 'url rank citationRate citedIn title',
  SourceDomain: 'domain rank citationRate citationCount pageCount models',
  FanoutQuery: 'query count promptCount',
  Platform: 'slug',
}
const ofNamed = (type: keyof typeof named) => `nodes { __typename nodeId ${named[type]} }`
const lists = `id nodeId __typename ownBrand { ${fields} } topics { nodes { ${fields} } } locations { nodes { ${fields} } }
  platforms { nodes { __typename nodeId slug } } competitors { nodes { ${fields} } }
  articles { nodes { ${fields} } } issues { nodes { ${fields} } } opportunities { nodes { ${fields} } }
  sourceUrls(${window}) { ${ofNamed('SourceUrl')} } sourceDomains(${window}) { ${ofNamed('SourceDomain')} }
  fanoutOfTopics: topics { nodes { fanoutQueries(${window}) { ${ofNamed('FanoutQuery')} } } }
  answers(${window}, first: 20) { nodes { ${fields} page: prompt { ${fields} } citations { page { ${fields} } } } }`

beforeAll(async () => {
  workspace = await api.workspace()
  key = (await workspace.key()).key
  project = await makeNeighbours(api, workspace, 20)
  const { data } = await request(key, `{ project(id: "${project}") { ${lists} } }`)
  const collect = (value: unknown) => {
    if (value === null || typeof value !== 'object') return
    if ('nodeId' in value) {
      const row = value as Node
      found.set(row.__typename, [...(found.get(row.__typename) ?? []), row])
    }
    Object.values(value).forEach(collect)
  }
  collect(data)
})

const inFragments = () =>
  [...found.keys()]
    .map((type) => `... on ${type} { ${type in named ? named[type as keyof typeof named] : 'id'} }`)
    .join(' ')
const ask = (ids: readonly string[], of = key) =>
  request(of, `{ nodes(ids: ${JSON.stringify(ids)}) { __typename nodeId ${inFragments()} } }`).then(
    ({ data, ...taken }) => ({ nodes: data.nodes as (Node | null)[], taken }),
  )

test('every type is found by its nodeId, in order', async () => {
  expect([...found.keys()].sort()).toEqual([
    'Answer',
    'Article',
    'Competitor',
    'FanoutQuery',
    'Issue',
    'Location',
    'Opportunity',
    'OwnBrand',
    'Page',
    'Platform',
    'Project',
    'Prompt',
    'SourceDomain',
    'SourceUrl',
    'Topic',
  ])
  const wanted = [...found.values()].map(([first]) => first as Node).toReversed()
  const { nodes } = await ask(wanted.map(({ nodeId }) => nodeId))
  const own = ({ __typename, nodeId, id, ...numbers }: Node) =>
    __typename in named ? { __typename, nodeId, ...numbers } : { __typename, nodeId, id }
  expect(nodes).toEqual(wanted.map(own))
})

test('an id belongs to one object of the service', () => {
  const all = new Map(
    [...found.values()].flat().map(({ nodeId: _nodeId, ...row }) => [JSON.stringify(row), _nodeId]),
  )
  expect(new Set(all.values()).size).toBe(all.size)
})

const nodesOf = (connection: GraphQLObjectType): GraphQLOutputType =>
  connection.getFields().nodes?.type ?? connection

/** Whether the rows of a list, or the objects beside their values, have an `id`. */
function hasIds(type: GraphQLObjectType): boolean {
  const of = getNamedType(nodesOf(type))
  if (!isObjectType(of)) return false
  const below = Object.values(of.getFields()).filter(({ args }) => args.length === 0)
  return [of, ...below.map((field) => getNamedType(field.type))].some(
    (each) => isObjectType(each) && 'id' in each.getFields(),
  )
}

/** The values of an object, and those of the objects below it, as deep as asked. */
function valuesOf(type: GraphQLNamedType, depth: number): string {
  if (!isObjectType(type)) return '{ __typename }'
  const fields = Object.values(type.getFields()).filter(({ args }) => args.length === 0)
  const shown = fields.flatMap((field) => {
    const of = getNamedType(field.type)
    if (isLeafType(of)) return [field.name]
    return depth > 0 && isObjectType(of) ? [`${field.name} ${valuesOf(of, depth - 1)}`] : []
  })
  return `{ __typename ${shown.join(' ')} }`
}

test('an object of another project, or of another window, never has the same type and `id`', async () => {
  await makeNeighbours(api, workspace, 2)
  const projectType = publicSchema.getType('Project') as GraphQLObjectType
  const seen = new Map<string, string>()
  const collect = (value: unknown): void => {
    if (value === null || typeof value !== 'object') return
    const { __typename: type, id, ...rest } = value as Record<string, unknown>
    if (typeof type === 'string' && id !== undefined) {
      const leaves = Object.entries(rest).filter(([, of]) => typeof of !== 'object')
      const name = `${type} ${id} `
      const content = JSON.stringify(leaves.map(([, of]) => of))
      const shape = name + leaves.map(([key]) => key).join(' ')
      expect([name, seen.get(shape) ?? content]).toEqual([name, content])
      seen.set(shape, content)
    }
    Object.values(value).forEach(collect)
  }
  const fieldsIn = (span: string) =>
    Object.values(projectType.getFields()).flatMap(({ name, args, type }) => {
      const of = getNamedType(type)
      if (!isObjectType(of) || args.some(isRequiredArgument) || !hasIds(of)) return []
      const has = (arg: string) => args.some((each) => each.name === arg)
      const given = [...(has('window') ? [span] : []), ...(has('first') ? ['first: 20'] : [])]
      const list = getNamedType(nodesOf(of))
      const values = valuesOf(list, 1)
      const called = given.length > 0 ? `${name}(${given.join(', ')})` : name
      return [`${called} ${list === of ? values : `{ nodes ${values} }`}`]
    })
  const { key: admin } = await workspace.key({ scopes: ['admin'] })
  for (const span of [window, 'window: { from: "2025-05-10", to: "2025-05-10" }']) {
    collect(
      (await request(admin, `{ projects(first: 2) { nodes { ${fieldsIn(span).join(' ')} } } }`))
        .data,
    )
  }
  expect(seen.size).toBeGreaterThan(20)
})

test('an id of the wrong kind is distinguished from a missing object', async () => {
  const nodeId = found.get('Project')?.[0]?.nodeId ?? ''
  const refused = async (text: string) =>
    (await (await api.graphql(text, key)).json()).errors[0].message
  expect(await refused(`{ node(id: "${project}") { __typename } }`)).toContain('must be a `nodeId`')
  expect(await refused(`{ nodes(ids: ["${nodeId}", "${project}"]) { __typename } }`)).toContain(
    '`ids.1`',
  )
  expect(await refused(`{ project(id: "${nodeId}") { name } }`)).toContain(
    'must be the `id` of a project',
  )
})

describe('a node is null', () => {
  const encode = (text: string) => Buffer.from(text).toString('base64url')

  const may = { from: '2025-05-01', to: '2025-05-31' }
  const asked = (type: string, name: string, more = {}) =>
    encode(`${type}:${project}:${JSON.stringify([name, { ...may, ...more }])}`)

  test('where it does not exist, or the id is none', async () => {
    const missing = [
      '',
      'no id',
      encode('Prompt'),
      encode(`Prompt:${project}:${project}`),
      encode(`Nothing:${project}:${project}`),
      encode(`constructor:${project}:${project}`),
      encode(`Answer:${project}:no-uuid`),
      encode('Topic:no-uuid:no-uuid'),
      encode(`Issue:${project}:no-uuid`),
      encode(`Article:${project}:no-uuid`),
      encode(`Opportunity:${project}:no-uuid`),
      encode(`SourceUrl:${project}:https://site-1.com/`),
      encode(`SourceUrl:${project}:["https://site-1.com/",{"from":"2025-05-01"}]`),
      asked('SourceUrl', 'https://nowhere.com/'),
      asked('SourceUrl', 'https://site-1.com/', { slice: { by: 'prompt', id: 'no-uuid' } }),
      asked('SourceDomain', 'site-1.com', { slice: { by: 'url', id: 'no url' } }),
      asked('SourceDomain', 'nowhere.com'),
      asked('FanoutQuery', 'nobody asked'),
    ]
    expect((await ask(missing)).nodes).toEqual(missing.map(() => null))
  })

  test('for keys of strangers, and for keys that are bound to another project', async () => {
    const ids = [...found.values()].map(([first]) => first?.nodeId ?? '')
    const strangers = await api.workspace()
    const elsewhere = await strangers.project()
    const stranger = (await strangers.key()).key
    const bound = (await strangers.key({ projectId: elsewhere })).key
    for (const other of [stranger, bound]) {
      expect((await ask(ids, other)).nodes).toEqual(ids.map(() => null))
      const one = await request(other, `{ node(id: "${ids[0]}") { nodeId } }`)
      expect(one.data).toEqual({ node: null })
    }
  })

  test('for an object under the id of another project', async () => {
    const mine = await (await api.workspace()).project()
    for (const [type, [row]] of found) {
      if (['Project', 'Platform'].includes(type)) continue
      const [, , ...id] = Buffer.from(row?.nodeId ?? '', 'base64url')
        .toString()
        .split(':')
      expect((await ask([encode([type, mine, ...id].join(':'))])).nodes).toEqual([null])
    }
  })
})

test.each(triedExecutors)(
  'nodes of a type take as many statements for 20 as for one, with %s',
  async (executor) => {
    for (const [type, rows] of found) {
      const ids = [...new Set(rows.map(({ nodeId }) => nodeId))]
      const taken = async (some: readonly string[]) => {
        const text = `{ nodes(ids: ${JSON.stringify(some)}) { nodeId } }`
        const { statements, ofCatalog } = await request(key, text, executor)
        return { type, statements, ofCatalog }
      }
      expect(await taken(ids)).toEqual(await taken(ids.slice(0, 1)))
    }
  },
)

test('more nodes than 100 are refused', async () => {
  const ids = Array.from({ length: 101 }, () => 'x')
  const text = `{ nodes(ids: ${JSON.stringify(ids)}) { nodeId } }`
  const body = (await (await api.graphql(text, key)).json()) as { errors: { message: string }[] }
  expect(JSON.stringify(body.errors)).toContain('at most 100')
})
