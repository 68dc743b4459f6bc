import { beforeAll, describe, expect, test } from 'vitest'
import { importPages } from '../../imports/content/pages.ts'
import { deleteProject } from '../../resolvers/projects/change.ts'
import { commandLine } from '../../resolvers/shared/audit-trail.ts'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { asking, faultIn } from '../kit/changes.ts'
import { clearOfMidnight } from '../kit/day.ts'
import { askingRest, outcomeOf, type PromptReply } from '../kit/prompts.ts'
import { connectSource, putHits } from '../kit/tracker/hits.ts'
import { jobsOf } from '../kit/worker.ts'

await clearOfMidnight()

const api = useApi()

async function* bytesOf(text: string) {
  yield Buffer.from(text)
}

const urls = (count: number) =>
  Array.from({ length: count }, (_, i) => `https://acme.com/${String(i).padStart(2, '0')}`)

/** A project with tracked pages, and the means to request audits of it. */
async function site(workspace: TestWorkspace, pages: number) {
  const project = await workspace.project()
  const bytes = bytesOf(['url', ...urls(pages)].join('\n'))
  await importPages(api, { projectId: project, name: 'pages', bytes })
  const { key } = await workspace.key({ scopes: ['write'] })
  const rest = askingRest(
    api,
    () => project,
    () => key,
  )
  const post = (body: unknown = {}, headers: Record<string, string> = {}) =>
    rest('POST', '/audits', body, { headers })
  const rows = await api.db.page.findMany({
    where: { projectId: project },
    orderBy: { url: 'asc' },
  })
  return { project, key, post, ids: rows.map(({ id }) => id) }
}

const auditIn = ({ body }: PromptReply) =>
  body.audit as { id: string; status: string; pageCount: number }

const end = (projectId: string) =>
  api.db.audit.updateMany({ where: { projectId }, data: { status: 'completed' } })

const chosen = async (auditId: string) => {
  const rows = await api.db.auditPage.findMany({ where: { auditId }, orderBy: { url: 'asc' } })
  return rows.map(({ url }) => url.slice(-2))
}

describe('a request for an audit', () => {
  test('is accepted with its job and an entry of the audit trail', async () => {
    const { project, key, post } = await site(await api.workspace(), 2)
    const reply = await post()
    const { id, ...audit } = auditIn(reply)
    expect([reply.status, audit]).toEqual([202, { status: 'queued', pageCount: 2 }])
    expect(reply.body).toEqual({ audit: { id, ...audit }, success: true })
    expect(await jobsOf(api, id)).toMatchObject([{ name: 'audit', data: { auditId: id } }])
    const trail = await api.db.auditEntry.findMany({ where: { subjectId: id } })
    expect(trail).toMatchObject([{ action: 'audit.create', after: { pageCount: 2 } }])
    expect(await api.db.audit.findUnique({ where: { id } })).toMatchObject({ isWholeSite: true })
    const graph = asking(api, () => key)
    const { data } = await graph(
      `mutation { createAudit(projectId: "${project}", maxPages: 1)
         { audit { status pageCount progress { done total } } } }`,
    )
    expect(data.createAudit).toEqual({
      audit: { status: 'queued', pageCount: 1, progress: { done: 0, total: 1 } },
    })
  })

  test('needs the scope `write`, which reads nothing', async () => {
    const workspace = await api.workspace()
    const { project, key } = await site(workspace, 1)
    const reader = (await workspace.key()).key
    const rest = askingRest(
      api,
      () => project,
      () => reader,
    )
    expect(outcomeOf(await rest('POST', '/audits', {}))).toBe('403 missing_scope')
    expect(outcomeOf(await rest('POST', '/audits', {}, { as: key }))).toBe('202 ok')
    expect(outcomeOf(await rest('GET', '/audits', undefined, { as: key }))).toBe(
      '403 missing_scope',
    )
  })

  test('with one idempotency key makes one audit and one job, however often it comes', async () => {
    const { project, post } = await site(await api.workspace(), 1)
    const headers = { 'idempotency-key': 'once' }
    const replies = await Promise.all(Array.from({ length: 20 }, () => post({}, headers)))
    const accepted = replies.filter(({ status }) => status === 202)
    expect(replies.every(({ status }) => status === 202 || status === 409)).toBe(true)
    const again = await post({}, headers)
    for (const { body } of accepted) expect(JSON.stringify(body)).toBe(JSON.stringify(again.body))
    expect(await api.db.audit.count({ where: { projectId: project } })).toBe(1)
    expect(await jobsOf(api, auditIn(again).id)).toHaveLength(1)
    expect(outcomeOf(await post({ maxPages: 1 }, headers))).toBe('409 idempotency_conflict')
  })
})

