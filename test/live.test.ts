import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import type { GraphQLFormattedError } from 'graphql'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { type LiveItem, liveChannel, recheck } from '../core/live/events.ts'
import { importSearchConsole } from '../imports/analytics/search-console.ts'
import { reanalyze } from '../imports/answers/reanalyze.ts'
import { removeProject } from '../imports/loads/removal.ts'
import { listenTo } from '../prisma/listen.ts'
import { CrawlerWatch } from '../resolvers/live/crawler-hits.ts'
import { LiveStream } from '../resolvers/live/stream.ts'
import { commandLine } from '../resolvers/shared/audit-trail.ts'
import { startApi } from '../server.ts'
import { type TestWorkspace, useApi } from './kit/api.ts'
import { subscribe } from './kit/graphql/live.ts'
import { putHits } from './kit/tracker/hits.ts'

const api = useApi()

let workspace: TestWorkspace
let project = ''
let key = ''

beforeAll(async () => {
  workspace = await api.workspace()
  project = await workspace.project()
  key = (await workspace.key()).key
})

/** The field, with what each event of it shows. */
const updates = (kinds: string, selection = '__typename', id = project) =>
  `projectUpdated(projectId: "${id}", kinds: [${kinds}]) { ${selection} }`

const dataOf = async (stream: Awaited<ReturnType<typeof subscribe>>) =>
  (await stream.next())?.data?.projectUpdated

describe('events', () => {
  test('an import is announced when its answers are visible, and each event reads the project again', async () => {
    const counts = `__typename project { answers(window: { from: "2025-05-01", to: "2025-05-31" }) { totalCount } }`
    const stream = await subscribe(api, key, updates('data_imported', counts))
    await workspace.load(project, [{ text: 'One.' }])
    expect(await dataOf(stream)).toEqual({
      __typename: 'DataImported',
      project: { answers: { totalCount: 1 } },
    })
    await workspace.load(project, [{ text: 'Two.', collectedAt: '2025-05-11T12:00:00Z' }])
    expect(await dataOf(stream)).toMatchObject({ project: { answers: { totalCount: 2 } } })
    await stream.end()
  })

  test('an import is announced once, whether it shows a load or not', async () => {
    const notices: string[] = []
    const onNotice = (payload: string) => notices.push(payload)
    const on = { onNotice, onResumed: () => undefined, onLost: () => undefined }
    const listener = listenTo(inject('databaseUrl'), liveChannel, on)
    await listener.ready()
    const id = await workspace.project()
    const countedBefore = async (fence: string) => {
      await api.db.$queryRaw`SELECT pg_notify(${liveChannel}, ${fence})::text`
      await expect.poll(() => notices).toContain(fence)
      return notices.filter((text) => text.includes(id) && text.includes('data_imported')).length
    }
    await workspace.load(id, [{ text: 'One.' }])
    expect(await countedBefore('one')).toBe(1)
    const keys = ['2025-05-01', 'speakers', 'https://acme.com/', 'deu', 'DESKTOP']
    const rows = [{ keys, clicks: 1, impressions: 2, position: 3 }]
    const bytes = Readable.from([Buffer.from(JSON.stringify({ rows }))])
    expect(await importSearchConsole(api, commandLine, { projectId: id, bytes })).toMatchObject({
      loaded: 1,
    })
    expect(await countedBefore('two')).toBe(2)
    await listener.close()
  })

  test('a reanalysis, and an edit of another process', async () => {
    const stream = await subscribe(
      api,
      key,
      updates('answers_reanalyzed, project_edited', '__typename ... on ProjectEdited { actions }'),
    )
    await reanalyze(api, { projectId: project })
    expect(await dataOf(stream)).toEqual({ __typename: 'AnswersReanalyzed' })
    const edited = (action: string) => ({ __typename: 'ProjectEdited', actions: [action] })
    expect(await dataOf(stream)).toEqual(edited('project.reanalyze'))
    const admin = (await workspace.key({ scopes: ['admin'] })).key
    await api.graphql(
      `mutation { addTopic(projectId: "${project}", name: "Audio") { __typename } }`,
      admin,
    )
    expect(await dataOf(stream)).toEqual(edited('topic.add'))
    await stream.end()
  })

  test('the progress of an audit leads to the audit; a change that is rolled back is never announced', async () => {
    const { id: auditId } = await api.db.audit.create({
      data: {
        projectId: project,
        pageCount: 1,
        isWholeSite: true,
        pages: { create: { pageId: randomUUID(), url: 'https://acme.com/', address: '' } },
      },
    })
    const selection = '... on AuditProgressed { audit { id status progress { done } } }'
    const stream = await subscribe(api, key, updates('audit_progressed', selection))
    const fail = async (ends: boolean) =>
      api.db.$transaction(async (tx) => {
        await tx.audit.update({
          where: { id: auditId },
          data: { status: ends ? 'failed' : 'running' },
        })
        if (!ends) throw new Error('rolled back')
      })
    await expect(fail(false)).rejects.toThrow('rolled back')
    await fail(true)
    expect(await dataOf(stream)).toEqual({
      audit: { id: auditId, status: 'failed', progress: { done: 0 } },
    })
    await api.db.auditPage.updateMany({ where: { auditId }, data: { status: 'failed' } })
    expect(await dataOf(stream)).toMatchObject({ audit: { progress: { done: 1 } } })
    await stream.end()
  })

  test('a lost connection to PostgreSQL is made again, and readers learn that they missed events', async () => {
    const stream = await subscribe(api, key, updates('data_imported'))
    await api.db.$queryRaw`SELECT pg_terminate_backend(pid)::text FROM pg_stat_activity
      WHERE query = ${`LISTEN "${liveChannel}"`} AND datname = current_database()`
    expect(await dataOf(stream)).toEqual({ __typename: 'UpdatesMissed' })
    await workspace.load(project, [{ text: 'Three.', collectedAt: '2025-05-12T12:00:00Z' }])
    expect(await dataOf(stream)).toEqual({ __typename: 'DataImported' })
    await stream.end()
  })
})

