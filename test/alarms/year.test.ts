import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Draw, drawFrom } from '../../demo/random.ts'
import { wakeDigests } from '../../resolvers/channels/digests.ts'
import { sendJob } from '../../resolvers/shared/jobs.ts'
import { type AnswerLine, type TestWorkspace, useApi } from '../kit/api.ts'
import { openReceiver } from '../kit/channels/receiver.ts'
import { openMailbox } from '../kit/mail/mailbox.ts'
import { isSoak, sized } from '../kit/soak.ts'
import { startTestWorker, type TestWorker } from '../kit/worker.ts'

/**
 * A year of the whole service with the clock moved: answers are imported, the job looks each morning, and alarms and
 * digests go to a real mail server and a real receiver. The normal run has the weeks around one change.
 */

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

const dayMs = 86_400_000
/** A Friday. The databases keep the time of now, and what they date is due already. */
const first = Date.UTC(2027, 0, 1)
const dayOf = (day: number) => new Date(first + day * dayMs).toISOString().slice(0, 10)
const setClock = (day: number) => vi.setSystemTime(first + day * dayMs + 6.5 * 3_600_000)

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: first })
  worker = await startTestWorker(api)
  workspace = await api.workspace()
})
afterAll(() => {
  vi.useRealTimers()
})

const platforms = ['chatgpt', 'perplexity', 'gemini', 'copilot', 'claude']
const prompts = Array.from({ length: sized({ normal: 12, soak: 24 }) }, (_, at) => ({
  text: `best anvils of kind ${at}`,
  share: 0.15 + 0.7 * Math.sin((Math.PI * (at + 0.5)) / 48) ** 2,
}))

const normal = ({ next }: Draw) =>
  Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
const shifted = (p: number, logit: number) => 1 / (1 + Math.exp(-logit) * (1 / p - 1))

interface World {
  /** Ties of ranks are split by ids: with these, each run finds the same. */
  readonly ids: { readonly project: string; readonly competitor: string }
  readonly name: string
  /** Days that share what all their answers are shifted by, in logits. */
  readonly shock: number
  /** What the shares of the brand are multiplied by on a day, and all shares shifted by. */
  readonly timesOn?: (day: number) => number
  readonly logitOn?: (day: number) => number
}

/** The answers of a day: one of each prompt on each platform, which names the brand, a rival, both or none. */
function linesOf(draw: Draw, day: number, world: World): AnswerLine[] {
  const shift = (world.logitOn?.(day) ?? 0) + world.shock * normal(draw)
  return prompts.flatMap(({ text: prompt, share }, at) =>
    platforms.map((platform, of) => {
      const brand = draw.next() < shifted(share * (world.timesOn?.(day) ?? 1), shift)
      const rival = draw.next() < shifted(0.85 - 0.6 * share, shift)
      const names = [...(brand ? ['Acme is good.'] : []), ...(rival ? ['Globex is good.'] : [])]
      const seconds = 12 * 3600 + at * platforms.length + of
      return {
        prompt,
        platform,
        collectedAt: new Date(first + day * dayMs + seconds * 1000).toISOString(),
        text: names.join(' ') || 'It depends.',
        citations: [{ url: `https://${draw.chance(0.3) ? 'acme.com' : 'forge.net'}/` }],
      }
    }),
  )
}

async function projectOf({ ids, name }: World): Promise<string> {
  const made = await workspace.project({
    name,
    domain: 'acme.com',
    aliases: [{ text: 'Acme' }],
    competitors: [{ name: 'Globex', domain: 'globex.com' }],
  })
  await api.db.competitor.updateMany({ where: { projectId: made }, data: { id: ids.competitor } })
  await api.db.project.update({ where: { id: made }, data: { id: ids.project } })
  return ids.project
}

async function addChannel(key: string, kind: string, address: string): Promise<string> {
  const add = `mutation { addChannel(workspaceId: "${workspace.id}", kind: ${kind}, address: "${address}") { channel { id } } }`
  const { data } = await (await api.graphql(add, key)).json()
  return data.addChannel.channel.id
}

/** The job of a morning, and the look of its minute. */
async function morning(day: number, projects: readonly string[]): Promise<void> {
  setClock(day)
  // One after the other: a queue hears of a new job, and looks for one that waits each second.
  for (const projectId of projects) {
    await sendJob(api.db, 'alarms', { projectId })
    await worker.idle()
  }
  await wakeDigests(api.db, new Date())
  await worker.idle()
}

