import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { nextDue } from '../../core/collecting/due.ts'
import { startDueRuns } from '../../resolvers/collecting/due.ts'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { asking, faultIn } from '../kit/changes.ts'
import { saying, useProviders } from '../kit/collecting/provider.ts'
import type { TestWorker } from '../kit/worker.ts'
import { quickTerms, startCollectingWorker } from './worker.ts'

const providers = await useProviders()
const api = useApi({ ALLOW_PRIVATE_HOSTS: providers.hosts }, undefined, { ownDatabase: true })

let worker: TestWorker
let workspace: TestWorkspace
let project = ''
let admin = ''
const ask = asking(api, () => admin)

beforeAll(async () => {
  worker = await startCollectingWorker(api, { ...quickTerms, showEveryMs: 5 })
})

beforeEach(async () => {
  await api.db.schedule.deleteMany()
  workspace = await api.workspace()
  project = await workspace.project()
  admin = (await workspace.key({ scopes: ['admin'] })).key
  await addPrompt('best anvils?')
  await addPrompt('best bolts?')
  await key('openai')
  providers.questions.length = 0
})

const addPrompt = (text: string) =>
  ask(
    `mutation { addPrompts(projectId: "${project}", prompts: [{ text: "${text}" }]) { __typename } }`,
  )

const key = (provider: string) =>
  ask(
    `mutation { setProviderKey(workspaceId: "${workspace.id}", provider: ${provider}, secret: "sk-0123456789", baseUrl: "${providers.baseUrl(provider as 'openai')}") { providerKey { id } } }`,
  )

const daily = 'name: "Daily", cron: "0 6 * * *", timeZone: "Europe/Berlin", spreadMinutes: 0'

async function create(args = daily, fields = 'id') {
  const answer = await ask(
    `mutation { createSchedule(projectId: "${project}", ${args}) { ${fields} } }`,
  )
  return { answer, ...((answer.data?.createSchedule ?? {}) as { id: string }) }
}

const ofProject = async (fields: string) =>
  (await ask(`{ project(id: "${project}") { ${fields} } }`)).data.project as never

/** Makes the schedule due at the time. */
const dueAt = (id: string, nextRunAt: Date) =>
  api.db.schedule.update({ where: { id }, data: { nextRunAt } })

const prompts = () => providers.questions.map(({ prompt }) => prompt).sort()

describe('the times of a schedule', () => {
  const terms = { id: 'a', cron: '0 6 * * *', timeZone: 'Europe/Berlin', spreadMinutes: 0 }

  test('are those of the cron in its time zone, also where its clocks change', () => {
    const at = (after: string) => nextDue(terms, new Date(after))?.toISOString()
    expect(at('2026-03-27T12:00:00Z')).toBe('2026-03-28T05:00:00.000Z')
    expect(at('2026-03-28T12:00:00Z')).toBe('2026-03-29T04:00:00.000Z')
  })

  test('are spread over minutes by the id, which always gives the same offset', () => {
    const minutes = Array.from({ length: 200 }, (_, i) => {
      const due = nextDue(
        { ...terms, id: String(i), spreadMinutes: 60 },
        new Date('2026-04-07T12:00:00Z'),
      )
      return due ? (due.getTime() - Date.parse('2026-04-08T04:00:00Z')) / 60_000 : -1
    })
    expect(minutes.every((each) => Number.isInteger(each) && each >= 0 && each < 60)).toBe(true)
    expect(new Set(minutes).size).toBeGreaterThan(30)
    const spread = { ...terms, spreadMinutes: 60 }
    const first = nextDue(spread, new Date('2026-04-07T12:00:00Z')) ?? new Date(0)
    // The due time that follows is a day later, and no run of the same day follows the first.
    expect(nextDue(spread, first)?.getTime()).toBe(first.getTime() + 86_400_000)
  })
})

