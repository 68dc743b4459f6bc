import { beforeAll, beforeEach, expect, test } from 'vitest'
import { rangeBefore, startReports } from '../../resolvers/reports/schedules.ts'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { openReceiver } from '../kit/channels/receiver.ts'
import { openMailbox } from '../kit/mail/mailbox.ts'
import { until } from '../kit/service.ts'
import { startTestWorker, type TestWorker } from '../kit/worker.ts'

/** Reports on a schedule: made, shared and sent once, with a real receiver, mail server and worker. */

const [receiver, mailbox] = await Promise.all([openReceiver(), openMailbox()])
const api = useApi(
  {
    ALLOW_PRIVATE_HOSTS: receiver.privateHost,
    SMTP_URL: mailbox.url,
    MAIL_FROM: 'sightline@example.com',
    PUBLIC_URL: 'https://sightline.example.com',
  },
  undefined,
  { ownDatabase: true },
)
api.atEnd(() => Promise.all([receiver.close(), mailbox.close()]))
let worker: TestWorker
let workspace: TestWorkspace
let project = ''
let key = ''
let owner = ''

beforeAll(async () => {
  worker = await startTestWorker(api)
})
beforeEach(async () => {
  receiver.answer({ status: 204 })
  workspace = await api.workspace()
  project = await workspace.project({ name: 'Acme', domain: 'acme.com' })
  key = (await workspace.key({ scopes: ['admin'] })).key
  const where = { workspaceId: workspace.id, role: 'owner' } as const
  const { user } = await api.db.membership.findFirstOrThrow({ where, include: { user: true } })
  owner = user.email
  await workspace.load(project, [
    { prompt: 'one', collectedAt: new Date(Date.now() - 86_400_000).toISOString(), text: 'Acme.' },
    { prompt: 'two', collectedAt: new Date(Date.now() - 86_400_000).toISOString(), text: 'None.' },
  ])
})

async function change(name: string, args: string, fields: string) {
  const query = `mutation { ${name}(workspaceId: "${workspace.id}", ${args}) { ${fields} } }`
  const answer = await (await api.graphql(query, key)).json()
  if (answer.errors) throw new Error(JSON.stringify(answer.errors))
  return answer.data[name]
}

async function addChannel(kind: string, address: string): Promise<string> {
  const { channel } = await change(
    'addChannel',
    `kind: ${kind}, address: "${address}", events: [run_failed]`,
    'channel { id }',
  )
  return channel.id
}

const set = (channel: string, more = '') =>
  change(
    'setReportSchedule',
    `channelId: "${channel}", projectId: "${project}"${more}`,
    `... on ReportScheduleChange { changed reportSchedule { id every day hour timeZone linkDays nextAt problem } }
     ... on Problem { code message }`,
  )

/** Makes a schedule due now, and does what the worker does each minute. */
async function due(id: string) {
  const now = new Date()
  await api.db.reportSchedule.update({ where: { id }, data: { nextAt: now } })
  const started = await startReports(api, now)
  await worker.idle()
  return started
}

const scheduleOf = (id: string) => api.db.reportSchedule.findUniqueOrThrow({ where: { id } })
const mailsTo = (address: string) => mailbox.mails.filter(({ to }) => to.includes(address))

