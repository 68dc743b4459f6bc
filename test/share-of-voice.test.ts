import { beforeAll, describe, expect, test } from 'vitest'
import { useApi } from './kit/api.ts'
import { countedStatements } from './kit/statements.ts'

const statements = countedStatements()
const api = useApi({}, statements.log)

/**
 * Five answers in May 2025, two in April, one in May 2024 and one in between. Counted by hand:
 *
 *   day    platform    names
 *   10     chatgpt     Acme (2), Rival
 *   10     perplexity  Rival, Bolt
 *   11     chatgpt     Rival, Acme
 *   12     chatgpt     nobody
 *   13     perplexity  Bolt (3), asked for Acme
 *
 *   answers that name     May  April  May 2024
 *   Acme                    2      2         0
 *   Rival                   3      1         0
 *   Bolt                    2      0         1
 *   Silent                  0      0         0
 *   together                7      3         1
 */
const lines = [
  { collectedAt: '2025-05-10T08:00:00Z', text: 'Acme, yes, Acme, and Rival.' },
  { collectedAt: '2025-05-10T09:00:00Z', platform: 'perplexity', text: 'Rival, then Bolt.' },
  { collectedAt: '2025-05-11T08:00:00Z', prompt: 'p2', topic: 'T2', text: 'Rival beats Acme.' },
  { collectedAt: '2025-05-12T08:00:00Z', text: 'Nobody here.' },
  {
    collectedAt: '2025-05-13T08:00:00Z',
    platform: 'perplexity',
    prompt: 'Is Acme any good?',
    text: 'Bolt, Bolt, Bolt.',
  },
  { collectedAt: '2025-04-20T08:00:00Z', text: 'Acme and Rival.' },
  { collectedAt: '2025-04-21T08:00:00Z', text: 'Acme.' },
  { collectedAt: '2024-12-01T08:00:00Z', text: 'Silent, Silent.' },
  { collectedAt: '2024-05-15T08:00:00Z', text: 'Bolt.' },
]

const competitors = ['Silent', 'Bolt', 'Rival'].map((name) => ({
  name,
  domain: `${name.toLowerCase()}.com`,
}))

const may = 'from=2025-05-01&to=2025-05-31'
let key = ''
let project = ''

beforeAll(async () => {
  const workspace = await api.workspace()
  project = await workspace.project({ competitors })
  key = (await workspace.key()).key
  expect(await workspace.load(project, lines)).toMatchObject({ loaded: 9, rejected: [] })
})

type Row = Record<string, unknown>
interface Body extends Row {
  brand: Row
  competitors: Row[]
}

async function rest(query: string) {
  const response = await api.get(`/api/mcp/projects/${project}/share-of-voice?${query}`, key)
  return { status: response.status, body: (await response.json()) as Body }
}

async function graph(query: string, asker = key) {
  const response = await api.graphql(query, asker)
  return (await response.json()) as {
    data: Record<string, Row> | null
    errors?: { path: string[]; extensions: { code: string } }[]
  }
}

const rowFields = 'name domain mentions responsesWithMention sov'
const graphFields = 'brand { name domain } mentionCount mentionedIn shareOfVoice'

/** A row of REST as the graph names it. */
const inGraph = ({ name, domain, mentions, responsesWithMention, sov }: Row) => ({
  brand: { name, domain },
  mentionCount: mentions,
  mentionedIn: responsesWithMention,
  shareOfVoice: sov,
})

