import { beforeAll, expect, test } from 'vitest'
import { monitorsOf } from '../../resolvers/alarms/monitors.ts'
import { recordAlarms } from '../../resolvers/alarms/record.ts'
import { readStrata } from '../../resolvers/alarms/series.ts'
import { jobScope } from '../../resolvers/shared/job-scope.ts'
import { type AnswerLine, type TestWorkspace, useApi } from '../kit/api.ts'

const api = useApi()
let workspace: TestWorkspace

beforeAll(async () => {
  workspace = await api.workspace()
})

/** The morning after 67 days from 1 May 2025. */
const now = new Date('2025-07-07T06:00:00Z')
const dayMs = 86_400_000
const timeOf = (day: number) => new Date(Date.UTC(2025, 4, 1, 12) + day * dayMs).toISOString()

/** Ties of ranks are split by these ids: with them, every run finds the same. */
const fixed = {
  project: '6f1f2a52-8a3b-4c57-9d53-0f7f2d1c5a10',
  competitor: '0b6f4f0e-1a77-4f57-8d0c-5f0f8f3f9a21',
}

async function scopeOf(lines: readonly AnswerLine[], ids?: typeof fixed) {
  const competitors = [{ name: 'Rival', domain: 'rival.com' }]
  const made = await workspace.project({ competitors })
  if (ids) {
    const data = { id: ids.competitor }
    await api.db.competitor.updateMany({ where: { projectId: made }, data })
    await api.db.project.update({ where: { id: made }, data: { id: ids.project } })
  }
  const project = ids?.project ?? made
  await workspace.load(project, lines)
  const scope = await jobScope(api, project, now)
  if (!scope) throw new Error('no project')
  return scope
}

test('a series has the counts of each prompt, platform and location by day', async () => {
  const cites = [{ url: 'https://acme.com/a' }, { url: 'https://acme.com/b' }]
  const scope = await scopeOf([
    // Two answers on the first day, of which one names both brands, Rival twice, and cites Acme.
    { prompt: 'one', collectedAt: timeOf(0), text: 'Rival, Rival and Acme.', citations: cites },
    { prompt: 'one', collectedAt: '2025-05-01T13:00:00Z', text: 'Nothing.' },
    { prompt: 'one', collectedAt: timeOf(1), text: 'Acme is good.' },
    { prompt: 'two', collectedAt: timeOf(1), text: 'Rival is good.' },
  ])
  const rows = await readStrata(scope, { from: '2025-05-01', to: '2025-05-31' })
  const first = Date.UTC(2025, 4, 1) / dayMs
  const byDays = rows.toSorted((a, b) => b.days.length - a.days.length)
  expect(byDays).toMatchObject([
    {
      days: [first, first + 1],
      answers: [2, 1],
      own: [1, 1],
      control: [1, 0],
      citing: [1, 0],
      occurrences: [3, 1],
      ownOccurrences: [1, 1],
      rivals: [[2], [0]],
    },
    { days: [first + 1], answers: [1], own: [0], control: [1], rivals: [[1]] },
  ])
})

test('answers of runs and imported ones are strata apart: another way to ask is no change', async () => {
  const lines = [{ prompt: 'one', text: 'Acme is good.' }]
  const scope = await scopeOf(lines.map((line) => ({ ...line, collectedAt: timeOf(0) })))
  const projectId = scope.project.id
  await workspace.load(projectId, [{ ...lines[0], collectedAt: timeOf(1) } as AnswerLine])
  const [, second] = await api.db.import.findMany({
    where: { projectId },
    orderBy: { loadSeq: 'asc' },
  })
  const where = { id: second?.id ?? '' }
  await api.db.import.update({ where, data: { isCollected: true } })
  const after = await jobScope(api, projectId, now)
  if (!after) throw new Error('no project')
  const rows = await readStrata(after, { from: '2025-05-01', to: '2025-05-31' })
  const first = Date.UTC(2025, 4, 1) / dayMs
  expect(rows.map(({ stratum, days }) => [stratum.split(' ').at(-1), days]).toSorted()).toEqual([
    ['import', [first]],
    ['run', [first + 1]],
  ])
})

