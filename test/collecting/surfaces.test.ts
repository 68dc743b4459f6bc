import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ServiceName, serviceNames } from '../../core/collecting/providers/surfaces/names.ts'
import { previewReplay } from '../../imports/collecting/replay.ts'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { asking, faultIn } from '../kit/changes.ts'
import { useServices } from '../kit/collecting/services.ts'
import { flat } from '../kit/graphql/flat.ts'
import { sized } from '../kit/soak.ts'
import type { TestWorker } from '../kit/worker.ts'
import { quickTerms, startCollectingWorker } from './worker.ts'

const services = await useServices()
const api = useApi({ ALLOW_PRIVATE_HOSTS: services.hosts }, undefined, { ownDatabase: true })
const secret = 'me:very-secret-0123456789'

/** Tests change them. */
const terms = { ...quickTerms, tasks: { ...quickTerms.tasks } }
let worker: TestWorker
let workspace: TestWorkspace
let project = ''
let admin = ''
const send = asking(api, () => admin)

beforeAll(async () => {
  worker = await startCollectingWorker(api, terms)
})

beforeEach(async () => {
  services.reset()
  Object.assign(terms.tasks, quickTerms.tasks)
  workspace = await api.workspace()
  project = await workspace.project()
  admin = (await workspace.key({ scopes: ['admin'] })).key
  await addPrompts('best anvils?')
})

const addPrompts = (...texts: string[]) =>
  send(
    `mutation { addPrompts(projectId: "${project}", prompts: [${texts.map((text) => `{ text: "${text}" }`).join(', ')}]) { __typename } }`,
  )

const setKey = (service: ServiceName, more = '') =>
  send(
    `mutation { setProviderKey(workspaceId: "${workspace.id}", provider: ${service}, secret: "${secret}", baseUrl: "${services.baseUrl(service)}"${more}) { providerKey { id surfaces unitPrice expectedCost } } }`,
  )

const counts = 'provider asked waiting running queued answered absent failed cost expectedCost'

async function start(args = '') {
  const begun = await send(
    `mutation { runPrompts(projectId: "${project}"${args}) { id expectedCost } }`,
  )
  expect(begun.errors).toBeUndefined()
  return begun.data.runPrompts as { id: string; expectedCost: number | null }
}

async function read(id: string) {
  const text = `{ project(id: "${project}") { run(id: "${id}") { status coverage { ${counts} } problems { message } } } }`
  const found = await send(text)
  expect(found.errors).toBeUndefined()
  const { run } = found.data.project as unknown as {
    run: { status: string; coverage: [Record<string, number>]; problems: { message: string }[] }
  }
  return {
    status: run.status,
    ...run.coverage[0],
    problems: run.problems.map((one) => one.message),
  }
}

async function collect(args = '') {
  const { id } = await start(args)
  await worker.idle()
  return read(id)
}

async function shown() {
  const text = `{ project(id: "${project}") { answers { nodes { obtained platform { slug } model text searchQueries citations { url } products { name } } } } }`
  const found = (await send(text)).data.project as unknown as { answers: { nodes: object[] } }
  return flat(found.answers.nodes)
}

describe.each(serviceNames)('%s', (service) => {
  test('is asked by a task, whose answer is billed and stored once', async () => {
    expect((await setKey(service, ', unitPrice: 0.001')).errors).toBeUndefined()
    const units = { cloro: 7, brightdata: 1, oxylabs: 1, olostep: 5, dataforseo_scraper: 1 }[
      service
    ]
    const { id, expectedCost } = await start()
    await worker.idle()
    const run = await read(id)
    expect(run).toMatchObject({
      status: 'completed',
      answered: 1,
      waiting: 0,
      cost: units * 0.001,
      expectedCost: 0,
    })
    // What the run was expected to cost, before it began.
    expect(expectedCost).toBeCloseTo(units * 0.001, 9)
    // The body that is stored reads as the same answer again.
    expect(await previewReplay(api, { projectId: project })).toMatchObject({
      bodies: 1,
      changed: 0,
      unreadable: 0,
    })
    expect(await shown()).toMatchObject([
      {
        obtained: 'surface',
        platform: 'chatgpt_surface',
        text: 'Acme is great.',
        searchQueries: ['anvils'],
        citations: [{ url: 'https://acme.com/cited' }],
      },
    ])
    expect(services.tasks).toMatchObject([{ service, prompt: 'best anvils?', isBilled: true }])
  })

  test('has its key tested by the account, and refused in a sentence', async () => {
    services.interrupt = () => ({ status: 401, body: { error: { message: 'Unknown key' } } })
    expect(faultIn(await setKey(service))).toBe('invalid_argument secret')
    expect(services.tasks).toEqual([])
  })
})

