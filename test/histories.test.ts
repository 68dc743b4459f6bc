import { beforeAll, describe, expect, test } from 'vitest'
import { useApi } from './kit/api.ts'
import { asking } from './kit/changes.ts'

const api = useApi()
let key = ''
let project = ''
const ask = asking(api, () => key)

/** From a Wednesday to a Tuesday: the ends cut a week each, and both months. */
const window = 'window: { from: "2025-05-07", to: "2025-06-03" }'

/**
 *   week of      day    question  names          tone of Acme
 *   5 May, cut   05-08  p1 twice  Acme; Rival    positive; none
 *                05-11  p2        nobody
 *   12 May       05-12  p1        Acme, Rival    positive
 *                05-18  p2        Acme           negative
 *   26 May       05-28  p1        Rival
 *                06-01  p2        nobody
 *   2 June, cut  06-02  p1, p2    Acme; nobody   neutral
 *
 * Nobody asked in the week of 19 May. An answer before the window, on 6 May, and one after it name Acme.
 */
const lines = (
  [
    ['2025-05-06', 'p1', 'Acme.', 1],
    ['2025-05-08', 'p1', 'Acme.', 1],
    ['2025-05-08', 'p1', 'Rival.'],
    ['2025-05-11', 'p2', 'Neither.'],
    ['2025-05-12', 'p1', 'Acme, then Rival.', 1],
    ['2025-05-18', 'p2', 'Acme.', -1],
    ['2025-05-28', 'p1', 'Rival.'],
    ['2025-06-01', 'p2', 'Neither.'],
    ['2025-06-02', 'p1', 'Acme.', 0],
    ['2025-06-02', 'p2', 'Neither.'],
    ['2025-06-04', 'p1', 'Acme.', 1],
  ] as const
).map(([day, prompt, text, sentiment], i) => ({
  prompt,
  text,
  sentiment: sentiment ?? null,
  collectedAt: `${day}T08:00:${String(i).padStart(2, '0')}Z`,
}))

beforeAll(async () => {
  const workspace = await api.workspace()
  key = (await workspace.key()).key
  project = await workspace.project({ competitors: [{ name: 'Rival', domain: 'rival.com' }] })
  expect(await workspace.load(project, lines)).toMatchObject({ loaded: lines.length })
})

type Row = Record<string, unknown>

async function fieldsOf(fields: string): Promise<Record<string, Row>> {
  const { data, errors } = await ask(`{ project(id: "${project}") { ${fields} } }`)
  expect(errors).toBeUndefined()
  return (data.project ?? {}) as Record<string, Row>
}

/** What a path of fields and places leads to. */
const at = (value: unknown, ...path: readonly (string | number)[]) =>
  path.reduce((found, step) => (found as Record<string | number, unknown>)[step], value)

const rowsOf = ({ history }: Row = {}) => (history as Row[]).map((row) => Object.values(row))

describe('a history', () => {
  const fields =
    'history { date from to isPartial totalResponses: answerCount responsesWithBrand: mentionedIn visibilityScore }'

  test('by week has ISO weeks from Monday, and says which the window cuts', async () => {
    const { visibilityHistory } = await fieldsOf(
      `visibilityHistory(${window}, interval: week) { ${fields} }`,
    )
    expect(rowsOf(visibilityHistory)).toEqual([
      ['2025-05-05', '2025-05-07', '2025-05-11', true, 3, 1, 33.33],
      ['2025-05-12', '2025-05-12', '2025-05-18', false, 2, 2, 100],
      ['2025-05-26', '2025-05-26', '2025-06-01', false, 2, 0, 0],
      ['2025-06-02', '2025-06-02', '2025-06-03', true, 2, 1, 50],
    ])
  })

  test('by month has calendar months', async () => {
    const { visibilityHistory } = await fieldsOf(
      `visibilityHistory(${window}, interval: month) { ${fields} }`,
    )
    expect(rowsOf(visibilityHistory)).toEqual([
      ['2025-05-01', '2025-05-07', '2025-05-31', true, 6, 3, 50],
      ['2025-06-01', '2025-06-01', '2025-06-03', true, 3, 1, 33.33],
    ])
  })

  test('is by day unless asked, and its days add up to its weeks and months', async () => {
    const counts =
      'history { isPartial totalResponses: answerCount responsesWithBrand: mentionedIn }'
    const found = await fieldsOf(`
      unasked: visibilityHistory(${window}) { ${counts} }
      day: visibilityHistory(${window}, interval: day) { ${counts} }
      week: visibilityHistory(${window}, interval: week) { ${counts} }
      month: visibilityHistory(${window}, interval: month) { ${counts} }`)
    expect(found.unasked).toEqual(found.day)
    expect(rowsOf(found.day).map(([isPartial]) => isPartial)).toEqual(Array(7).fill(false))
    for (const history of [found.day, found.week, found.month]) {
      const sum = (column: number) =>
        rowsOf(history).reduce((total, row) => total + Number(row[column]), 0)
      expect([sum(1), sum(2)]).toEqual([9, 4])
    }
  })

  test('by week has the ratios and intervals of all answers of the week', async () => {
    const metric = '{ value numerator denominator low high basketLow basketHigh effectiveN caveat }'
    const visibility = `visibilityScore ${metric} averagePosition ${metric}`
    const week = 'window: { from: "2025-05-07", to: "2025-05-11" }'
    const found = await fieldsOf(`
      visibilityHistory(${window}, interval: week) { history { metrics { ${visibility} } } }
      visibility(${window}) { trend(interval: week) { metrics { ${visibility} } } }
      sentimentHistory(${window}, interval: week) { history { rated metrics { score ${metric} netSentiment ${metric} } } }
      ownBrand { visibility(${window}) { trend(interval: week) { metrics {
        visibilityScore ${metric} shareOfVoice ${metric} } } } }
      ofWeek: visibility(${week}) { summary { metrics { ${visibility} } } }
      tones: sentiment(${week}) { summary { rated metrics { score ${metric} netSentiment ${metric} } } }
      shareOfVoice(${week}) { own { metrics { shareOfVoice ${metric} } } }`)
    const ofWeek = at(found, 'ofWeek', 'summary') as { metrics: Record<string, { low: unknown }> }
    const { visibilityScore } = ofWeek.metrics
    expect(visibilityScore?.low).not.toBeNull()
    expect(at(found, 'visibilityHistory', 'history', 0)).toEqual(ofWeek)
    expect(at(found, 'visibility', 'trend', 0)).toEqual(ofWeek)
    expect(at(found, 'sentimentHistory', 'history', 0)).toEqual(at(found, 'tones', 'summary'))
    const shareOfVoice = at(found, 'shareOfVoice', 'own', 'metrics', 'shareOfVoice')
    expect(at(found, 'ownBrand', 'visibility', 'trend', 0)).toEqual({
      metrics: { visibilityScore, shareOfVoice },
    })
  })
})
