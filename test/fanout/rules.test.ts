import { beforeAll, describe, expect, test } from 'vitest'
import { type DateRange, lengthOf } from '../../core/window.ts'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { asking, faultIn } from '../kit/changes.ts'
import { askingRest, outcomeOf } from '../kit/prompts.ts'
import { countedStatements } from '../kit/statements.ts'

const statements = countedStatements()
const api = useApi({}, statements.log)

const unknown = '00000000-0000-4000-8000-000000000000'

interface Place {
  readonly workspace: TestWorkspace
  readonly project: string
  readonly key: string
  readonly prompt: string
  readonly topic: string
}

let growth: Place
let starter: Place

const lines = [
  {
    prompt: 'p',
    topic: 'T',
    collectedAt: '2025-05-10T08:00:00Z',
    searchQueries: ['one', 'two'],
  },
]

async function placeOn(plan: 'growth' | 'starter'): Promise<Place> {
  const workspace = await api.workspace(plan)
  const project = await workspace.project()
  await workspace.load(project, lines)
  const { id: prompt } = await api.db.prompt.findFirstOrThrow({ where: { projectId: project } })
  const { id: topic } = await api.db.topic.findFirstOrThrow({ where: { projectId: project } })
  return { workspace, project, key: (await workspace.key()).key, prompt, topic }
}

beforeAll(async () => {
  growth = await placeOn('growth')
  starter = await placeOn('starter')
})

const rest = askingRest(
  api,
  () => growth.project,
  () => growth.key,
)
const restOfStarter = askingRest(
  api,
  () => starter.project,
  () => starter.key,
)
const ask = asking(api, () => growth.key)

describe('arguments', () => {
  test.each([
    ['?days=0', '400 invalid_argument days'],
    ['?days=1.5', '400 invalid_argument days'],
    ['?days=7&from=2025-05-01&to=2025-05-02', '400 invalid_argument days'],
    ['?from=2025-05-01', '400 invalid_argument to'],
    ['?from=2025-02-30&to=2025-03-01', '400 invalid_argument from'],
    // 1 January to 30 June are 181 days.
    ['?from=2025-01-01&to=2025-06-30', '400 invalid_argument from'],
    ['?from=2025-01-02&to=2025-06-30', '200 ok'],
    ['?topQueriesLimit=0', '400 invalid_argument topQueriesLimit'],
    ['?topQueriesLimit=x', '400 invalid_argument topQueriesLimit'],
    ['?limit=0', '400 invalid_argument limit'],
    ['?offset=-1', '400 invalid_argument offset'],
    ['?branded=true&unbranded=true', '400 invalid_argument branded'],
    ['?platform=altavista', '400 invalid_argument platform'],
    ['?topicId=a&topicId=b', '400 invalid_argument topicId'],
    ['?topicId=T', '404 not_found'],
    [`?topicId=${unknown}`, '404 not_found'],
    ['?format=csv', '400 invalid_argument format'],
  ])('%s gives %s', async (query, outcome) => {
    expect(outcomeOf(await rest('GET', `/query-fanout${query}`))).toBe(outcome)
  })

  test('of one topic, not of several; a topic of another project is not found', async () => {
    const two = `${growth.topic},${growth.topic}`
    for (const [topicId, outcome] of [
      [two, '400 invalid_argument topicId'],
      [starter.topic, '404 not_found'],
    ] as const) {
      const reply = await rest('GET', `/query-fanout?topicId=${topicId}`)
      expect(outcomeOf(reply)).toBe(outcome)
      const { key, project } = growth
      const answer = await ask(
        `{ project(id: "${project}") { queryFanout(filter: { topicIds: ["${topicId}"] }) { summary { queryCount } } } }`,
        key,
      )
      expect([answer.data.project?.queryFanout, faultIn(answer)]).toEqual([
        null,
        'not_found filter.topicIds.0',
      ])
    }
  })

  test.each(['/query-fanout', '/query-fanout/prompts/{p}'])(
    '%s looks back 180 days at most: more days are clamped',
    async (path) => {
      const of = path.replace('{p}', growth.prompt)
      const days = ['', '?days=7', '?days=180', '?days=9007199254740993'].map(async (query) => {
        const { body } = await rest('GET', of + query)
        return lengthOf(body.dateRange as DateRange)
      })
      expect(await Promise.all(days)).toEqual([30, 7, 180, 180])
      const range = 'from=2025-01-01&to=2025-06-30'
      expect(outcomeOf(await rest('GET', `${of}?${range}`))).toBe('400 invalid_argument from')
    },
  )
})