test('a key asks each of its surfaces, each as a platform with a price of its own', async () => {
  const set = await setKey('cloro', ', surfaces: ["perplexity", "chatgpt"], unitPrice: 0.001')
  expect(set.data.setProviderKey).toMatchObject({
    providerKey: { surfaces: ['chatgpt', 'perplexity'], unitPrice: 0.001 },
  })
  const { id, expectedCost } = await start()
  expect(expectedCost).toBeCloseTo(0.01)
  await worker.idle()
  expect(await read(id)).toMatchObject({ asked: 2, answered: 2 })
  const found = (await shown()).map((one) => (one as { platform: string }).platform)
  expect(found.sort()).toEqual(['chatgpt_surface', 'perplexity_surface'])
  expect(faultIn(await setKey('oxylabs', ', surfaces: ["gemini"]'))).toBe(
    'invalid_argument surfaces',
  )
  expect(faultIn(await setKey('cloro', ', surfaces: ["grok"]'))).toMatch(
    /invalid_argument surfaces/,
  )
})

test('a task that fails is no answer and costs nothing, and asked again it is another task', async () => {
  await setKey('cloro', ', unitPrice: 0.001')
  services.fate = () => 'failed'
  const { id } = await start()
  await worker.idle()
  expect(await read(id)).toMatchObject({
    failed: 1,
    cost: 0,
    problems: ['Cloro failed: Maximum retries exceeded.'],
  })
  services.fate = () => 'done'
  await send(`mutation { retryRun(projectId: "${project}", runId: "${id}") { __typename } }`)
  await worker.idle()
  expect(await read(id)).toMatchObject({ answered: 1, failed: 0, cost: 0.007 })
  expect(new Set(services.tasks.map(({ key }) => key)).size).toBe(2)
})

test('DataForSEO is asked in the language of the run, at its public price', async () => {
  await setKey('dataforseo_scraper', ', surfaces: ["chatgpt", "gemini"]')
  expect(await collect(', language: "de"')).toMatchObject({ answered: 2, cost: 0.0024 })
  expect(services.tasks.map(({ sent }) => sent)).toMatchObject([
    [{ keyword: 'best anvils?', location_code: 2840, language_code: 'de' }],
    [{ keyword: 'best anvils?', location_code: 2840, language_code: 'de' }],
  ])
})

test('a task at DataForSEO that fails costs nothing, and one that is gone may have been billed', async () => {
  await addPrompts('best bolts?')
  await setKey('dataforseo_scraper')
  services.fate = ({ prompt }) => (prompt === 'best bolts?' ? 'cancelled' : 'failed')
  const found = await collect()
  expect(found).toMatchObject({ answered: 0, failed: 2, cost: 0.0012 })
  expect(found.problems.sort()).toEqual([
    'DataForSEO LLM Scraper failed: Task Execution Failed.',
    'DataForSEO LLM Scraper failed: Task Not Found.',
  ])
})

test('a place and a language that a service does not know are refused before the run', async () => {
  await setKey('cloro')
  await send(
    `mutation { addLocation(projectId: "${project}", place: "Berlin, Germany") { __typename } }`,
  )
  const { id } = await api.db.location.findFirstOrThrow({ where: { projectId: project } })
  const refused = await send(
    `mutation { runPrompts(projectId: "${project}", locationIds: ["${id}"]) { id } }`,
  )
  expect(faultIn(refused)).toBe('invalid_argument locationIds')
  expect(JSON.stringify(refused)).toContain('the nearest to Berlin is Germany')
  const inGerman = `mutation { runPrompts(projectId: "${project}", language: "de") { id } }`
  expect(faultIn(await send(inGerman))).toBe('invalid_argument language')
  expect(services.tasks).toEqual([])
})

