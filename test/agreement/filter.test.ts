import { beforeAll, describe, expect, test } from 'vitest'
import { useApi } from '../kit/api.ts'
import { asking, faultIn } from '../kit/changes.ts'
import { flat } from '../kit/graphql/flat.ts'
import { collected } from './ways.ts'

const api = useApi()
let key = ''
let project = ''
let other = ''
let topic = ''
const ask = asking(api, () => key)
const window = 'window: { from: "2025-05-01", to: "2025-05-31" }'

const named = 'Acme is great.'
const cites = (path: string) => ({ citations: [{ url: `https://news.example/${path}` }] })
const at = (day: number) => ({ collectedAt: `2025-05-${String(day).padStart(2, '0')}T08:00:00Z` })
const surface = { platform: 'chatgpt_surface' }

/** Two imported answers, three by API and four of surfaces; five of the nine name the brand. */
beforeAll(async () => {
  const workspace = await api.workspace('enterprise')
  project = await workspace.project()
  other = await workspace.project()
  key = (await workspace.key({ scopes: ['admin'] })).key
  await workspace.load(project, [
    { ...at(1), prompt: 'best anvils?', text: named, ...cites('imported') },
    // A file may name a surface: it is imported all the same.
    { ...at(2), ...surface, prompt: 'best anvils?' },
  ])
  await collected(api, project, [
    { ...at(3), text: named, ...cites('api'), products: [{ name: 'Anvil Two' }] },
    { ...at(4) },
    { ...at(5) },
    { ...at(3), ...surface, text: named, ...cites('surface'), products: [{ name: 'Anvil One' }] },
    { ...at(4), ...surface, text: named, ...cites('surface') },
  ])
  await collected(api, project, [
    { ...at(6), platform: 'google_ai_overviews', text: named, ...cites('surface') },
    { ...at(7), platform: 'google_ai_overviews' },
  ])
  const prompts = await api.db.prompt.findMany({ where: { projectId: project } })
  const { id: topicId } = await api.db.topic.create({
    data: {
      projectId: project,
      name: 'Anvils',
      prompts: { create: prompts.map(({ id }) => ({ promptId: id })) },
    },
  })
  topic = topicId
  await workspace.load(other, [{ ...at(1) }, { ...at(2) }])
  await collected(api, other, [{ ...at(3) }])
})

const filterOf = (ways: string) => (ways ? `, filter: { obtained: [${ways}] }` : '')

async function reportsOf(ways: string, of = project) {
  const args = window + filterOf(ways)
  const found = await ask(`{ project(id: "${of}") {
    visibility(${args}) { summary { answerCount mentionedIn } method { ways { obtained answerCount } missing { kind } } }
    sourceDomains(${args}) { nodes { citedIn answers { totalCount } } }
    answers(${args}) { totalCount }
  } }`)
  expect(found.errors).toBeUndefined()
  const { visibility, sourceDomains, answers } = found.data.project as unknown as Found
  return {
    answers: answers.totalCount,
    summary: visibility.summary,
    ways: flat(visibility.method.ways),
    isMixed: visibility.method.missing.some(({ kind }) => kind === 'mixed_ways'),
    cited: sourceDomains.nodes.map(({ citedIn, answers: own }) => [citedIn, own.totalCount]),
  }
}

interface Found {
  readonly visibility: {
    readonly summary: object
    readonly method: {
      readonly ways: object[]
      readonly missing: readonly { readonly kind: string }[]
    }
  }
  readonly sourceDomains: {
    readonly nodes: readonly {
      readonly citedIn: number
      readonly answers: { totalCount: number }
    }[]
  }
  readonly answers: { readonly totalCount: number }
}

describe('the way in which answers were obtained', () => {
  test.each([
    ['surface', 4, 3, [3, 3]],
    ['api', 3, 1, [1, 1]],
    ['imported', 2, 1, [1, 1]],
  ])('filters every number of a report: %s', async (way, answers, mentions, cited) => {
    expect(await reportsOf(way)).toEqual({
      answers,
      summary: { answerCount: answers, mentionedIn: mentions },
      ways: [{ obtained: way, answerCount: answers }],
      isMixed: false,
      // The answers that a source has are those of the filter of its report.
      cited: [cited],
    })
  })

  test.each([
    ['surface', ['Anvil One'], 4],
    ['api', ['Anvil Two'], 3],
  ])('filters products, topics and ranks of prompts: %s', async (way, products, answers) => {
    const args = window + filterOf(way)
    const found = await ask(`{ project(id: "${project}") {
      shopping(${args}) { nodes { name } }
      topicHeatmap(${args}) { nodes { cells { answerCount } } }
      promptRankings(${args}, topicId: "${topic}") {
        nodes { metrics { visibilityScore { denominator } } }
      }
    } }`)
    expect(found).toEqual({
      data: {
        project: {
          shopping: { nodes: products.map((name) => ({ name })) },
          topicHeatmap: { nodes: [{ cells: expect.any(Array) }] },
          promptRankings: { nodes: [{ metrics: { visibilityScore: { denominator: answers } } }] },
        },
      },
    })
    const { topicHeatmap } = found.data.project as unknown as {
      topicHeatmap: { nodes: { cells: { answerCount: number }[] }[] }
    }
    const counts = topicHeatmap.nodes.flatMap(({ cells }) =>
      cells.map(({ answerCount }) => answerCount),
    )
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(answers)
  })

  test('may be several, which one number then counts and says', async () => {
    expect(await reportsOf('surface, api')).toMatchObject({
      answers: 7,
      summary: { answerCount: 7, mentionedIn: 4 },
      ways: [
        { obtained: 'surface', answerCount: 4 },
        { obtained: 'api', answerCount: 3 },
      ],
      isMixed: true,
    })
  })

  test('without a filter is every one, and the report says that it mixes them', async () => {
    const all = await reportsOf('')
    expect(all).toMatchObject({ answers: 9, summary: { answerCount: 9, mentionedIn: 5 } })
    expect(all).toMatchObject({ isMixed: true, ways: { length: 3 } })
    expect(await reportsOf('surface, api, imported')).toEqual(all)
    const path = `/api/mcp/projects/${project}/visibility?from=2025-05-01&to=2025-05-31`
    expect(await (await api.get(path, key)).text()).toContain('"totalResponses":9')
  })

  test('is that of each project, where one request reads several', async () => {
    const text = `{ projects { nodes { id visibility(${window}${filterOf('imported')}) { summary { answerCount } } } } }`
    const { nodes } = (await ask(text)).data.projects as { nodes: { id: string }[] }
    const countOf = Object.fromEntries(nodes.map(({ id, ...rest }) => [id, rest]))
    expect(countOf).toMatchObject({
      [project]: { visibility: { summary: { answerCount: 2 } } },
      [other]: { visibility: { summary: { answerCount: 2 } } },
    })
  })

  test('that nobody knows is refused, and so is none', async () => {
    const asked = (ways: string) =>
      ask(`{ project(id: "${project}") { answers(${window}${filterOf(ways)}) { totalCount } } }`)
    expect((await asked('guessed')).errors?.[0]?.message).toContain('guessed')
    const none = await ask(
      `{ project(id: "${project}") { answers(filter: { obtained: [] }) { totalCount } } }`,
    )
    expect(faultIn(none)).toBe('invalid_argument filter.obtained')
  })
})
