import { type GraphQLField, getNamedType, isListType, isNonNullType, isObjectType } from 'graphql'
import { beforeAll, describe, expect, test } from 'vitest'
import { scriptView } from '../../rest/graph/view.ts'
import { publicSchema, restSchema, scriptSchema } from '../../schema/index.ts'
import { useApi } from '../kit/api.ts'

/** One vocabulary of arguments and words in the graph; REST keeps the words of the contract. */

const api = useApi()

let project = ''
let key = ''

beforeAll(async () => {
  const workspace = await api.workspace()
  project = await workspace.project()
  key = (await workspace.key()).key
  const citing = (...urls: string[]) => ({ citations: urls.map((url) => ({ url })) })
  await workspace.load(project, [
    { collectedAt: '2025-05-10T08:00:00Z', ...citing('https://a.com/1', 'https://b.com/how-to-x') },
    { collectedAt: '2025-05-11T08:00:00Z', ...citing('https://a.com/1') },
  ])
})

const window = 'window: { from: "2025-05-01", to: "2025-05-31" }'

async function ask(fields: string) {
  const response = await api.graphql(`{ project(id: "${project}") { ${fields} } }`, key)
  return (await response.json()) as { data: { project: Record<string, unknown> }; errors?: unknown }
}

async function rest(path: string) {
  const response = await api.get(
    `/api/mcp/projects/${project}${path}&from=2025-05-01&to=2025-05-31`,
    key,
  )
  return (await response.json()) as Record<string, Record<string, unknown>[]>
}

const queries = Object.values(publicSchema.getTypeMap())
  .filter(isObjectType)
  .filter(({ name }) => name !== 'Mutation' && name !== 'Subscription' && !name.startsWith('__'))
  .flatMap((type) => Object.values(type.getFields()).map((field) => ({ type, field })))

const argumentsOf = ({ args }: GraphQLField<unknown, unknown>) => args

describe('arguments of the graph', () => {
  test('name a window and filters in one way', () => {
    const flat =
      'days weeks from to startDate endDate platform country locationId unbranded branded'
    const strays = queries.flatMap(({ type, field }) =>
      argumentsOf(field)
        .filter(({ name }) => flat.split(' ').includes(name))
        .map(({ name }) => `${type.name}.${field.name}(${name})`),
    )
    expect(strays).toEqual([])
  })

  test('have one type for `window`, and a filter for `filter`', () => {
    const typesOf = (asked: string) => [
      ...new Set(
        queries.flatMap(({ field }) =>
          argumentsOf(field).flatMap(({ name, type }) => (name === asked ? [String(type)] : [])),
        ),
      ),
    ]
    expect(typesOf('window')).toEqual(['Window'])
    for (const type of typesOf('filter')) expect(type).toMatch(/Filter$/)
  })

  test('that take several values have a plural name', () => {
    const several = queries.flatMap(({ field }) =>
      argumentsOf(field).flatMap(({ name, type }) =>
        isListType(isNonNullType(type) ? type.ofType : type) ? [name] : [],
      ),
    )
    for (const name of several) expect(name).toMatch(/s$/)
  })
})

describe('words of the contract', () => {
  test('are enums in the graph, and texts in REST and for scripts', () => {
    const words = Object.values(publicSchema.getTypeMap()).filter(
      ({ extensions }) => extensions.isWords,
    )
    expect(words.length).toBeGreaterThanOrEqual(7)
    const scripts = scriptView(scriptSchema)
    // The words of an argument stay listed, for those who write scripts.
    const ofArguments = new Set(
      Object.values(scripts.getTypeMap())
        .filter(isObjectType)
        .flatMap((type) => Object.values(type.getFields()))
        .flatMap(({ args }) => args.map(({ type }) => getNamedType(type).name)),
    )
    for (const { name } of words) {
      const inScripts = ofArguments.has(name) ? name : undefined
      expect([name, restSchema.getType(name), scripts.getType(name)?.name]).toEqual([
        name,
        undefined,
        inScripts,
      ])
    }
  })

  test('sort and narrow at both doors alike', async () => {
    const rows = (list: string) => `${list} { domain type }`
    const { data, errors } = await ask(
      `up: sourceDomains(${window}, sort: citations_asc) { ${rows('nodes')} }
       down: sourceDomains(${window}) { ${rows('nodes')} }
       other: sourceDomains(${window}, filter: { sourceTypes: [other, third_party] }) { ${rows('nodes')} }`,
    )
    expect(errors).toBeUndefined()
    const shown = async (query: string) => ({
      nodes: (await rest(`/sources/domains?${query}`)).sources?.map(({ domain, type }) => ({
        domain,
        type,
      })),
    })
    expect(data.project).toEqual({
      up: await shown('sort=citations'),
      down: await shown('sort=-citations'),
      other: await shown('sourceType=other,third_party'),
    })
    const { nodes } = data.project.up as { nodes: { domain: string }[] }
    expect(nodes.map(({ domain }) => domain)).toEqual(['b.com', 'a.com'])
  })

  test('write `_` for the `-` of REST', async () => {
    const { data } = await ask(
      `sourceTrend(${window}, group: top_domains) { citations { citationCount } }
       sourceUrls(${window}, filter: { contentTypes: [how_to] }) { nodes { url contentType } }`,
    )
    const { citations } = await rest('/sources/trend?group=top-domains')
    expect(data.project.sourceTrend).toEqual({
      citations: citations?.map(({ citationCount }) => ({ citationCount })),
    })
    expect(data.project.sourceUrls).toEqual({
      nodes: [{ url: 'https://b.com/how-to-x', contentType: 'how_to' }],
    })
  })

  test('that are unknown are refused before anything is read', async () => {
    const { errors } = await ask(`sourceDomains(sort: rank) { totalCount }`)
    expect(JSON.stringify(errors)).toContain('must be one of citations_asc')
  })
})
