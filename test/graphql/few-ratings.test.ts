import { getNamedType, isObjectType } from 'graphql'
import { beforeAll, describe, expect, test } from 'vitest'
import { publicSchema } from '../../schema/index.ts'
import { useApi } from '../kit/api.ts'
import { sendWrite } from '../kit/rest/writes.ts'
import { startTestWorker } from '../kit/worker.ts'

/** No score of sentiment is of fewer than five rated answers in the graph, whose counts say why. */

const api = useApi({}, undefined, { ownDatabase: true })
const now = { from: '2025-05-10', to: '2025-05-19' }
const window = `window: { from: "${now.from}", to: "${now.to}" }`

let key = ''
/** Four rated answers in the window, three positive, and five before, two positive; of Rival likewise. */
let few = ''
/** The same with five in the window, four positive. */
let enough = ''

const texts = (day: string, good: number, bad: number) =>
  Array.from({ length: good + bad }, (_, i) => ({
    collectedAt: `2025-05-${day}T08:0${i}:00Z`,
    run: i,
    text: i < good ? 'Acme is excellent. Rival is excellent.' : 'Acme is awful. Rival is awful.',
  }))

let reports: Record<string, string> = {}

beforeAll(async () => {
  const workspace = await api.workspace('enterprise')
  key = (await workspace.key({ scopes: ['admin'] })).key
  const competitors = [{ name: 'Rival', domain: 'rival.com' }]
  few = await workspace.project({ competitors })
  enough = await workspace.project({ competitors })
  await workspace.load(few, [...texts('12', 3, 1), ...texts('05', 2, 3)])
  await workspace.load(enough, [...texts('12', 4, 1), ...texts('05', 2, 3)])
  const asked = await Promise.all(
    [few, enough].map(async (id) => {
      const path = `/api/mcp/projects/${id}/reports`
      const body = { reportType: 'sentiment', ...now }
      const answer = await sendWrite(api, { path, key, body })
      return [id, ((await answer.json()) as { report: { id: string } }).report.id]
    }),
  )
  reports = Object.fromEntries(asked)
  const worker = await startTestWorker(api)
  await worker.idle()
})

async function ask(id: string, fields: string): Promise<unknown> {
  const response = await api.graphql(`{ project(id: "${id}") { ${fields} } }`, key)
  const { data, errors } = (await response.json()) as {
    data: { project: unknown }
    errors?: unknown
  }
  expect(errors).toBeUndefined()
  return data.project
}

/** All values under a name, at any depth. */
function valuesOf(found: unknown, name: string): unknown[] {
  if (typeof found !== 'object' || found === null) return []
  return Object.entries(found).flatMap(([key, value]) =>
    key === name && (typeof value !== 'object' || value === null) ? [value] : valuesOf(value, name),
  )
}

const numbers = 'score netSentiment'
const metrics = 'metrics { score { value } netSentiment { value } }'
const compared = `sentiment(${window}, compare: previous_period)`
const change = '{ change }'
const byReport = 'sections { metrics { label unit value } }'

/** Each field with a score, and a question that shows it under a name. */
const doors: Record<string, readonly [fields: string, name: string]> = {
  'SentimentSummary.score': [`sentiment(${window}) { summary { ${numbers} } }`, 'score'],
  'SentimentSummary.netSentiment': [
    `ownBrand { sentiment(${window}) { ${numbers} } }`,
    'netSentiment',
  ],
  'SentimentMetrics.score': [`sentiment(${window}) { summary { ${metrics} } }`, 'value'],
  'SentimentMetrics.netSentiment': [
    `competitors { nodes { sentiment(${window}) { ${metrics} } } }`,
    'value',
  ],
  'SentimentChanges.score': [`${compared} { summary { changes { score ${change} } } }`, 'change'],
  'SentimentChanges.netSentiment': [
    `${compared} { summary { changes { netSentiment ${change} } } }`,
    'change',
  ],
  'SentimentHistoryPoint.score': [`sentimentHistory(${window}) { history { score } }`, 'score'],
  'Investigation.current': [`investigate(metric: sentiment, ${window}) { current }`, 'current'],
  'Investigation.change': [`investigate(metric: sentiment, ${window}) { change }`, 'change'],
  'InvestigationMetrics.change': [
    `investigate(metric: sentiment, ${window}) { metrics { current { value } change { value } } }`,
    'value',
  ],
  'InvestigationDriver.current': [
    `investigate(metric: sentiment, ${window}) { drivers { current metrics { current { value } } } }`,
    'current',
  ],
}

/** The same fields of the window before, and those that hold a number of something else. */
const alike = ['Investigation.previous', 'InvestigationDriver.previous', 'ReportMetric.value']
const others = [
  'Metric.value',
  'MetricChange.change',
  'SentimentAgreement.rate',
  'SentimentAgreement.kappa',
  // Money, no scores.
  'SentimentEstimate.costPerThousand',
  'SentimentEstimate.pendingCost',
  'ProjectSentiment.monthCap',
  'ProjectSentiment.spentThisMonth',
]

describe('a score of sentiment', () => {
  test('is of a field that this file asks for', () => {
    const about = /\brated|sentiment|\btone/i
    const found = Object.values(publicSchema.getTypeMap())
      .filter(isObjectType)
      .flatMap((type) =>
        Object.values(type.getFields())
          .filter((field) =>
            ['Float', 'Metric', 'MetricChange'].includes(getNamedType(field.type).name),
          )
          .filter(({ name, description }) =>
            [type.name, name, description ?? ''].some((text) => about.test(text)),
          )
          .map(({ name }) => `${type.name}.${name}`),
      )
    const known = [...Object.keys(doors), ...alike, ...others]
    expect(found.filter((name) => !known.includes(name))).toEqual([])
  })

  test.each(Object.entries(doors))(
    '%s is null for four rated answers, not for five',
    async (_field, door) => {
      const [fields, name] = door
      const [nulls, values] = [await ask(few, fields), await ask(enough, fields)]
      expect(valuesOf(nulls, name)).not.toEqual([])
      expect(valuesOf(nulls, name).filter((value) => value !== null)).toEqual([])
      expect(valuesOf(values, name)).not.toContain(null)
    },
  )

  test('is null in a report in the graph, and a number in REST', async () => {
    const ofReport = (id: string) => ask(id, `reports { nodes { ${byReport} } }`)
    const scores = (found: unknown) =>
      (found as { unit: string; value: unknown }[]).filter(({ unit }) => unit === 'score')
    const flat = (found: unknown) => JSON.stringify(found)
    expect(flat(await ofReport(few))).toContain('"value":null')
    expect(flat(await ofReport(enough))).not.toContain('"value":null')
    const path = `/api/mcp/projects/${few}/reports/${reports[few]}`
    const body = (await (await api.get(path, key)).json()) as {
      report: { sections: { metrics: unknown }[] }
    }
    expect(scores(body.report.sections[0]?.metrics)).toMatchObject([{ label: 'Score', value: 75 }])
  })
})