describe('a plan without query fanout', () => {
  test.each(['/query-fanout', '/query-fanout/prompts/{p}'])(
    'refuses %s, and says that an upgrade helps',
    async (path) => {
      const reply = await restOfStarter('GET', path.replace('{p}', starter.prompt))
      expect(outcomeOf(reply)).toBe('403 plan_upgrade_required')
      expect(reply.body).toMatchObject({ requiresUpgrade: true })
    },
  )

  test.each([
    ['/query-fanout?days=0', '400 invalid_argument days'],
    ['/query-fanout?from=2025-01-01&to=2025-06-30', '400 invalid_argument from'],
    ['/query-fanout?platform=altavista', '400 invalid_argument platform'],
    [`/query-fanout?topicId=${unknown}`, '404 not_found'],
    ['/query-fanout/prompts/{p}?limit=0', '400 invalid_argument limit'],
    [`/query-fanout/prompts/${unknown}`, '404 not_found'],
    [`/query-fanout/prompts/${unknown}?days=0`, '400 invalid_argument days'],
  ])('is told after what else is wrong: %s gives %s', async (path, outcome) => {
    const reply = await restOfStarter('GET', path.replace('{p}', starter.prompt))
    expect(outcomeOf(reply)).toBe(outcome)
  })

  test('fails these fields alone in GraphQL, and reads nothing', async () => {
    statements.taken()
    const answer = await ask(
      `{ project(id: "${starter.project}") {
        name queryFanout(window: { days: 7 }) { summary { queryCount } } prompt(id: "${starter.prompt}") { fanoutQueries { nodes { query } } }
      } }`,
      starter.key,
    )
    expect(answer.data.project).toEqual({
      name: 'Acme',
      queryFanout: null,
      prompt: { fanoutQueries: null },
    })
    const codes = answer.errors?.map(({ extensions }) => extensions)
    const refusal = { code: 'plan_upgrade_required', requiresUpgrade: true }
    expect(codes).toMatchObject([refusal, refusal])
    expect(statements.taken()).toEqual([])
  })
})

describe('statements', () => {
  const window = 'from: "2025-05-01", to: "2025-05-31"'

  /** A page of another size each time, since what was read once is remembered. */
  async function taken(limit: number, selection: string) {
    statements.taken()
    const report = `queryFanout(window: { ${window} }, first: ${limit})`
    const { data, errors } = await ask(`{ projects { nodes { id ${report} ${selection} } } }`)
    expect(errors).toBeUndefined()
    const rows = data.projects?.nodes as unknown as {
      id: string
      queryFanout: Record<string, unknown>
    }[]
    return { rows, names: statements.taken().toSorted() }
  }

  test('are one for each part that is selected, for any number of projects', async () => {
    const { workspace, project } = growth
    const second = await workspace.project()
    await workspace.load(second, [
      ...lines,
      { prompt: 'q', collectedAt: '2025-05-11', searchQueries: ['two', 'TWO', 'three'] },
    ])
    await workspace.project()
    const summary = await taken(1, '{ summary { queryCount } }')
    expect(summary.names).toEqual(['fanout.prompts'])
    const all = await taken(
      2,
      `{ summary { queryCount } topQueries { query count }
      prompts: nodes { prompt { text } } modelStats { model } totalCount }`,
    )
    expect(all.names).toEqual(['fanout.models', 'fanout.prompts', 'fanout.queries'])
    const of = (id: string) => all.rows.find((row) => row.id === id)?.queryFanout
    expect(all.rows).toHaveLength(3)
    expect(of(project)).toMatchObject({
      summary: { queryCount: 2 },
      prompts: [{ prompt: { text: 'p' } }],
      modelStats: [{ model: 'chatgpt' }],
    })
    expect(of(second)).toMatchObject({
      summary: { queryCount: 5 },
      topQueries: [
        { query: 'two', count: 3 },
        { query: 'one', count: 1 },
        { query: 'three', count: 1 },
      ],
      prompts: [{ prompt: { text: 'q' } }, { prompt: { text: 'p' } }],
      totalCount: 2,
    })
  })
})