describe('a service that does not do as it should', () => {
  const insufficient = { code: 'INSUFFICIENT_CREDITS', message: 'Insufficient credits' }
  const tooMany = { code: 'QUEUE_LIMIT_EXCEEDED', message: 'Queue limit exceeded' }

  beforeEach(async () => {
    await addPrompts('best bolts?', 'best nuts?')
    await setKey('cloro', ', unitPrice: 0.001')
  })

  test.each([
    ['429', { status: 429, body: { error: tooMany } }],
    ['500', { status: 500, body: { error: 'no' } }],
    ['no reply', 'hang up'],
  ] as const)(
    'is asked again after %s, and makes one task of each question',
    async (_what, reply) => {
      let faults = 4
      services.interrupt = ({ call }) => (call !== 'account' && faults-- > 0 ? reply : null)
      expect(await collect()).toMatchObject({ answered: 3, failed: 0, cost: 0.021 })
      expect(services.tasks.map(({ isBilled }) => isBilled)).toEqual([true, true, true])
    },
  )

  test('has no task twice whose reply was lost: what it may bill counts, and the run says so', async () => {
    services.beforeReply = async ({ prompt }) => prompt !== 'best nuts?'
    expect(await collect()).toMatchObject({
      answered: 2,
      failed: 1,
      cost: 0.021,
      problems: ['Cloro has the question, and its reply with the id was lost.'],
    })
    expect(services.tasks).toHaveLength(3)
    await setKey('brightdata', ', unitPrice: 0.002, label: "cloro"')
    expect(await collect()).toMatchObject({ answered: 2, failed: 1, cost: 0.006 })
    expect(services.tasks).toHaveLength(6)
  })

  test.each([
    ['whose credits are gone', 403, insufficient, 'The account at Cloro has no credit left.'],
    ['that refuses the key', 401, { message: 'Unknown key' }, 'Cloro refused the key.'],
  ])('%s gets no further question, and the key says why', async (_what, status, error, summary) => {
    services.interrupt = ({ call }) => (call === 'submit' ? { status, body: { error } } : null)
    const { id } = await start()
    await worker.idle()
    expect(await read(id)).toMatchObject({ status: 'completed', failed: 3, cost: 0 })
    const text = `{ project(id: "${project}") { run(id: "${id}") { problems { summary } } answerSources { nodes { refusal } } } }`
    expect((await send(text)).data.project).toMatchObject({
      run: { problems: [{ summary }] },
      answerSources: { nodes: [{ refusal: expect.stringContaining('Cloro refused this key') }] },
    })
  })

  test('has the rest of its tasks answered where one fails, one is gone and one never ends', async () => {
    await addPrompts('best pins?')
    services.fate = (task) => {
      if (task.prompt === 'best bolts?') return 'failed'
      if (task.prompt === 'best pins?') return 'running'
      return task.looks < 2 ? 'queued' : 'done'
    }
    services.interrupt = ({ call, prompt }) =>
      call === 'look' && prompt === 'best nuts?' ? { status: 404, body: { error: 'gone' } } : null
    terms.tasks.runningMs = 0
    const found = await collect()
    // What is gone, and what never ended, may have been billed.
    expect(found).toMatchObject({ asked: 4, answered: 1, failed: 3, cost: 0.021 })
    expect(found.problems.sort()).toEqual([
      'Cloro did not end the question in time.',
      'Cloro failed: Maximum retries exceeded.',
      expect.stringMatching(/^Cloro no longer has the answer\./),
    ])
  })

  test('that can cancel is told to, where a task never begins, and that costs nothing', async () => {
    await setKey('brightdata', ', unitPrice: 0.002, label: "cloro"')
    services.fate = () => 'running'
    terms.tasks.runningMs = 0
    expect(await collect()).toMatchObject({ answered: 0, failed: 3, cost: 0 })
    expect(services.tasks.map(({ state }) => state)).toEqual(Array(3).fill('cancelled'))
  })
})