test('streams end when the service stops', async () => {
  const second = await startApi({ ...api, clickhouseUrl: inject('clickhouseUrl') })
  await new Promise<void>((resolve) => second.server.listen(0, '127.0.0.1', resolve))
  const { port } = second.server.address() as AddressInfo
  const stream = await subscribe({ url: `http://127.0.0.1:${port}` }, key, updates('data_imported'))
  const ended = stream.next()
  await second.close()
  expect(await ended).toBeUndefined()
})

describe('crawler hits', () => {
  const at = (minute: number) => new Date(Date.UTC(2025, 4, 10, 23, minute))
  const day = (date: string, botName: string, count: number) =>
    putHits(
      api.warehouse,
      project,
      Array.from({ length: count }, () => ({ at: `${date}T12:00:00Z`, bot: botName })),
    )

  test('each look finds the hits that arrived since the one before, also late ones and at midnight', async () => {
    const watch = new CrawlerWatch(api.warehouse)
    const watched = new Set([project])
    await day('2025-05-10', 'GPTBot', 2)
    expect(await watch.look(watched, at(0))).toEqual([])
    expect(await watch.look(watched, at(1))).toEqual([])
    await day('2025-05-10', 'GPTBot', 3)
    await day('2025-05-09', 'ClaudeBot', 1)
    expect(await watch.look(watched, at(2))).toEqual([
      {
        kind: 'crawlers_visited',
        projectId: project,
        from: at(1),
        at: at(2),
        crawlers: [
          { botName: 'GPTBot', hits: 3 },
          { botName: 'ClaudeBot', hits: 1 },
        ],
      },
    ])
    await day('2025-05-11', 'GPTBot', 1)
    const [afterMidnight] = await watch.look(watched, at(61))
    expect(afterMidnight?.crawlers).toEqual([{ botName: 'GPTBot', hits: 1 }])
    expect(await watch.look(new Set(), at(62))).toEqual([])
    expect(await watch.look(watched, at(63))).toEqual([])
  })
})

