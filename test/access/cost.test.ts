import { buildSchema, type GraphQLField, type GraphQLObjectType } from 'graphql'
import { beforeAll, describe, expect, test } from 'vitest'
import { printWithCosts } from '../../codegen/costs.ts'
import { countedLists } from '../../resolvers/projects/sizes.ts'
import { publicSchema } from '../../schema/index.ts'
import { countedIn, fieldCharge } from '../../schema/kit/cost/cost.ts'
import { type TestWorkspace, useApi } from '../kit/api.ts'

/** What documents cost, and the budget that they take it from. */

const api = useApi()
const small = useApi({}, undefined, { limits: { maxQueryCost: 10 } })

let project = ''
let topic = ''
let workspace: TestWorkspace
let newKey = async () => ''

beforeAll(async () => {
  workspace = await api.workspace('enterprise')
  project = await workspace.project()
  const names = Array.from({ length: 1000 }, (_, i) => ({ projectId: project, name: `Topic ${i}` }))
  const [{ id = '' } = {}] = await api.db.topic.createManyAndReturn({ data: names })
  topic = id
  const texts = Array.from({ length: 10 }, (_, i) => ({ projectId: project, text: `Prompt ${i}` }))
  await api.db.prompt.createMany({ data: texts })
  newKey = async () => (await workspace.key()).key
})

interface Answer {
  readonly errors?: readonly {
    readonly message: string
    readonly extensions: { readonly code: string; readonly cost?: number; readonly maxCost: number }
  }[]
  readonly extensions?: { readonly cost?: object }
}

/** Asks in a project, and says what the request cost and what is left. */
async function ask(
  selection: string,
  { key, variables, of = api }: { key?: string; variables?: object; of?: typeof api } = {},
) {
  const query = selection.startsWith('query')
    ? selection
    : `{ project(id: "${project}") { ${selection} } }`
  const response = await of.graphql(query, key ?? (await newKey()), variables)
  const { errors } = (await response.json()) as Answer
  return {
    status: response.status,
    cost: Number(response.headers.get('x-query-cost')),
    left: Number(response.headers.get('x-ratelimit-remaining')),
    ...(errors && { code: errors[0]?.extensions.code, problem: errors[0]?.extensions }),
  }
}

const reports =
  'visibility { summary { answerCount } } sentiment { summary { score } } ads { totalCount } ' +
  'sourceDomains { totalCount } prompts { totalCount }'

const reportsOfTopics = Array.from(
  { length: 10 },
  (_, i) => `r${i}: visibility { summary { answerCount } }`,
)

describe('a document', () => {
  test.each([
    ['name', 1],
    [reports, 6],
    [`one: visibility { summary { answerCount } } two: visibility { summary { answerCount } }`, 2],
    // A year has four quarters.
    ['visibility(window: { days: 92 }) { summary { answerCount } }', 1],
    ['visibility(window: { days: 93 }) { summary { answerCount } }', 2],
    ['visibility(window: { days: 365 }) { summary { answerCount } }', 4],
    // Ten domains hand their year to a list of answers, which costs 0.02 a quarter.
    ['sourceDomains(window: { days: 365 }, first: 10) { nodes { answers { totalCount } } }', 9],
    // An own window counts in place of that of the domain.
    [
      'sourceDomains(window: { days: 365 }, first: 50) { nodes { answers(window: { days: 7 }) { totalCount } } }',
      9,
    ],
    ['sourceUrls(window: { days: 365 }, first: 50) { nodes { coCitedUrls { totalCount } } }', 32],
    ['visibility(window: { from: "2025-01-01", to: "2025-06-30" }) { summary { answerCount } }', 2],
    // The list, and a fiftieth for each of its topics.
    ['topics(first: 20) { nodes { name } }', 1],
    ['topics(first: 100) { nodes { visibility { summary { answerCount } } } }', 3],
    ['topics(first: 100) { edges { node { visibility { summary { answerCount } } } } }', 3],
    ['topics { nodes { visibility { summary { answerCount } } } }', 2],
    [
      'topics(first: 20) { nodes { prompts(first: 10) { nodes { visibility { summary { answerCount } } } } } }',
      5,
    ],
    // A hundred topics, of each a hundred answers, and of these ten citations with a page: 210,100 objects.
    [
      'topics(first: 100) { nodes { answers(first: 100) { nodes { citations { page { url } } } } } }',
      21,
    ],
  ])('costs what its reports read: %s', async (selection, cost) => {
    expect(await ask(selection)).toEqual({ status: 200, cost, left: 600 - cost })
  })

  test('costs by its variables, and by what `@include` leaves of it', async () => {
    const query = `query Q($n: Int, $all: Boolean = false) {
      project(id: "${project}") { topics(first: $n) { nodes { ...All @include(if: $all) } } } }
      fragment All on Topic { visibility { summary { answerCount } } }`
    for (const variables of [{}, { n: null }, { n: 10 }]) {
      expect(await ask(query, { variables })).toMatchObject({ status: 200, cost: 1 })
    }
    expect(await ask(query, { variables: { n: 50, all: true } })).toMatchObject({ cost: 2 })
    expect(await ask(query, { variables: { n: 500, all: true } })).toMatchObject({ cost: 11 })
  })

  test('over the limit is refused with its cost, and takes one request', async () => {
    const first = (topics: number) =>
      ask(`topics(first: ${topics}) { nodes { visibility { summary { answerCount } } } }`, {
        of: small,
      })
    const refused = await first(476)
    expect(refused).toMatchObject({ status: 400, code: 'query_too_costly', cost: 11, left: 599 })
    expect(refused.problem).toMatchObject({ cost: 11, maxCost: 10 })
    expect(await first(474)).toMatchObject({ status: 200, cost: 10, left: 590 })
  })

  test('that spreads fragments in fragments is refused before it is counted through', async () => {
    const levels = Array.from(
      { length: 14 },
      (_, i) => `fragment F${i} on Topic { ...F${i + 1} ...F${i + 1} }`,
    )
    const query = `query Q { project(id: "${project}") { topic(id: "${topic}") { ...F0 } } }
      ${levels.join('\n')} fragment F14 on Topic { name }`
    expect(await ask(query)).toMatchObject({ status: 400, code: 'query_too_costly', left: 599 })
  })

  test('that repeats a field hundreds of times is refused before all pairs are compared', async () => {
    expect(await ask('name '.repeat(900))).toMatchObject({
      status: 400,
      code: 'query_too_costly',
      left: 599,
    })
  })

  test('with variables that are wrong is refused for them', async () => {
    const query = `query Q($n: Int) { project(id: "${project}") { topics(first: $n) { totalCount } } }`
    expect(await ask(query, { variables: { n: 'ten' } })).toMatchObject({
      status: 400,
      code: 'invalid_argument',
      left: 599,
    })
  })

  test('that is not valid costs its request', async () => {
    expect(await ask('nothing')).toMatchObject({ status: 400, cost: 1, left: 599 })
  })
})

