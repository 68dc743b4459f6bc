import { beforeAll, expect, test } from 'vitest'
import { monitorId } from '../../resolvers/alarms/monitors.ts'
import { recordAlarms } from '../../resolvers/alarms/record.ts'
import { jobScope } from '../../resolvers/shared/job-scope.ts'
import { useApi } from '../kit/api.ts'
import { runCli, runJson } from '../kit/service.ts'

const api = useApi()
let project = ''
let alarm = ''

beforeAll(async () => {
  project = await (await api.workspace()).project()
  await api.db.connection.create({
    data: { projectId: project, kind: 'searchConsole', host: 'acme.com', problem: 'accessDenied' },
  })
  const now = new Date()
  const scope = await jobScope(api, project, now)
  if (!scope) throw new Error('no project')
  const { opened } = await recordAlarms(scope, now, { withMonitors: false })
  alarm = opened[0]?.id ?? ''
})

const env = () => ({ env: { DATABASE_URL: api.databaseUrl } })

test('a pipeline fails on an alarm that nobody acknowledged, and on no other', async () => {
  const list = ['alarm', 'list', '--open', '--fail', '--project', project]
  const failed = await runCli(list, env())
  expect(failed.code).toBe(3)
  expect(failed.stdout).toMatch(/open {2}No data for acme[.]com: Google denied access[.]/)
  const acknowledge = ['alarm', 'acknowledge', '--project', project, alarm, '--note', 'Asked Eve.']
  expect(await runJson(acknowledge, env())).toEqual({ id: alarm, changed: true })
  expect(await runJson(list, env())).toMatchObject({ alarms: [{ id: alarm, note: 'Asked Eve.' }] })
})

test('a monitor is muted for some days, and then no longer', async () => {
  const id = monitorId(project, 'visibility.fell')
  const mute = (days: string) =>
    runJson(['monitor', 'mute', '--project', project, id, '--days', days], env())
  expect(await mute('2')).toEqual({ id, changed: true })
  const { mutedUntil } = await api.db.monitor.findUniqueOrThrow({ where: { id } })
  expect((mutedUntil?.getTime() ?? 0) - Date.now()).toBeGreaterThan(86_400_000)
  expect(await mute('0')).toEqual({ id, changed: true })
})
