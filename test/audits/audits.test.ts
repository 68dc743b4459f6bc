import { beforeAll, describe, expect, test } from 'vitest'
import { importPages } from '../../imports/content/pages.ts'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { asking, faultIn } from '../kit/changes.ts'
import { askingRest, outcomeOf } from '../kit/prompts.ts'

const api = useApi()

let workspace: TestWorkspace
let key = ''
let project = ''
/** Pages by their last letter. */
let pageIds: Record<string, string> = {}

async function* bytesOf(text: string) {
  yield Buffer.from(text)
}

async function addPages(of: string, ...names: string[]) {
  const bytes = bytesOf(['url', ...names.map((name) => `https://acme.com/${name}`)].join('\n'))
  await importPages(api, { projectId: of, name: 'pages', bytes })
  const rows = await api.db.page.findMany({ where: { projectId: of } })
  return Object.fromEntries(rows.map(({ id, url }) => [url.slice(-1), id]))
}

const scores = (overall: number) => {
  return { overall, technical: 92, content: 100, aiReadiness: 55.55 }
}

const id = (last: string) => `00000000-0000-4000-8000-00000000000${last}`

/**
 *   audit  created  status     pages
 *   1      May 1    completed  a: completed 200; b: skipped
 *   2      May 2    completed  a: completed 404; c, removed since: completed 200
 *   3      May 3    failed     a: failed; b: queued
 *   4      May 3    running    a: completed; b: queued
 */
beforeAll(async () => {
  workspace = await api.workspace()
  project = await workspace.project()
  key = (await workspace.key()).key
  pageIds = await addPages(project, 'a', 'b')
  const page = (name: string, rest: object) => {
    const url = `https://acme.com/${name}`
    return { pageId: pageIds[name] ?? id('c'), url, address: url, ...rest }
  }
  const done = (httpStatus: number) => ({ status: 'completed' as const, httpStatus })
  const day = (date: number) => new Date(`2025-05-0${date}T12:00:00Z`)
  const times = (date: number) => {
    return { createdAt: day(date), startedAt: day(date), completedAt: day(date) }
  }
  const base = { projectId: project, isWholeSite: true, pageCount: 2 }
  const audits = [
    {
      ...base,
      id: id('1'),
      status: 'completed',
      ...times(1),
      scores: scores(70),
      issueCount: 3,
      pages: [
        page('a', { ...done(200), scores: scores(80), issueCount: 2 }),
        page('b', { status: 'skipped' }),
      ],
    },
    {
      ...base,
      id: id('2'),
      status: 'completed',
      ...times(2),
      scores: scores(60),
      issueCount: 1,
      pages: [page('a', { ...done(404), scores: scores(0) }), page('c', done(200))],
    },
    {
      ...base,
      id: id('3'),
      status: 'failed',
      ...times(3),
      error: 'internal',
      pages: [page('a', { status: 'failed' }), page('b', {})],
    },
    {
      ...base,
      id: id('4'),
      status: 'running',
      createdAt: day(3),
      startedAt: day(3),
      pages: [page('a', done(200)), page('b', {})],
    },
  ] as const
  for (const { pages, ...data } of audits) {
    await api.db.audit.create({ data: { ...data, pages: { create: [...pages] } } as never })
  }
})

const rest = askingRest(
  api,
  () => project,
  () => key,
)
const graph = asking(api, () => key)

const first = {
  id: id('1'),
  status: 'completed',
  pageCount: 2,
  issueCount: 3,
  scores: scores(70),
  createdAt: '2025-05-01T12:00:00.000Z',
  startedAt: '2025-05-01T12:00:00.000Z',
  completedAt: '2025-05-01T12:00:00.000Z',
}
const running = {
  id: id('4'),
  status: 'running',
  pageCount: 2,
  issueCount: 0,
  scores: null,
  createdAt: '2025-05-03T12:00:00.000Z',
  startedAt: '2025-05-03T12:00:00.000Z',
  completedAt: null,
}
const fields = `id status pageCount issueCount scores { overall technical content aiReadiness }
  createdAt startedAt completedAt`