test('a key that is removed while its service works ends the questions, and what was taken counts', async () => {
  await setKey('cloro', ', unitPrice: 0.001')
  services.fate = () => 'queued'
  terms.tasks.lookMs = 3_600_000
  terms.tasks.mostQueuedLookMs = 3_600_000
  const { id } = await start()
  await worker.idle()
  const { id: keyId } = await api.db.providerKey.findFirstOrThrow({
    where: { workspaceId: workspace.id },
  })
  const removed = await send(
    `mutation { removeProviderKey(workspaceId: "${workspace.id}", keyId: "${keyId}") { __typename } }`,
  )
  expect(removed.errors).toBeUndefined()
  await api.db.providerTask.updateMany({ where: { runId: id }, data: { nextLookAt: new Date() } })
  await api.db
    .$executeRaw`UPDATE pgboss.job SET start_after = now() WHERE name = 'tasks' AND state = 'created'`
  await worker.idle()
  expect(await read(id)).toMatchObject({
    status: 'completed',
    failed: 1,
    waiting: 0,
    cost: 0.007,
    problems: [expect.stringContaining('what it bills counts')],
  })
  // Nothing looks at the task any more.
  expect(await api.db.providerTask.count({ where: { runId: id, nextLookAt: { not: null } } })).toBe(
    0,
  )
})

test('tasks that wait hold no worker, survive a day, and stay under the cap on spending', async () => {
  await addPrompts('best bolts?', 'best nuts?')
  await setKey('cloro', ', unitPrice: 0.001')
  await send(
    `mutation { setCollectingCaps(projectId: "${project}", dayCap: 0.015) { __typename } }`,
  )
  services.fate = () => 'queued'
  terms.tasks.lookMs = 3_600_000
  terms.tasks.mostQueuedLookMs = 3_600_000
  const { id } = await start()
  // The next look is due in an hour: no job runs.
  await worker.idle()
  expect(await read(id)).toMatchObject({
    status: 'running',
    waiting: 2,
    queued: 2,
    failed: 1,
    expectedCost: 0.014,
    problems: [expect.stringContaining('The cap on spending')],
  })
  services.fate = () => 'done'
  await api.db.providerTask.updateMany({
    where: { runId: id },
    data: { nextLookAt: new Date(Date.now() - 24 * 3_600_000) },
  })
  await worker.sweep()
  await api.db
    .$executeRaw`UPDATE pgboss.job SET start_after = now() WHERE name = 'tasks' AND state = 'created'`
  await worker.idle()
  expect(await read(id)).toMatchObject({ status: 'completed', answered: 2, failed: 1, cost: 0.014 })
  expect(services.tasks).toHaveLength(2)
})

test('a cap holds while many tasks are queued, and whatever comes of them', {
  timeout: 600_000,
}, async () => {
  const many = sized({ normal: 20, soak: 500 })
  workspace = await api.workspace('enterprise')
  project = await workspace.project()
  admin = (await workspace.key({ scopes: ['admin'] })).key
  await api.db.prompt.createMany({
    data: Array.from({ length: many }, (_, at) => {
      return { projectId: project, isTracked: true, text: `best anvils ${at}?` }
    }),
  })
  await setKey('cloro', ', unitPrice: 0.001')
  // Of all questions, which cost 0.007 each, two in five fit under the cap.
  const most = (many * 2) / 5
  await send(
    `mutation { setCollectingCaps(projectId: "${project}", dayCap: ${most * 0.007 + 0.001}) { __typename } }`,
  )
  services.fate = () => 'queued'
  terms.tasks.lookMs = 3_600_000
  terms.tasks.mostQueuedLookMs = 3_600_000
  const { id } = await start()
  await worker.idle()
  expect(await read(id)).toMatchObject({ queued: most, failed: many - most })
  services.fate = () => 'done'
  await api.db.providerTask.updateMany({
    where: { runId: id },
    data: { nextLookAt: new Date(Date.now() - 1000) },
  })
  await worker.sweep()
  await api.db
    .$executeRaw`UPDATE pgboss.job SET start_after = now() WHERE name = 'tasks' AND state = 'created'`
  await worker.idle()
  const { answered, failed, cost } = (await read(id)) as Record<string, unknown>
  expect({ answered, failed }).toEqual({ answered: most, failed: many - most })
  expect(cost).toBeCloseTo(most * 0.007, 6)
  expect(services.tasks).toHaveLength(most)
  expect((await previewReplay(api, { projectId: project })).changed).toBe(0)
})
