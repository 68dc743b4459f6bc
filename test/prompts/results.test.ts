import { beforeAll, expect, test } from 'vitest'
import { useApi } from '../kit/api.ts'
import { asking } from '../kit/changes.ts'

const api = useApi()
let key = ''
let project = ''
let rival = ''
let other = ''
const ask = asking(api, () => key)

/**
 * Answers of May by prompt, and of April in brackets:
 *
 *   prompt   answers                              Acme  Rival  Other  result
 *   lost?    Rival, Rival and Other, Acme [Acme]  1     2      1      lost by 1 of 3, two answers lost
 *   won?     Acme, Acme and Rival [nobody]        2     1      0      won by 1 of 2
 *   even?    Acme, Rival, Other                   1     1      1      even, two answers lost
 *   none?    nobody                               0     0      0      even
 *   new?     [Rival]                                                  unanswered
 */
const texts: Readonly<Record<string, readonly string[]>> = {
  'lost?': ['Rival.', 'Rival or Other.', 'Acme.'],
  'won?': ['Acme.', 'Acme or Rival.'],
  'even?': ['Acme.', 'Rival.', 'Other.'],
  'none?': ['Nobody.'],
}
const april = { 'lost?': 'Acme.', 'won?': 'Nobody.', 'new?': 'Rival.' }

beforeAll(async () => {
  const workspace = await api.workspace()
  key = (await workspace.key()).key
  project = await workspace.project({
    competitors: [
      { name: 'Rival', domain: 'rival.com' },
      { name: 'Other', domain: 'other.com' },
    ],
  })
  const lines = Object.entries(texts).flatMap(([prompt, answers]) =>
    answers.map((text, i) => ({
      prompt,
      topic: prompt === 'won?' ? 'Ours' : 'Theirs',
      platform: i === 0 ? 'chatgpt' : 'perplexity',
      collectedAt: `2025-05-1${i}T08:00:00Z`,
      text,
      citations: i === 0 ? [{ url: `https://site.com/${prompt.slice(0, -1)}` }] : [],
      searchQueries: i === 0 ? ['Best Shop'] : [],
    })),
  )
  const before = Object.entries(april).map(([prompt, text]) => {
    return { prompt, topic: 'Theirs', collectedAt: '2025-04-20T08:00:00Z', text }
  })
  await workspace.load(project, [...lines, ...before])
  const brands = await api.db.competitor.findMany({ where: { projectId: project } })
  const idOf = (name: string) => brands.find((brand) => brand.name === name)?.id ?? ''
  rival = idOf('Rival')
  other = idOf('Other')
})

const may = 'window: { from: "2025-05-01", to: "2025-05-31" }'

async function fieldOf<Field>(field: string, as = key): Promise<Field> {
  const { data, errors } = await ask(`{ project(id: "${project}") { field: ${field} } }`, as)
  expect(errors).toBeUndefined()
  return data.project?.field as Field
}

interface Results {
  readonly totalCount: number
  readonly counts: object
  readonly pageInfo: { readonly endCursor: string; readonly hasNextPage: boolean }
  readonly nodes: readonly { readonly prompt: { readonly text: string } }[]
}

const results = (args: string, row: string) =>
  fieldOf<Results>(
    `promptResults(${may} ${args}) { totalCount counts { won lost even unanswered }
       pageInfo { endCursor hasNextPage } nodes { prompt { text } ${row} } }`,
  )

const order = async (args: string) =>
  (await results(args, '')).nodes.map(({ prompt }) => prompt.text)

test('a prompt has its result, its leader and its lead, the largest lead of a competitor first', async () => {
  const found = await results(
    '',
    `result answers: answerCount hasFewAnswers lastAnsweredAt leader { name } topCompetitor { name } gap
     visibility { value numerator denominator } topCompetitorVisibility { value } lostAnswerCount`,
  )
  expect(found).toMatchObject({
    totalCount: 5,
    counts: { won: 1, lost: 1, even: 2, unanswered: 1 },
    nodes: [
      {
        prompt: { text: 'lost?' },
        result: 'lost',
        answers: 3,
        hasFewAnswers: true,
        lastAnsweredAt: '2025-05-12T08:00:00.000Z',
        leader: { name: 'Rival' },
        topCompetitor: { name: 'Rival' },
        gap: -33.33,
        visibility: { value: 33.33, numerator: 1, denominator: 3 },
        topCompetitorVisibility: { value: 66.67 },
        lostAnswerCount: 2,
      },
      {
        prompt: { text: 'even?' },
        result: 'even',
        leader: null,
        topCompetitor: { name: 'Other' },
        gap: 0,
        lostAnswerCount: 2,
      },
      { prompt: { text: 'none?' }, result: 'even', leader: null, topCompetitor: null, gap: 0 },
      {
        prompt: { text: 'won?' },
        result: 'won',
        leader: { name: 'Acme' },
        topCompetitor: { name: 'Rival' },
        gap: 50,
        visibility: { value: 100 },
        lostAnswerCount: 0,
      },
      {
        prompt: { text: 'new?' },
        result: 'unanswered',
        answers: 0,
        lastAnsweredAt: null,
        gap: null,
        visibility: { value: null },
      },
    ],
  })
})

