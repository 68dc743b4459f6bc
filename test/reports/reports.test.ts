import { beforeAll, describe, expect, test } from 'vitest'
import { daysText } from '../../core/text/days.ts'
import { reanalyze } from '../../imports/answers/reanalyze.ts'
import { reportJob } from '../../worker/report.ts'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { asking, faultIn } from '../kit/changes.ts'
import { askingRest, outcomeOf } from '../kit/prompts.ts'
import { answers, brand, may, type ReportBody, valuesOf } from '../kit/reports.ts'
import { sendWrite, tellOf } from '../kit/rest/writes.ts'
import { jobsOf, startTestWorker, type TestWorker } from '../kit/worker.ts'

const api = useApi({}, undefined, { ownDatabase: true })
let workspace: TestWorkspace
let project = ''
let key = ''

const rest = askingRest(
  api,
  () => project,
  () => key,
)
const graph = asking(api, () => key)

type Body = Record<string, unknown>
const live = async (tail: string) => (await rest('GET', tail)).body as unknown as Body
const reportOf = async (id: string, of = project) => {
  const response = await api.get(`/api/mcp/projects/${of}/reports/${id}`, key)
  return ((await response.json()) as { report: ReportBody }).report
}

async function create(body: object): Promise<ReportBody> {
  const reply = await rest('POST', '/reports', body)
  expect(reply.status).toBe(202)
  return reply.body.report as ReportBody
}

beforeAll(async () => {
  workspace = await api.workspace()
  project = await workspace.project(brand)
  key = (await workspace.key({ scopes: ['admin'] })).key
  await workspace.load(project, answers)
})