describe('the pages of an audit', () => {
  test('are at most those of the plan, and `maxPages` takes those of most reach', async () => {
    const workspace = await api.workspace('starter')
    const { project, post } = await site(workspace, 26)
    const refused = await post()
    expect(outcomeOf(refused)).toBe('400 bulk_limit_exceeded')
    expect(refused.body).toMatchObject({ requested: 26, maxAllowed: 25, bulkLimitExceeded: true })
    expect(refused.body.howToFix).toContain('maxPages')
    await connectSource(api.db, project)
    const now = new Date().toISOString()
    const hit = { bot: 'GPTBot', host: 'acme.com', at: now }
    await putHits(api.warehouse, project, [
      { ...hit, path: '/20' },
      { ...hit, path: '/20/' },
      { ...hit, path: '/03', bot: 'Googlebot' },
      { ...hit, path: '/25' },
    ])
    await workspace.load(project, [
      { collectedAt: now, citations: [{ url: 'https://acme.com/07' }] },
    ])
    const three = auditIn(await post({ maxPages: 3 }))
    // One answer is 10, and search engines do not count.
    expect(await chosen(three.id)).toEqual(['07', '20', '25'])
    await end(project)
    const most = await post({ maxPages: 25 })
    expect([most.status, auditIn(most).pageCount]).toEqual([202, 25])
    const { isWholeSite } = await api.db.audit.findUniqueOrThrow({
      where: { id: auditIn(most).id },
    })
    expect(isWholeSite).toBe(false)
  })

  test('by id are counted once, also untracked ones; other ids are dropped', async () => {
    const workspace = await api.workspace()
    const { project, post, ids } = await site(workspace, 2)
    const { ids: foreign } = await site(workspace, 1)
    const [first = ''] = ids
    await api.db.page.update({ where: { id: first }, data: { isTracked: false } })
    const twice = await post({ pageIds: [first, first.toUpperCase(), 'x', ...foreign] })
    expect(auditIn(twice).pageCount).toBe(1)
    for (const pageIds of [[], foreign, ['x', '']]) {
      expect(outcomeOf(await post({ pageIds }))).toBe('400 no_pages')
    }
    await api.db.page.updateMany({ where: { projectId: project }, data: { isTracked: false } })
    expect(outcomeOf(await post())).toBe('400 no_pages')
  })

  test('are named by texts, or chosen by a whole number, never both', async () => {
    const { post, project, key, ids } = await site(await api.workspace(), 1)
    const cases = [
      [{ pageIds: [5] }, '400 invalid_argument pageIds.0'],
      [{ pageIds: null }, '400 invalid_argument pageIds'],
      [{ pageIds: ids, maxPages: 1 }, '400 invalid_argument maxPages'],
      [{ maxPages: 0 }, '400 invalid_argument maxPages'],
      [{ maxPages: 1.5 }, '400 invalid_argument maxPages'],
    ] as const
    for (const [body, outcome] of cases) expect(outcomeOf(await post(body))).toBe(outcome)
    const graph = asking(api, () => key)
    const answer = await graph(
      `mutation { createAudit(projectId: "${project}", maxPages: 0) { audit { id } } }`,
    )
    expect(faultIn(answer)).toBe('invalid_argument maxPages')
  })
})