test('a report is made, shared and mailed once at its time, with its numbers and a link that opens', async () => {
  const channel = await addChannel('email', owner)
  const { changed, reportSchedule } = await set(channel, ', timeZone: "Europe/Berlin"')
  expect([changed, reportSchedule]).toMatchObject([
    true,
    { every: 'week', day: 1, hour: 7, timeZone: 'Europe/Berlin', linkDays: 30, problem: null },
  ])
  expect((await set(channel, ', timeZone: "Europe/Berlin"')).changed).toBe(false)
  const berlin = {
    timeZone: 'Europe/Berlin',
    weekday: 'long',
    hour: 'numeric',
    hour12: false,
  } as const
  const next = new Date(reportSchedule.nextAt)
  expect(new Intl.DateTimeFormat('en', berlin).format(next)).toBe('Monday, 07')
  expect(await startReports(api, new Date(next.getTime() - 1000))).toBe(0)

  expect(await due(reportSchedule.id)).toBe(1)
  expect(await startReports(api, new Date())).toBe(0)
  await worker.idle()
  const [mail, ...others] = mailsTo(owner)
  expect(others).toEqual([])
  expect(mail?.mail.subject).toMatch(/^Acme: Visibility and sentiment of Acme, /)
  expect(mail?.mail.text).toMatch(/Visibility score: 50\.0%/)
  const link = /https:\/\/sightline\.example\.com(\/share\/\S+)/.exec(mail?.mail.text ?? '')?.[1]
  const page = await fetch(`${api.url}${link}`)
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('50.0%')])
  const report = await api.db.report.findFirstOrThrow({ where: { projectId: project } })
  const days = ((report.sharedUntil?.getTime() ?? 0) - Date.now()) / 86_400_000
  expect(days).toBeGreaterThan(29.9)
  expect(days).toBeLessThanOrEqual(30)
  // Everyone with a subscription to reports that are done hears of it once, too.
  const types = await api.db.delivery.findMany({ where: { channelId: channel } })
  expect(types.map(({ eventType }) => eventType)).toEqual(['report.ready'])
})

test('Slack gets the same; a link that was closed before the message is sent goes nowhere', async () => {
  const channel = await addChannel('slack', `${receiver.url}/slack`)
  const { reportSchedule } = await set(channel, ', every: month, day: 28, linkDays: null')
  expect(reportSchedule).toMatchObject({ every: 'month', day: 28, linkDays: null })
  receiver.answer({ status: 500 })
  await due(reportSchedule.id)
  const [delivery] = await api.db.delivery.findMany({ where: { channelId: channel } })
  expect(delivery?.state).toBe('waiting')
  expect(receiver.received.at(-1)?.body).toContain('|Open the report>')
  // The token of the link is made when it is sent: whoever reads the catalog has none.
  expect(JSON.stringify(delivery?.body)).not.toContain('/share/')
  receiver.answer({ status: 204 })
  const report = await api.db.report.findFirstOrThrow({ where: { projectId: project } })
  const of = `projectId: "${project}", reportId: "${report.id}"`
  await api.graphql(`mutation { revokeReportShare(${of}) { report { id } } }`, key)
  const before = receiver.received.length
  await change('sendAgain', `channelId: "${channel}", deliveryIds: ["${delivery?.id}"]`, 'count')
  // The pause after the failure may end first.
  const found = () => api.db.delivery.findFirstOrThrow({ where: { channelId: channel } })
  await until(async () => (await found()).state !== 'waiting')
  expect(await found()).toMatchObject({
    state: 'dropped',
    lastError: 'The link of the report is closed.',
  })
  expect(receiver.received).toHaveLength(before)
})

test('nothing is sent for a person who may no longer share, from a paused project, or to a paused channel', async () => {
  const channel = await addChannel('webhook', `${receiver.url}/hook`)
  const { reportSchedule } = await set(channel)
  const { id } = reportSchedule
  const problemAfter = async () => {
    expect(await due(id)).toBe(0)
    return (await scheduleOf(id)).problem
  }
  await change('pauseChannel', `channelId: "${channel}"`, 'channel { state }')
  expect(await problemAfter()).toBe('The channel is not on.')
  await change('enableChannel', `channelId: "${channel}"`, 'channel { state }')
  await api.db.project.update({ where: { id: project }, data: { status: 'paused' } })
  expect(await problemAfter()).toBe('The project is paused.')
  await api.db.project.update({ where: { id: project }, data: { status: 'active' } })
  const { setById } = await scheduleOf(id)
  await api.db.membership.updateMany({
    where: { workspaceId: workspace.id, userId: setById ?? '' },
    data: { role: 'viewer' },
  })
  expect(await problemAfter()).toBe('Whoever set it up may no longer share reports. Set it again.')
  expect(await api.db.report.count({ where: { projectId: project } })).toBe(0)
  expect((await scheduleOf(id)).nextAt.getTime()).toBeGreaterThan(Date.now())
})

