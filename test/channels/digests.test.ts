import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { MonitorKind } from '../../core/alarms/kinds/kinds.ts'
import { makeDigest } from '../../digest/digest.ts'
import { standardMonitor } from '../../resolvers/alarms/monitors.ts'
import { sendDigest, wakeDigests } from '../../resolvers/channels/digests.ts'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { openMailbox } from '../kit/mail/mailbox.ts'
import { startTestWorker, type TestWorker } from '../kit/worker.ts'

/** The weekly digest: its numbers are those of the graph, and it is mailed once. */

const mailbox = await openMailbox()
const api = useApi(
  {
    SMTP_URL: mailbox.url,
    MAIL_FROM: 'sightline@example.com',
    PUBLIC_URL: 'https://sightline.example.com',
  },
  undefined,
  { ownDatabase: true },
)
api.atEnd(mailbox.close)
let worker: TestWorker
let workspace: TestWorkspace
let project = ''
let key = ''

/** A Monday: the week before is 2 to 8 June, and the one before that 26 May to 1 June. */
const monday = new Date('2025-06-09T07:00:00Z')
const prompts = Array.from({ length: 12 }, (_, at) => `best anvils of kind ${at}`)

beforeAll(async () => {
  worker = await startTestWorker(api)
})
beforeEach(async () => {
  workspace = await api.workspace()
  project = await workspace.project({ name: 'Acme', domain: 'acme.com' })
  key = (await workspace.key({ scopes: ['admin'] })).key
  await api.db.competitor.create({
    data: { projectId: project, name: 'Globex', domain: 'globex.com' },
  })
})

/** Ten answers to each prompt, two on each of five days: fewer count as few. */
function answersFrom(first: string, text: string, source: string) {
  const start = new Date(`${first}T08:00:00Z`).getTime()
  return prompts.flatMap((prompt) =>
    Array.from({ length: 10 }, (_, at) => ({
      prompt,
      collectedAt: new Date(start + Math.floor(at / 2) * 24 * 3_600_000 + at * 1000).toISOString(),
      text,
      citations: [{ url: `https://${source}/` }],
    })),
  )
}

const digestOf = (at = monday) => makeDigest(api.settings, api, project, at)

const linesOf = (digest: Awaited<ReturnType<typeof digestOf>>, heading: string) =>
  digest?.sections.find((each) => each.heading === heading)?.items?.map(({ text }) => text)

test('a week in which the brand fell says so, with the prompts it lost, and sources new and gone', async () => {
  await workspace.load(project, [
    ...answersFrom('2025-04-28', 'Acme is good.', 'old.com'),
    ...answersFrom('2025-05-05', 'Acme is good.', 'old.com'),
    ...answersFrom('2025-05-26', 'Acme is good.', 'old.com'),
    ...answersFrom('2025-06-02', 'Globex is good.', 'new.com'),
  ])
  const digest = await digestOf()
  expect(digest?.title).toBe('2 – 8 Jun 2025: visibility 0.0% (−100.0 pts)')
  const [visibility, share, rank] = digest?.facts ?? []
  expect(visibility).toMatchObject({ label: 'Visibility', value: '0.0%' })
  expect(visibility?.note).toMatch(/^−100.0 pts; 95% confidence interval/)
  expect(share).toMatchObject({ label: 'Share of voice', value: '0.0%' })
  expect(rank?.label).toBe('Rank')
  // Half of the last two weeks is of the week before, and all of the four weeks before name the brand.
  const lost = linesOf(digest, 'Prompts lost')
  expect(lost?.slice(0, 5)).toEqual(
    Array.from({ length: 5 }, () =>
      expect.stringMatching(/^best anvils of kind \d+ \(50% of answers, before 100%\)$/),
    ),
  )
  expect(lost?.[5]).toBe('and 7 more')
  expect(linesOf(digest, 'New sources')).toEqual(['new.com, cited in 120 of 240 answers'])
  expect(linesOf(digest, 'Sources gone')).toBeUndefined()

  // What a digest said is not said again, and what only the next week shows is.
  await workspace.load(project, answersFrom('2025-06-09', 'Globex is good.', 'new.com'))
  const next = await digestOf(new Date('2025-06-16T07:00:00Z'))
  expect(linesOf(next, 'Prompts lost')).toBeUndefined()
  expect(linesOf(next, 'New sources')).toBeUndefined()
  expect(linesOf(next, 'Sources gone')).toEqual(['old.com, before cited in 240 of 240 answers'])
})

test('a week that differs by chance lists no prompt and no source', async () => {
  // One answer of twenty, of one prompt, and one citation differ from the weeks before.
  const one = { prompt: prompts[0] ?? '', collectedAt: '2025-06-05T09:00:00Z' }
  await workspace.load(project, [
    ...answersFrom('2025-05-05', 'Acme is good.', 'same.com'),
    ...answersFrom('2025-05-26', 'Acme is good.', 'same.com'),
    ...answersFrom('2025-06-02', 'Acme is good.', 'same.com'),
    { ...one, text: 'Globex is good.', citations: [{ url: 'https://once.com/' }] },
  ])
  const digest = await digestOf()
  for (const heading of ['Prompts lost', 'Prompts won', 'New sources', 'Sources gone']) {
    expect(linesOf(digest, heading)).toBeUndefined()
  }
})