test('results are filtered by outcome, topic, AI platform, competitor, text and branded', async () => {
  expect(await results('filter: { results: [lost] }', '')).toMatchObject({
    totalCount: 1,
    counts: { won: 1, lost: 1, even: 2, unanswered: 1 },
    nodes: [{ prompt: { text: 'lost?' } }],
  })
  expect(await order('filter: { search: "N?" }')).toEqual(['even?', 'won?'])
  const { nodes } = await fieldOf<{ nodes: { id: string }[] }>('topics { nodes { id name } }')
  const topics = await Promise.all(nodes.map(({ id }) => order(`filter: { topicIds: ["${id}"] }`)))
  expect(topics.toSorted((a, b) => a.length - b.length)[0]).toEqual(['won?'])
  const row = 'result answers: answerCount'
  const onChatGpt = await results('filter: { platforms: ["chatgpt"], search: "lost" }', row)
  expect(onChatGpt.nodes).toMatchObject([{ result: 'lost', answers: 1 }])
  const againstOther = await results(
    `filter: { competitorIds: ["${other}"], search: "lost" }`,
    `${row} topCompetitor { name } lostAnswerCount lostAnswers { nodes { text } }`,
  )
  expect(againstOther.nodes).toMatchObject([
    {
      result: 'even',
      answers: 3,
      topCompetitor: { name: 'Other' },
      lostAnswerCount: 1,
      lostAnswers: { nodes: [{ text: 'Rival or Other.' }] },
    },
  ])
  expect(await order('filter: { branded: true }')).toEqual([])
  expect(await results('filter: { branded: true }', '')).toMatchObject({
    totalCount: 0,
    counts: { won: 0, lost: 0, even: 0, unanswered: 0 },
  })
})

test('results are sorted by what was asked for, and page after page', async () => {
  expect(await order('sort: gap_desc')).toEqual(['won?', 'even?', 'none?', 'lost?', 'new?'])
  expect(await order('sort: visibility_asc')).toEqual(['none?', 'even?', 'lost?', 'won?', 'new?'])
  expect(await order('sort: text_desc')).toEqual(['won?', 'none?', 'new?', 'lost?', 'even?'])
  const first = await results('sort: answers_desc, first: 2', '')
  expect(first.nodes.map(({ prompt }) => prompt.text)).toEqual(['even?', 'lost?'])
  const rest = await results(
    `sort: answers_desc, first: 3, after: "${first.pageInfo.endCursor}"`,
    '',
  )
  expect(rest).toMatchObject({
    totalCount: 5,
    counts: { won: 1 },
    nodes: [{ prompt: { text: 'won?' } }, { prompt: { text: 'none?' } }, {}],
    pageInfo: { hasNextPage: false },
  })
})

test('with a comparison each prompt has its change, and prompts are sorted by it', async () => {
  const { nodes } = await results(
    'sort: change_asc, compare: previous_period',
    'change { change isSignificant }',
  )
  expect(nodes).toEqual([
    { prompt: { text: 'lost?' }, change: { change: -66.67, isSignificant: null } },
    { prompt: { text: 'won?' }, change: { change: 100, isSignificant: null } },
    { prompt: { text: 'even?' }, change: { change: null, isSignificant: null } },
    { prompt: { text: 'new?' }, change: { change: null, isSignificant: null } },
    { prompt: { text: 'none?' }, change: { change: null, isSignificant: null } },
  ])
  const { nodes: alone } = await results('first: 1', 'change { change }')
  expect(alone).toEqual([{ prompt: { text: 'lost?' }, change: null }])
})

test('prompts with lost answers show exactly these answers', async () => {
  const { nodes } = await results(
    'filter: { hasLostAnswers: true }, sort: lost_answers_desc',
    'lostAnswers(first: 1) { totalCount pageInfo { hasNextPage } nodes { text } }',
  )
  expect(nodes).toEqual([
    {
      prompt: { text: 'even?' },
      lostAnswers: {
        totalCount: 2,
        pageInfo: { hasNextPage: true },
        nodes: [{ text: 'Other.' }],
      },
    },
    {
      prompt: { text: 'lost?' },
      lostAnswers: {
        totalCount: 2,
        pageInfo: { hasNextPage: true },
        nodes: [{ text: 'Rival or Other.' }],
      },
    },
  ])
})