/** Of a thousand topics: 1 for the list, and 200. */
const heavy = `topics(first: 1000) { nodes { ${reportsOfTopics.join(' ')} } }`

describe('a list', () => {
  test('costs what is there, of the projects that the document or the key reaches', async () => {
    const other = await api.workspace()
    const small = await other.project()
    await api.db.topic.create({ data: { projectId: small, name: 'Boots' } })
    await other.project({ name: 'Empty' })
    const { key } = await other.key()
    const costsOf = async (query: string) => (await ask(`query Q { ${query} }`, { key })).cost
    const topics = '{ nodes { visibility { summary { answerCount } } } }'
    // Ten reports of one topic, not of a thousand: 1 for the list, and 0.2.
    expect(
      await costsOf(
        `project(id: "${small}") { topics(first: 1000) { nodes { ${reportsOfTopics.join(' ')} } } }`,
      ),
    ).toBe(1)
    // 1 for the list of projects, 7 for each of two: 6 for its reports, and the topics, one of which has a report.
    expect(await costsOf(`projects { nodes { ${reports} topics ${topics} } }`)).toBe(15)
    expect(await costsOf(`projects { edges { node { ${reports} topics ${topics} } } }`)).toBe(15)
    // More than the catalog counts: 2 for the list, and a fiftieth for each of a thousand.
    expect(
      await costsOf(
        `project(id: "${small}") { sourceDomains(first: 1000) { nodes { answers { totalCount } } } }`,
      ),
    ).toBe(22)
  })
})

describe('a refusal', () => {
  const inTopics = (rows: string, selection: string) => `topics${rows} { nodes { ${selection} } }`
  const report = 'visibility { summary { answerCount } }'

  test.each([
    // 1, and a fiftieth for each: 451 topics cost 10.
    [`topics(first: 476) { nodes { ${report} } }`, ['project', 'topics'], 250, 6],
    // The longer of two lists.
    [
      `few: ${inTopics('(first: 60)', report)} all: ${inTopics('(first: 600)', report)}`,
      ['project', 'all'],
      250,
      8,
    ],
    // 1 for the list, and for each topic a fiftieth, and ten prompts of a fiftieth.
    [inTopics('', `prompts(first: 10) { nodes { ${report} } }`), ['project', 'topics'], 25, 7],
  ])(
    'names the list that counts most, and a page that passes: %s',
    async (selection, path, value, cost) => {
      const { problem } = await ask(selection, { of: small })
      const cheaper = { path, argument: 'first', value, cost }
      const page = `\`${path.join('.')}(first: ${value})\``
      expect(problem).toMatchObject({ cheaper, howToFix: expect.stringContaining(page) })
    },
  )

  test('names none where no list can be short enough', async () => {
    const many = Array.from({ length: 11 }, (_, i) => `r${i}: ${report}`).join(' ')
    const { problem } = await ask(many, { of: small })
    expect(problem).toMatchObject({ cost: 11, code: 'query_too_costly' })
    expect(problem).not.toHaveProperty('cheaper')
  })
})