test('while the project makes another report, the next minute tries again', async () => {
  const channel = await addChannel('webhook', `${receiver.url}/hook`)
  const { reportSchedule } = await set(channel)
  const { id } = reportSchedule
  await set(channel, ', every: month')
  const now = new Date()
  await api.db.reportSchedule.updateMany({ where: { channelId: channel }, data: { nextAt: now } })
  expect(await startReports(api, now)).toBe(1)
  expect(await startReports(api, now)).toBe(0)
  await worker.idle()
  expect(await startReports(api, now)).toBe(1)
  await worker.idle()
  expect(receiver.received.filter(({ path }) => path === '/hook').length).toBe(2)
  await change('removeReportSchedule', `scheduleId: "${id}"`, '... on WorkspaceChange { changed }')
  expect(await api.db.reportSchedule.count({ where: { channelId: channel } })).toBe(1)
  expect(await api.db.report.count({ where: { projectId: project } })).toBe(2)
})

test('bad terms are refused by the name of the field, and change nothing', async () => {
  const channel = await addChannel('webhook', `${receiver.url}/hook`)
  for (const [more, message] of [
    [', day: 8', /`?day`?.*1 \(Monday\) to 7/],
    [', every: month, day: 29', /day.*1 to 28/],
    [', hour: 24', /hour.*0 to 23/],
    [', timeZone: "Mars/Olympus"', /timeZone.*IANA/],
    [', linkDays: 0', /linkDays.*1 to 365/],
  ] as const) {
    expect(await set(channel, more)).toEqual({
      code: 'invalid_argument',
      message: expect.stringMatching(message),
    })
  }
  expect(await api.db.reportSchedule.count({ where: { channelId: channel } })).toBe(0)
})

test('the days of a report are those of the time zone, and an hour that a clock skips is the next', async () => {
  // 1 March, 00:30 in Auckland, is still February in UTC.
  const auckland = { timeZone: 'Pacific/Auckland' }
  const night = new Date('2026-02-28T11:30:00Z')
  expect(rangeBefore({ every: 'month', ...auckland }, night)).toEqual({
    from: '2026-02-01',
    to: '2026-02-28',
  })
  expect(rangeBefore({ every: 'week', ...auckland }, night)).toEqual({
    from: '2026-02-22',
    to: '2026-02-28',
  })
  expect(rangeBefore({ every: 'month', timeZone: 'UTC' }, night)).toEqual({
    from: '2026-01-01',
    to: '2026-01-31',
  })
  const channel = await addChannel('webhook', `${receiver.url}/hook`)
  const { reportSchedule } = await set(channel, ', day: 7, hour: 2, timeZone: "Europe/Berlin"')
  const { id } = reportSchedule
  await change('pauseChannel', `channelId: "${channel}"`, 'channel { state }')
  // Three weeks missed are one report, and the next is on 29 March, when 02:00 is 03:00 and so 01:00 UTC.
  await api.db.reportSchedule.update({
    where: { id },
    data: { nextAt: new Date('2026-03-01T01:00:00Z') },
  })
  await startReports(api, new Date('2026-03-23T09:00:00Z'))
  expect((await scheduleOf(id)).nextAt).toEqual(new Date('2026-03-29T01:00:00Z'))
  // In winter 02:00 is 01:00 UTC, in summer 00:00; on 25 October it is there twice, and counts once.
  await startReports(api, new Date('2026-10-20T09:00:00Z'))
  const { nextAt } = await scheduleOf(id)
  expect(nextAt.toISOString()).toMatch(/^2026-10-25T0[01]:00/)
  await startReports(api, nextAt)
  expect((await scheduleOf(id)).nextAt).toEqual(new Date('2026-11-01T01:00:00Z'))
})
