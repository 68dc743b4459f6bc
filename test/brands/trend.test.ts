import { beforeAll, expect, test } from 'vitest'
import { useApi } from '../kit/api.ts'
import { asking } from '../kit/changes.ts'

const api = useApi()
let key = ''
let project = ''
const ask = asking(api, () => key)

/**
 *   day  answers                        name Acme  name Rival
 *   10   Acme and Rival, Acme, nobody   2          1
 *   11   nobody                         0          0
 *   12   Rival, Rival, Acme and Rival   1          3
 */
const texts: Readonly<Record<string, readonly string[]>> = {
  '2025-05-10': ['Acme or Rival.', 'Acme.', 'Neither.'],
  '2025-05-11': ['Neither.'],
  '2025-05-12': ['Rival.', 'Rival!', 'Rival, then Acme.'],
}

beforeAll(async () => {
  const workspace = await api.workspace()
  key = (await workspace.key()).key
  project = await workspace.project({ competitors: [{ name: 'Rival', domain: 'rival.com' }] })
  const lines = Object.entries(texts).flatMap(([day, answers]) =>
    answers.map((text, i) => ({ prompt: `p${i}`, collectedAt: `${day}T08:00:00Z`, text })),
  )
  await workspace.load(project, lines)
})

const metric = 'value numerator denominator low high basketLow basketHigh'
const mayWindow = 'window: { from: "2025-05-01", to: "2025-05-31" }'

async function fieldsOf(fields: string) {
  const { data, errors } = await ask(`{ project(id: "${project}") { ${fields} } }`)
  expect(errors).toBeUndefined()
  return data.project ?? {}
}

test('the share of voice of each day is its part of the namings of that day', async () => {
  const { brands } = await fieldsOf(`brands(${mayWindow}) { nodes {
    brand { name }
    visibility { trend { date metrics { shareOfVoice { value numerator denominator } } } }
  } }`)
  expect(brands).toEqual({
    nodes: [
      {
        brand: { name: 'Rival' },
        visibility: {
          trend: [
            ['2025-05-10', 33.33, 1, 3],
            ['2025-05-11', null, 0, 0],
            ['2025-05-12', 75, 3, 4],
          ].map(ofDay),
        },
      },
      {
        brand: { name: 'Acme' },
        visibility: {
          trend: [
            ['2025-05-10', 66.67, 2, 3],
            ['2025-05-11', null, 0, 0],
            ['2025-05-12', 25, 1, 4],
          ].map(ofDay),
        },
      },
    ],
  })
})

function ofDay([date, value, numerator, denominator]: (string | number | null)[]) {
  return { date, metrics: { shareOfVoice: { value, numerator, denominator } } }
}

test('a day has the share and the intervals of a report of that day alone', async () => {
  const day = '{ from: "2025-05-12", to: "2025-05-12" }'
  const { ownBrand, shareOfVoice } = await fieldsOf(`
    ownBrand { visibility(${mayWindow}) { trend { metrics { shareOfVoice { ${metric} } } } } }
    shareOfVoice(window: ${day}) { own { metrics { shareOfVoice { ${metric} } } } }`)
  const { trend } = (ownBrand as { visibility: { trend: object[] } }).visibility
  const { metrics } = (
    shareOfVoice as { own: { metrics: { shareOfVoice: { low: number | null } } } }
  ).own
  expect(metrics.shareOfVoice.low).not.toBeNull()
  expect(trend[2]).toEqual({ metrics })
})