describe('audits', () => {
  test('are listed newest first, ties by id', async () => {
    const { body } = await rest('GET', '/audits')
    const listed = body.audits as { id: string; status: string }[]
    expect(listed.map((audit) => audit.id)).toEqual([id('3'), id('4'), id('2'), id('1')])
    expect(listed[1]).toEqual(running)
    expect(listed[3]).toEqual(first)
    expect(Object.keys(body)).toEqual(['project', 'audits', 'pagination'])
    const { data } = await graph(
      `{ project(id: "${project}") { audits(filter: { statuses: [completed] }, first: 1) { audits: nodes { ${fields} } } }
         all: project(id: "${project}") { audits { audits: nodes { ${fields} } } } }`,
    )
    expect(data.project?.audits).toEqual({
      audits: [listed.find(({ status }) => status === 'completed')],
    })
    expect(data.all?.audits).toEqual({ audits: listed })
  })

  test('narrow to one status', async () => {
    const { body } = await rest('GET', '/audits?status=completed&limit=1')
    expect(body).toMatchObject({
      audits: [{ id: id('2') }],
      pagination: { limit: 1, returnedCount: 1, totalCount: 2, hasMore: true, nextOffset: 1 },
    })
    expect(outcomeOf(await rest('GET', '/audits?status=done'))).toBe('400 invalid_argument status')
    expect(outcomeOf(await rest('GET', '/audits?status=failed&status=queued'))).toBe(
      '400 invalid_argument status',
    )
  })

  test('show their progress and the reason of an early end', async () => {
    const one = await rest('GET', `/audits/${id('4')}`)
    const progress = { progress: { done: 1, total: 2 }, error: null }
    expect(one.body).toEqual({ audit: { ...running, ...progress } })
    const failed = await rest('GET', `/audits/${id('3')}`)
    expect(failed.body.audit).toMatchObject({ progress: { done: 1, total: 2 }, error: 'internal' })
    const { data } = await graph(
      `{ project(id: "${project}") { audit(id: "${id('4')}") { ${fields} progress { done total } error } }
         other: project(id: "${project}") { audit(id: "${id('1')}") { error progress { done } } } }`,
    )
    expect(data).toEqual({
      project: { audit: { ...running, ...progress } },
      other: { audit: { error: null, progress: { done: 2 } } },
    })
  })

  test('list their pages by URL, also a page that was removed since', async () => {
    const { body } = await rest('GET', `/audits/${id('2')}/pages`)
    const pages = [
      {
        pageId: pageIds.a,
        url: 'https://acme.com/a',
        status: 'completed',
        httpStatus: 404,
        scores: scores(0),
        issueCount: 0,
      },
      {
        pageId: id('c'),
        url: 'https://acme.com/c',
        status: 'completed',
        httpStatus: 200,
        scores: null,
        issueCount: 0,
      },
    ]
    expect(body).toEqual({
      pages,
      pagination: {
        limit: 50,
        offset: 0,
        returnedCount: 2,
        totalCount: 2,
        hasMore: false,
        nextOffset: 2,
      },
    })
    const skipped = await rest('GET', `/audits/${id('1')}/pages?limit=1&offset=1`)
    expect(skipped.body.pages).toEqual([
      {
        pageId: pageIds.b,
        url: 'https://acme.com/b',
        status: 'skipped',
        httpStatus: null,
        scores: null,
        issueCount: 0,
      },
    ])
    const row = 'url status httpStatus issueCount scores { overall technical content aiReadiness }'
    const { data } = await graph(
      `{ project(id: "${project}") { audit(id: "${id('2')}") { pages { totalCount pages: nodes { ${row} } } known: pages { pages: nodes { page { url } } } } } }`,
    )
    expect(data.project?.audit).toEqual({
      pages: {
        totalCount: 2,
        pages: (pages as { pageId: string }[]).map(({ pageId: _, ...row }) => row),
      },
      known: { pages: [{ page: { url: 'https://acme.com/a' } }, { page: null }] },
    })
  })

  test('are found by their own ids alone', async () => {
    const other = await workspace.project()
    const [foreign] = await Promise.all([
      api.db.audit.create({ data: { projectId: other, pageCount: 0, isWholeSite: true } }),
    ])
    for (const unknown of [foreign.id, id('9'), 'x']) {
      for (const path of [`/audits/${unknown}`, `/audits/${unknown}/pages`]) {
        expect(outcomeOf(await rest('GET', path))).toBe('404 not_found')
      }
      const answer = await graph(`{ project(id: "${project}") { audit(id: "${unknown}") { id } } }`)
      expect(faultIn(answer)).toBe('not_found')
    }
  })

  test('are not part of a pitch project', async () => {
    const pitch = await workspace.project({ kind: 'pitch' })
    for (const path of ['', `/${id('1')}`, `/${id('1')}/pages`]) {
      const response = await api.get(`/api/mcp/projects/${pitch}/audits${path}`, key)
      expect(await response.json()).toMatchObject({ status: 403, code: 'pitch_not_supported' })
    }
  })
})

describe('a page', () => {
  test('names the newest completed audit that judged it', async () => {
    const a = await rest('GET', `/pages/${pageIds.a}`)
    expect(a.body.latestAudit).toMatchObject({ id: id('2'), issueCount: 1 })
    expect(Object.keys(a.body.latestAudit as object)).toEqual(Object.keys(first))
    const b = await rest('GET', `/pages/${pageIds.b}`)
    expect(b.body.latestAudit).toBeNull()
    const { data } = await graph(
      `{ project(id: "${project}") { pages { pages: nodes { latestAudit { id } isBeingAudited } } } }`,
    )
    expect(data.project?.pages).toEqual({
      pages: [
        { latestAudit: { id: id('2') }, isBeingAudited: false },
        { latestAudit: null, isBeingAudited: true },
      ],
    })
  })
})

test('usage counts audits of this UTC month, without those that the service failed', async () => {
  const starter = await api.workspace('starter')
  const of = await starter.project()
  const { key: reader } = await starter.key()
  const base = { projectId: of, pageCount: 0, isWholeSite: true }
  await api.db.audit.createMany({
    data: [
      base,
      { ...base, status: 'failed', error: 'cancelled' },
      { ...base, status: 'failed', error: 'internal' },
      { ...base, status: 'completed', createdAt: new Date('2025-05-01') },
    ],
  })
  const response = await api.get(`/api/mcp/projects/${of}/usage`, reader)
  expect(await response.json()).toMatchObject({ quotas: { audits: { current: 2, limit: 10 } } })
})
