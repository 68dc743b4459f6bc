import { beforeAll, expect, test } from 'vitest'
import { monitorId } from '../../resolvers/alarms/monitors.ts'
import { recordAlarms } from '../../resolvers/alarms/record.ts'
import { jobScope } from '../../resolvers/shared/job-scope.ts'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { putHits } from '../kit/tracker/hits.ts'

const api = useApi()
let workspace: TestWorkspace
let key = ''

beforeAll(async () => {
  workspace = await api.workspace()
  key = (await workspace.key({ scopes: ['read', 'write'] })).key
})

async function ask(query: string) {
  const response = await api.graphql(query, key)
  return (await response.json()) as { data: Record<string, never>; errors?: object[] }
}

/** Looks at a project as the job does; statistics are not looked at. */
async function look(project: string, at: string, backupAt: Date | null = null) {
  const now = new Date(at)
  const scope = await jobScope(api, project, now)
  if (!scope) throw new Error('no project')
  const { opened, closed } = await recordAlarms(scope, now, { backupAt, withMonitors: false })
  const kinds = (alarms: typeof opened) => alarms.map(({ subject }) => subject.split(' ')[0])
  return { opened: kinds(opened), closed: kinds(closed) }
}

const listed = (project: string, filter = '') =>
  ask(`{ project(id: "${project}") { alarms${filter} {
    totalCount nodes { id kind level text problem subject since openedOn closedOn isOpen closedReason } } } }`)

test('a refused connection and a spent cap are one alarm each, until they are over', async () => {
  const project = await workspace.project()
  const connection = await api.db.connection.create({
    data: { projectId: project, kind: 'searchConsole', host: 'acme.com', problem: 'accessDenied' },
  })
  const [day, month] = [new Date('2025-06-10'), new Date('2025-06-01')]
  const caps = { dayCap: 10, monthCap: 100, daySpent: 0, monthSpent: 0 }
  await api.db.collectingBudget.create({ data: { id: project, day, month, ...caps } })
  await api.db.proposalCost.createMany({
    data: [
      { projectId: project, cost: 8, endedAt: new Date('2025-06-10T01:00:00Z') },
      { projectId: project, cost: 92, endedAt: new Date('2025-06-01T01:00:00Z') },
    ],
  })
  expect(await look(project, '2025-06-10T01:02:00Z')).toEqual({
    opened: ['cap_near', 'cap_reached', 'connection_refused'],
    closed: [],
  })
  expect(await look(project, '2025-06-10T02:02:00Z')).toEqual({ opened: [], closed: [] })
  const { data } = await listed(project, '(filter: { isOpen: true, kinds: [data_degraded] })')
  const { totalCount, nodes } = (
    data as never as { project: { alarms: { totalCount: number; nodes: { text: string }[] } } }
  ).project.alarms
  expect(totalCount).toBe(3)
  expect(nodes.map(({ text }) => text).sort()).toEqual([
    'No data for acme.com: Google denied access.',
    'Over 80% of the cap of the day is spent: $8.00 of $10.00.',
    'The cap of the month is reached: $100.00 of $100.00.',
  ])
  await api.db.connection.update({ where: { id: connection.id }, data: { problem: null } })
  expect(await look(project, '2025-06-10T03:02:00Z')).toEqual({
    opened: [],
    closed: ['connection_refused'],
  })
  // On the same day it is the same alarm, open again.
  await api.db.connection.update({ where: { id: connection.id }, data: { problem: 'notFound' } })
  expect((await look(project, '2025-06-10T04:02:00Z')).opened).toEqual(['connection_refused'])
  expect(await api.db.alarm.count({ where: { projectId: project, closedOn: null } })).toBe(3)
  // A new day and month, and a backup of eight days ago.
  const next = await look(project, '2025-07-01T01:02:00Z', new Date('2025-06-22T00:00:00Z'))
  expect(next.opened).toEqual(['backup_old'])
  expect(next.closed.sort()).toEqual(['cap_near', 'cap_reached'])
})

test('a site that refuses a fifth of 50 verified requests of a vendor is an alarm', async () => {
  const project = await workspace.project()
  await putHits(
    api.warehouse,
    project,
    Array.from({ length: 60 }, (_, at) => ({
      bot: 'Googlebot',
      // Of the addresses that Google publishes.
      ip: '66.249.64.40',
      at: `2025-06-10T08:00:${String(at).padStart(2, '0')}Z`,
      status: at < 12 ? 403 : 200,
    })),
  )
  expect((await look(project, '2025-06-10T09:02:00Z')).opened).toEqual(['requests_refused'])
  expect((await look(project, '2025-06-11T09:02:00Z')).closed).toEqual(['requests_refused'])
})

