import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { AskedProvider } from '../../core/collecting/providers/request.ts'
import { command, run as query } from '../../warehouse/run.ts'
import { collectRun } from '../../worker/collecting/collect.ts'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { asking, faultIn } from '../kit/changes.ts'
import { cutOff, refusing, saying, sending, useProviders } from '../kit/collecting/provider.ts'
import { flat } from '../kit/graphql/flat.ts'
import { root } from '../kit/repository.ts'
import { isSoak, sampled } from '../kit/soak.ts'
import type { TestWorker } from '../kit/worker.ts'
import { quickTerms, startCollectingWorker } from './worker.ts'

const providers = await useProviders()
const api = useApi({ ALLOW_PRIVATE_HOSTS: providers.hosts }, undefined, { ownDatabase: true })
const secret = 'sk-very-secret-0123456789'

let worker: TestWorker
let workspace: TestWorkspace
let project = ''
let admin = ''
const ask = asking(api, () => admin)

beforeAll(async () => {
  worker = await startCollectingWorker(api)
})

beforeEach(async () => {
  workspace = await api.workspace()
  project = await workspace.project()
  admin = (await workspace.key({ scopes: ['admin'] })).key
  await ask(
    `mutation { addPrompts(projectId: "${project}", prompts: [{ text: "best anvils?" }, { text: "best bolts?" }]) { __typename } }`,
  )
  providers.next()
  providers.always(saying('Acme is great.'))
  await key('openai')
  providers.questions.length = 0
})

const key = (provider: AskedProvider, label: string = provider) =>
  ask(
    `mutation { setProviderKey(workspaceId: "${workspace.id}", provider: ${provider}, label: "${label}", secret: "${secret}", baseUrl: "${providers.baseUrl(provider)}") { providerKey { id } } }`,
  )

const runFields =
  'id status expectedCost coverage { provider asked waiting answered absent failed cost } problems { provider label message questions }'

/** Starts a run, waits for its end, and reads it. */
async function collect(args = '') {
  const begun = await ask(`mutation { runPrompts(projectId: "${project}"${args}) { id status } }`)
  expect(begun.errors).toBeUndefined()
  const { id } = begun.data.runPrompts as { id: string }
  await worker.idle()
  return read(id)
}

async function read(id: string) {
  const text = `{ project(id: "${project}") { run(id: "${id}") { ${runFields} } } }`
  return (
    (await ask(text)).data.project as unknown as { run: { id: string } & Record<string, unknown> }
  ).run
}

/** Answers that reports show, by platform. */
async function shown() {
  const text = `{ project(id: "${project}") { answers { nodes { platform { slug } text citations { url } } } } }`
  const found = (await ask(text)).data.project as unknown as { answers: { nodes: object[] } }
  return flat(found.answers.nodes)
}

const kept = (id: string) =>
  query<{ body: string }>(api.warehouse, {
    id: 'test.raw',
    sql: 'SELECT body FROM raw_answers WHERE run_id = {id:UUID} ORDER BY ask_id',
    params: { id },
  })

const counts = (answered: number, absent = 0, failed = 0) => ({
  asked: answered + absent + failed,
  waiting: 0,
  answered,
  absent,
  failed,
})

