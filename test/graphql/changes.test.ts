import { getNamedType, isObjectType, isScalarType } from 'graphql'
import { beforeAll, describe, expect, test } from 'vitest'
import { publicSchema } from '../../schema/index.ts'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { flat } from '../kit/graphql/flat.ts'
import { graphRequests } from '../kit/graphql/requests.ts'

const api = useApi()
const request = graphRequests(api)

const window = 'window: { from: "2025-05-11", to: "2025-05-20" }'
const change = '{ change interval { low high } isSignificant }'

let workspace: TestWorkspace
let key = ''

/** How many of six answers name the brand, by prompt, in each window. */
interface Named {
  readonly before: readonly number[]
  readonly now: readonly number[]
}

/** Six answers to each prompt in both windows. */
function linesOf({ before, now }: Named) {
  const windows = [
    { collectedAt: '2025-05-05', mentions: before },
    { collectedAt: '2025-05-15', mentions: now },
  ]
  return windows.flatMap(({ collectedAt, mentions }) =>
    mentions.flatMap((times, prompt) =>
      Array.from({ length: 6 }, (_, i) => ({
        prompt: `Which ${prompt}?`,
        topic: prompt < 5 ? 'Audio' : 'Video',
        run: i + 1,
        collectedAt,
        text: i < times ? 'Bose is good, and Acme is excellent.' : 'Bose is overpriced.',
      })),
    ),
  )
}

async function loaded(named: Named): Promise<string> {
  const id = await workspace.project({ competitors: [{ name: 'Bose', domain: 'bose.com' }] })
  await workspace.load(id, linesOf(named))
  return id
}

async function ask(project: string, fields: string): Promise<Record<string, unknown>> {
  const { data } = await request(key, `{ project(id: "${project}") { ${fields} } }`)
  return data.project as Record<string, unknown>
}

/** @param filter of the answers, as the field's argument */
const visibilityOf = (filter = '') => `visibility(${window}, ${filter} compare: previous_period) {
  summary { changes { visibilityScore ${change} averagePosition ${change} } } }`
const visibility = visibilityOf()

beforeAll(async () => {
  workspace = await api.workspace('growth')
  key = (await workspace.key()).key
})

describe('a change', () => {
  test.each([
    // Each prompt moved alike: nothing is left to chance.
    {
      name: 'of all prompts alike',
      before: [0, 0, 0, 0, 0],
      now: [3, 3, 3, 3, 3],
      score: { change: 50, interval: { low: 50, high: 50 }, isSignificant: true },
    },
    // Three prompts moved by all their answers, two by none: 60 ± 2.776 · √(5 ⁄ 4 · (3 · 8² + 2 · 12²)).
    {
      name: 'of three prompts in five',
      before: [0, 0, 0, 0, 0],
      now: [6, 6, 6, 0, 0],
      score: { change: 60, interval: { low: -8.01, high: 128.01 }, isSignificant: false },
    },
    {
      name: 'of nothing',
      before: [2, 1, 3, 0, 6],
      now: [2, 1, 3, 0, 6],
      score: { change: 0, interval: { low: 0, high: 0 }, isSignificant: false },
    },
  ])('$name has the interval that a reader can count', async ({ before, now, score }) => {
    const project = await loaded({ before, now })
    const report = await ask(project, visibility)
    expect(report).toMatchObject({
      visibility: { summary: { changes: { visibilityScore: score } } },
    })
  })

  test('of four prompts says nothing of chance', async () => {
    const project = await loaded({ before: [0, 0, 0, 0], now: [6, 6, 6, 6] })
    expect(await ask(project, visibility)).toMatchObject({
      visibility: {
        summary: {
          changes: { visibilityScore: { change: 100, interval: null, isSignificant: null } },
        },
      },
    })
  })
})

test('a report and an investigation say the same of a change', async () => {
  const project = await loaded({ before: [1, 4, 2, 6, 3, 5], now: [2, 6, 2, 5, 6, 6] })
  const compared = `${window}, compare: previous_period`
  const found = await ask(
    project,
    `${visibility}
     shareOfVoice(${compared}) { own { change ${change} } }
     sentiment(${compared}) { summary { changes { score ${change} } } }`,
  )
  const changesOf = (report: string) =>
    (found[report] as { summary: { changes: Record<string, unknown> } }).summary.changes
  const investigated = async (metric: string) => {
    const { investigate } = await ask(
      project,
      `investigate(metric: ${metric}, ${window}) ${change}`,
    )
    return investigate
  }
  expect(changesOf('visibility').visibilityScore).toEqual(await investigated('visibility'))
  expect((found.shareOfVoice as { own: { change: unknown } }).own.change).toEqual(
    await investigated('share_of_voice'),
  )
  expect(changesOf('sentiment').score).toEqual(await investigated('sentiment'))
})