describe('a request', () => {
  test.each([
    [{}, '400 invalid_argument reportType'],
    [{ reportType: 'traffic' }, '400 invalid_argument reportType'],
    [{ reportType: 'visibility', title: ' ' }, '400 invalid_argument title'],
    [{ reportType: 'visibility', title: 'x'.repeat(201) }, '400 invalid_argument title'],
    [{ reportType: 'visibility', days: 7, ...may }, '400 invalid_argument days'],
    [{ reportType: 'visibility', from: may.from }, '400 invalid_argument to'],
    [
      { reportType: 'visibility', from: '2024-01-01', to: '2024-12-31' },
      '400 invalid_argument from',
    ],
    [{ reportType: 'visibility', days: 0 }, '400 invalid_argument days'],
    [{ reportType: 'visibility', days: -2_147_483_649 }, '400 invalid_argument days'],
    [{ reportType: 'visibility', share: 'yes' }, '400 invalid_argument share'],
  ])('%j is refused with %s', async (body, outcome) => {
    expect(outcomeOf(await rest('POST', '/reports', body))).toBe(outcome)
  })

  test('GraphQL refuses the same window and title', async () => {
    const ask = (args: string) =>
      graph(`mutation { createReport(projectId: "${project}", reportType: visibility, ${args})
        { report { id } } }`)
    const both = 'window: { days: 7, from: "2025-05-01", to: "2025-05-02" }'
    expect(faultIn(await ask(both))).toBe('invalid_argument window.days')
    expect(faultIn(await ask(`title: "${'x'.repeat(201)}"`))).toBe('invalid_argument title')
    const tooLong = 'window: { from: "2024-01-01", to: "2024-12-31" }'
    expect(faultIn(await ask(tooLong))).toBe('invalid_argument window.from')
  })

  test('of 9999 days covers 365', async () => {
    const { id } = await create({ reportType: 'sentiment', days: 9999 })
    const { dateRange, status, sections, title } = await reportOf(id)
    const days = (Date.parse(dateRange.to) - Date.parse(dateRange.from)) / 86_400_000 + 1
    expect({ days, status, sections }).toEqual({ days: 365, status: 'queued', sections: [] })
    expect(title).toBe(`Sentiment of Acme, ${daysText(dateRange.from, dateRange.to)}`)
    await api.db.report.deleteMany()
  })

  test('two at once: one is accepted, the other waits ten seconds', async () => {
    const of = await workspace.project(brand)
    const ask = () =>
      sendWrite(api, {
        path: `/api/mcp/projects/${of}/reports`,
        key,
        body: { reportType: 'visibility' },
      }).then(tellOf)
    const told = await Promise.all([ask(), ask()])
    expect(told.map(({ status }) => status).sort()).toEqual([202, 429])
    expect(told.find(({ status }) => status === 429)).toMatchObject({
      code: 'rate_limited',
      retryAfter: '10',
      retryable: true,
    })
    expect(await api.db.report.count({ where: { projectId: of } })).toBe(1)
    const trail = await api.db.auditEntry.findMany({ where: { projectId: of } })
    expect(trail.filter(({ action }) => action === 'report.create')).toHaveLength(1)
  })

  test('with one Idempotency-Key makes one report and one job; the replay has the same bytes', async () => {
    const of = await workspace.project(brand)
    const body = { reportType: 'combined', ...may }
    const path = `/api/v1/projects/${of}/reports`
    const ask = (asked: object) =>
      sendWrite(api, { path, key, body: asked, headers: { 'idempotency-key': 'r1' } }).then(tellOf)
    const first = await ask(body)
    const again = await ask(body)
    expect([first.status, again.status, again.replayed]).toEqual([202, 202, true])
    expect(again.text).toBe(first.text)
    expect((await ask({ ...body, title: 'Other' })).code).toBe('idempotency_conflict')
    const [made] = await api.db.report.findMany({ where: { projectId: of } })
    expect(JSON.parse(first.text)).toEqual({
      report: {
        id: made?.id,
        reportType: 'combined',
        title: 'Visibility and sentiment of Acme, 1 – 30 May 2025',
        status: 'queued',
        shareUrl: null,
        createdAt: made?.createdAt.toISOString(),
        completedAt: null,
      },
      success: true,
    })
    expect(await jobsOf(api, made?.id)).toHaveLength(1)
  })

  test('a starter plan shares no report, and makes ten a month', async () => {
    const starter = await api.workspace('starter')
    const of = await starter.project(brand)
    const starterKey = (await starter.key({ scopes: ['write'] })).key
    const path = `/api/mcp/projects/${of}/reports`
    const ask = async (body: object) => {
      const response = await sendWrite(api, { path, key: starterKey, body })
      return { status: response.status, ...((await response.json()) as Body) }
    }
    expect(await ask({ reportType: 'visibility', share: true })).toMatchObject({
      status: 403,
      code: 'plan_upgrade_required',
      requiresUpgrade: true,
    })
    const row = { projectId: of, reportType: 'visibility' as const, title: 'x', asOf: {} }
    const day = new Date('2025-05-01')
    const failed = { ...row, from: day, to: day, status: 'failed' as const, error: 'internal' }
    const earlier = { ...failed, status: 'completed' as const, createdAt: day, error: null }
    const made = Array.from({ length: 10 }, () => ({ ...earlier, createdAt: new Date() }))
    await api.db.report.createMany({ data: [failed, earlier, ...made] })
    expect(await ask({ reportType: 'visibility' })).toMatchObject({
      status: 403,
      code: 'quota_exceeded',
      current: 10,
      limit: 10,
      requested: 1,
    })
    const reader = (await starter.key()).key
    const usage = await api.get(`/api/mcp/projects/${of}/usage`, reader)
    expect(await usage.json()).toMatchObject({ quotas: { reports: { current: 10, limit: 10 } } })
    await api.db.report.deleteMany({ where: { projectId: of, status: 'completed' } })
    expect(await ask({ reportType: 'visibility' })).toMatchObject({ status: 202 })
    expect((await api.get(path, starterKey)).status).toBe(403)
  })

  test('a paused project makes no report, an inactive pitch project does', async () => {
    const paused = await workspace.project({ ...brand, kind: 'regular' })
    const pitch = await workspace.project({ ...brand, kind: 'pitch' })
    await api.db.project.update({ where: { id: paused }, data: { status: 'paused' } })
    await api.db.project.update({ where: { id: pitch }, data: { isActive: false } })
    const ask = async (of: string) => {
      const path = `/api/mcp/projects/${of}/reports`
      return tellOf(await sendWrite(api, { path, key, body: { reportType: 'visibility' } }))
    }
    expect(await ask(paused)).toMatchObject({ status: 403, code: 'project_not_runnable' })
    expect(await ask(pitch)).toMatchObject({ status: 202 })
  })
})

