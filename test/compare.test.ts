import { beforeAll, expect, test } from 'vitest'
import { useApi } from './kit/api.ts'
import { asking } from './kit/changes.ts'

const api = useApi()
let key = ''
let project = ''
const ask = asking(api, () => key)

const compared = 'window: { from: "2025-06-01", to: "2025-06-30" }, compare: previous_period'

/**
 * Six questions of one topic, each asked six times in June and six times in the 30 days before, all of ChatGPT in Berlin.
 *
 *                 answers  name Acme                  name Rival
 *   June          36       30: all but of question 5  12: the first two of each question
 *   2 to 31 May   36       12: the first two of each  36
 *
 * Acme is praised in June and blamed before. In June each answer that names Acme cites acme.com, and all answers
 * wiki.org twice. Before, the first answer to each question cites wiki.org once.
 */
const lines = [6, 5].flatMap((month) =>
  [0, 1, 2, 3, 4, 5].flatMap((question) =>
    [0, 1, 2, 3, 4, 5].map((run) => {
      const isNow = month === 6
      const hasAcme = isNow ? question !== 5 : run < 2
      const names = [...(hasAcme ? ['Acme'] : []), ...(isNow && run >= 2 ? [] : ['Rival'])]
      const cited = isNow
        ? [...(hasAcme ? ['https://acme.com/a'] : []), 'https://wiki.org/a', 'https://wiki.org/b']
        : run === 0
          ? ['https://wiki.org/a']
          : []
      return {
        prompt: `question ${question}`,
        topic: 'Topic',
        platform: 'chatgpt',
        location: 'Berlin, Germany',
        collectedAt: `2025-0${month}-1${run}T08:00:00Z`,
        text: names.length > 0 ? `${names.join(', then ')}.` : 'Nobody.',
        sentiment: hasAcme ? (isNow ? 1 : -1) : null,
        citations: cited.map((url, i) => ({ position: i + 1, url })),
      }
    }),
  ),
)

beforeAll(async () => {
  const workspace = await api.workspace()
  key = (await workspace.key()).key
  project = await workspace.project({ competitors: [{ name: 'Rival', domain: 'rival.com' }] })
  expect(await workspace.load(project, lines)).toMatchObject({ loaded: 72 })
})

type Row = Record<string, unknown>

async function fieldsOf(fields: string): Promise<Row> {
  const { data, errors } = await ask(`{ project(id: "${project}") { ${fields} } }`)
  expect(errors).toBeUndefined()
  return data.project ?? {}
}

/** What a path of fields and places leads to. */
const at = (value: unknown, ...path: readonly (string | number)[]) =>
  path.reduce((found, step) => (found as Record<string | number, unknown>)[step], value)

const change =
  '{ previous { value numerator denominator low } change interval { low high } isSignificant }'

test('each row of visibility has the change of its answers, with the interval of the whole report', async () => {
  const found = await fieldsOf(`
    visibility(${compared}) { summary { changes { visibilityScore ${change} } } platforms { change ${change} } }
    visibilityByPlatform(${compared}) { platforms { change ${change} } }
    visibilityByLocation(${compared}) { nodes { change ${change} } }
    topicHeatmap(${compared}) { nodes { cells { change ${change} } } }
    ownBrand { visibility(${compared}) { changes { visibilityScore ${change} } } }
    visibilityByPrompt(${compared}) { nodes { prompt { text } visibilityScore change ${change} } }
    plain: visibilityByPlatform(window: { days: 365 }) { platforms { change ${change} } }`)
  const whole = at(found, 'visibility', 'summary', 'changes', 'visibilityScore')
  expect(whole).toEqual({
    previous: { value: 33.33, numerator: 12, denominator: 36, low: expect.any(Number) },
    change: 50,
    interval: { low: expect.any(Number), high: expect.any(Number) },
    isSignificant: true,
  })
  expect(at(found, 'visibility', 'platforms', 0)).toEqual({ change: whole })
  expect(at(found, 'visibilityByPlatform', 'platforms')).toEqual([{ change: whole }])
  expect(at(found, 'visibilityByLocation', 'nodes')).toEqual([{ change: whole }])
  expect(at(found, 'topicHeatmap', 'nodes', 0, 'cells')).toEqual([{ change: whole }])
  expect(at(found, 'ownBrand', 'visibility', 'changes')).toEqual({ visibilityScore: whole })
  const ofPrompts = at(found, 'visibilityByPrompt', 'nodes') as Row[]
  const one = { interval: null, isSignificant: null }
  const before = { value: 33.33, numerator: 2, denominator: 6, low: null }
  expect(ofPrompts).toHaveLength(6)
  for (const { prompt, change: ofPrompt } of ofPrompts) {
    const moved = at(prompt, 'text') === 'question 5' ? -33.33 : 66.67
    expect(ofPrompt).toEqual({ previous: before, change: moved, ...one })
  }
})

