import { type GraphQLObjectType, getNamedType, isObjectType } from 'graphql'
import { beforeAll, describe, expect, test } from 'vitest'
import { publicSchema } from '../../schema/index.ts'
import { useApi } from '../kit/api.ts'
import { importSearch, searchAnswer } from '../kit/imports/search-console.ts'
import { importReport, reportOf, reportRow } from '../kit/imports/web-analytics.ts'
import { connectSource, putHits } from '../kit/tracker/hits.ts'

const api = useApi()
let key = ''
let full = ''
let empty = ''

/** Answers of 10 and 12 May 2025, hits of 13 and 14, sessions of 15 and 16, searches of 17 and 18. */
beforeAll(async () => {
  const workspace = await api.workspace('enterprise')
  full = await workspace.project()
  empty = await workspace.project()
  key = (await workspace.key()).key
  await workspace.load(full, [
    { collectedAt: '2025-05-10T08:00:00Z' },
    { collectedAt: '2025-05-12T08:00:00Z' },
  ])
  for (const project of [full, empty]) await connectSource(api.db, project)
  const hit = (day: number) => ({ bot: 'GPTBot', at: `2025-05-${day}T08:00:00Z`, path: '/a' })
  await putHits(api.warehouse, full, [hit(13), hit(14)])
  const sessions = ['20250515', '20250516'].map((date) => reportRow({ date }))
  await importReport(api, full, JSON.stringify(reportOf(sessions)))
  const searches = ['2025-05-17', '2025-05-18'].map((date) => ({ date }))
  await importSearch(api, full, JSON.stringify(searchAnswer(searches)))
})

const days = (from: number, to: number) => ({ from: `2025-05-${from}`, to: `2025-05-${to}` })
const ofAnswers = days(10, 12)
const ofCrawls = days(13, 14)
const ofSessions = days(15, 16)
const ofSearch = days(17, 18)

const others: Readonly<Record<string, object>> = {
  trafficOverview: ofCrawls,
  crawlers: ofCrawls,
  crawlerHits: ofCrawls,
  trafficCorrelation: ofCrawls,
  sitemapCoverage: ofCrawls,
  trafficAttribution: ofSessions,
  webAnalytics: ofSessions,
  topPages: ofSessions,
  aiReferrals: ofSessions,
  positionBuckets: ofSearch,
  searchPerformance: ofSearch,
  searchQueries: ofSearch,
  searchPages: ofSearch,
  searchCountries: ofSearch,
  searchDevices: ofSearch,
}

/** The reports of a project that need no argument, and say where data are. */
const project = publicSchema.getType('Project') as GraphQLObjectType
const reports = Object.values(project.getFields())
  .filter(({ args }) => args.every(({ type }) => !String(type).endsWith('!')))
  .filter(({ type }) => {
    const named = getNamedType(type)
    return isObjectType(named) && 'dataAvailable' in named.getFields()
  })
  .map(({ name }) => name)

async function ask(id: string, fields: string) {
  const query = `query($id: ID!) { project(id: $id) { ${fields} } }`
  const body = await (await api.graphql(query, key, { id })).json()
  return body as { data: { project: Record<string, unknown> }; errors?: { message: string }[] }
}

describe('a report without data in its window', () => {
  test.each(reports)('%s says where data are', async (name) => {
    const { data, errors } = await ask(full, `${name} { dataAvailable { from to } }`)
    expect(errors).toBeUndefined()
    expect(data.project).toEqual({ [name]: { dataAvailable: others[name] ?? ofAnswers } })
  })

  test('says nothing where there are none at all', async () => {
    const { data } = await ask(empty, 'visibility { dataAvailable { from } }')
    expect(data.project).toEqual({ visibility: { dataAvailable: null } })
  })

  test('has the same days in its advice, at both doors', async () => {
    const { data } = await ask(full, 'shopping { howToFix }')
    const advice = expect.stringMatching(
      / The project has answers from 2025-05-10 to 2025-05-12\.$/,
    )
    expect(data.project).toEqual({ shopping: { howToFix: advice } })
    const rest = await api.get(`/api/mcp/projects/${full}/shopping`, key)
    expect(await rest.json()).toMatchObject({ available: false, howToFix: advice })
    const none = await ask(empty, 'shopping { howToFix }')
    expect(JSON.stringify(none.data)).not.toContain('The project has')
  })
})

test('each kind of data has a report', () => {
  expect(reports.length).toBeGreaterThan(20)
  expect(Object.keys(others).filter((name) => !reports.includes(name))).toEqual([])
})