test('each brand of a share of voice has its change, the own brand in the list and beside it', async () => {
  const project = await loaded({ before: [1, 4, 2, 6, 3, 5], now: [2, 6, 2, 5, 6, 6] })
  const row = `brand { name } change ${change}`
  const { shareOfVoice } = await ask(
    project,
    `shareOfVoice(${window}, compare: previous_period) {
       own { ${row} } nodes { ${row} } comparison { mode } }`,
  )
  const { own, nodes, comparison } = shareOfVoice as {
    own: { change: { change: number; interval: { low: number; high: number } } }
    nodes: object[]
    comparison: object
  }
  expect(comparison).toEqual({ mode: 'previous_period' })
  // 36 answers name Bose in each window; 21 name Acme before and 27 now: 27 ⁄ 63 − 21 ⁄ 57.
  expect(own).toMatchObject({ brand: { name: 'Acme' }, change: { change: 6.02 } })
  // Two brands share all mentions: what one gains the other loses.
  const { low, high } = own.change.interval
  const lost = {
    change: -6.02,
    interval: { low: -high, high: -low },
    isSignificant: expect.anything(),
  }
  expect(nodes).toEqual([{ brand: { name: 'Bose' }, change: lost }, own])
  const alone = await ask(project, `shareOfVoice(${window}) { own { change ${change} } }`)
  expect(alone).toEqual({ shareOfVoice: { own: { change: null } } })
})

test('a slice has the changes of its own answers', async () => {
  const project = await loaded({ before: [1, 4, 2, 6, 3, 5], now: [2, 6, 2, 5, 6, 0] })
  const alone = await loaded({ before: [1, 4, 2, 6, 3], now: [2, 6, 2, 5, 6] })
  const { topics } = await ask(project, `topics { nodes { name ${visibility} } }`)
  const { nodes } = topics as { nodes: { name: string }[] }
  const audio = nodes.find(({ name }) => name === 'Audio')
  expect(audio).toEqual({ name: 'Audio', ...(await ask(alone, visibility)) })
  const topic = await api.db.topic.findFirstOrThrow({
    where: { projectId: project, name: 'Audio' },
  })
  const ofTopic = visibilityOf(`filter: { topicIds: ["${topic.id}"] }`)
  expect(await ask(project, ofTopic)).toEqual(await ask(alone, visibility))
})

test('each topic has its change, as its own report has it', async () => {
  const project = await loaded({ before: [1, 4, 2, 6, 3, 5, 2, 0], now: [2, 6, 2, 5, 6, 6, 6, 6] })
  const found = await ask(
    project,
    `visibilityByTopic(${window}, compare: previous_period) {
       nodes { topicName: topic { name } change ${change} } }
     topics { nodes { name visibility(${window}, compare: previous_period) {
       summary { changes { visibilityScore ${change} } } } } }`,
  )
  type Changed = { summary: { changes: { visibilityScore: { change: number } } } }
  const { nodes } = found.topics as { nodes: { name: string; visibility: Changed }[] }
  const ofTopics = nodes.map(({ name, visibility: { summary } }) => {
    return { topicName: name, change: summary.changes.visibilityScore }
  })
  const rows = flat(found.visibilityByTopic) as { nodes: { topicName: string }[] }
  const byName = (a: { topicName: string }, b: { topicName: string }) =>
    a.topicName < b.topicName ? -1 : 1
  expect(rows.nodes.toSorted(byName)).toEqual(ofTopics.toSorted(byName))
  expect(
    ofTopics.map(({ change }) => (change as { isSignificant?: unknown }).isSignificant),
  ).toEqual(ofTopics.map(({ topicName }) => (topicName === 'Audio' ? expect.any(Boolean) : null)))
})

test('a change of a number says whether chance can have made it, or why nobody can say', () => {
  const isChange = /(^|[a-z])(change|delta|growth)$/i
  const found = Object.values(publicSchema.getTypeMap())
    .filter(isObjectType)
    .flatMap((type) => {
      const fields = Object.values(type.getFields())
      const hasInterval = fields.some(({ name, type: of }) => {
        return name === 'interval' || getNamedType(of).name === 'MetricChange'
      })
      return hasInterval
        ? []
        : fields
            .filter(({ name, type: of }) => isChange.test(name) && isScalarType(getNamedType(of)))
            // A type that is one change says it of all its fields.
            .filter(
              (field) => ![field, type].some((it) => /no interval/.test(it.description ?? '')),
            )
            .map(({ name }) => `${type.name}.${name}`)
    })
  // `changes` has the intervals of the deltas.
  expect(found.filter((name) => !name.includes('Deltas.'))).toEqual([])
})
