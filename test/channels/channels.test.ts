import { Webhook } from 'standardwebhooks'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { rotationMs } from '../../core/channels/webhook.ts'
import { recordAlarms } from '../../resolvers/alarms/record.ts'
import { deliver } from '../../resolvers/shared/deliver.ts'
import { jobScope } from '../../resolvers/shared/job-scope.ts'
import { inTransaction } from '../../resolvers/shared/transaction.ts'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { openReceiver } from '../kit/channels/receiver.ts'
import { openMailbox } from '../kit/mail/mailbox.ts'
import { startTestWorker, type TestWorker } from '../kit/worker.ts'

/** Channels and their deliveries, with a real receiver, a real mail server and a real worker. */

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

beforeAll(async () => {
  worker = await startTestWorker(api)
})
beforeEach(async () => {
  receiver.answer({ status: 204 })
  workspace = await api.workspace()
  project = await workspace.project({ name: 'Acme <&>', domain: 'acme.com' })
  key = (await workspace.key({ scopes: ['admin'] })).key
})

const channelFields = 'id name display state disabledReason events projectIds'

/** Calls a mutation of the workspace. */
async function change(name: string, args: string, fields: string) {
  const query = `mutation { ${name}(workspaceId: "${workspace.id}", ${args}) { ${fields} } }`
  const answer = await (await api.graphql(query, key)).json()
  if (answer.errors) throw new Error(JSON.stringify(answer.errors))
  return answer.data[name]
}

async function add(kind: string, path: string, more = '') {
  const address = kind === 'email' ? path : `${receiver.url}${path}`
  const args = `kind: ${kind}, address: "${address}"${more}`
  const { channel, secret } = await change(
    'addChannel',
    args,
    `secret channel { ${channelFields} }`,
  )
  return { ...channel, secret } as { id: string; state: string; secret: string; display: string }
}

const happen = (title = 'A run is done') =>
  inTransaction(api.db, (tx) =>
    deliver(tx, {
      type: 'run.completed',
      projectId: project,
      title,
      facts: [{ label: 'Answers', value: '12' }],
      page: 'data-collection',
      ids: { runId: '0b3f8f9e-4f4e-4d43-8a3a-0d3f7b1d9c11' },
    }),
  )

const sentTo = (path: string) => receiver.received.filter((each) => each.path === path)
const deliveriesOf = (channelId: string) =>
  api.db.delivery.findMany({ where: { channelId }, orderBy: { createdAt: 'asc' } })