describe('share of voice', () => {
  test('both doors give the numbers that can be counted by hand', async () => {
    const { body } = await rest(may)
    expect(Object.keys(body)).toEqual([
      'project',
      'brand',
      'competitors',
      'totalMentions',
      'totalResponsesWithMention',
      'dateRange',
    ])
    expect(body.project).toEqual({ id: project, name: 'Acme', domain: 'acme.com' })
    expect(body.brand).toEqual({
      name: 'Acme',
      domain: 'acme.com',
      mentions: 3,
      responsesWithMention: 2,
      sov: 28.57, // 2 of 7
    })
    expect(Object.keys(body.brand).join(' ')).toBe(rowFields)
    expect(Object.keys(body.competitors[0] ?? {}).join(' ')).toBe(`competitorId ${rowFields}`)
    expect(body.competitors).toMatchObject([
      { name: 'Rival', domain: 'rival.com', mentions: 3, responsesWithMention: 3, sov: 42.86 },
      { name: 'Bolt', mentions: 4, responsesWithMention: 2, sov: 28.57 },
      { name: 'Silent', mentions: 0, responsesWithMention: 0, sov: 0 },
    ])
    expect(body).toMatchObject({ totalMentions: 10, totalResponsesWithMention: 7 })
    expect(body.dateRange).toEqual({ from: '2025-05-01', to: '2025-05-31' })

    const { data, errors } = await graph(
      `{ project(id: "${project}") { shareOfVoice(window: { from: "2025-05-01", to: "2025-05-31" }) {
        own { ${graphFields} } nodes { ${graphFields} } mentionCount mentionedIn dateRange { from to } } } }`,
    )
    const brands = [body.brand, ...body.competitors].map(inGraph)
    expect([data?.project?.shareOfVoice, errors]).toEqual([
      {
        own: brands[0],
        // Acme and Bolt have the same share, and Bolt more mentions.
        nodes: [brands[1], brands[2], brands[0], brands[3]],
        mentionCount: body.totalMentions,
        mentionedIn: body.totalResponsesWithMention,
        dateRange: body.dateRange,
      },
      undefined,
    ])
  })

  test('a ratio says in GraphQL what it was counted from', async () => {
    const { data } = await graph(
      `{ project(id: "${project}") { shareOfVoice(window: { from: "2025-05-01", to: "2025-05-31" }, compare: previous_period) {
        own { metrics { shareOfVoice { numerator denominator } } change { previous { numerator denominator } } } } } }`,
    )
    expect(data?.project?.shareOfVoice).toEqual({
      own: {
        metrics: { shareOfVoice: { numerator: 2, denominator: 7 } },
        change: { previous: { numerator: 2, denominator: 3 } },
      },
    })
  })

  test.each([
    ['platform=perplexity', [0, 66.67, 33.33]], // of 3: Bolt 2, Rival 1
    ['branded=true', [0, 100, 0]],
    ['unbranded=true', [33.33, 16.67, 50]], // of 6
  ])('%s narrows the answers', async (filter, [acme, bolt, rival]) => {
    const { body } = await rest(`${may}&${filter}`)
    const sovOf = (name: string) => body.competitors.find((row) => row.name === name)?.sov
    expect([body.brand.sov, sovOf('Bolt'), sovOf('Rival')]).toEqual([acme, bolt, rival])
  })

  test('where nobody is named the share is null, and every competitor is there', async () => {
    const { body } = await rest('from=2025-05-12&to=2025-05-12')
    expect([body.brand, ...body.competitors].map((row) => [row.name, row.sov])).toEqual([
      ['Acme', null],
      ['Bolt', null],
      ['Rival', null],
      ['Silent', null],
    ])
    expect(body).toMatchObject({ totalMentions: 0, totalResponsesWithMention: 0 })
  })

  test('a brand that is no longer tracked leaves the whole', async () => {
    const other = await api.workspace()
    const id = await other.project({ competitors })
    const { key: own } = await other.key()
    await other.load(id, lines)
    await api.db.competitor.deleteMany({ where: { projectId: id, name: 'Bolt' } })
    const { data } = await graph(
      `{ project(id: "${id}") { shareOfVoice(window: { from: "2025-05-01", to: "2025-05-31" }) { mentionedIn own { shareOfVoice } } } }`,
      own,
    )
    expect(data?.project?.shareOfVoice).toEqual({
      mentionedIn: 5,
      own: { shareOfVoice: 40 },
    })
  })

  test.each([
    ['compare=week', 'compare'],
    ['compare=', 'compare'],
    ['days=0', 'days'],
    ['platform=nonsense', 'platform'],
    ['format=csv', 'format'],
  ])('%s is refused, and the field is named', async (query, field) => {
    const { status, body } = await rest(query)
    expect([status, body.code]).toEqual([400, 'invalid_argument'])
    expect(Object.keys((body.details as { fieldErrors: object }).fieldErrors)).toEqual([field])
  })
})