/** What the live reports of May show now, in the form of a report's sections. */
async function liveSections(): Promise<Record<string, [string, unknown][]>> {
  const window = `from=${may.from}&to=${may.to}`
  const [visibility, platforms, voice, topics, domains, tone, tones] = await Promise.all([
    live(`/visibility?${window}`),
    live(`/visibility/platforms?${window}`),
    live(`/share-of-voice?${window}`),
    live(`/visibility/topics?${window}`),
    live(`/sources/domains?${window}`),
    live(`/sentiment?${window}`),
    live(`/sentiment/competitors?${window}`),
  ])
  const rows = (of: Body, name: string) => of[name] as Body[]
  const pairs = (found: Body[], label: string, value: string) =>
    found.map((row): [string, unknown] => [String(row[label]), row[value]])
  const summary = visibility.summary as Record<string, number>
  const own = rows(platforms, 'platforms').reduce((sum, row) => sum + Number(row.brandCitations), 0)
  const mood = tone.summary as Record<string, number>
  return {
    Visibility: [
      ['Visibility score', summary.visibilityScore],
      ['Change since the period before', summary.scoreChange],
      ['Average position', summary.averagePosition],
      ['Answers', summary.totalResponses],
      ['Answers that name Acme', summary.responsesWithBrand],
      ['Mentions', summary.totalMentions],
      ['Citations of own pages', own],
    ],
    'Share of voice': pairs([voice.brand as Body, ...rows(voice, 'competitors')], 'name', 'sov'),
    'AI platforms': pairs(rows(platforms, 'platforms'), 'displayName', 'visibilityRate'),
    Topics: pairs(rows(topics, 'topics'), 'topicName', 'visibilityScore'),
    Sources: pairs(rows(domains, 'sources'), 'domain', 'totalCitations'),
    Sentiment: [
      ['Score', mood.score],
      ['Net sentiment', mood.netSentiment],
      ['Positive', mood.positive],
      ['Neutral', mood.neutral],
      ['Negative', mood.negative],
    ],
    'Sentiment by brand': pairs(
      [tones.brand as Body, ...rows(tones, 'competitors')],
      'name',
      'score',
    ),
  }
}