describe('a webhook', () => {
  test('gets a signed event that the package of Standard Webhooks verifies', async () => {
    const { id, secret, display } = await add('webhook', '/signed?token=abcd1234')
    expect(display).toBe('http://hooks.test/…1234')
    await happen()
    await worker.idle()
    const [received] = sentTo('/signed?token=abcd1234')
    const payload = new Webhook(secret).verify(
      received?.body ?? '',
      received?.headers as Record<string, string>,
    )
    expect(payload).toEqual({
      type: 'run.completed',
      timestamp: expect.stringMatching(/Z$/),
      data: {
        runId: '0b3f8f9e-4f4e-4d43-8a3a-0d3f7b1d9c11',
        workspaceId: workspace.id,
        project: { id: project, name: 'Acme <&>', domain: 'acme.com' },
        title: 'A run is done',
        text: '',
        facts: [{ label: 'Answers', value: '12' }],
        link: `https://sightline.example.com/projects/${project}/data-collection`,
      },
    })
    const [row] = await deliveriesOf(id)
    expect(row).toMatchObject({ state: 'sent', attempts: 1, lastStatus: 204, lastError: null })
    expect(received?.headers['webhook-id']).toBe(row?.id)
  })

  test('is signed with both secrets for a day after a rotation', async () => {
    const { id, secret } = await add('webhook', '/rotated')
    const next = await change('rotateChannelSecret', `channelId: "${id}"`, 'secret')
    await happen()
    await worker.idle()
    const rotatedAt = new Date(Date.now() - rotationMs)
    await api.db.channel.update({ where: { id }, data: { rotatedAt } })
    await happen()
    await worker.idle()
    const [both, later] = sentTo('/rotated')
    const verifies = (given: string, what: typeof both) => {
      try {
        return !!new Webhook(given).verify(
          what?.body ?? '',
          what?.headers as Record<string, string>,
        )
      } catch {
        return false
      }
    }
    expect([secret, next.secret].map((each) => verifies(each, both))).toEqual([true, true])
    expect([secret, next.secret].map((each) => verifies(each, later))).toEqual([false, true])
  })

  test('that is gone for good is disabled, and the audit trail and another channel say so', async () => {
    const { id } = await add('webhook', '/gone', ', events: [run_completed], name: "Gone"')
    await add('webhook', '/other', ', events: [data_degraded]')
    receiver.answer({ status: 410, body: 'moved away' })
    await happen()
    await expect.poll(() => sentTo('/gone').length).toBe(1)
    receiver.answer({ status: 204 })
    await expect.poll(() => sentTo('/other').length, { timeout: 20_000 }).toBeGreaterThan(0)
    expect(JSON.parse(sentTo('/other')[0]?.body ?? '').data.title).toBe(
      'The channel “Gone” was disabled',
    )
    const row = await api.db.channel.findUniqueOrThrow({ where: { id } })
    expect([row.state, row.disabledReason]).toEqual([
      'disabled',
      'The receiver says that this address is gone for good (410).',
    ])
    const trail = await api.db.auditEntry.findMany({ where: { subjectId: id } })
    expect(trail.map(({ action }) => action)).toEqual(['channel.add', 'channel.disable'])
    const [gone] = await deliveriesOf(id)
    expect(gone?.lastError).toMatch(/moved away$/)
    expect(gone?.state).toBe('dropped')
  })

  test('that fails is tried again under the same id, as late as it asks', async () => {
    const { id } = await add('webhook', '/busy')
    receiver.answer({ status: 429, headers: { 'retry-after': '3600' } })
    await happen()
    await worker.idle()
    const [row] = await deliveriesOf(id)
    expect(row?.state).toBe('waiting')
    const minutes = ((row?.nextAt?.getTime() ?? 0) - Date.now()) / 60_000
    expect(minutes).toBeGreaterThan(58)
    expect(minutes).toBeLessThanOrEqual(60)
    // Another event waits too: it would only be refused alike.
    await happen()
    await worker.idle()
    receiver.answer({ status: 204 })
    await change('sendAgain', `channelId: "${id}", deliveryIds: ["${row?.id}"]`, 'count')
    await expect.poll(async () => (await deliveriesOf(id))[0]?.state).toBe('sent')
    const ids = sentTo('/busy').map(({ headers }) => headers['webhook-id'])
    expect(ids.filter((each) => each === row?.id)).toHaveLength(2)
  })

  test('that fails for five days is disabled', async () => {
    const { id } = await add('webhook', '/broken')
    receiver.answer({ status: 500 })
    const failingSince = new Date(Date.now() - 5 * 24 * 3_600_000 - 1000)
    await api.db.channel.update({ where: { id }, data: { failingSince } })
    await happen()
    await expect
      .poll(async () => (await api.db.channel.findUnique({ where: { id } }))?.state)
      .toBe('disabled')
  })

  test('that redirects is not followed, and a test says so in a sentence', async () => {
    const { id } = await add('webhook', '/moved')
    receiver.answer({ status: 302, headers: { location: `${receiver.url}/elsewhere` } })
    const tested = await change(
      'testChannel',
      `channelId: "${id}"`,
      'testProblem delivery { state lastStatus attempts }',
    )
    expect(tested).toEqual({
      testProblem:
        'The address redirects (302), which is not followed. Enter the address that it leads to.',
      delivery: { state: 'failed', lastStatus: 302, attempts: 1 },
    })
    expect(sentTo('/elsewhere')).toEqual([])
  })
})

test('a channel gets only its events and projects, and nothing while it is paused', async () => {
  const other = await workspace.project({ name: 'Other', domain: 'other.com' })
  await add('webhook', '/wrong-event', ', events: [audit_completed]')
  await add('webhook', '/wrong-project', `, projectIds: ["${other}"]`)
  const right = await add(
    'webhook',
    '/right',
    `, events: [run_completed], projectIds: ["${project}"]`,
  )
  const paused = await add('webhook', '/paused')
  await change('pauseChannel', `channelId: "${paused.id}"`, 'changed')
  expect(await happen()).toBe(1)
  await worker.idle()
  expect(sentTo('/right')).toHaveLength(1)
  for (const path of ['/wrong-event', '/wrong-project', '/paused']) expect(sentTo(path)).toEqual([])
  expect(await change('enableChannel', `channelId: "${right.id}"`, 'changed')).toEqual({
    changed: false,
  })
})