describe('compared with an earlier window', () => {
  test('each row and the summary tell what has changed, from unrounded values', async () => {
    const { body } = await rest(`${may}&compare=previous_period`)
    expect(Object.keys(body)).toEqual([
      'project',
      'brand',
      'competitors',
      'totalMentions',
      'totalResponsesWithMention',
      'comparison',
      'dateRange',
    ])
    expect(Object.keys(body.brand).join(' ')).toBe(`${rowFields} previousSov sovDelta`)
    expect(body.brand).toMatchObject({ sov: 28.57, previousSov: 66.67, sovDelta: -38.1 })
    expect(body.competitors).toMatchObject([
      // 3⁄7 − 1⁄3 = 2⁄21: 9.52, where the rounded values would give 9.53
      { name: 'Rival', sov: 42.86, previousSov: 33.33, sovDelta: 9.52 },
      { name: 'Bolt', previousSov: 0, sovDelta: 28.57 },
      { name: 'Silent', previousSov: 0, sovDelta: 0 },
    ])
    expect(body.comparison).toEqual({
      mode: 'previous_period',
      dateRange: { from: '2025-03-31', to: '2025-04-30' },
      previous: {
        sov: 66.67,
        mentions: 2,
        responsesWithMention: 2,
        totalMentions: 3,
        totalResponsesWithMention: 3,
      },
      deltas: {
        sov: -38.1,
        mentions: 1,
        responsesWithMention: 0,
        totalMentions: 7,
        totalResponsesWithMention: 4,
      },
    })
    const { data } = await graph(
      `{ project(id: "${project}") { shareOfVoice(window: { from: "2025-05-01", to: "2025-05-31" }, compare: previous_period) {
        nodes { brand { name } change { previous { value } change } } comparison { mode dateRange { from to } } } } }`,
    )
    expect(data?.project?.shareOfVoice).toEqual({
      nodes: [
        { brand: { name: 'Rival' }, change: { previous: { value: 33.33 }, change: 9.52 } },
        { brand: { name: 'Bolt' }, change: { previous: { value: 0 }, change: 28.57 } },
        { brand: { name: 'Acme' }, change: { previous: { value: 66.67 }, change: -38.1 } },
        { brand: { name: 'Silent' }, change: { previous: { value: 0 }, change: 0 } },
      ],
      comparison: { mode: 'previous_period', dateRange: { from: '2025-03-31', to: '2025-04-30' } },
    })
  })

  test('with the year before, and nothing in between counts', async () => {
    const { body } = await rest(`${may}&compare=previous_year`)
    expect(body.comparison).toMatchObject({
      mode: 'previous_year',
      dateRange: { from: '2024-05-01', to: '2024-05-31' },
      previous: { sov: 0, totalMentions: 1, totalResponsesWithMention: 1 },
      deltas: { sov: 28.57, totalMentions: 9, totalResponsesWithMention: 6 },
    })
    expect(body.competitors).toMatchObject([
      { name: 'Rival', previousSov: 0, sovDelta: 42.86 },
      { name: 'Bolt', previousSov: 100, sovDelta: -71.43 }, // 2⁄7 − 1
      { name: 'Silent', mentions: 0, previousSov: 0, sovDelta: 0 },
    ])
  })

  test.each([
    ['2025-05-12', { sov: null, previousSov: 50, sovDelta: null }], // nobody today, 1 of 2 the day before
    ['2025-05-13', { sov: 0, previousSov: null, sovDelta: null }], // the other way round
  ])('on %s a window where nobody is named has no change', async (day, expected) => {
    const { body } = await rest(`from=${day}&to=${day}&compare=previous_period`)
    expect(body.brand).toMatchObject(expected)
    expect(body.comparison).toMatchObject({
      previous: { sov: expected.previousSov },
      deltas: { sov: null },
    })
  })
})