describe('a schedule', () => {
  test('shows what it will cost before it is stored, and stores nothing then', async () => {
    const plan = `schedulePlan(${daily}, repetitions: 2) { runsPerMonth expectedMonthlyCost run { prompts questions expectedCost } }`
    // $0.022525 for a question: 2 prompts, twice, on 30 days.
    expect(await ofProject(`${plan} schedules { totalCount }`)).toEqual({
      schedulePlan: {
        runsPerMonth: 30,
        expectedMonthlyCost: expect.closeTo(2.703, 6),
        run: { prompts: 2, questions: 4, expectedCost: expect.closeTo(0.0901, 6) },
      },
      schedules: { totalCount: 0 },
    })
    expect(providers.questions).toEqual([])
  })

  test('starts one run at its due time, with prompts that were added meanwhile', async () => {
    const { id } = await create()
    await addPrompt('best nails?')
    const now = new Date('2030-01-01T05:00:30Z')
    await dueAt(id, new Date('2030-01-01T05:00:00Z'))
    // Ten workers look at once.
    const counts = await Promise.all(Array.from({ length: 10 }, () => startDueRuns(api.db, now)))
    expect(counts.reduce((sum, each) => sum + each, 0)).toBe(1)
    await worker.idle()
    expect(prompts()).toEqual(['best anvils?', 'best bolts?', 'best nails?'])
    const run = 'status coverage { answered } schedule { name }'
    expect(
      await ofProject(
        `schedules { nodes { name nextRunAt problem lastRun { ${run} } runs { totalCount nodes { ${run} } } } }`,
      ),
    ).toEqual({
      schedules: {
        nodes: [
          {
            name: 'Daily',
            nextRunAt: '2030-01-02T05:00:00.000Z',
            problem: null,
            lastRun: {
              status: 'completed',
              coverage: [{ answered: 3 }],
              schedule: { name: 'Daily' },
            },
            runs: {
              totalCount: 1,
              nodes: [
                { status: 'completed', coverage: [{ answered: 3 }], schedule: { name: 'Daily' } },
              ],
            },
          },
        ],
      },
    })
  })

  test('makes up for all missed times with one run, and waits for a run that has not ended', async () => {
    const { id } = await create()
    await dueAt(id, new Date('2029-12-01T05:00:00Z'))
    const now = new Date('2030-01-01T12:00:00Z')
    expect([await startDueRuns(api.db, now), await startDueRuns(api.db, now)]).toEqual([1, 0])
    await api.db.run.updateMany({ where: { scheduleId: id }, data: { status: 'running' } })
    const later = new Date('2030-01-02T12:00:00Z')
    expect(await startDueRuns(api.db, later)).toBe(1)
    expect(await ofProject(`schedule(id: "${id}") { problem runs { totalCount } }`)).toEqual({
      schedule: { problem: 'The run before it has not ended.', runs: { totalCount: 1 } },
    })
    await worker.idle()
  })

  test('starts nothing while it is off, or its project is paused', async () => {
    const { id } = await create(`${daily}, enabled: false`)
    expect(await ofProject(`schedule(id: "${id}") { nextRunAt }`)).toEqual({
      schedule: { nextRunAt: null },
    })
    expect(await startDueRuns(api.db, new Date('2040-01-01T00:00:00Z'))).toBe(0)
    await ask(
      `mutation { updateSchedule(projectId: "${project}", scheduleId: "${id}", enabled: true) { id } }`,
    )
    await api.db.project.update({ where: { id: project }, data: { status: 'paused' } })
    expect(await startDueRuns(api.db, new Date('2040-01-01T00:00:00Z'))).toBe(1)
    expect(await api.db.run.count({ where: { projectId: project } })).toBe(0)
    const found = await api.db.schedule.findUniqueOrThrow({ where: { id } })
    expect(found.problem).toBe('The project is paused.')
  })

  test('asks what is left of its prompts and keys, and says what is gone', async () => {
    await key('perplexity')
    const [first, second] = await api.db.prompt.findMany({ where: { projectId: project } })
    const { id } = await create(
      `${daily}, promptIds: ["${first?.id}", "${second?.id}"], keys: ["openai", "perplexity"]`,
    )
    await api.db.prompt.update({ where: { id: first?.id ?? '' }, data: { isTracked: false } })
    await api.db.providerKey.deleteMany({
      where: { workspaceId: workspace.id, label: 'perplexity' },
    })
    providers.questions.length = 0
    const run = () =>
      ask(`mutation { runSchedule(projectId: "${project}", scheduleId: "${id}") { id } }`)
    expect((await run()).errors).toBeUndefined()
    await worker.idle()
    expect(prompts()).toEqual([second?.text])
    await dueAt(id, new Date(0))
    await startDueRuns(api.db, new Date('2030-01-01T12:00:00Z'))
    await worker.idle()
    expect(await ofProject(`schedule(id: "${id}") { problem plan { run { questions } } }`)).toEqual(
      {
        schedule: {
          problem: 'Of what the schedule names, these are gone: 1 prompt, 1 provider key.',
          plan: { run: { questions: 1 } },
        },
      },
    )
    await api.db.prompt.updateMany({ where: { projectId: project }, data: { isTracked: false } })
    expect(faultIn(await run())).toBe('invalid_argument scheduleId')
  })

  test('refuses what it cannot be', async () => {
    const refused = async (args: string) => faultIn((await create(args)).answer)
    expect(await refused('name: "A", cron: "0 6 * *"')).toBe('invalid_argument cron')
    expect(await refused('name: "A", cron: "0 0 30 2 *"')).toBe('invalid_argument cron')
    expect(await refused('name: "A", cron: "0 6 * * *", timeZone: "Mars/X"')).toBe(
      'invalid_argument timeZone',
    )
    expect(await refused('name: "A", cron: "0 6 * * *", spreadMinutes: 61')).toBe(
      'invalid_argument spreadMinutes',
    )
    expect(await refused(`${daily}, keys: ["none"]`)).toBe('invalid_argument keys')
    expect(await refused(`${daily}, language: "klingon-x"`)).toBe('invalid_argument language')
    await create()
    expect(await refused(daily)).toBe('invalid_argument name')
  })

  test('is changed and removed, with an audit trail, and its runs stay', async () => {
    const { id } = await create()
    const change = (args: string) =>
      ask(
        `mutation { updateSchedule(projectId: "${project}", scheduleId: "${id}", ${args}) { repetitions timeZone } }`,
      )
    expect((await change('repetitions: 3, timeZone: null')).data.updateSchedule).toEqual({
      repetitions: 3,
      timeZone: 'UTC',
    })
    await change('repetitions: 3')
    await ask(`mutation { runSchedule(projectId: "${project}", scheduleId: "${id}") { id } }`)
    await worker.idle()
    await ask(
      `mutation { deleteSchedule(projectId: "${project}", scheduleId: "${id}") { changed } }`,
    )
    expect(await ofProject('schedules { totalCount } runs { nodes { schedule { id } } }')).toEqual({
      schedules: { totalCount: 0 },
      runs: { nodes: [{ schedule: null }] },
    })
    const trail = await api.db.auditEntry.findMany({
      where: { projectId: project, subjectType: 'schedule' },
      orderBy: { id: 'asc' },
    })
    expect(trail.map(({ action }) => action)).toEqual([
      'schedule.create',
      'schedule.update',
      'schedule.delete',
    ])
    expect(trail[1]).toMatchObject({
      before: { repetitions: 1, timeZone: 'Europe/Berlin' },
      after: { repetitions: 3, timeZone: 'UTC' },
    })
  })
})