describe('the plan allows', () => {
  test('only so many audits at once, also for requests at the same moment', async () => {
    const { project, post } = await site(await api.workspace('starter'), 1)
    const both = await Promise.all([post(), post()])
    expect(both.map(outcomeOf).sort()).toEqual(['202 ok', '403 quota_exceeded'])
    const refused = both.find(({ status }) => status === 403)
    expect(refused?.body).toMatchObject({
      message: 'The plan "starter" allows 1 audit at once, and 1 counts already.',
      quotaExceeded: true,
      current: 1,
      limit: 1,
      requested: 1,
    })
    await end(project)
    expect(outcomeOf(await post())).toBe('202 ok')
  })

  test('only so many audits a month, and one of ten requests is the last', async () => {
    const { project, post } = await site(await api.workspace('growth'), 1)
    const done = {
      projectId: project,
      pageCount: 1,
      isWholeSite: true,
      status: 'completed',
    } as const
    const month = new Date()
    const before = new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth(), 0, 23, 59))
    await api.db.audit.createMany({
      data: [
        ...Array.from({ length: 49 }, () => done),
        { ...done, createdAt: before },
        { ...done, status: 'failed', error: 'internal' },
      ],
    })
    const replies = await Promise.all(Array.from({ length: 10 }, () => post()))
    expect(replies.filter(({ status }) => status === 202)).toHaveLength(1)
    const refused = replies.filter((reply) => outcomeOf(reply) === '403 quota_exceeded')
    expect(refused).toHaveLength(9)
    expect(refused[0]?.body).toMatchObject({ current: 50, limit: 50, requested: 1 })
  })

  test('the deletion of a project frees no audit of the month', async () => {
    const workspace = await api.workspace('growth')
    const { project: first } = await site(workspace, 1)
    const { project: second, post } = await site(workspace, 1)
    const done = { pageCount: 1, isWholeSite: true, status: 'completed' } as const
    const rows = (projectId: string, count: number) =>
      Array.from({ length: count }, () => ({ ...done, projectId }))
    await api.db.audit.createMany({ data: [...rows(first, 30), ...rows(second, 20)] })
    await api.db.audit.create({
      data: { ...done, projectId: first, status: 'failed', error: 'internal' },
    })
    expect(outcomeOf(await post())).toBe('403 quota_exceeded')
    await deleteProject(api.db, commandLine, first)
    expect((await post()).body).toMatchObject({ current: 50, limit: 50, requested: 1 })
  })
})

describe('a project', () => {
  let workspace: TestWorkspace
  beforeAll(async () => {
    workspace = await api.workspace()
  })

  test.each([
    ['paused', { status: 'paused' }, '403 project_not_runnable'],
    ['archived', { status: 'archived' }, '403 project_not_runnable'],
    ['a pitch', { kind: 'pitch' }, '403 pitch_not_supported'],
    ['a paused pitch', { kind: 'pitch', status: 'paused' }, '403 pitch_not_supported'],
    ['inactive', { isActive: false }, '403 forbidden'],
    ['without a domain', { domain: '' }, '400 no_domain'],
    ['of a name that is no domain', { domain: 'localhost' }, '400 no_domain'],
  ] as const)('that is %s refuses an audit', async (_name, data, outcome) => {
    const { project, post } = await site(workspace, 1)
    await api.db.project.update({ where: { id: project }, data })
    expect(outcomeOf(await post())).toBe(outcome)
    expect(outcomeOf(await post({ pageIds: 5 }))).toMatch(/^40[03] /)
  })
})

describe('a running audit', () => {
  test('is cancelled once; a second time is no error, and frees its place', async () => {
    const { project, key, post } = await site(await api.workspace('starter'), 1)
    const { id } = auditIn(await post())
    const graph = asking(api, () => key)
    const cancel = (auditId: string) =>
      graph(
        `mutation { cancelAudit(projectId: "${project}", auditId: "${auditId}")
           { status error completedAt } }`,
      )
    const [first, second] = [await cancel(id), await cancel(id)]
    expect(first.data.cancelAudit).toMatchObject({ status: 'failed', error: 'cancelled' })
    expect(second.data.cancelAudit).toEqual(first.data.cancelAudit)
    const trail = await api.db.auditEntry.count({
      where: { subjectId: id, action: 'audit.cancel' },
    })
    expect(trail).toBe(1)
    expect(faultIn(await cancel(project))).toBe('not_found')
    expect(outcomeOf(await post())).toBe('202 ok')
  })
})