test('finds that answers stopped to name the brand, that it is the brand, and that a competitor gained', async () => {
  // Seven of eight answers to other prompts each day; from 30 June 6, 5, … 0.
  const namedOn = (day: number) => Math.max(0, Math.min(7, 66 - day))
  const scope = await scopeOf(
    Array.from({ length: 67 }, (_, day) =>
      Array.from({ length: 8 }, (_, prompt) => ({
        prompt: `prompt ${prompt}`,
        collectedAt: timeOf(day),
        text: (day + prompt) % 8 < namedOn(day) ? 'Acme and Rival.' : 'Rival is good.',
      })),
    ).flat(),
    fixed,
  )
  const monitors = await monitorsOf(scope, now)
  const alarmsOf = (kind: string) =>
    monitors.filter((monitor) => monitor.kind === kind).flatMap(({ alarms }) => alarms)
  // Each is the lowest of more than 60 days: a bet returns √60 ⁄ 2 = 3.9 at least, five 870, six 3,400.
  const found = {
    since: expect.any(String),
    openedOn: expect.stringMatching(/^2025-07-0[1-6]$/),
  }
  expect(alarmsOf('visibility.fell')).toMatchObject([{ ...found, attribution: 'you' }])
  expect(alarmsOf('competitor.gained')).toMatchObject([{ ...found, attribution: null }])
  expect(alarmsOf('visibility.rose')).toEqual([])
  expect(alarmsOf('control.moved')).toEqual([])
  expect(monitors.reduce((sum, { budget }) => sum + (budget ?? 0), 0)).toBeCloseTo(1, 9)
  expect(await monitorsOf(scope, now)).toEqual(monitors)

  // Before the fall, and twice after it.
  const before = await recordAlarms(scope, new Date('2025-06-29T06:00:00Z'))
  expect(before.opened).toEqual([])
  const { opened } = await recordAlarms(scope, now)
  expect(opened.map(({ kind }) => kind)).toEqual(
    monitors
      .filter(({ kind }) => kind !== 'difference.moved')
      .flatMap(({ kind, alarms }) => alarms.map(() => kind)),
  )
  expect((await recordAlarms(scope, now)).opened).toEqual([])
  const where = { projectId: scope.project.id, kind: 'visibility.fell' }
  // A monitor that is switched off leaves its part of the budget to the others.
  await api.db.monitor.updateMany({ where: { kind: 'tone.fell' }, data: { isEnabled: false } })
  const others = await monitorsOf(scope, now)
  expect(others.find(({ kind }) => kind === 'tone.fell')?.status).toBe('disabled')
  expect(others.reduce((sum, { budget }) => sum + (budget ?? 0), 0)).toBeCloseTo(1, 9)
  expect(await api.db.alarm.findMany({ where })).toMatchObject([
    { attribution: 'you', closedOn: null },
  ])
  const { key } = await workspace.key()
  const answer = await api.graphql(
    `{ project(id: "${scope.project.id}") { alarms(filter: { isOpen: true, kinds: [visibility_fell] }) { nodes {
      text attribution promptsLost { mentionsAfter } investigation {
        movers(dimensions: [prompt]) { down { prompt { text } } } evidence { answer { id } } } monitor { kind } } } } }`,
    key,
  )
  const { data, errors } = (await answer.json()) as { data: never; errors?: object[] }
  expect(errors).toBeUndefined()
  expect(data).toMatchObject({
    project: {
      alarms: {
        nodes: [
          {
            attribution: 'you',
            text: expect.stringMatching(/^Visibility fell from 87[.]5% to \d/),
            monitor: { kind: 'visibility_fell' },
            investigation: { evidence: expect.arrayContaining([{ answer: expect.anything() }]) },
          },
        ],
      },
    },
  })
})

test('each Sunday lists the sources that are new and gone, once, and not those of new prompts', async () => {
  const lineOf = (prompt: string, day: number, source: string) => ({
    prompt,
    collectedAt: timeOf(day),
    text: 'Acme is good.',
    citations: [{ url: `https://${source}/` }, { url: 'https://always.com/' }],
  })
  // From 23 June, two weeks before Sunday, 6 July, eight prompts cite another source. Another prompt is asked since then.
  const scope = await scopeOf(
    Array.from({ length: 67 }, (_, day) => [
      ...Array.from({ length: 8 }, (_, at) =>
        lineOf(`prompt ${at}`, day, day < 53 ? 'old.com' : 'new.com'),
      ),
      ...(day < 53 ? [] : [lineOf('new prompt', day, 'other.com')]),
    ]).flat(),
  )
  const { id } = scope.project
  // The first look is history, and sends nothing.
  await recordAlarms(scope, new Date('2025-06-23T06:00:00Z'))
  const { opened } = await recordAlarms(scope, now)
  expect(opened.filter(({ kind }) => kind === 'sources.changed')).toMatchObject([
    {
      level: 'info',
      since: new Date('2025-06-23'),
      openedOn: new Date('2025-07-06'),
      evidence: {
        found: [{ domain: 'new.com', before: 0, ofBefore: 224, now: 112, ofNow: 112 }],
        gone: [{ domain: 'old.com', before: 224, ofBefore: 224, now: 0, ofNow: 112 }],
      },
    },
  ])
  expect((await recordAlarms(scope, now)).opened).toEqual([])
  const { key } = await workspace.key()
  const counts = 'domain citedInBefore answersBefore citedInAfter answersAfter'
  const answer = await api.graphql(
    `{ project(id: "${id}") {
         alarms(filter: { kinds: [sources_changed] }) { nodes { text sourcesNew { ${counts} } sourcesGone { domain } } }
         recentChanges(until: "2025-07-06") { dateRange { from to } sources { new { domain } gone { ${counts} } } prompts { lost { mentionsAfter } won { mentionsAfter } } } } }`,
    key,
  )
  const [found, gone] = [{ domain: 'new.com' }, { domain: 'old.com' }]
  expect(await answer.json()).toMatchObject({
    data: {
      project: {
        alarms: {
          nodes: [
            {
              text: 'Answers cite 1 new source and no longer cite 1 source.',
              sourcesNew: [{ ...found, citedInBefore: 0, citedInAfter: 112 }],
              sourcesGone: [gone],
            },
          ],
        },
        recentChanges: {
          dateRange: { from: '2025-06-23', to: '2025-07-06' },
          sources: { new: [found], gone: [{ ...gone, citedInBefore: 224, answersAfter: 112 }] },
          prompts: { lost: [], won: [] },
        },
      },
    },
  })
})
