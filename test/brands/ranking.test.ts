import { beforeAll, expect, test } from 'vitest'
import { useApi } from '../kit/api.ts'
import { asking } from '../kit/changes.ts'

const api = useApi()
let key = ''
let project = ''
const ask = asking(api, () => key)

/**
 *   May          answers                      Acme  Rival  Other
 *   chatgpt      Acme, Acme and Rival         2     1      0
 *   perplexity   Rival, Rival, Acme and Other 1     2      1
 *
 * In April, chatgpt named nobody and perplexity named Acme: 1 of 2 answers. In May 3 of 5 name Acme.
 */
const may = [
  ['chatgpt', 'Acme.'],
  ['chatgpt', 'Acme or Rival.'],
  ['perplexity', 'Rival.'],
  ['perplexity', 'Rival.'],
  ['perplexity', 'Acme or Other.'],
] as const

beforeAll(async () => {
  const workspace = await api.workspace()
  key = (await workspace.key()).key
  project = await workspace.project({
    competitors: [
      { name: 'Rival', domain: 'rival.com' },
      { name: 'Other', domain: 'other.com' },
    ],
  })
  const april = '2025-04-20T08:00:00Z'
  await workspace.load(project, [
    { prompt: 'p0', platform: 'chatgpt', collectedAt: april, text: 'Nobody.' },
    { prompt: 'p2', platform: 'perplexity', collectedAt: april, text: 'Acme.' },
    ...may.map(([platform, text], i) => {
      return { prompt: `p${i}`, platform, collectedAt: '2025-05-10T08:00:00Z', text }
    }),
  ])
})

const window = 'window: { from: "2025-05-01", to: "2025-05-31" }'

async function fieldsOf(fields: string) {
  const { data, errors } = await ask(`{ project(id: "${project}") { ${fields} } }`)
  expect(errors).toBeUndefined()
  return data.project ?? {}
}

const named = (name: string) => ({ brand: { name } })

test('each AI platform with answers has its leader, the second brand and the place of the own brand', async () => {
  const { platforms, ranking } = await fieldsOf(`
    ranking(${window}) { leader { name } isTied ownRank gap brandCount }
    platforms(filter: { hasAnswers: true }) { totalCount nodes {
      slug
      ranking(${window}) { leader { name } runnerUp { name } isTied ownRank }
      brands(${window}) { nodes { brand { name } rank visibility {
        visibilityScore metrics { shareOfVoice { value } } } } }
    } }`)
  expect(ranking).toEqual({
    leader: { name: 'Acme' },
    isTied: true,
    ownRank: 1,
    gap: 0,
    brandCount: 3,
  })
  const brand = (name: string, rank: number, visibilityScore: number, share: number) => ({
    ...named(name),
    rank,
    visibility: { visibilityScore, metrics: { shareOfVoice: { value: share } } },
  })
  expect(platforms).toEqual({
    totalCount: 2,
    nodes: [
      {
        slug: 'chatgpt',
        ranking: {
          leader: { name: 'Acme' },
          runnerUp: { name: 'Rival' },
          isTied: false,
          ownRank: 1,
        },
        brands: { nodes: [brand('Acme', 1, 100, 66.67), brand('Rival', 2, 50, 33.33)] },
      },
      {
        slug: 'perplexity',
        ranking: {
          leader: { name: 'Rival' },
          runnerUp: { name: 'Acme' },
          isTied: false,
          ownRank: 2,
        },
        brands: {
          nodes: [
            brand('Rival', 1, 66.67, 50),
            brand('Acme', 2, 33.33, 25),
            brand('Other', 2, 33.33, 25),
          ],
        },
      },
    ],
  })
})

test('brands have no place where answers name none', async () => {
  const june = 'window: { from: "2025-06-01", to: "2025-06-30" }'
  const { ranking } = await fieldsOf(
    `ranking(${june}) { leader { name } runnerUp { name } isTied ownRank }`,
  )
  expect(ranking).toEqual({ leader: null, runnerUp: null, isTied: false, ownRank: null })
})

test('what moved visibility up and down sums to the change', async () => {
  const mover = 'label contribution'
  const { investigate } = await fieldsOf(`investigate(metric: visibility, ${window}) {
    change
    platforms: movers(dimensions: [platform], top: 1) {
      dimension up { ${mover} } down { ${mover} } otherCount contributionOfOthers }
    prompts: movers(dimensions: [prompt], top: 2) {
      up { contribution } down { ${mover} } otherCount contributionOfOthers } }`)
  expect(investigate).toEqual({
    change: 10,
    platforms: [
      {
        dimension: 'platform',
        up: [{ label: 'ChatGPT', contribution: 40 }],
        down: [{ label: 'Perplexity', contribution: -30 }],
        otherCount: 0,
        contributionOfOthers: 0,
      },
    ],
    // p0, p1 and p4 raised it by 20 each, p3 left it as it was.
    prompts: [
      {
        up: [{ contribution: 20 }, { contribution: 20 }],
        down: [{ label: 'p2', contribution: -50 }],
        otherCount: 2,
        contributionOfOthers: 20,
      },
    ],
  })
})