test('a competitor has the prompts where it is mentioned and the own brand is not, with the answers', async () => {
  const { nodes } = await fieldOf<{ nodes: readonly { readonly name: string }[] }>(
    `competitors { nodes { name prompts(${may}, filter: { mentioned: false }) {
       totalCount nodes { answerCount prompt { text } answers { totalCount nodes { text } } } } } }`,
  )
  const prompts = nodes.find(({ name }) => name === 'Rival') as unknown as { prompts: object }
  expect(prompts.prompts).toEqual({
    totalCount: 2,
    nodes: [
      {
        answerCount: 2,
        prompt: { text: 'lost?' },
        answers: { totalCount: 2, nodes: [{ text: 'Rival or Other.' }, { text: 'Rival.' }] },
      },
      {
        answerCount: 1,
        prompt: { text: 'even?' },
        answers: { totalCount: 1, nodes: [{ text: 'Rival.' }] },
      },
    ],
  })
})

test('a competitor of another project is not found', async () => {
  const { errors } = await ask(
    `{ project(id: "${project}") { promptResults(filter: { competitorIds: ["${project}"] }) { totalCount } } }`,
  )
  expect(errors?.map(({ message, extensions }) => [extensions.code, message])).toEqual([
    ['not_found', `\`filter.competitorIds\` must name tracked competitors; got \`${project}\`.`],
  ])
})

const answersWhere = async (filter: string) => {
  const { totalCount, nodes } = await fieldOf<{
    totalCount: number
    nodes: readonly { text: string }[]
  }>(`answers(${may}, filter: { ${filter} }) { totalCount nodes { text } }`)
  expect(totalCount).toBe(nodes.length)
  return nodes.map(({ text }) => text)
}

test('answers are filtered by the brands that they mention', async () => {
  expect(await answersWhere(`brands: { all: ["${rival}", "${other}"] }`)).toEqual([
    'Rival or Other.',
  ])
  expect(await answersWhere(`brands: { any: ["${other}"], none: ["${rival}"] }`)).toEqual([
    'Other.',
  ])
  expect(await answersWhere(`brands: { all: ["${project}"], any: ["${rival}"] }`)).toEqual([
    'Acme or Rival.',
  ])
})

test('answers are filtered by text, sentiment, citation, sub-query and prompt', async () => {
  expect(await answersWhere('search: "OTHER rival"')).toEqual(['Rival or Other.'])
  expect(await answersWhere('search: "\\"acme or\\""')).toEqual(['Acme or Rival.'])
  expect(await answersWhere('citedUrls: ["https://site.com/lost"]')).toEqual(['Rival.'])
  expect(await answersWhere('citedDomains: ["www.site.com"]')).toHaveLength(4)
  expect(await answersWhere('subQuery: "best shop", mentioned: true')).toHaveLength(2)
  expect(await answersWhere(`sentiment: { is: [positive, negative] }`)).toEqual([])
  const { nodes } = await results('', 'result')
  expect(nodes).toHaveLength(5)
  const { nodes: listed } = await fieldOf<{ nodes: readonly { id: string; text: string }[] }>(
    'prompts { nodes { id text } }',
  )
  const idOf = (text: string) => listed.find((prompt) => prompt.text === text)?.id
  expect(await answersWhere(`promptIds: ["${idOf('none?')}"]`)).toEqual(['Nobody.'])
})

test('a snippet surrounds the hit of a search, else the brand of the filter', async () => {
  const snippet = 'nodes { snippet { text start end } }'
  expect(
    await fieldOf(`answers(${may}, filter: { search: "rival other" }) { ${snippet} }`),
  ).toEqual({ nodes: [{ snippet: { text: 'Rival or Other.', start: 0, end: 5 } }] })
  expect(
    await fieldOf(
      `answers(${may}, filter: { brands: { all: ["${other}", "${rival}"] } }) { ${snippet} }`,
    ),
  ).toEqual({ nodes: [{ snippet: { text: 'Rival or Other.', start: 0, end: 5 } }] })
  expect(
    await fieldOf(
      `answers(${may}, filter: { brands: { any: ["${other}"], none: ["${rival}"] } }) { ${snippet} }`,
    ),
  ).toEqual({ nodes: [{ snippet: { text: 'Other.', start: 0, end: 5 } }] })
})