describe('a run', () => {
  test('asks from each place in turn, and its answers have the location', async () => {
    await key('anthropic')
    for (const place of ['Berlin, Germany', 'US']) {
      await ask(`mutation { addLocation(projectId: "${project}", place: "${place}") { changed } }`)
    }
    const locations = await api.db.location.findMany({ where: { projectId: project } })
    const ids = locations.map(({ id }) => `"${id}"`).join(', ')
    await create(`${daily}, locationIds: [${ids}], language: "de"`)
    providers.questions.length = 0
    const [schedule] = await api.db.schedule.findMany({ where: { projectId: project } })
    await ask(
      `mutation { runSchedule(projectId: "${project}", scheduleId: "${schedule?.id}") { id } }`,
    )
    await worker.idle()
    // 2 prompts × 2 keys × 2 places.
    expect(providers.questions).toHaveLength(8)
    const sent = providers.questions.map(({ body }) => JSON.stringify(body))
    const berlin = '"user_location":{"type":"approximate","country":"DE","city":"Berlin"}'
    expect(sent.filter((body) => body.includes(berlin))).toHaveLength(4)
    expect(sent.filter((body) => body.includes('Answer in German.'))).toHaveLength(8)
    const shown = await ofProject(
      'runs { nodes { answers(first: 3) { totalCount pageInfo { hasNextPage } nodes { location { countryCode } run { schedule { name } } } } } }',
    )
    const [{ answers }] = (shown as { runs: { nodes: [{ answers: never }] } }).runs.nodes
    expect(answers).toMatchObject({
      totalCount: 8,
      pageInfo: { hasNextPage: true },
      nodes: Array(3).fill({ run: { schedule: { name: 'Daily' } } }),
    })
    const countries = await ofProject('answers(first: 20) { nodes { location { countryCode } } }')
    const codes = (countries as { answers: { nodes: { location: { countryCode: string } }[] } })
      .answers.nodes
    expect(codes.map(({ location }) => location.countryCode).sort()).toEqual([
      ...Array(4).fill('DE'),
      ...Array(4).fill('US'),
    ])
  })

  test('by answer shows answers before it has ended, each once', async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    providers.next(saying('Acme is great.'), async (question, response) => {
      await held
      return saying('Acme is good.')(question, response)
    })
    const begun = await ask(
      `mutation { runPrompts(projectId: "${project}", visibility: by_answer) { id } }`,
    )
    const { id } = begun.data.runPrompts as { id: string }
    const read = () => ofProject(`run(id: "${id}") { status answers { totalCount } }`)
    await expect
      .poll(read, { timeout: 30_000 })
      .toEqual({ run: { status: 'running', answers: { totalCount: 1 } } })
    release()
    await worker.idle()
    expect(await read()).toEqual({ run: { status: 'completed', answers: { totalCount: 2 } } })
    expect(await ofProject('answers { totalCount }')).toEqual({ answers: { totalCount: 2 } })
  })
})