describe('a completed report', () => {
  let worker: TestWorker
  let before: Awaited<ReturnType<typeof liveSections>>
  let id = ''
  let empty = ''

  beforeAll(async () => {
    before = await liveSections()
    id = (await create({ reportType: 'combined', ...may })).id
    empty = await workspace.project(brand)
    const path = `/api/mcp/projects/${empty}/reports`
    await sendWrite(api, { path, key, body: { reportType: 'combined', ...may } })
    // Everything changes before a worker takes the job.
    await workspace.load(project, [
      { prompt: 'new?', text: 'Acme.', collectedAt: '2025-05-20T08:00:00Z' },
    ])
    await api.db.competitor.updateMany({ where: { projectId: project }, data: { name: 'Sony' } })
    await api.db.project.update({ where: { id: project }, data: { name: 'Roadrunner' } })
    await api.db.topic.deleteMany({ where: { projectId: project, name: 'Earbuds' } })
    await api.db.prompt.updateMany({ where: { projectId: project }, data: { isTracked: false } })
    await reanalyze(api, { projectId: project })
    worker = await startTestWorker(api)
    await worker.idle()
  })

  test('has the numbers that the live reports gave when it was requested', async () => {
    const report = await reportOf(id)
    expect(report).toMatchObject({ status: 'completed', error: null, note: null, dateRange: may })
    expect(report.completedAt).not.toBeNull()
    const titles = report.sections.map(({ title }) => title)
    expect(titles).toEqual(Object.keys(before))
    const inOrder = (title: string, pairs: [string, unknown][] = []) =>
      // The live report orders topics by score, the report by answers.
      title === 'Topics' ? pairs.toSorted(([a], [b]) => (a < b ? -1 : 1)) : pairs
    for (const title of titles) {
      expect([title, inOrder(title, valuesOf(report, title))]).toEqual([
        title,
        inOrder(title, before[title]),
      ])
    }
    expect(await liveSections()).not.toEqual(before)
  })

  test('has numbers that a reader can count', async () => {
    const report = await reportOf(id)
    const [headline] = report.sections
    // Few prompts say little of others like them, however many answers they have.
    expect(headline?.metrics.slice(0, 3)).toEqual([
      { label: 'Visibility score', value: 50, unit: 'percent', low: 1.48, high: 98.52, n: 10 },
      {
        label: 'Change since the period before',
        value: 25,
        unit: 'points',
        low: null,
        high: null,
        n: null,
      },
      { label: 'Average position', value: 1.2, unit: 'position', low: 1, high: 4.44, n: 5 },
    ])
    expect(valuesOf(report, 'Share of voice')).toEqual([
      ['Acme', 62.5],
      ['Bose', 37.5],
    ])
    expect(valuesOf(report, 'Topics')).toEqual([
      ['Headphones', 50],
      ['Earbuds', 50],
    ])
    expect(valuesOf(report, 'Sources')).toEqual([
      ['wired.com', 5],
      ['acme.com', 3],
    ])
    expect(valuesOf(report, 'Sentiment').slice(2)).toEqual([
      ['Positive', 3],
      ['Neutral', 1],
      ['Negative', 1],
    ])
  })

  test('of a project without answers has null for each ratio', async () => {
    const [row] = await api.db.report.findMany({ where: { projectId: empty } })
    const report = await reportOf(row?.id ?? '', empty)
    expect(valuesOf(report, 'Visibility')).toEqual([
      ...['Visibility score', 'Change since the period before', 'Average position'].map((name) => [
        name,
        null,
      ]),
      ...['Answers', 'Answers that name Acme', 'Mentions', 'Citations of own pages'].map((name) => [
        name,
        0,
      ]),
    ])
    expect(report.sections[0]?.metrics[0]).toMatchObject({ low: null, high: null, n: 0 })
    expect(valuesOf(report, 'AI platforms')).toEqual([])
  })

  test('is the same through GraphQL, by itself and in the list', async () => {
    const inRest = await reportOf(id)
    // Two answers rate Bose, which are too few for a score in the graph.
    const graphForm = (it: ReportBody['sections'][number]['metrics'][number]) =>
      it.unit === 'score' && it.n === 2 ? { ...it, value: null } : it
    const sections = inRest.sections.map((it) => ({ ...it, metrics: it.metrics.map(graphForm) }))
    const report = { ...inRest, sections }
    const fields = `id reportType title status shareUrl createdAt completedAt dateRange { from to }
      sections { title metrics { label value unit low high n } } error note`
    const { data } = await graph(
      `{ project(id: "${project}") { report(id: "${id}") { ${fields} } } }`,
    )
    expect(data.project?.report).toEqual(report)
    const { data: listed } = await graph(
      `{ project(id: "${project}") { reports(filter: { reportTypes: [combined] }) { reports: nodes { ${fields} } totalCount } } }`,
    )
    expect(listed.project?.reports).toEqual({ reports: [report], totalCount: 1 })
  })

  test('is listed newest first, by type and by page', async () => {
    const { id: second } = await create({ reportType: 'sentiment', title: ' Mood ', ...may })
    const body = await live('/reports')
    const rows = body.reports as ReportBody[]
    expect(Object.keys(body)).toEqual(['project', 'reports', 'pagination'])
    expect(rows.map((row) => row.id)).toEqual([second, id])
    expect(rows[0]).toEqual({
      id: second,
      reportType: 'sentiment',
      title: 'Mood',
      shareUrl: null,
      status: expect.any(String),
      createdAt: expect.any(String),
      completedAt: rows[0]?.completedAt ?? null,
    })
    const ids = async (query: string) =>
      ((await live(`/reports?${query}`)).reports as ReportBody[]).map((row) => row.id)
    expect(await ids('reportType=combined')).toEqual([id])
    expect(await ids('limit=1&offset=1')).toEqual([id])
    expect(outcomeOf(await rest('GET', '/reports?reportType=x'))).toBe(
      '400 invalid_argument reportType',
    )
    await worker.idle()
    const { sections } = await reportOf(second)
    expect(sections.map(({ title }) => title)).toEqual(['Sentiment', 'Sentiment by brand'])
  })

  test('of another project is missing to a bound key, as is one that does not exist', async () => {
    const bound = (await workspace.key({ projectId: empty })).key
    const texts = await Promise.all(
      [id, '00000000-0000-4000-8000-000000000000', 'abc'].map(async (each) => {
        const response = await api.get(`/api/mcp/projects/${empty}/reports/${each}`, bound)
        return [response.status, (await response.text()).replace(/"requestId":"[^"]*"/, '')]
      }),
    )
    expect(texts[0]?.[0]).toBe(404)
    expect(new Set(texts.map((text) => JSON.stringify(text))).size).toBe(1)
  })

  test('answers DELETE with 405, a known ETag with 304, and HEAD', async () => {
    const path = `/api/mcp/projects/${project}/reports`
    for (const each of [path, `${path}/${id}`]) {
      const headers = { authorization: `Bearer ${key}` }
      const gone = await fetch(api.url + each, { method: 'DELETE', headers })
      expect(gone.status).toBe(405)
      const found = await fetch(api.url + each, { headers })
      const known = { ...headers, 'if-none-match': found.headers.get('etag') ?? '' }
      expect((await fetch(api.url + each, { headers: known })).status).toBe(304)
      const head = await fetch(api.url + each, { method: 'HEAD', headers })
      expect([head.status, await head.text()]).toEqual([200, ''])
    }
  })

  test('whose analysis is gone counts by the current one, and says so', async () => {
    const { id: late } = await create({ reportType: 'visibility', ...may })
    await worker.idle()
    const row = await api.db.report.findUniqueOrThrow({ where: { id: late } })
    const asOf = { ...(row.asOf as Body), analysis: 999 }
    await api.db.report.update({ where: { id: late }, data: { status: 'queued', asOf } })
    await worker.sweep()
    await worker.idle()
    const report = await reportOf(late)
    expect(report.status).toBe('completed')
    expect(report.note).toContain('analysed again')
  })

  test('that cannot be made is failed, and frees its place in the month', async () => {
    const used = async () => (await live('/usage')).quotas as { reports: { current: number } }
    await worker.stop()
    const { id: broken } = await create({ reportType: 'visibility', ...may })
    const { reports } = await used()
    await api.db.report.update({ where: { id: broken }, data: { asOf: { topics: 5 } } })
    await reportJob.fail({ reportId: broken }, api)
    expect(await reportOf(broken)).toMatchObject({ status: 'failed', error: 'internal' })
    expect((await used()).reports.current).toBe(reports.current - 1)
  })
})