interface Share {
  readonly own: { readonly shareOfVoice: number | null }
  readonly mentionCount: number
}

describe('of many projects', () => {
  const ids: string[] = []
  let asker = ''

  /** Fifty projects; the first three have an answer each that names Acme, and Rival in as many as their number says. */
  beforeAll(async () => {
    const workspace = await api.workspace()
    asker = (await workspace.key()).key
    for (let i = 0; i < 50; i++) {
      ids.push(await workspace.project({ name: `Acme ${String(i).padStart(2, '0')}`, competitors }))
    }
    for (const [i, id] of ids.slice(0, 3).entries()) {
      const texts = [`Acme 0${i}.`, ...Array.from({ length: i }, () => 'Rival.')]
      const answers = texts.map((text, run) => ({
        text,
        collectedAt: `2025-05-10T0${run}:00:00Z`,
        topic: `T${i}`,
        country: run === 0 ? 'DE' : 'US',
      }))
      await workspace.load(id, answers)
    }
    statements.taken()
  })

  const window = 'from: "2025-05-01", to: "2025-05-31"'

  // Three times: the second run is the first that is compiled.
  test.each([1, 2, 3])('one statement serves 1 as well as 50, run %i', async () => {
    for (const limit of [1, 50]) {
      const { data, errors } = await graph(
        `{ projects(first: ${limit}) { nodes { name shareOfVoice(window: { ${window} }) { own { shareOfVoice } } } } }`,
        asker,
      )
      expect(errors).toBeUndefined()
      const rows = data?.projects?.nodes as unknown as {
        name: string
        shareOfVoice: Share
      }[]
      expect(rows).toHaveLength(limit)
      const shares = rows.map((row) => row.shareOfVoice.own.shareOfVoice)
      expect(shares.slice(0, 4)).toEqual([100, 50, 33.33, null].slice(0, limit))
      expect(statements.taken()).toEqual(['share-of-voice'])
    }
  })

  test('other arguments are another statement, and filters hold for each project', async () => {
    const { data } = await graph(
      `{ projects(first: 50) { nodes { all: shareOfVoice(window: { ${window} }) { own { shareOfVoice } }
         branded: shareOfVoice(window: { ${window} }, filter: { branded: false, countries: ["US"] }) { own { shareOfVoice } mentionCount } } } }`,
      asker,
    )
    const rows = data?.projects?.nodes as unknown as Record<'all' | 'branded', Share>[]
    expect(rows.slice(0, 3).map((row) => row.all.own.shareOfVoice)).toEqual([100, 50, 33.33])
    expect(rows.slice(0, 3).map((row) => row.branded.own.shareOfVoice)).toEqual([null, 0, 0])
    expect(rows.slice(0, 3).map((row) => row.branded.mentionCount)).toEqual([0, 1, 2])
    expect(statements.taken()).toEqual(['share-of-voice', 'share-of-voice'])
  })

  test("a topic of one project is not found in another, and the one's answer stands", async () => {
    const [, one, two] = ids
    const topic = await api.db.topic.findFirstOrThrow({ where: { projectId: one ?? '' } })
    const asked = (id: string | undefined) =>
      `project(id: "${id}") { shareOfVoice(window: { ${window} }, filter: { topicIds: ["${topic.id}"] }) { own { shareOfVoice } } }`
    const { errors } = await graph(`{ one: ${asked(one)} two: ${asked(two)} }`, asker)
    expect(errors?.map(({ path, extensions }) => [path.join('.'), extensions.code])).toEqual([
      ['two.shareOfVoice', 'not_found'],
    ])
    const { data } = await graph(`{ one: ${asked(one)} }`, asker)
    expect(data?.one).toEqual({ shareOfVoice: { own: { shareOfVoice: 50 } } })
  })
})