test('an alarm is sent when it opens and when it is over, and a muted monitor sends nothing', async () => {
  const { id } = await add('webhook', '/alarms')
  const connection = await api.db.connection.create({
    data: { projectId: project, kind: 'searchConsole', host: 'acme.com', problem: 'accessDenied' },
  })
  const look = async (at: string) => {
    const now = new Date(at)
    const scope = await jobScope(api, project, now)
    if (!scope) throw new Error('no project')
    await recordAlarms(scope, now, { withMonitors: false })
  }
  await look('2025-06-10T01:02:00Z')
  await api.db.connection.update({ where: { id: connection.id }, data: { problem: null } })
  await look('2025-06-10T02:02:00Z')
  const sent = await deliveriesOf(id)
  expect(sent.map(({ eventType }) => eventType)).toEqual(['data.degraded', 'data.recovered'])
  const opened = sent[0]?.body as
    | { data: { title: string; alarmId: string; kind: string } }
    | undefined
  const data = opened?.data
  expect([data?.title, data?.kind]).toEqual([
    'No data for acme.com: Google denied access.',
    'data.degraded',
  ])
  const { monitorId } = await api.db.alarm.findUniqueOrThrow({ where: { id: data?.alarmId ?? '' } })
  const mutedUntil = new Date('2025-07-01T00:00:00Z')
  await api.db.monitor.update({ where: { id: monitorId }, data: { mutedUntil } })
  await api.db.connection.update({
    where: { id: connection.id },
    data: { problem: 'accessDenied' },
  })
  await look('2025-06-11T01:02:00Z')
  expect(await deliveriesOf(id)).toHaveLength(2)
})

test('an event of a transaction that rolls back is sent to nobody', async () => {
  const { id } = await add('webhook', '/rolled-back')
  await inTransaction(api.db, async (tx) => {
    await deliver(tx, { type: 'run.failed', projectId: project, title: 'Lost', page: 'overview' })
    throw new Error('rolled back')
  }).catch(() => undefined)
  await worker.idle()
  expect(await deliveriesOf(id)).toEqual([])
  expect(sentTo('/rolled-back')).toEqual([])
})

test('Slack and Teams get their own shapes, and no name breaks out of them', async () => {
  await add('slack', '/slack')
  await add('teams', '/teams')
  const name = `<!channel> & [x](http://evil.test) *a*\n${'y'.repeat(10_000)}`
  await happen(name)
  await worker.idle()
  const slack = JSON.parse(sentTo('/slack')[0]?.body ?? '')
  const lead = 'Acme &lt;&amp;&gt;: &lt;!channel&gt; &amp; [x](http://evil.test) *a* yyy'
  expect(slack.text).toContain(lead)
  expect(slack.text).toContain(`/projects/${project}/data-collection`)
  expect(slack.blocks[0]).toMatchObject({ type: 'section', text: { type: 'mrkdwn' } })
  for (const { text } of slack.blocks) expect(text.text.length).toBeLessThanOrEqual(3000)
  const teams = JSON.parse(sentTo('/teams')[0]?.body ?? '')
  const [{ contentType, content }] = teams.attachments
  expect([teams.type, contentType, content.type, content.version]).toEqual([
    'message',
    'application/vnd.microsoft.card.adaptive',
    'AdaptiveCard',
    '1.5',
  ])
  expect(content.body[0].text).toContain(
    String.raw`Acme \<&\>: \<\!channel\> & \[x\]\(http://evil.test\) \*a\* yyy`,
  )
  expect(content.body[1]).toEqual({
    type: 'FactSet',
    facts: [{ title: 'Answers', value: '12' }],
  })
  expect(content.actions[0].url).toBe(
    `https://sightline.example.com/projects/${project}/data-collection`,
  )
  expect(Buffer.byteLength(sentTo('/slack')[0]?.body ?? '')).toBeLessThan(20_000)
})