const alarmsOf = async (projectId: string) => {
  const rows = await api.db.alarm.findMany({ where: { projectId }, orderBy: { openedOn: 'asc' } })
  return rows.map(({ kind, openedOn, since, attribution }) => ({
    kind,
    opened: Math.round((openedOn.getTime() - first) / dayMs),
    since: Math.round((since.getTime() - first) / dayMs),
    attribution,
  }))
}

/** What asks for something: neither information, nor what is for the better. */
const quiet = ['engine.changed', 'prompts.changed', 'sources.changed']

interface Event {
  readonly type: string
  readonly data: {
    readonly alarmId?: string
    readonly kind?: string
    readonly text: string
    readonly project: { readonly id: string } | null
  }
}
const eventsOf = (projectId: string) =>
  receiver.received
    .map(({ body }) => JSON.parse(body) as Event)
    .filter(({ data }) => data.project?.id === projectId)

const fall = {
  ids: {
    project: '6f1f2a52-8a3b-4c57-9d53-0f7f2d1c5a10',
    competitor: '0b6f4f0e-1a77-4f57-8d0c-5f0f8f3f9a21',
  },
  name: 'Fall',
} as const

if (!isSoak)
  test('a fall is found within two weeks, then said to be the brand’s own, and sent once to mail and webhook', async () => {
    const world: World = { ...fall, shock: 0.15, timesOn: (day) => (day < 42 ? 1 : 0.5) }
    const project = await projectOf(world)
    const { key } = await workspace.key({ scopes: ['admin'] })
    const where = { workspaceId: workspace.id, role: 'owner' } as const
    const { user } = await api.db.membership.findFirstOrThrow({ where, include: { user: true } })
    await addChannel(key, 'webhook', `${receiver.url}/fall`)
    await addChannel(key, 'email', user.email)
    const draw = drawFrom(7)
    setClock(70)
    await workspace.load(
      project,
      Array.from({ length: 70 }, (_, day) => linesOf(draw, day, world)).flat(),
    )
    for (let day = 41; day <= 70; day++) await morning(day, [project])
    const [found, ...others] = (await alarmsOf(project)).filter(({ kind }) => !quiet.includes(kind))
    expect(found).toMatchObject({ kind: 'visibility.fell', attribution: 'you' })
    expect(found?.opened).toBeLessThanOrEqual(42 + 14)
    expect(Math.abs((found?.since ?? 0) - 42)).toBeLessThanOrEqual(2)
    // The rival gained against the brand, and nothing else happened.
    expect(others.map(({ kind }) => kind)).toEqual(others.map(() => 'competitor.gained'))
    const opened = eventsOf(project).filter(({ type }) => type === 'alarm.opened')
    expect(opened).toHaveLength(1 + others.length)
    // Whose change it is becomes known some days later, and is said once, to who got the alert.
    const [first] = opened.filter(({ data }) => data.kind === 'visibility.fell')
    expect(first?.data.text).toMatch(/^Not enough data yet/)
    const known = eventsOf(project).filter(({ type }) => type === 'alarm.attributed')
    expect(known).toMatchObject([
      {
        data: {
          alarmId: first?.data.alarmId,
          title: expect.stringMatching(/^About the alert of \d+ Feb 2027: the change is yours$/),
          text: expect.stringMatching(
            /^Visibility fell from .* Other brands did not move with it\.$/,
          ),
        },
      },
    ])
    const threads = mailbox.mails.flatMap(({ mail }) => mail.references ?? [])
    const thread = `<alarm-${first?.data.alarmId}@example.com>`
    expect(threads.filter((each) => each === thread)).toHaveLength(2)
    const subjects = mailbox.mails.map(({ mail }) => mail.subject ?? '')
    expect(subjects.filter((text) => /^Fall: Visibility fell from/.test(text))).toHaveLength(1)
  })

const yearDays = 365
const loadedDays = 28
/** Nobody collected on four days of the quiet project. */
const isMissing = (day: number) => day >= 60 && day < 64
/** What these days left arrives on day 270. */
const isLate = (day: number) => day >= 260 && day < 263