describe('a run', () => {
  test('asks each prompt at each provider, keeps the bodies, and shows the answers', async () => {
    await key('perplexity')
    providers.questions.length = 0
    const run = await collect(', repetitions: 2')
    expect(run).toMatchObject({
      status: 'completed',
      coverage: [
        { provider: 'openai', ...counts(4) },
        // 4 × $0.006, by the provider's own figure.
        { provider: 'perplexity', ...counts(4), cost: 0.024 },
      ],
    })
    expect(providers.questions.map(({ prompt }) => prompt).sort()).toEqual([
      ...Array(4).fill('best anvils?'),
      ...Array(4).fill('best bolts?'),
    ])
    const answers = await shown()
    expect(answers).toHaveLength(8)
    expect(answers[0]).toMatchObject({
      text: 'Acme is great.',
      citations: [{ url: 'https://acme.com/cited' }],
    })
    const bodies = await kept(run.id)
    expect(bodies).toHaveLength(8)
    expect(bodies.map(({ body }) => body).join()).not.toContain(secret)
  })

  test('counts refusals as absent, and faults of the provider as failed', async () => {
    const refused = {
      object: 'response',
      model: 'm',
      status: 'completed',
      output: [{ type: 'message', content: [{ type: 'refusal', refusal: 'No.' }] }],
    }
    providers.next(sending(JSON.stringify(refused)), refusing(404))
    const run = await collect()
    expect(run).toMatchObject({ status: 'completed', coverage: [counts(0, 1, 1)] })
    expect(await shown()).toEqual([])
    const asks = await api.db.ask.findMany({ where: { runId: run.id } })
    expect(asks.map(({ state, reason }) => `${state}: ${reason}`).sort()).toEqual([
      'absent: refused: No.',
      'failed: providers.test answered 404 (a_code): "Wrong: Bearer ***".',
    ])
    const text = `{ project(id: "${project}") { visibility { coverage { asked answered absent refused failed } } } }`
    const coverage = [{ asked: 2, answered: 0, absent: 1, refused: 1, failed: 1 }]
    expect((await ask(text)).data.project).toEqual({ visibility: { coverage } })
  })

  test('asks its failed questions again, and shows the new answers with the others', async () => {
    providers.next(refusing(400))
    const run = await collect()
    expect(run).toMatchObject({ coverage: [counts(1, 0, 1)] })
    const again = `mutation { retryRun(projectId: "${project}", runId: "${run.id}") { status } }`
    expect((await ask(again)).data.retryRun).toEqual({ status: 'queued' })
    await worker.idle()
    expect(await read(run.id)).toMatchObject({
      status: 'completed',
      coverage: [counts(2)],
      problems: [],
    })
    expect(await shown()).toHaveLength(2)
    expect(faultIn(await ask(again))).toBe('invalid_argument runId')
  })

  test('notes on a key that its provider refuses it, until it takes it again', async () => {
    const sources = `{ project(id: "${project}") { answerSources { nodes {
      label providerName platform { slug } refusal refusedAt expectedCost } } } }`
    const read = async () => {
      const { project: found } = (await ask(sources)).data
      return (found as unknown as { answerSources: { nodes: object[] } }).answerSources.nodes
    }
    const working = { label: 'openai', providerName: 'OpenAI', refusal: null, refusedAt: null }
    expect(await read()).toMatchObject([{ ...working, platform: { slug: 'chatgpt' } }])
    providers.always(refusing(401))
    const refused = await collect()
    expect(refused).toMatchObject({ coverage: [counts(0, 0, 2)] })
    const refusal = 'OpenAI refused this key: “Wrong: Bearer ***”.'
    expect(await read()).toMatchObject([{ refusal, refusedAt: expect.any(String) }])
    providers.always(saying('Acme is great.'))
    await collect()
    expect(await read()).toMatchObject([working])
  })

  test('asks again after what may pass, and no more than four times', async () => {
    providers.next(
      refusing(429, { 'retry-after': '0.2' }),
      refusing(500),
      cutOff,
      sending('<html>'),
    )
    const began = performance.now()
    expect(await collect()).toMatchObject({ coverage: [counts(2)] })
    expect(performance.now() - began).toBeGreaterThan(200)
    expect(providers.questions).toHaveLength(6)
    providers.questions.length = 0
    providers.always(refusing(503))
    expect(await collect()).toMatchObject({ status: 'completed', coverage: [counts(0, 0, 2)] })
    expect(providers.questions).toHaveLength(8)
  })

  /** How providers refuse a key: in words of their own, with any status. */
  test.each(
    sampled(
      [
        ['openai', 401, { error: { message: 'Incorrect API key.', code: 'invalid_api_key' } }],
        ['openai', 429, { error: { message: 'No quota.', type: 'insufficient_quota' } }],
        [
          'anthropic',
          400,
          {
            type: 'error',
            error: { type: 'invalid_request_error', message: 'Your credit balance is too low.' },
          },
        ],
        [
          'gemini',
          400,
          {
            error: {
              code: 400,
              message: 'API key not valid.',
              status: 'INVALID_ARGUMENT',
              details: [{ reason: 'API_KEY_INVALID' }],
            },
          },
        ],
        ['xai', 400, { code: 'Client specified an invalid argument', error: 'Incorrect API key.' }],
      ] as const,
      2,
    ),
  )('asks nothing more with a key that %s refuses by %i', async (provider, status, body) => {
    if (provider !== 'openai') await key(provider)
    providers.questions.length = 0
    providers.always(sending(JSON.stringify(body), status))
    const run = await collect(`, repetitions: 20, keys: ["${provider}"]`)
    expect(run).toMatchObject({ coverage: [counts(0, 0, 40)] })
    expect(providers.questions.length).toBeLessThanOrEqual(quickTerms.atOnce)
    const words = typeof body.error === 'string' ? body.error : body.error.message
    expect(run.problems).toEqual([
      {
        provider,
        label: provider,
        message: expect.stringMatching(`^providers.test answered ${status}.*: "${words}"\\.$`),
        questions: 40,
      },
    ])
  })

  test('does not wait for a limit of a key that is refused meanwhile', async () => {
    providers.next(refusing(429, { 'retry-after': '600' }), refusing(401))
    expect(await collect()).toMatchObject({ coverage: [counts(0, 0, 2)] })
    expect(providers.questions).toHaveLength(2)
  })

  test('asks nothing more after many refusals in a row, whatever their words', async () => {
    providers.always(sending('{"error":{"message":"Nope."}}', 400))
    expect(await collect(', repetitions: 20')).toMatchObject({ coverage: [counts(0, 0, 40)] })
    const most = quickTerms.circuitFaults + quickTerms.atOnce
    expect(providers.questions.length).toBeLessThanOrEqual(most)
  })

  test('counts a prompt that a filter refuses as absent, and asks the others', async () => {
    const error = { code: 'permission-denied', error: 'Content violates usage guidelines.' }
    providers.next(sending(JSON.stringify(error), 403))
    expect(await collect()).toMatchObject({ coverage: [counts(1, 1)], problems: [] })
    expect(providers.questions).toHaveLength(2)
  })

  describe('of a turn that Anthropic pauses', () => {
    const body = (name: string) =>
      readFileSync(join(root, `test/fixtures/providers/${name}.json`), 'utf8')
    const paused = sending(body('anthropic-paused'))
    const last = sending(JSON.stringify(JSON.parse(body('anthropic-turns')).turns[1]))
    /** $3 and $15 a million tokens, and a cent for each search. */
    const first = { tokens: 6000 * 3e-6 + 80 * 15e-6, search: 0.01 }
    const whole = 15_000 * 3e-6 + 200 * 15e-6 + 0.02
    const roles = () =>
      providers.questions.map(({ body: { messages } }) => (messages as unknown[]).length)

    beforeEach(async () => {
      await key('anthropic')
      await api.db.prompt.deleteMany({ where: { projectId: project, text: 'best bolts?' } })
      providers.questions.length = 0
    })
    const ofAnthropic = () => collect(', keys: ["anthropic"]')

    test('has the answer of all its requests, with what all of them cost', async () => {
      // The second request fails: what the first one said is not asked again.
      providers.next(paused, refusing(500), last)
      expect(await ofAnthropic()).toMatchObject({
        coverage: [{ ...counts(1), cost: expect.closeTo(whole, 9) }],
      })
      expect(roles()).toEqual([1, 2, 2])
      expect(providers.questions[1]?.body.messages).toEqual([
        { role: 'user', content: 'best anvils?' },
        { role: 'assistant', content: JSON.parse(body('anthropic-paused')).content },
      ])
      expect(await shown()).toMatchObject([
        { text: "I'll search for that.\n\nAcme won the test.", citations: [{}] },
      ])
    })

    test('has no answer where the turn never ends, and still costs', async () => {
      providers.always(paused)
      const run = await ofAnthropic()
      expect(run).toMatchObject({
        coverage: [
          { ...counts(0, 0, 1), cost: expect.closeTo(6 * (first.tokens + first.search), 9) },
        ],
        problems: [{ message: 'failed: pause_turn' }],
      })
      expect(roles()).toEqual([1, 2, 2, 2, 2, 2])
      expect(await kept(run.id)).toHaveLength(1)
    })

    test('costs what was said before the key was refused', async () => {
      providers.next(paused)
      providers.always(refusing(401))
      expect(await ofAnthropic()).toMatchObject({
        coverage: [{ ...counts(0, 0, 1), cost: expect.closeTo(first.tokens + first.search, 9) }],
      })
      expect(roles()).toEqual([1, 2])
    })
  })

  test('asks no more than fits under a cap on spending', async () => {
    // A question is expected to cost $0.022525, and costs $0.01045: the cap has room for one.
    await ask(`mutation { setCollectingCaps(projectId: "${project}", dayCap: 0.0226) { changed } }`)
    expect(await collect()).toMatchObject({ coverage: [{ answered: 1, failed: 1 }] })
    expect(providers.questions).toHaveLength(1)
  })

  test('reserves for later questions what a reply did cost that was dearer than expected', async () => {
    await key('xai')
    // Expected are $0.00285, and a reply costs $0.005 by its own figure: the twentieth would pass the cap.
    await ask(`mutation { setCollectingCaps(projectId: "${project}", dayCap: 0.099) { changed } }`)
    expect(await collect(', repetitions: 20, keys: ["xai"]')).toMatchObject({
      coverage: [{ provider: 'xai', answered: 19, failed: 21, cost: expect.closeTo(0.095, 9) }],
    })
  })

  if (isSoak) {
    test('of two keys for one platform has all answers of both', async () => {
      await key('openai', 'second')
      const run = await collect(', repetitions: 20')
      expect(run).toMatchObject({ coverage: [counts(80)] })
      // Both keys ask the same prompts side by side. The time of a question is part of the id of its answer.
      const asks = await api.db.ask.findMany({ where: { runId: run.id } })
      expect(new Set(asks.map(({ askedAt }) => Number(askedAt))).size).toBe(80)
      expect(new Set(asks.map(({ answerId }) => answerId)).size).toBe(80)
    })
  }

  test('asks nothing twice that was kept before its worker died', async () => {
    const run = await collect()
    // As a kill leaves it between keeping and counting, and between counting and importing.
    await api.db.ask.updateMany({
      where: { runId: run.id, prompt: 'best anvils?' },
      data: { state: 'waiting', cost: null },
    })
    await api.db.run.update({ where: { id: run.id }, data: { status: 'running' } })
    providers.questions.length = 0
    const never = new AbortController().signal
    await collectRun({ runId: run.id }, { ...api, signal: never, stopping: never }, quickTerms)
    expect(providers.questions).toEqual([])
    expect(await read(run.id)).toEqual(run)
    expect([await shown(), await kept(run.id)]).toMatchObject([{ length: 2 }, { length: 2 }])
  })

  if (isSoak) {
    test('has the whole cap of the day for what its dead worker asked without a reply', async () => {
      await ask(`mutation { setCollectingCaps(projectId: "${project}", dayCap: 0.03) { changed } }`)
      const begun = await ask(`mutation { runPrompts(projectId: "${project}") { id } }`)
      const { id } = begun.data.runPrompts as { id: string }
      await worker.idle()
      // As a kill leaves both questions: each has reserved $0.022525, and the cap has no room for a third.
      await api.db.ask.updateMany({
        where: { runId: id },
        data: { state: 'waiting', cost: null, reserved: 0.022525, reservedOn: new Date() },
      })
      await command(api.warehouse, {
        id: 'test.lost',
        params: { id },
        sql: 'ALTER TABLE raw_answers DELETE WHERE run_id = {id:UUID} SETTINGS mutations_sync = 1',
      })
      await api.db.collectingBudget.update({ where: { id: project }, data: { daySpent: 0.0296 } })
      await api.db.run.update({ where: { id }, data: { status: 'running' } })
      const never = new AbortController().signal
      await collectRun({ runId: id }, { ...api, signal: never, stopping: never }, quickTerms)
      expect(await read(id)).toMatchObject({ status: 'completed', coverage: [counts(2)] })
      const budget = await api.db.collectingBudget.findUniqueOrThrow({ where: { id: project } })
      // 2 × $0.01045.
      expect(budget.daySpent).toBeCloseTo(0.0209, 9)
    })
  }

  if (isSoak) {
    test('ends at its deadline, with what it has not asked as failed', async () => {
      const run = await collect()
      await api.db.ask.updateMany({
        where: { runId: run.id },
        data: { state: 'waiting', attempts: 0 },
      })
      const deadlineAt = new Date(Date.now() - 1)
      await api.db.run.update({ where: { id: run.id }, data: { status: 'running', deadlineAt } })
      const never = new AbortController().signal
      await collectRun({ runId: run.id }, { ...api, signal: never, stopping: never }, quickTerms)
      expect(await read(run.id)).toMatchObject({ status: 'completed', coverage: [counts(0, 0, 2)] })
    })
  }

  test('that stops with its worker goes on in the next one', async () => {
    const stop = new AbortController()
    providers.next((question, response) => {
      stop.abort(new Error('the worker stops'))
      return saying('Acme is great.')(question, response)
    })
    const begun = await ask(`mutation { runPrompts(projectId: "${project}") { id } }`)
    const { id } = begun.data.runPrompts as { id: string }
    await worker.idle()
    await api.db.ask.updateMany({ where: { runId: id }, data: { state: 'waiting', attempts: 0 } })
    await api.db.run.update({ where: { id }, data: { status: 'running' } })
    const never = new AbortController().signal
    const work = { ...api, signal: never, stopping: AbortSignal.abort(new Error('stops')) }
    await expect(collectRun({ runId: id }, work, quickTerms)).rejects.toThrow('stops')
    expect(await read(id)).toMatchObject({ status: 'running', coverage: [{ waiting: 2 }] })
  })
})

