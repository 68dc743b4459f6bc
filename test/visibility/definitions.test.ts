import { beforeAll, expect, test } from 'vitest'
import { useApi } from '../kit/api.ts'
import { asking } from '../kit/changes.ts'
import { countedStatements } from '../kit/statements.ts'

const statements = countedStatements()
const api = useApi({}, statements.log)
let key = ''
let project = ''
let empty = ''
const ask = asking(api, () => key)

const answer = (prompt: string, day: number, text: string, ...cites: string[]) => ({
  prompt,
  text,
  collectedAt: `2025-05-${String(day).padStart(2, '0')}T08:00:00Z`,
  citations: cites.map((url) => ({ url })),
})

/** Twelve answers to three prompts, counted by hand below. */
const twelve = [
  // Anvils: 6 answers, 4 mention Acme.
  answer('best anvils?', 1, 'Acme is best. Acme lasts.', 'https://acme.com/anvils'),
  answer('best anvils?', 2, 'Acme, then Rival.', 'https://acme.com/a', 'https://acme.com/b'),
  answer('best anvils?', 3, 'Rival, then Acme. Rival is cheaper.'),
  answer('best anvils?', 4, '1. Other\n2. Another\n3. Acme'),
  answer('best anvils?', 5, 'Rival.', 'https://acme.com/anvils'),
  answer('best anvils?', 6, 'Ask a smith.'),
  // Bolts: 4 answers, 1 mentions Acme.
  answer('best bolts?', 1, 'Acme.'),
  answer('best bolts?', 2, 'Rival, Rival and Rival.', 'https://rival.com/bolts'),
  answer('best bolts?', 3, 'Rival.', 'https://www.acme.com/bolts'),
  answer('best bolts?', 4, 'None.'),
  // Nuts: 2 answers, none mentions Acme.
  answer('best nuts?', 1, 'Rival.'),
  answer('best nuts?', 2, 'None.'),
]

beforeAll(async () => {
  const workspace = await api.workspace()
  project = await workspace.project({ competitors: [{ name: 'Rival', domain: 'rival.com' }] })
  empty = await workspace.project()
  key = (await workspace.key()).key
  await workspace.load(project, twelve)
})

interface Row {
  readonly definition: string
  readonly value: number | null
  readonly numerator: number
  readonly denominator: number
}

async function definitionsOf(id: string, more = '') {
  const found = await ask(`{ project(id: "${id}") {
    visibility(window: { from: "2025-05-01", to: "2025-05-31" }${more}) {
      summary { metrics { visibilityScore { value numerator denominator } } } }
    shareOfVoice(window: { from: "2025-05-01", to: "2025-05-31" }${more}, first: 1) {
      own { metrics { shareOfVoice { value numerator denominator } } } }
    visibilityDefinitions(window: { from: "2025-05-01", to: "2025-05-31" }${more}) {
      definitions { definition value numerator denominator name meaning usedBy } } } }`)
  expect(found.errors).toBeUndefined()
  const { visibility, shareOfVoice, visibilityDefinitions } = found.data.project as unknown as {
    visibility: { summary: { metrics: { visibilityScore: object } } }
    shareOfVoice: { own: { metrics: { shareOfVoice: object } } }
    visibilityDefinitions: { definitions: Row[] }
  }
  return {
    score: visibility.summary.metrics.visibilityScore,
    share: shareOfVoice.own.metrics.shareOfVoice,
    rows: Object.fromEntries(
      visibilityDefinitions.definitions.map(({ definition, value, numerator, denominator }) => [
        definition,
        { value, numerator, denominator },
      ]),
    ),
  }
}

test('twelve answers give each definition the number that a person counts', async () => {
  const { rows, score, share } = await definitionsOf(project)
  expect(rows).toEqual({
    any_mention: { value: 41.67, numerator: 5, denominator: 12 },
    // Anvils of days 1 and 2, bolts of day 1.
    first_mention: { value: 25, numerator: 3, denominator: 12 },
    // Anvils of days 1, 2 and 5, bolts of day 3; two pages of one answer count once.
    cited_domain: { value: 33.33, numerator: 4, denominator: 12 },
    // Three times 10, 9 for second and 8 for third.
    position_weighted: { value: 39.17, numerator: 47, denominator: 120 },
    // 4/6 + 1/4 + 0/2.
    prompt_mean: { value: 30.56, numerator: 0.92, denominator: 3 },
    prompt_coverage: { value: 66.67, numerator: 2, denominator: 3 },
    // Rival is in six answers.
    share_of_voice: { value: 45.45, numerator: 5, denominator: 11 },
    // Acme 2 + 1 + 1 + 1 + 1, Rival 1 + 2 + 1 + 3 + 1 + 1.
    share_of_occurrences: { value: 40, numerator: 6, denominator: 15 },
  })
  expect(rows.any_mention).toEqual(score)
  expect(rows.share_of_voice).toEqual(share)
})

test('definitions follow the filters, and have no value without answers', async () => {
  const { rows } = await definitionsOf(project, ', filter: { platforms: ["gemini"] }')
  expect(Object.values(rows).map(({ value }) => value)).toEqual(Array(8).fill(null))
  expect((await definitionsOf(empty)).rows.any_mention).toMatchObject({ value: null })
})

test('all definitions are counted by one statement', async () => {
  statements.taken()
  await ask(`{ project(id: "${project}") { visibilityDefinitions { definitions { value } } } }`)
  expect(statements.taken()).toEqual(['visibility.definitions'])
})