if (isSoak)
  test('a year: at most one false alarm, falls found within three weeks, an engine’s shift called so', {
    timeout: 3_600_000,
  }, async ({ annotate }) => {
    const worlds: readonly World[] = [
      {
        ids: {
          project: '1c6a4b8e-5d8e-4b0e-9a53-2f7f2d1c5a11',
          competitor: '2b6f4f0e-1a77-4f57-8d0c-5f0f8f3f9a22',
        },
        name: 'Quiet',
        shock: 0.15,
      },
      {
        ...fall,
        shock: 0.15,
        // A fifth less from day 120 on, the old level from day 200 on, and a fifth less from day 300 on.
        timesOn: (day) => ((day >= 120 && day < 200) || day >= 300 ? 0.8 : 1),
      },
      {
        ids: {
          project: '3d6a4b8e-5d8e-4b0e-9a53-2f7f2d1c5a13',
          competitor: '4b6f4f0e-1a77-4f57-8d0c-5f0f8f3f9a24',
        },
        name: 'Engine',
        shock: 0.15,
        logitOn: (day) => (day >= 150 ? -0.5 : 0),
      },
    ]
    const projects: string[] = []
    for (const world of worlds) projects.push(await projectOf(world))
    const { key } = await workspace.key({ scopes: ['admin'] })
    const where = { workspaceId: workspace.id, role: 'owner' } as const
    const { user } = await api.db.membership.findFirstOrThrow({ where, include: { user: true } })
    await addChannel(key, 'webhook', `${receiver.url}/year`)
    const mail = await addChannel(key, 'email', user.email)
    const digest = `mutation { setDigest(workspaceId: "${workspace.id}", channelId: "${mail}", projectId: "${projects[0]}", timeZone: "Europe/Berlin") { digest { id } } }`
    await api.graphql(digest, key)
    const draws = worlds.map((_, at) => drawFrom(100 + at))
    const late: AnswerLine[] = []
    const began = performance.now()
    for (let day = 0; day < yearDays; day++) {
      if (day % loadedDays === 0) {
        // A look sees the days before it alone, so four weeks are loaded together: a load a day takes half of the time.
        const until = Math.min(day + loadedDays, yearDays)
        setClock(until)
        for (const [at, world] of worlds.entries()) {
          const draw = draws[at]
          if (!draw) continue
          const lines = Array.from({ length: until - day }, (_, of) => {
            const drawn = linesOf(draw, day + of, world)
            if (at > 0) return drawn
            if (isLate(day + of)) late.push(...drawn)
            return isMissing(day + of) || isLate(day + of) ? [] : drawn
          })
          await workspace.load(world.ids.project, lines.flat())
        }
        const seconds = Math.round((performance.now() - began) / 1000)
        process.stderr.write(`day ${day} of ${yearDays} after ${seconds} s\n`)
      }
      setClock(day + 1)
      if (day === 270) await workspace.load(worlds[0]?.ids.project ?? '', late)
      // The service was off for a week.
      if (day + 1 < 200 || day + 1 >= 207) await morning(day + 1, projects)
    }
    const [quietId = '', fallId = '', engineId = ''] = projects
    const found = await Promise.all(projects.map(alarmsOf))
    await annotate(JSON.stringify({ found, from: dayOf(0) }), 'year')
    const [quietYear = [], fallen = [], engine = []] = found.map((alarms) =>
      alarms.filter(({ kind }) => !quiet.includes(kind)),
    )
    expect(quietYear.length).toBeLessThanOrEqual(1)

    const falls = fallen.filter(({ kind }) => kind === 'visibility.fell')
    for (const from of [120, 300]) {
      const alarm = falls.find(({ opened }) => opened >= from && opened <= from + 21)
      expect(alarm).toMatchObject({ attribution: 'you' })
    }
    const isTrue = ({ opened }: { readonly opened: number }) => opened >= 120
    expect(fallen.filter((alarm) => !isTrue(alarm)).length).toBeLessThanOrEqual(1)

    const shift = engine.find(({ kind, opened }) => kind === 'visibility.fell' && opened >= 150)
    expect(shift).toMatchObject({ attribution: 'assistant' })
    expect(engine.filter(({ opened }) => opened < 150).length).toBeLessThanOrEqual(1)

    // Each alarm that opened after the first look reached the webhook once.
    for (const id of [quietId, fallId, engineId]) {
      const ids = eventsOf(id).flatMap(({ type, data }) =>
        type === 'alarm.opened' ? (data.alarmId ?? []) : [],
      )
      const kinds = { notIn: quiet }
      const stored = await api.db.alarm.findMany({ where: { projectId: id, kind: kinds } })
      expect(ids.toSorted()).toEqual(stored.map((alarm) => alarm.id).toSorted())
    }
    // A digest each Monday, but for the one of the week in which the service was off, which came with the next start.
    const digests = mailbox.mails.filter(({ mail: { subject } }) =>
      /^Quiet: .* 2027: /.test(subject ?? ''),
    )
    expect(digests.length).toBeGreaterThanOrEqual(51)
    expect(digests.length).toBeLessThanOrEqual(53)
  })
