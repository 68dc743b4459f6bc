import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { locateDataDir } from '../../cli/folder/data-dir.ts'
import { readReply } from '../../core/collecting/providers/read.ts'
import { demoLines } from '../../demo/answers.ts'
import { demoProvider } from '../../demo/collecting/provider.ts'
import { replyTo } from '../../demo/collecting/replies.ts'
import { assistants, providerHost } from '../../demo/collecting/world.ts'
import { makeDemo } from '../../demo/demo.ts'
import { startRun } from '../../resolvers/collecting/runs.ts'
import { runSchedule } from '../../resolvers/collecting/start.ts'
import { createKey } from '../../resolvers/keys/keys.ts'
import { createProject } from '../../resolvers/projects/create.ts'
import { commandLine } from '../../resolvers/shared/audit-trail.ts'
import { collectJob } from '../../worker/collecting/collect.ts'
import { unfinishedRuns } from '../../worker/unfinished.ts'
import { signingSecret, useApi } from '../kit/api.ts'
import { asking } from '../kit/changes.ts'
import { until } from '../kit/service.ts'
import { startTestWorker } from '../kit/worker.ts'

const api = useApi({}, undefined, { ownDatabase: true })
const folder = await mkdtemp(join(tmpdir(), 'sightline-demo-collecting-'))
const dataDir = locateDataDir({ DATA_DIR: folder })
let key = ''
let first = ''
let second = ''
let endDay = ''

/** The first start, whose run a worker does. */
beforeAll(async () => {
  await startTestWorker(
    { ...api, serveProvider: demoProvider(dataDir) },
    { collect: { ...collectJob, unfinished: unfinishedRuns } },
  )
  const demo = await makeDemo(dataDir, api.secrets, api)
  key = demo.key ?? ''
  first = demo.projectId
  const file = JSON.parse(await readFile(dataDir.demo, 'utf8'))
  second = file.askingProjectId
  endDay = file.endDay
  await runsToEnd()
}, 240_000)
afterAll(() => rm(folder, { recursive: true }))

const runsToEnd = () =>
  until(async () => {
    const where = { status: { in: ['queued' as const, 'running' as const] } }
    return (await api.db.run.count({ where })) === 0
  }, 100_000)

const graph = asking(api, () => key)
const projectOf = (id: string) => api.db.project.findUniqueOrThrow({ where: { id } })

async function ofSecond<Found>(fields: string): Promise<Found> {
  const { data, errors } = await graph(`{ project(id: "${second}") { ${fields} } }`)
  expect(errors).toBeUndefined()
  return data.project as Found
}

const answersOfSecond = async () =>
  (
    await ofSecond<{ visibility: { method: { sample: { answerCount: number } } } }>(
      'visibility(window: { days: 2 }) { method { sample { answerCount } } }',
    )
  ).visibility.method.sample.answerCount

interface Counts {
  readonly provider: string
  readonly asked: number
  readonly answered: number
  readonly absent: number
  readonly failed: number
  readonly cost: number
}

