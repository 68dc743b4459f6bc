import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { asking } from '../kit/changes.ts'
import { endJobs } from '../kit/mutation-rows.ts'
import { sendWrite, tellOf } from '../kit/rest/writes.ts'
import { jobsOf } from '../kit/worker.ts'

/** Requests to refresh a sitemap. No worker runs: each refresh stays queued. */

const api = useApi()

let workspace: TestWorkspace
let key = ''
let reader = ''

beforeAll(async () => {
  workspace = await api.workspace()
  key = (await workspace.key({ scopes: ['write'] })).key
  reader = (await workspace.key({ scopes: ['read'] })).key
})

const graph = asking(api, () => key)

const refresh = async (
  of: string,
  { as = key, prefix = '/api/mcp', headers = {}, body = {} } = {},
) =>
  tellOf(
    await sendWrite(api, {
      path: `${prefix}/projects/${of}/sitemap/refresh`,
      key: as,
      body,
      headers,
    }),
  )
const once = (idempotencyKey: string) => ({ headers: { 'idempotency-key': idempotencyKey } })
const sitemapOf = async (of: string) => {
  const { project } = (await (await api.get(`/api/mcp/projects/${of}`, reader)).json()) as {
    project: { sitemap: object }
  }
  return project.sitemap
}

describe('a request', () => {
  test.each(['/api/mcp', '/api/v1'])('at %s queues a refresh, and one job', async (prefix) => {
    const of = await workspace.project()
    expect(await sitemapOf(of)).toEqual({ status: 'idle', jobId: null, lastRefreshedAt: null })
    const { status, text } = await refresh(of, { prefix })
    const jobId = expect.stringMatching(/^[0-9a-f-]{36}$/)
    expect([status, JSON.parse(text)]).toEqual([
      202,
      { job: { id: jobId, status: 'queued' }, success: true },
    ])
    const { job } = JSON.parse(text)
    expect(await sitemapOf(of)).toEqual({ status: 'queued', jobId: job.id, lastRefreshedAt: null })
    expect(await jobsOf(api, of)).toEqual([
      { name: 'sitemap', key: of, state: 'created', data: { projectId: of } },
    ])
    const trail = await api.db.auditEntry.findMany({ where: { projectId: of, subjectId: job.id } })
    expect(trail).toMatchObject([{ action: 'sitemap.refresh', subjectType: 'sitemap' }])
  })

  test('of GraphQL does the same, with the error of the last refresh', async () => {
    const of = await workspace.project()
    const { data } = await graph(
      `mutation { refreshSitemap(projectId: "${of}") { job { id status } } }`,
    )
    const { job } = data.refreshSitemap as { job: { id: string } }
    expect(job).toEqual({ id: job.id, status: 'queued' })
    await api.db.project.update({ where: { id: of }, data: { sitemapError: 'It is not there.' } })
    const asked = `{ project(id: "${of}") { sitemap { status jobId error } } }`
    expect((await graph(asked, reader)).data.project).toEqual({
      sitemap: { status: 'queued', jobId: job.id, error: 'It is not there.' },
    })
  })

  test.each(['queued', 'running'] as const)('is refused while one is %s', async (sitemapStatus) => {
    const of = await workspace.project()
    await refresh(of)
    await api.db.project.update({ where: { id: of }, data: { sitemapStatus } })
    const { status, code, retryAfter, retryable } = await refresh(of)
    expect([status, code, retryAfter, retryable]).toEqual([429, 'rate_limited', '30', true])
    await endJobs(api, of)
    expect((await refresh(of)).status).toBe(202)
  })

  test('of two at once is one', async () => {
    const of = await workspace.project()
    const told = await Promise.all([refresh(of), refresh(of), refresh(of)])
    expect(told.map(({ status }) => status).sort()).toEqual([202, 429, 429])
    expect(await jobsOf(api, of)).toHaveLength(1)
  })
})

describe('twenty equal requests with one key', () => {
  test('are one refresh and one job, and their answers are the same bytes', async () => {
    const of = await workspace.project()
    const idempotencyKey = randomUUID()
    const told = await Promise.all(
      Array.from({ length: 20 }, () => refresh(of, once(idempotencyKey))),
    )
    const replay = await refresh(of, once(idempotencyKey))
    const first = told.find(({ status }) => status === 202)
    for (const each of told) {
      if (each.status === 202) expect(each.text).toBe(first?.text)
      else expect([each.status, each.code]).toEqual([409, 'idempotency_in_flight'])
    }
    expect([replay.status, replay.replayed, replay.text]).toEqual([202, true, first?.text])
    expect(await jobsOf(api, of)).toHaveLength(1)
    expect((await refresh(of, { ...once(idempotencyKey), body: { other: 1 } })).code).toBe(
      'idempotency_conflict',
    )
  })
})

describe('is refused', () => {
  const refusals = [
    ['a pitch project', { kind: 'pitch' }, 403, 'pitch_not_supported'],
    ['a paused project', { status: 'paused' }, 403, 'project_not_runnable'],
    ['an archived project', { status: 'archived' }, 403, 'project_not_runnable'],
    ['a paused pitch project', { kind: 'pitch', status: 'paused' }, 403, 'pitch_not_supported'],
    ['an inactive project', { isActive: false }, 403, 'forbidden'],
    ['a project without a domain', { domain: '' }, 400, 'no_domain'],
    [
      'a paused one without a domain',
      { domain: 'x', status: 'paused' },
      403,
      'project_not_runnable',
    ],
  ] as const

  test.each(refusals)('%s', async (_name, data, status, code) => {
    const of = await workspace.project()
    await api.db.project.update({ where: { id: of }, data })
    const told = await refresh(of)
    expect([told.status, told.code]).toEqual([status, code])
    expect(await jobsOf(api, of)).toEqual([])
  })

  test('a key without `write`, and another project', async () => {
    const of = await workspace.project()
    const drafter = (await workspace.key({ scopes: ['read'], capabilities: ['prompt:draft'] })).key
    expect((await refresh(of, { as: drafter })).code).toBe('missing_scope')
    const bound = (await workspace.key({ scopes: ['write'], projectId: await workspace.project() }))
      .key
    expect((await refresh(of, { as: bound })).status).toBe(404)
    expect((await refresh(randomUUID())).status).toBe(404)
  })
})