describe('the plan of a run', () => {
  const plan = async (args: string) => {
    const text = `{ project(id: "${project}") { runPlan${args} { prompts questions expectedCost assumptions } } }`
    return ask(text)
  }

  test('counts questions and their cost, and asks nothing', async () => {
    const answer = await plan('(repetitions: 3)')
    // 19,700 and 3,800 tokens at $0.25 and $2 a million, and a search for $0.01: $0.022525 each.
    expect(answer.data.project).toEqual({
      runPlan: {
        prompts: 2,
        questions: 6,
        expectedCost: expect.closeTo(0.13515, 6),
        assumptions: [
          'A model of OpenAI is assumed to read 19,700 tokens, write 3,800, and search once.',
        ],
      },
    })
    expect(providers.questions).toEqual([])
  })

  test('expects what answers of the workspace cost, from 20 of them on', async () => {
    const { id: promptId, text } = await api.db.prompt.findFirstOrThrow({
      where: { projectId: project },
    })
    const key = await api.db.providerKey.findFirstOrThrow({ where: { workspaceId: workspace.id } })
    const asked = { promptId, prompt: text, providerKeyId: key.id, platform: 'chatgpt' }
    const row = { ...asked, provider: 'openai', model: 'gpt-5-mini', state: 'answered' } as const
    const answers = (count: number, cost: number) => ({
      data: {
        projectId: project,
        repetitions: 20,
        deadlineAt: new Date(),
        asks: {
          create: Array.from({ length: count }, (_, repetition) => ({ ...row, repetition, cost })),
        },
      },
    })
    await api.db.run.create(answers(10, 0.01))
    await api.db.run.create(answers(9, 0.02))
    const { runPlan: few } = (await plan('')).data.project as { runPlan: { assumptions: string[] } }
    expect(few.assumptions).toHaveLength(1)
    await api.db.run.create(answers(1, 0.02))
    // Ten answers at $0.01 and ten at $0.02: two prompts at $0.015.
    expect((await plan('')).data.project).toMatchObject({
      runPlan: { questions: 2, expectedCost: expect.closeTo(0.03, 6), assumptions: [] },
    })
  })

  test('names what it cannot ask', async () => {
    const id = '00000000-0000-4000-8000-000000000000'
    expect(faultIn(await plan(`(promptIds: ["${id}"])`))).toBe('invalid_argument promptIds')
    expect(faultIn(await plan('(keys: ["none"])'))).toBe('invalid_argument keys')
    expect(faultIn(await plan('(repetitions: 21)'))).toBe('invalid_argument repetitions')
  })

  test('a run needs a prompt and a key', async () => {
    const start = () => ask(`mutation { runPrompts(projectId: "${project}") { id } }`)
    await api.db.providerKey.deleteMany({ where: { workspaceId: workspace.id } })
    expect(faultIn(await start())).toBe('invalid_argument keys')
    await api.db.prompt.updateMany({ where: { projectId: project }, data: { isTracked: false } })
    expect(faultIn(await start())).toBe('invalid_argument promptIds')
  })
})