describe('a slow reader', () => {
  const event = { projectId: 'p', at: new Date(0) } as const
  const all = async (stream: LiveStream) => {
    stream.push({ ...event, kind: 'opportunities_evaluated' })
    const items: LiveItem[] = []
    for await (const item of stream) {
      items.push(item)
      if (item !== recheck && item.kind === 'opportunities_evaluated') return items
    }
    return items
  }

  test('gets one event for many about the same', async () => {
    const stream = new LiveStream(() => undefined)
    for (let i = 0; i < 1000; i++) {
      stream.push({ ...event, kind: 'audit_progressed', subjectId: `audit ${i % 2}` })
      stream.push({ ...event, kind: 'project_edited', actions: [`action.${i % 3}`] })
      const crawlers = [{ botName: 'GPTBot', hits: 2 }]
      stream.push({ ...event, kind: 'crawlers_visited', from: event.at, crawlers })
    }
    expect(await all(stream)).toEqual([
      { ...event, kind: 'audit_progressed', subjectId: 'audit 0' },
      { ...event, kind: 'project_edited', actions: ['action.0', 'action.1', 'action.2'] },
      {
        ...event,
        kind: 'crawlers_visited',
        from: event.at,
        crawlers: [{ botName: 'GPTBot', hits: 2000 }],
      },
      { ...event, kind: 'audit_progressed', subjectId: 'audit 1' },
      { ...event, kind: 'opportunities_evaluated' },
    ])
  })

  test('of too many events it learns that it missed some, and its key is still checked', async () => {
    const stream = new LiveStream(() => undefined)
    stream.recheck()
    for (let i = 0; i <= 100; i++) {
      stream.push({ ...event, kind: 'audit_progressed', subjectId: `audit ${i}` })
    }
    expect((await all(stream)).map((item) => (item === recheck ? 'check' : item.kind))).toEqual([
      'check',
      'updates_missed',
      'audit_progressed',
      'opportunities_evaluated',
    ])
  })
})

describe('access', () => {
  const codeOf = async (stream: Awaited<ReturnType<typeof subscribe>>) =>
    (await stream.next())?.errors?.[0]?.extensions.code

  test('an unknown and a foreign project are the same problem as in a query', async () => {
    const foreign = await (await api.workspace()).project()
    for (const id of [randomUUID(), foreign]) {
      const stream = await subscribe(api, key, updates('data_imported', '__typename', id))
      const asked = await api.graphql(`{ project(id: "${id}") { id } }`, key)
      const { errors } = (await asked.json()) as { errors: [GraphQLFormattedError] }
      const [refusal] = (await stream.next())?.errors ?? []
      const shown = (error?: Pick<GraphQLFormattedError, 'message' | 'extensions'>) => [
        error?.message,
        error?.extensions?.code,
      ]
      expect(shown(refusal)).toEqual(shown(errors[0]))
      expect(await stream.next()).toBeUndefined()
    }
  })

  test('without a key the request is refused', async () => {
    const stream = await subscribe(api, undefined, updates('data_imported'))
    await expect(stream.next()).rejects.toThrow('401')
  })

  test('the stream of a revoked key ends', async () => {
    const revoked = await workspace.key()
    const stream = await subscribe(api, revoked.key, updates('data_imported'))
    await api.db.apiKey.update({ where: { id: revoked.id }, data: { revokedAt: new Date() } })
    expect(await codeOf(stream)).toBe('unauthorized')
    expect(await stream.next()).toBeUndefined()
  })

  test('the stream of a key ends when it expires', async () => {
    const expiring = await workspace.key({ expiresAt: new Date(Date.now() + 2000) })
    const stream = await subscribe(api, expiring.key, updates('data_imported'))
    expect(await codeOf(stream)).toBe('unauthorized')
    expect(await stream.next()).toBeUndefined()
  })

  test('the stream of a removed member ends, and that of a deleted project', async () => {
    const other = await api.workspace()
    const [left, gone] = [await other.project(), await other.project({ name: 'Gone' })]
    const { key: theirs } = await other.key()
    const ofLeft = await subscribe(api, theirs, updates('data_imported', '__typename', left))
    const ofGone = await subscribe(api, theirs, updates('data_imported', '__typename', gone))
    await removeProject(api, commandLine, gone)
    expect(await codeOf(ofGone)).toBe('not_found')
    expect(await ofGone.next()).toBeUndefined()
    await api.db.membership.deleteMany({ where: { workspaceId: other.id } })
    expect(await codeOf(ofLeft)).toBe('forbidden')
    expect(await ofLeft.next()).toBeUndefined()
  })
})