describe('the demonstration after its first start', () => {
  test('shows a schedule with its finished run, next run, cost and caps to the key of the demo', async () => {
    const { schedules, spending, samplePlan } = await ofSecond<{
      schedules: { nodes: { lastRun: { coverage: Counts[] } }[] }
      spending: object
      samplePlan: object
    }>(`schedules { nodes { name nextRunAt problem plan { runsPerMonth run { questions } }
      lastRun { status visibility coverage { provider asked answered absent failed cost } } } }
      spending { thisMonth dayCap monthCap }
      samplePlan(repetitions: 3, runsPerWeek: 14) { basis prompts platforms }`)
    // Six prompts, three times: 18 questions at 0.004 dollars, and 18 at 0.02.
    const counts = { asked: 18, failed: 0 }
    expect(schedules.nodes).toMatchObject([
      {
        name: 'Twice a day',
        problem: null,
        nextRunAt: expect.any(String),
        plan: { runsPerMonth: 60, run: { questions: 36 } },
        lastRun: {
          status: 'completed',
          visibility: 'by_answer',
          coverage: [
            { provider: 'perplexity', ...counts, cost: expect.closeTo(0.36, 6) },
            { provider: 'compatible', ...counts, cost: expect.closeTo(0.072, 6) },
          ],
        },
      },
    ])
    // The runs of the week before may be of the month before.
    const monthStart = new Date(`${new Date().toISOString().slice(0, 7)}-01`)
    const past = await api.db.ask.aggregate({
      where: { run: { projectId: second, scheduleId: null }, endedAt: { gte: monthStart } },
      _sum: { cost: true },
    })
    const thisMonth = expect.closeTo(0.432 + (past._sum.cost ?? 0), 6)
    expect(spending).toEqual({ thisMonth, dayCap: 2, monthCap: 40 })
    expect(samplePlan).toEqual({ basis: 'measured', prompts: 6, platforms: 3 })
    const coverage = schedules.nodes[0]?.lastRun.coverage ?? []
    expect(coverage.map(({ answered, absent }) => answered + absent)).toEqual([18, 18])
    const answered = coverage.reduce((sum, row) => sum + row.answered, 0)
    expect(await answersOfSecond()).toBe(answered)
  })

  test('has a week of ChatGPT as people see it and by API, whose agreement it shows', async () => {
    const { agreement } = await ofSecond<{
      agreement: { ways: { obtained: string; answerCount: number }[]; pairs: object[] }
    }>(`agreement { ways { obtained answerCount } pairs {
      platform { slug } first second promptCount questionCount difference { low high } mentions { value low high } domains { value } } }`)
    expect(agreement.ways.map(({ obtained }) => obtained).sort()).toEqual(['api', 'surface'])
    const shares = { value: expect.any(Number), low: expect.any(Number), high: expect.any(Number) }
    const [between, ...alike] = agreement.pairs as { first: string; second: string }[]
    expect(alike.map(({ first, second }) => `${first} ${second}`).sort()).toEqual([
      'api api',
      'surface surface',
    ])
    expect(between).toMatchObject({
      platform: { slug: 'chatgpt' },
      first: 'surface',
      second: 'api',
      promptCount: 6,
      // A prompt on a day is left out where a filter held an answer back.
      questionCount: expect.any(Number),
      difference: { low: expect.any(Number) },
      mentions: shares,
    })
    // An answer says by itself how it was obtained, as the filter does.
    const { answers } = await ofSecond<{ answers: { nodes: { obtained: string }[] } }>(
      'answers(filter: { obtained: [surface] }, first: 5) { nodes { obtained } }',
    )
    expect(answers.nodes.map(({ obtained }) => obtained)).toEqual(Array(5).fill('surface'))
  })

  test('keeps the numbers of its first project, which is the first of the key', async () => {
    const from = new Date(Date.parse(endDay) - 89 * 86_400_000).toISOString().slice(0, 10)
    const { data } = await graph(`{ projects(first: 1) { nodes { id runs { totalCount }
      visibility(window: { from: "${from}", to: "${endDay}" }) { method { sample { answerCount } } } } } }`)
    const answerCount = [...demoLines({ seed: 1, endDay })].length
    const visibility = { method: { sample: { answerCount } } }
    expect(data.projects?.nodes).toEqual([{ id: first, runs: { totalCount: 0 }, visibility }])
  })
})

describe('a run of the demonstration', () => {
  test('that someone starts asks the provider, and shows its answers', async () => {
    const before = await answersOfSecond()
    const schedule = await api.db.schedule.findFirstOrThrow({ where: { projectId: second } })
    const { id } = await runSchedule(api.db, commandLine, await projectOf(second), schedule.id)
    await runsToEnd()
    const asks = { where: { runId: id, state: 'answered' as const } }
    expect(await answersOfSecond()).toBe(before + (await api.db.ask.count(asks)))
    expect(await api.db.ask.count({ where: { runId: id, state: 'failed' } })).toBe(0)
  }, 120_000)

  test('may be of its first project, and of no other of its workspace', async () => {
    const { workspaceId } = await projectOf(first)
    const about = { workspaceId, name: 'Mine', domain: 'mine.example' }
    const { id: mine } = await createProject(api.db, about, signingSecret)
    const mineToo = { projectId: mine, text: 'best headphones?', isTracked: true }
    await api.db.prompt.create({ data: mineToo })
    const [prompt] = await api.db.prompt.findMany({ where: { projectId: first }, take: 1 })
    const selection = { promptIds: [prompt?.id ?? ''] }
    const run = await startRun(api.db, commandLine, await projectOf(first), selection)
    const refused = await startRun(api.db, commandLine, await projectOf(mine), {})
    await runsToEnd()
    const endsOf = async (runId: string) =>
      (await api.db.ask.findMany({ where: { runId } })).map(({ state, reason }) => [state, reason])
    expect((await endsOf(run.id)).map(([state]) => state)).not.toContain('failed')
    const fault = ['failed', `http://${providerHost} is not https.`]
    expect(await endsOf(refused.id)).toEqual([fault, fault])
  }, 120_000)
})

