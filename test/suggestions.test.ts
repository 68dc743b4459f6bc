import { beforeAll, describe, expect, test } from 'vitest'
import { type AnswerLine, type TestWorkspace, useApi } from './kit/api.ts'
import { asking } from './kit/changes.ts'
import { clearOfMidnight, dayMs } from './kit/day.ts'
import { flat } from './kit/graphql/flat.ts'
import { askingRest, outcomeOf } from './kit/prompts.ts'

await clearOfMidnight()

const api = useApi()

const now = Date.now()
const daysAgo = (days: number) => new Date(now - days * dayMs).toISOString()

/**
 * The project has the prompts "best headphones" and "cheap headphones" of topic Headphones, "loud speakers" of
 * topic Speakers, and "anything else?" of none. "Straße music" was a wording of "cheap headphones" once.
 *
 *        days ago  platform     prompt            searched for
 *   a1   5         chatgpt      best headphones   Quiet Earbuds · solo · Solo · ｂｅｓｔ headphones · STRASSE MUSIC
 *   a2   9         perplexity   cheap headphones  quiet earbuds · Best Headphones · strasse music · once old
 *   a3   3         chatgpt      loud speakers     quiet earbuds · QUIET EARBUDS · speaker stands
 *   a4   2         chatgpt      anything else?    speaker stands · what else?
 *   a5   1         gemini       anything else?    What Else?
 *   a6   100       chatgpt      best headphones   once old
 */
const headphones = { topic: 'Headphones' }
const lines: readonly AnswerLine[] = [
  {
    prompt: 'best headphones',
    ...headphones,
    collectedAt: daysAgo(5),
    searchQueries: ['Quiet Earbuds', 'solo', 'Solo', 'ｂｅｓｔ headphones', 'STRASSE MUSIC'],
  },
  {
    prompt: 'cheap headphones',
    ...headphones,
    collectedAt: daysAgo(9),
    platform: 'perplexity',
    searchQueries: ['quiet earbuds', 'Best Headphones', 'strasse music', 'once old'],
  },
  {
    prompt: 'loud speakers',
    topic: 'Speakers',
    collectedAt: daysAgo(3),
    searchQueries: ['quiet earbuds', 'QUIET EARBUDS', 'speaker stands'],
  },
  {
    prompt: 'anything else?',
    collectedAt: daysAgo(2),
    searchQueries: ['speaker stands', 'what else?'],
  },
  {
    prompt: 'anything else?',
    platform: 'gemini',
    collectedAt: daysAgo(1),
    searchQueries: ['What Else?'],
  },
  {
    prompt: 'best headphones',
    ...headphones,
    collectedAt: daysAgo(100),
    searchQueries: ['once old'],
  },
]

type Row = Record<string, unknown>

let workspace: TestWorkspace
let key = ''
let project = ''
let topics: Record<string, string> = {}
const rest = askingRest(
  api,
  () => project,
  () => key,
)
const ask = asking(api, () => key)

/** A project of the answers above; its prompts are set up, so that the import finds one by an old wording. */
async function filled(): Promise<string> {
  const id = await workspace.project()
  expect(await workspace.load(id, lines)).toMatchObject({ loaded: 6, rejected: [] })
  const where = { projectId: id, text: 'cheap headphones' }
  const cheap = await api.db.prompt.findFirstOrThrow({ where })
  await api.db.promptRevision.create({
    data: {
      promptId: cheap.id,
      projectId: id,
      revision: 2,
      change: 'edited',
      text: ' Straße music ',
      questionKey: 'old',
    },
  })
  return id
}

beforeAll(async () => {
  workspace = await api.workspace('starter')
  key = (await workspace.key({ scopes: ['read'], capabilities: ['prompt:draft'] })).key
  project = await filled()
  const rows = await api.db.topic.findMany({ where: { projectId: project } })
  topics = Object.fromEntries(rows.map(({ id, name }) => [name, id]))
})