test('people acknowledge an alarm with a note once, and mute a monitor until a time', async () => {
  const project = await workspace.project()
  await api.db.connection.create({
    data: { projectId: project, kind: 'webAnalytics', problem: 'accessDenied' },
  })
  await look(project, '2025-06-10T01:02:00Z')
  const alarm = await api.db.alarm.findFirstOrThrow({ where: { projectId: project } })
  const acknowledge = (note: string) =>
    ask(`mutation { acknowledgeAlarm(projectId: "${project}", alarmId: "${alarm.id}"${note}) {
      ... on AlarmChange { changed alarm { note isOpen } } ... on Problem { code } } }`)
  expect((await acknowledge('')).data.acknowledgeAlarm).toEqual({
    changed: true,
    alarm: { note: null, isOpen: true },
  })
  expect((await acknowledge('')).data.acknowledgeAlarm).toMatchObject({ changed: false })
  expect((await acknowledge(', note: "Asked Eve."')).data.acknowledgeAlarm).toMatchObject({
    changed: true,
    alarm: { note: 'Asked Eve.' },
  })
  expect((await acknowledge(', note: " "')).data.acknowledgeAlarm).toEqual({
    code: 'invalid_argument',
  })

  const id = monitorId(project, 'visibility.fell')
  const mute = (until: Date) =>
    ask(`mutation { muteMonitor(projectId: "${project}", monitorId: "${id}", until: "${until.toISOString()}") {
      ... on MonitorChange { changed } ... on Problem { code } } }`)
  const until = new Date(Date.now() + 86_400_000)
  expect((await mute(until)).data.muteMonitor).toEqual({ changed: true })
  expect((await mute(until)).data.muteMonitor).toEqual({ changed: false })
  expect((await mute(new Date(0))).data.muteMonitor).toEqual({ code: 'invalid_argument' })
  const { data } =
    await ask(`mutation { unmuteMonitor(projectId: "${project}", monitorId: "${id}") {
    ... on MonitorChange { changed monitor { muteEndsAt status } } } }`)
  expect(data.unmuteMonitor).toEqual({
    changed: true,
    monitor: { muteEndsAt: null, status: 'no_data' },
  })
  const trail = await api.db.auditEntry.findMany({
    where: { projectId: project, subjectType: { in: ['alarm', 'monitor'] } },
    orderBy: { id: 'asc' },
  })
  expect(trail.map(({ action }) => action)).toEqual([
    'alarm.acknowledge',
    'alarm.acknowledge',
    'monitor.mute',
    'monitor.unmute',
  ])
})

test('people add a monitor for one AI platform or topic, weigh it, and remove it', async () => {
  const project = await workspace.project()
  await workspace.load(project, [
    { collectedAt: '2025-06-10T08:00:00Z', text: 'Acme is good.', prompt: 'one' },
    { collectedAt: '2025-06-10T09:00:00Z', text: 'Nothing.', prompt: 'two' },
  ])
  const topic = await api.db.topic.create({ data: { projectId: project, name: 'Anvils' } })
  const one = await api.db.prompt.findFirstOrThrow({ where: { projectId: project, text: 'one' } })
  await api.db.promptTopic.create({ data: { promptId: one.id, topicId: topic.id } })
  const add = (args: string) =>
    ask(`mutation { addMonitor(projectId: "${project}", kind: visibility_fell, ${args}) {
      ... on MonitorChange { changed monitor { id title isOwn points { date value } } }
      ... on Problem { code } } }`)
  expect((await add('platform: "no such"')).data.addMonitor).toEqual({ code: 'invalid_argument' })
  expect((await add(`platform: "x", topicId: "${topic.id}"`)).data.addMonitor).toEqual({
    code: 'invalid_argument',
  })
  const { addMonitor } = (await add(`topicId: "${topic.id}"`)).data as Record<
    string,
    { monitor: { id: string } }
  >
  expect(addMonitor).toMatchObject({
    changed: true,
    monitor: {
      title: 'Visibility fell: Anvils',
      isOwn: true,
      points: [],
    },
  })
  expect((await add(`topicId: "${topic.id}"`)).data.addMonitor).toMatchObject({ changed: false })
  const of = `projectId: "${project}", monitorId: "${addMonitor?.monitor.id}"`
  const { data } = await ask(`mutation { updateMonitor(${of}, weight: 0.5, isEnabled: false) {
    ... on MonitorChange { monitor { weight status } } } }`)
  expect(data.updateMonitor).toEqual({ monitor: { weight: 0.5, status: 'disabled' } })
  const remove = (args: string) =>
    ask(
      `mutation { removeMonitor(${args}) { ... on MonitorChange { changed monitor { id } } ... on Problem { code } } }`,
    )
  expect((await remove(of)).data.removeMonitor).toEqual({ changed: true, monitor: null })
  const standard = `projectId: "${project}", monitorId: "${monitorId(project, 'tone.fell')}"`
  expect((await remove(standard)).data.removeMonitor).toEqual({ code: 'invalid_argument' })
})