describe('an e-mail channel', () => {
  const mailsTo = (address: string) => mailbox.mails.filter(({ to }) => to.includes(address))
  const linkIn = (text = '', path = '') =>
    new RegExp(`https://sightline.example.com(${path}\\S+)`).exec(text)?.[1] ?? ''

  test('of nobody in the workspace gets nothing before its owner confirms it', async () => {
    const address = `stranger@${workspace.id}.test`
    const { id, state } = await add('email', address)
    expect(state).toBe('unconfirmed')
    expect(await happen()).toBe(0)
    await worker.idle()
    const [asked] = mailsTo(address)
    expect(asked?.mail.subject).toBe('Get notifications of Test?')
    const link = linkIn(asked?.mail.text, '/mail/confirm')
    const page = await api.get(link)
    expect(await page.text()).toContain('<button type="submit">Yes, send them to me</button>')
    expect((await api.db.channel.findUnique({ where: { id } }))?.state).toBe('unconfirmed')
    expect((await fetch(api.url + link, { method: 'POST' })).status).toBe(200)
    expect(await happen()).toBe(1)
  })

  test('has a text and an HTML part, and ends by one click of the mail program', async () => {
    const where = { workspaceId: workspace.id, role: 'owner' } as const
    const { user } = await api.db.membership.findFirstOrThrow({ where, include: { user: true } })
    const { id } = await add('email', user.email)
    await happen()
    await worker.idle()
    const [received] = mailsTo(user.email)
    const { mail } = received ?? {}
    expect(mail?.subject).toBe('Acme <&>: A run is done')
    expect(mail?.text).toContain('Answers: 12')
    expect(mail?.html).toContain('Acme &lt;&amp;&gt;: A run is done')
    expect(received?.raw).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
    const link = linkIn(mail?.text, '/mail/unsubscribe')
    const list = mail?.headers.get('list') as { unsubscribe?: { url: string } } | undefined
    expect(list?.unsubscribe?.url).toBe(`https://sightline.example.com${link}`)
    const click = { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) }
    expect((await fetch(api.url + link, click)).status).toBe(200)
    expect((await api.db.channel.findUnique({ where: { id } }))?.disabledReason).toBe(
      'The reader unsubscribed.',
    )
    expect(await happen()).toBe(0)
    expect((await fetch(`${api.url}${link}x`, click)).status).toBe(404)
  })

  test('of a member who left is disabled, and is confirmed before it gets anything again', async () => {
    const address = `leaver@${workspace.id}.test`
    const user = await api.db.user.create({ data: { email: address, name: 'Leaver' } })
    await api.db.membership.create({
      data: { workspaceId: workspace.id, userId: user.id, role: 'viewer' },
    })
    const { id, state } = await add('email', address)
    expect(state).toBe('on')
    await change('removeMember', `userId: "${user.id}"`, 'changed')
    expect(await happen()).toBe(0)
    const enabled = await change('enableChannel', `channelId: "${id}"`, 'channel { state }')
    expect(enabled).toEqual({ channel: { state: 'unconfirmed' } })
    await worker.idle()
    expect(mailsTo(address).map(({ mail }) => mail.subject)).toEqual(['Get notifications of Test?'])
  })

  test('whose address the mail server does not know is disabled', async () => {
    const where = { workspaceId: workspace.id, role: 'owner' } as const
    const { user } = await api.db.membership.findFirstOrThrow({ where, include: { user: true } })
    const { id } = await add('email', user.email)
    mailbox.refuse(550)
    await happen()
    await expect
      .poll(async () => (await api.db.channel.findUnique({ where: { id } }))?.state)
      .toBe('disabled')
    mailbox.refuse(null)
  })
})

test.each([
  ['webhook', 'http://example.com/hook', 'must begin with https://'],
  ['webhook', 'https://user:secret@example.com/', 'must have no user or password'],
  ['slack', 'ftp://example.com/', 'must be a URL that begins with https://'],
  ['email', 'no address', 'must be an e-mail address'],
])('a %s at %s is refused', async (kind, address, rule) => {
  const refused = await change('addChannel', `kind: ${kind}, address: "${address}"`, 'secret')
  expect(JSON.stringify(refused)).toContain(rule)
})

test('the list shows neither addresses nor secrets, and an editor of another workspace no channel', async () => {
  const { id } = await add('slack', '/services/T0/B0/verysecret')
  const query = `{ workspace(id: "${workspace.id}") { channels { nodes { ${channelFields} } } deliveries { nodes { title } } } }`
  const text = await (await api.graphql(query, key)).text()
  expect(text).toContain('http://hooks.test/…cret')
  expect(text).not.toContain('verysecret')
  const stranger = (await (await api.workspace()).key({ scopes: ['admin'] })).key
  const call = `mutation { pauseChannel(workspaceId: "${workspace.id}", channelId: "${id}") { __typename } }`
  expect(await (await api.graphql(call, stranger)).text()).not.toContain('ChannelChange')
})