test('alerts of the week are in the digest, and those of problems with the data beside it', async () => {
  const alarm = (
    kind: MonitorKind,
    days: { openedOn: string; closedOn?: string },
    more: object,
  ) => {
    const monitor = standardMonitor(project, kind)
    const { openedOn, closedOn } = days
    return api.db.monitor
      .upsert({
        where: { id: monitor.id },
        update: {},
        create: { id: monitor.id, projectId: project, kind },
      })
      .then(() =>
        api.db.alarm.create({
          data: {
            id: randomUUID(),
            monitorId: monitor.id,
            projectId: project,
            kind,
            subject: openedOn,
            level: 'warn',
            since: new Date(openedOn),
            openedOn: new Date(openedOn),
            closedOn: closedOn === undefined ? null : new Date(closedOn),
            closedReason: closedOn === undefined ? null : 'recovered',
            evidence: {},
            rulesVersion: 1,
            ...more,
          },
        }),
      )
  }
  const estimate = { before: 0.5, after: 0.25, low: 0.2, high: 0.3 }
  await alarm('visibility.fell', { openedOn: '2025-06-04' }, { estimate, attribution: 'you' })
  await alarm('tone.fell', { openedOn: '2025-05-20', closedOn: '2025-06-03' }, {})
  await alarm('citations.fell', { openedOn: '2025-05-20' }, {})
  const attributed = { attribution: 'assistant', attributedOn: new Date('2025-06-02') }
  await alarm('visibility.fell', { openedOn: '2025-05-28' }, { estimate, ...attributed })
  await alarm('citations.fell', { openedOn: '2025-04-20', closedOn: '2025-05-20' }, {})
  const evidence = { problem: 'cap_reached', name: 'month', detail: '$9.00 of $9.00' }
  await alarm('data.degraded', { openedOn: '2025-05-30' }, { evidence })
  const digest = await digestOf()
  expect(linesOf(digest, 'Alerts')).toEqual([
    'Visibility fell from 50% to 25%. The change is yours: other brands did not move with it.',
    'Known now: Visibility fell from 50% to 25%. The AI platforms changed: other brands moved too.',
    'Over: Net sentiment fell.',
  ])
  expect(linesOf(digest, 'Problems with the data')).toEqual([
    'The cap of the month is reached: $9.00 of $9.00.',
  ])
  const open = digest?.facts.find(({ label }) => label === 'Open alerts of earlier weeks')
  expect(open?.value).toBe('2')
})

test('a week without a change is three lines', async () => {
  await workspace.load(project, [
    ...answersFrom('2025-05-26', 'Acme is good.', 'same.com'),
    ...answersFrom('2025-06-02', 'Acme is good.', 'same.com'),
  ])
  expect(await digestOf()).toEqual({
    title: '2 – 8 Jun 2025: nothing changed beyond normal variation',
    facts: [],
    sections: [
      {
        heading: 'This week',
        items: [
          { text: 'Visibility is 100.0%, in 120 answers.' },
          { text: 'Rank: #1 of 2.' },
          { text: 'Nothing was spent.' },
        ],
      },
    ],
  })
})

test('a digest that is due is mailed once, also by a job that is repeated', async () => {
  const where = { workspaceId: workspace.id, role: 'owner' } as const
  const { user } = await api.db.membership.findFirstOrThrow({ where, include: { user: true } })
  const add = `mutation { addChannel(workspaceId: "${workspace.id}", kind: email, address: "${user.email}", events: [run_failed]) { channel { id } } }`
  const added = await (await api.graphql(add, key)).json()
  const channelId = added.data.addChannel.channel.id
  const set = `mutation { setDigest(workspaceId: "${workspace.id}", channelId: "${channelId}", projectId: "${project}", weekday: 1, hour: 7, timeZone: "Europe/Berlin") { digest { id weekday hour timeZone nextAt } } }`
  const { digest } = (await (await api.graphql(set, key)).json()).data.setDigest
  const next = new Date(digest.nextAt)
  const berlin = {
    timeZone: 'Europe/Berlin',
    weekday: 'long',
    hour: 'numeric',
    hour12: false,
  } as const
  expect(new Intl.DateTimeFormat('en', berlin).format(next)).toBe('Monday, 07')
  expect(await wakeDigests(api.db, new Date(next.getTime() - 1000))).toBe(0)
  expect(await wakeDigests(api.db, next)).toBe(1)
  await worker.idle()
  const job = { digestId: digest.id, dueAt: next.toISOString() }
  await sendDigest(api.db, job, (projectId, now) => makeDigest(api.settings, api, projectId, now))
  await worker.idle()
  const mails = mailbox.mails.filter(({ to }) => to.includes(user.email))
  expect(mails).toHaveLength(1)
  expect(mails[0]?.mail.subject).toMatch(/^Acme: .*: nothing changed beyond normal variation$/)
  const later = await api.db.digest.findUniqueOrThrow({ where: { id: digest.id } })
  expect(later.nextAt.getTime() - next.getTime()).toBeGreaterThan(6 * 24 * 3_600_000)
})