describe('`X-Explain-Cost`', () => {
  const explained = async (selection: string, of = api, key?: string) => {
    const response = await fetch(`${of.url}/graphql`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key ?? (await newKey())}`,
        'content-type': 'application/json',
        'x-explain-cost': '1',
      },
      body: JSON.stringify({ query: `{ project(id: "${project}") { ${selection} } }` }),
    })
    return ((await response.json()) as Answer).extensions?.cost
  }

  test('adds what a document costs, what is left, and its costliest parts', async () => {
    const key = await newKey()
    const selection =
      'ads { totalCount } topics(first: 100) { nodes { sentiment { summary { score } } } }'
    const cost = {
      requested: 4,
      limit: 300,
      perMinute: 600,
      costliest: [
        { path: ['project', 'topics', 'nodes', 'sentiment'], cost: 2, times: 100 },
        { path: ['project', 'ads'], cost: 1, times: 1 },
        { path: ['project', 'topics'], cost: 1, times: 1 },
      ],
    }
    expect(await explained(selection, api, key)).toEqual({ ...cost, remaining: 596 })
    expect(await explained(selection, api, key)).toEqual({ ...cost, remaining: 592 })
  })

  test('says it of a document that is refused, and of objects where these cost most', async () => {
    const objects =
      'topics(first: 1000) { nodes { answers(first: 100) { nodes { citations { domain } } } } }'
    const answers = ['project', 'topics', 'nodes', 'answers']
    expect(await explained(objects, small)).toMatchObject({
      requested: 110,
      limit: 10,
      remaining: 599,
      costliest: [
        { path: [...answers, 'nodes', 'citations'], cost: 100, times: 100_000 },
        { path: answers, cost: 10, times: 1000 },
        { path: ['project', 'topics'], cost: 0.1, times: 1 },
      ],
    })
  })
})

describe('the budget of a key', () => {
  test('is one for documents and requests to REST; a cost that it cannot pay is given back', async () => {
    const key = await newKey()
    for (let i = 0; i < 2; i++) expect(await ask(heavy, { key })).toMatchObject({ cost: 201 })
    const { headers } = await api.get(`/api/mcp/projects/${project}`, key)
    expect(headers.get('x-ratelimit-remaining')).toBe('197')
    expect(await ask(heavy, { key })).toMatchObject({
      status: 429,
      code: 'rate_limited',
      left: 196,
    })
    expect(await ask('name', { key })).toMatchObject({ status: 200, left: 195 })
  })
})

describe('the schema', () => {
  const printed = printWithCosts(publicSchema)

  test('says what a field costs by the directives of the draft', () => {
    expect(() => buildSchema(printed)).not.toThrow()
    const fieldOf = (type: string, field: string) => {
      const body = new RegExp(`^type ${type} .*?^}`, 'ms').exec(printed)?.[0] ?? ''
      return new RegExp(`^ {2}${field}\\b(?:\\([^)]*\\))?: (.*)$`, 'm').exec(body)?.[1]
    }
    expect(fieldOf('Query', 'project')).toBe('Project')
    expect(fieldOf('Project', 'usage')).toBe('Usage @cost(weight: "1")')
    expect(fieldOf('Project', 'name')).toBe('String!')
    expect(printed).toContain(
      '): TopicConnection @cost(weight: "1") @listSize(assumedSize: 50, slicingArguments: ["first"], sizedFields: ["nodes", "edges"], requireOneSlicingArgument: false)',
    )
    expect(printed).toContain('): Visibility @cost(weight: "0.02")')
  })

  test('counts the rows of a list whose `first` has no rule, as asked for', () => {
    const plain = buildSchema(
      'type Query { list(first: Int = 5): RowConnection } type RowConnection { nodes: [Row] } type Row { id: ID }',
    )
    const type = plain.getQueryType() as GraphQLObjectType
    const list = type.getFields().list as GraphQLField<unknown, unknown>
    const rowsWith = (given: object) => fieldCharge(type, list, { ...given }).rows
    expect(rowsWith({ first: 200 })).toBe(200)
    for (const given of [{}, { first: null }]) expect(rowsWith(given)).toBe(10)
  })

  test('counts lists of types that it has', () => {
    const lists = Object.keys(publicSchema.getTypeMap()).flatMap((name) => countedIn(name) ?? [])
    expect(lists.length).toBe(16)
    expect(new Set(lists)).toEqual(new Set(countedLists))
  })

  test('says it to clients that ask for its directives', async () => {
    const query = 'query Q { __schema { directives { name } } }'
    const response = await api.graphql(query, await newKey())
    const { data } = (await response.json()) as {
      data: { __schema: { directives: { name: string }[] } }
    }
    const names = data.__schema.directives.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['cost', 'listSize']))
  })
})