const anId = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-/)
const expected = () => [
  {
    id: anId,
    text: 'quiet earbuds',
    topicId: topics.Headphones,
    topicName: 'Headphones',
    reason: 'Asked in 3 answers to 3 prompts on ChatGPT and Perplexity; no prompt tracks it.',
    createdAt: daysAgo(9),
  },
  {
    id: anId,
    text: 'speaker stands',
    topicId: topics.Speakers,
    topicName: 'Speakers',
    reason: 'Asked in 2 answers to 2 prompts on ChatGPT; no prompt tracks it.',
    createdAt: daysAgo(3),
  },
  {
    id: anId,
    text: 'what else?',
    topicId: null,
    topicName: null,
    reason: 'Asked in 2 answers to 1 prompt on ChatGPT and Gemini; no prompt tracks it.',
    createdAt: daysAgo(2),
  },
]

async function suggestions(query = '', of = project) {
  const response = await api.get(`/api/mcp/projects/${of}/prompts/suggested${query}`, key)
  return ((await response.json()) as { suggestions: Row[] }).suggestions
}

describe('suggested prompts', () => {
  test('are what answers share and no prompt has as a wording, most shared first, at both doors', async () => {
    const { status, body } = await rest('GET', '/prompts/suggested')
    expect([status, body]).toEqual([
      200,
      {
        project: { id: project, name: 'Acme', domain: 'acme.com' },
        suggestions: expected(),
        pagination: {
          limit: 50,
          offset: 0,
          returnedCount: 3,
          totalCount: 3,
          hasMore: false,
          nextOffset: 3,
        },
      },
    ])
    expect(Object.keys(body)).toEqual(['project', 'suggestions', 'pagination'])
    const [first] = body.suggestions as Row[]
    expect(Object.keys(first ?? {})).toEqual(Object.keys(expected()[0] ?? {}))
    const { data } =
      await ask(`{ project(id: "${project}") { suggestedPrompts { suggestions: nodes {
      id: suggestionId text topicId: topic { id } topicName: topic { name } reason createdAt responses: answerCount promptsCount: promptCount
      platforms { slug } } } } }`)
    const counts = [
      { responses: 3, promptsCount: 3, platforms: ['chatgpt', 'perplexity'] },
      { responses: 2, promptsCount: 2, platforms: ['chatgpt'] },
      { responses: 2, promptsCount: 1, platforms: ['chatgpt', 'gemini'] },
    ]
    const rows = (body.suggestions as Row[]).map((row, i) => ({ ...row, ...counts[i] }))
    expect(flat(data.project?.suggestedPrompts)).toEqual({ suggestions: rows })
  })

  test('keep their ids from one request to the next; another project has others', async () => {
    const idsOf = async (of: string) => (await suggestions('', of)).map(({ id }) => id)
    const ids = await idsOf(project)
    expect(await idsOf(project)).toEqual(ids)
    const others = await idsOf(await filled())
    expect(new Set([...ids, ...others]).size).toBe(6)
  })

  test('of a topic are what answers to its prompts share, under that topic', async () => {
    const [quiet] = await suggestions()
    const ofHeadphones = await suggestions(`?topicId=${topics.Headphones?.toUpperCase()}`)
    expect(ofHeadphones).toEqual([
      {
        ...expected()[0],
        id: quiet?.id,
        text: 'quiet earbuds',
        reason: 'Asked in 2 answers to 2 prompts on ChatGPT and Perplexity; no prompt tracks it.',
      },
    ])
    expect(await suggestions(`?topicId=${topics.Speakers}`)).toEqual([])
    const both = await suggestions(`?topicId=${topics.Speakers},${topics.Headphones}`)
    expect(both.map(({ text, topicName }) => [text, topicName])).toEqual([
      ['quiet earbuds', 'Headphones'],
    ])
  })

  test('leave out what somebody dismissed, in all its spellings, until it is restored', async () => {
    const { key: writing } = await workspace.key({ scopes: ['read', 'write'] })
    const of = await filled()
    const textsOf = async (args: string) => {
      const { data } = await ask(
        `{ project(id: "${of}") { suggestedPrompts${args} { totalCount nodes { text } } } }`,
      )
      const { totalCount, nodes } = (data.project as Row).suggestedPrompts as {
        totalCount: number
        nodes: Row[]
      }
      return [totalCount, ...nodes.map(({ text }) => text)]
    }
    const change = async (name: string, text: string) => {
      const answer = await api.graphql(
        `mutation { ${name}(projectId: "${of}", text: "${text}") {
          ... on SuggestionChange { changed } ... on Problem { code } } }`,
        writing,
      )
      return (await answer.json()).data[name]
    }
    expect(await change('dismissSuggestedPrompt', ' QUIET Earbuds')).toEqual({ changed: true })
    expect(await change('dismissSuggestedPrompt', 'quiet earbuds')).toEqual({ changed: false })
    expect(await textsOf('')).toEqual([2, 'speaker stands', 'what else?'])
    expect(await textsOf('(filter: { isDismissed: true })')).toEqual([1, 'quiet earbuds'])
    expect((await suggestions('', of)).map(({ text }) => text)).toEqual([
      'speaker stands',
      'what else?',
    ])
    expect(await change('restoreSuggestedPrompt', 'quiet earbuds')).toEqual({ changed: true })
    expect(await textsOf('')).toEqual([3, 'quiet earbuds', 'speaker stands', 'what else?'])
    expect(await textsOf('(filter: { isDismissed: true })')).toEqual([0])
    expect(await change('dismissSuggestedPrompt', ' ')).toEqual({ code: 'invalid_argument' })
  })

  test('page: each once, and a page behind the end still tells the total', async () => {
    for (const [offset, row] of expected().entries()) {
      const { body } = await rest('GET', `/prompts/suggested?limit=1&offset=${offset}`)
      expect(body).toMatchObject({
        suggestions: [row],
        pagination: { returnedCount: 1, totalCount: 3, hasMore: offset < 2 },
      })
    }
    const { body } = await rest('GET', '/prompts/suggested?limit=99999&offset=9007199254740991')
    expect(body).toMatchObject({
      suggestions: [],
      pagination: { limit: 1000, returnedCount: 0, totalCount: 3, hasMore: false },
    })
  })

  test('an import between two pages neither repeats nor hides one', async () => {
    const of = await filled()
    const [first] = await suggestions('?limit=1', of)
    const answer = { searchQueries: ['brand new'] }
    const more = [4, 3, 2, 1].map((days) => ({ ...answer, collectedAt: daysAgo(days) }))
    await workspace.load(of, more)
    const [second] = await suggestions('?limit=1&offset=1', of)
    expect([first?.text, second?.text]).toEqual(['quiet earbuds', 'speaker stands'])
    expect((await suggestions('?limit=1', of))[0]?.text).toBe('brand new')
  })

  test('one that becomes a prompt is suggested no more, archived neither', async () => {
    const of = await filled()
    const path = `${api.url}/api/mcp/projects/${of}/prompts`
    const post = (url: string, body: object) =>
      fetch(url, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    const added = await post(path, { prompts: [{ text: 'Speaker Stands' }] })
    const { prompts } = (await added.json()) as { prompts: { id: string }[] }
    const left = ['quiet earbuds', 'what else?']
    expect((await suggestions('', of)).map(({ text }) => text)).toEqual(left)
    const archived = await post(`${path}/${prompts[0]?.id}/tracking`, { action: 'archive' })
    expect(archived.status).toBe(200)
    expect((await suggestions('', of)).map(({ text }) => text)).toEqual(left)
  })

  test('a project without answers has none', async () => {
    const of = await workspace.project()
    const response = await api.get(`/api/mcp/projects/${of}/prompts/suggested`, key)
    expect(await response.json()).toMatchObject({ suggestions: [], pagination: { totalCount: 0 } })
  })

  test('take topics of the project alone, and pages that exist', async () => {
    const foreign = await api.db.topic.create({
      data: { projectId: await workspace.project(), name: 'Headphones' },
    })
    const refusals = [
      [`?topicId=${foreign.id}`, '404 not_found'],
      ['?topicId=Headphones', '404 not_found'],
      ['?limit=0', '400 invalid_argument limit'],
      ['?offset=-1', '400 invalid_argument offset'],
      ['?format=csv', '400 invalid_argument format'],
    ] as const
    for (const [query, outcome] of refusals) {
      expect(outcomeOf(await rest('GET', `/prompts/suggested${query}`))).toBe(outcome)
    }
  })
})