test('a brand has the changes of its position, its share of voice and its sentiment', async () => {
  const found = await fieldsOf(`
    brands(${compared}) { nodes {
      brand { name }
      visibility { changes { averagePosition { previous { value } change } shareOfVoice ${change} } }
      sentiment { changes { score { previous { value numerator denominator } change isSignificant } } } } }
    shareOfVoice(${compared}) { own { change ${change} } }
    sentiment(${compared}) { summary { changes { score { change } } } }
    plain: brands(window: { from: "2025-06-01", to: "2025-06-30" }) { nodes { visibility { changes { shareOfVoice { change } } } sentiment { changes { score { change } } } } }`)
  // In June 30 of 42 namings are of Acme, before 12 of 48.
  const ofShare = at(found, 'shareOfVoice', 'own', 'change')
  expect(ofShare).toMatchObject({
    previous: { value: 25, numerator: 12, denominator: 48 },
    change: 46.43,
  })
  expect(at(found, 'brands', 'nodes', 0)).toEqual({
    brand: { name: 'Acme' },
    visibility: {
      changes: { averagePosition: { previous: { value: 1 }, change: 0 }, shareOfVoice: ofShare },
    },
    sentiment: {
      changes: {
        score: {
          previous: { value: 0, numerator: 0, denominator: 12 },
          change: 100,
          isSignificant: null,
        },
      },
    },
  })
  expect(at(found, 'sentiment', 'summary', 'changes', 'score', 'change')).toBe(100)
  expect(at(found, 'brands', 'nodes', 1, 'visibility', 'changes', 'averagePosition')).toEqual({
    // In May 12 of 36 answers name Acme first; in June 10 of 12.
    previous: { value: 1.33 },
    change: 0.5,
  })
  expect(at(found, 'plain', 'nodes', 0)).toEqual({
    visibility: { changes: null },
    sentiment: { changes: null },
  })
})

test('a cited domain and a cited URL have their changes, also where their id leads to them', async () => {
  const count = '{ previous change percent }'
  const ofUrl = `changes { citationRate ${change} citedIn ${count} }`
  const ofDomain = `changes { citationRate ${change} citationCount ${count} citedIn ${count} }`
  const found = await fieldsOf(`
    sourceDomains(${compared}) { nodes { domain nodeId ${ofDomain} urls { nodes { url ${ofUrl} } } } }
    sourceUrls(${compared}) { nodes { url ${ofUrl} } }
    plain: sourceDomains(window: { from: "2025-06-01", to: "2025-06-30" }) { nodes { nodeId ${ofDomain} } }`)
  const [wiki, acme] = at(found, 'sourceDomains', 'nodes') as { nodeId: string; changes: object }[]
  // All 36 answers cite it in June, twice each; 6 of 36 before, once each.
  expect(wiki?.changes).toMatchObject({
    citationRate: { previous: { value: 16.67, numerator: 6, denominator: 36 }, change: 83.33 },
    citationCount: { previous: 6, change: 66, percent: 1100 },
    citedIn: { previous: 6, change: 30, percent: 500 },
  })
  expect(at(wiki, 'changes', 'citationRate', 'isSignificant')).toBe(true)
  expect(acme?.changes).toMatchObject({
    citationRate: { previous: { value: 0, numerator: 0, denominator: 36 }, change: 83.33 },
    citationCount: { previous: 0, change: 30, percent: null },
  })
  const urls = at(found, 'sourceUrls', 'nodes') as Row[]
  expect(urls.map(({ url, changes }) => [url, at(changes, 'citedIn', 'previous')])).toEqual([
    ['https://wiki.org/a', 6],
    ['https://wiki.org/b', 0],
    ['https://acme.com/a', 0],
  ])
  expect(at(wiki, 'urls', 'nodes')).toEqual(urls.slice(0, 2))
  const [plain] = at(found, 'plain', 'nodes') as { nodeId: string; changes: null }[]
  expect(plain?.changes).toBeNull()
  expect(plain?.nodeId).not.toBe(wiki?.nodeId)
  const again = await ask(`{ node(id: "${wiki?.nodeId}") { ... on SourceDomain { ${ofDomain} } } }`)
  expect(again.data.node).toEqual({ changes: wiki?.changes })
})