describe('the invented provider', () => {
  const [assistant] = assistants
  if (!assistant) throw new Error('The demonstration has assistants.')
  const question = {
    prompt: 'best headphones?',
    time: 1,
    runId: 'a',
    askedAt: new Date('2026-03-01T12:00:00Z'),
  }

  test('answers the same question alike, and another time or run differently', () => {
    const reply = replyTo(assistant, question)
    expect(replyTo(assistant, question)).toEqual(reply)
    expect(replyTo(assistant, { ...question, time: 2 })).not.toEqual(reply)
    expect(replyTo(assistant, { ...question, runId: 'b' })).not.toEqual(reply)
    expect(readReply(reply)).toMatchObject({ model: 'invented', usage: { cost: 0.004 } })
  })

  test('holds back few replies, which cite nothing', () => {
    const replies = Array.from({ length: 1000 }, (_, i) =>
      readReply(replyTo(assistant, { ...question, time: i + 1 })),
    )
    const held = replies.filter((reply) => reply?.outcome === 'filtered')
    expect(held.length).toBeGreaterThan(20)
    expect(held.length).toBeLessThan(60)
    expect(held.flatMap((reply) => reply?.pages)).toEqual([])
    expect(replies.every((reply) => ['answered', 'filtered'].includes(reply?.outcome ?? ''))).toBe(
      true,
    )
  })

  test('answers to its own name alone, and only while a run asks', async () => {
    const served = await demoProvider(dataDir)({ id: 'a', projectId: second })
    const port = served?.hosts[0]?.target.port
    const ask = (path: string, host: string, body: object | null) =>
      new Promise<[number | undefined, string]>((resolve, reject) => {
        const options = { host: '127.0.0.1', port, path, method: 'POST', headers: { host } }
        const asked = request(options, async (reply) =>
          resolve([reply.statusCode, await text(reply)]),
        )
        asked.on('error', reject).end(body && JSON.stringify(body))
      })
    const path = `/${assistant.label}/chat/completions`
    const body = { messages: [{ role: 'user', content: 'best headphones?' }] }
    expect(await ask(path, providerHost, body)).toEqual([200, expect.stringContaining('invented')])
    expect((await ask(path, `127.0.0.1:${port}`, body))[0]).toBe(421)
    expect((await ask('/other/chat/completions', providerHost, body))[0]).toBe(404)
    expect((await ask(path, providerHost, null))[0]).toBe(400)
    await served?.close()
    await expect(ask(path, providerHost, body)).rejects.toThrow()
    expect(await demoProvider(dataDir)({ id: 'a', projectId: 'another' })).toBeNull()
  })
})

test('a demonstration of an older version stays as it is', async () => {
  const { workspaceId } = await projectOf(first)
  const bound = { workspaceId, projectId: first, scopes: ['read' as const] }
  const { key: old } = await createKey(api.db, bound)
  const file = { workspaceId, projectId: first, key: old, endDay, isComplete: true }
  const elsewhere = await mkdtemp(join(tmpdir(), 'sightline-demo-old-'))
  try {
    const dir = locateDataDir({ DATA_DIR: elsewhere })
    await writeFile(dir.demo, JSON.stringify(file))
    const count = () => Promise.all([api.db.project.count(), api.db.run.count()])
    const before = await count()
    expect(await makeDemo(dir, api.secrets, api)).toEqual({ projectId: first, key: old })
    expect(await count()).toEqual(before)
    expect(JSON.parse(await readFile(dir.demo, 'utf8'))).toEqual(file)
  } finally {
    await rm(elsewhere, { recursive: true })
  }
})

test('a demonstration on a plan without API keys offers no key', async () => {
  const { workspaceId: id } = await projectOf(first)
  const offered = async () => (await makeDemo(dataDir, api.secrets, api)).key
  expect(await offered()).toBe(key)
  await api.db.workspace.update({ where: { id }, data: { plan: 'free' } })
  expect(await offered()).toBeNull()
  await api.db.workspace.update({ where: { id }, data: { plan: 'growth' } })
  expect(await offered()).toBe(key)
})
