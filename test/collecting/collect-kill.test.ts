import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PgBoss } from 'pg-boss'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { textHash } from '../../core/prompt-input.ts'
import { queueSchema } from '../../core/queues.ts'
import { keepRaw } from '../../imports/collected/raw.ts'
import { startRun } from '../../resolvers/collecting/runs.ts'
import { setCollectingCaps } from '../../resolvers/collecting/spending.ts'
import { createKey } from '../../resolvers/keys/keys.ts'
import { createProject } from '../../resolvers/projects/create.ts'
import { commandLine } from '../../resolvers/shared/audit-trail.ts'
import { createWorkspace } from '../../resolvers/workspaces.ts'
import { run as query } from '../../warehouse/run.ts'
import { openStores } from '../kit/backup/load.ts'
import { type ProviderProcess, startProviderProcess } from '../kit/collecting/provider-process.ts'
import {
  familyOf,
  foundIn,
  foundInCatalog,
  foundInFiles,
  foundInProcess,
  foundInWarehouse,
  spellingsOf,
} from '../kit/secrets.ts'
import {
  isAlive,
  makeDataFolder,
  runCli,
  startService,
  type TestService,
  until,
} from '../kit/service.ts'

/**
 * The worker of a service is killed while it asks prompts at providers that fail at times. Then all that the service has
 * written is searched for the provider keys. By hand, at full size: COLLECT_PROMPTS=5000.
 */
const promptCount = Number(process.env.COLLECT_PROMPTS ?? 500)
const kills = 10
/**
 * What a reply costs, in US dollars: of OpenAI by its tokens, of the others by their own figure. Each is less than what
 * is expected at the price of the model.
 */
const keys = {
  openai: { model: 'gpt-5-mini', cost: 0.01045 },
  perplexity: { model: 'sonar', cost: 0.006 },
  xai: { model: 'grok-4', cost: 0.005 },
  compatible: { model: 'gpt-5-mini', cost: 0.004 },
} as const
const names = Object.keys(keys) as (keyof typeof keys)[]
const costOfPrompt = 0.02545
const atOnce = 16
const total = promptCount * names.length
/** It has characters that each way to write it changes. */
const secret = `sk-${randomBytes(24).toString('base64url')}+k/1=`
const spellings = spellingsOf(secret)
/** One that is put where the other must not be, to see that it is found there. */
const planted = `sk-planted-${randomBytes(24).toString('base64url')}+k/1=`
const plantedSpellings = spellingsOf(planted)

let providers: ProviderProcess
let folder: Awaited<ReturnType<typeof makeDataFolder>>
let service: TestService
let stores: Awaited<ReturnType<typeof openStores>>
let boss: PgBoss
let workspaceId = ''
/** What commands have printed. */
const printed: string[] = []

beforeAll(async () => {
  providers = await startProviderProcess(50)
  folder = await makeDataFolder()
  service = await startService({
    dataDir: folder.path,
    env: {
      ...{ SIGHTLINE_DEMO: '0', LOG_LEVEL: 'debug', ALLOW_PRIVATE_HOSTS: providers.hosts },
      QUESTIONS_PER_KEY: String(atOnce),
    },
  })
  stores = await openStores(service)
  const workspace = await createWorkspace(stores.db, { name: 'Kills', plan: 'enterprise' })
  workspaceId = workspace.id
  for (const name of names) {
    const args = ['provider-key', 'set', name, '--workspace', workspaceId]
    const options = ['--model', keys[name].model, '--base-url', providers.baseUrl(name)]
    const result = await runCli([...args, ...options], { env: service.env, input: secret })
    expect(result).toMatchObject({ code: 0 })
    printed.push(result.stdout, result.stderr)
  }
  boss = new PgBoss({
    ...{ connectionString: stores.databaseUrl, schema: queueSchema, migrate: false },
    ...{ supervise: false, schedule: false, monitorIntervalSeconds: 1 },
  })
  await boss.start()
})

async function stopService() {
  await boss.stop()
  await stores.close()
  return service.stop()
}
let stopping: ReturnType<typeof stopService> | undefined
/** What the service has printed in all its life. */
function stopped() {
  stopping ??= stopService()
  return stopping
}

afterAll(async () => {
  await stopped()
  providers.close()
  await folder.remove()
})

/** A project with so many prompts, as an import stores them. */
async function projectOf(prompts: number) {
  const input = { workspaceId, name: 'Acme', domain: 'acme.com' }
  const { id: projectId } = await createProject(stores.db, input, 'unused')
  const texts = Array.from({ length: prompts }, (_, at) => ({
    projectId,
    text: `which of ${at} anvils, ${projectId}?`,
  }))
  const made = await stores.db.prompt.createManyAndReturn({ data: texts })
  await stores.db.promptRevision.createMany({
    data: made.map(({ id: promptId, text }) => ({
      ...{ promptId, revision: 1, projectId, text, textHash: textHash(text) },
      change: 'created' as const,
    })),
  })
  return stores.db.project.findUniqueOrThrow({ where: { id: projectId } })
}

const endedOf = (runId: string) =>
  stores.db.ask.count({ where: { runId, state: { not: 'waiting' } } })
const spentOf = async (id: string) =>
  (await stores.db.collectingBudget.findUniqueOrThrow({ where: { id } })).monthSpent

/** Kills the worker, and reads what `look` reads while nobody asks. Then the service starts another worker. */
async function killWorker<T>(look: () => Promise<T>): Promise<T> {
  const pid = await service.pidOf('worker')
  process.kill(pid, 'SIGKILL')
  await until(() => !isAlive(pid))
  // The job waits for its heartbeat to be missed, for ten seconds.
  const found = await look()
  await until(async () => (await service.pidOf('worker')) !== pid)
  // Who would wait so long sees it missed now.
  await stores.db.$executeRaw`
    UPDATE pgboss.job SET heartbeat_on = heartbeat_on - interval '1 minute'
     WHERE name = 'collect' AND state = 'active'`
  await boss.supervise('collect')
  return found
}

/** Questions whose replies are kept, as providers name them. */
async function keptOf(runId: string): Promise<string[]> {
  const rows = await query<{ name: string }>(stores.warehouse, {
    ...{ id: 'test.kept', params: { runId } },
    sql: `SELECT DISTINCT concat(provider, ' ', prompt) AS name FROM raw_answers WHERE run_id = {runId:UUID}`,
  })
  return rows.map(({ name }) => name)
}

const isOver = async (id: string) =>
  (await stores.db.run.findUniqueOrThrow({ where: { id } })).status === 'completed'

/** Processes of the service that were seen, and what their arguments and variables have of the secret. */
const processes = new Set<number>()
const inProcesses = new Set<string>()

function searchProcesses(): void {
  for (const pid of familyOf(service.pid)) {
    processes.add(pid)
    for (const found of foundInProcess(pid, spellings)) inProcesses.add(found)
  }
}

/** The ids of all answers of a project in the warehouse, and how many of them reports show. */
async function answersOf(projectId: string) {
  const rows = await query<{ id: string }>(stores.warehouse, {
    ...{ id: 'test.answers', params: { projectId } },
    sql: 'SELECT toString(id) AS id FROM answers WHERE project_id = {projectId:UUID} ORDER BY id',
  })
  const { key } = await createKey(stores.db, { workspaceId, scopes: ['read'] })
  const response = await fetch(`${service.url}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: `{ project(id: "${projectId}") { answers { totalCount } } }` }),
  })
  const { data } = await response.json()
  const ids = rows.map(({ id }) => id).sort()
  return { ids, shown: data.project.answers.totalCount as number }
}

test(`${total} questions with faults are each answered and paid once, after ${kills} kills`, {
  timeout: 3_600_000,
}, async () => {
  const project = await projectOf(promptCount)
  const cost = promptCount * costOfPrompt
  // No room for all that killed workers had under way: 64 questions each, of a cent or more.
  const most = cost + 1.5
  const caps = { dayCap: most, monthCap: most }
  await setCollectingCaps(stores.db, commandLine, project.id, caps)
  const { id: runId } = await startRun(stores.db, commandLine, project, {})
  const looks = []
  for (let kill = 1; kill <= kills; kill++) {
    await until(async () => (await endedOf(runId)) >= (total * kill) / (kills + 1), 900_000)
    searchProcesses()
    expect(await spentOf(project.id)).toBeLessThanOrEqual(most)
    looks.push(
      await killWorker(async () => ({
        kept: await keptOf(runId),
        asked: (await providers.counts()).asked,
      })),
    )
  }
  await until(() => isOver(runId), 900_000)

  const asks = await stores.db.ask.findMany({ where: { runId } })
  expect(asks).toHaveLength(total)
  expect(asks.filter(({ state, answerId }) => state !== 'answered' || !answerId)).toEqual([])
  expect(new Set(asks.map(({ answerId }) => answerId)).size).toBe(total)
  const ids = asks.map(({ answerId }) => answerId).sort()
  expect(await answersOf(project.id)).toEqual({ ids, shown: total })

  const { asked, failed } = await providers.counts()
  const ours = new Set(asks.map(({ provider, prompt }) => `${provider} ${prompt}`))
  expect([...ours].filter((name) => !asked[name])).toEqual([])
  expect(failed.length).toBeGreaterThan(total / 40)
  // Most kills come in the middle of questions.
  expect(looks.filter(({ kept }) => kept.length > 0)).toHaveLength(kills)
  const again = looks.flatMap((look) =>
    look.kept.filter((name) => asked[name] !== look.asked[name]),
  )
  expect(again).toEqual([])
  const requests = [...ours].reduce((sum, name) => sum + (asked[name] ?? 0), 0)
  expect(requests).toBeLessThanOrEqual(total + failed.length + kills * names.length * atOnce)

  // Each sum is what the replies said: of three providers their own figure, of one its tokens.
  for (const name of names) {
    const own = asks.filter(({ provider }) => provider === name)
    const stored = own.reduce((sum, ask) => sum + (ask.cost ?? 0), 0)
    expect(stored).toBeCloseTo(promptCount * keys[name].cost, 6)
  }
  expect(await spentOf(project.id)).toBeCloseTo(cost, 6)
})

test('a cap is not passed where workers are killed, and is used up', async () => {
  const project = await projectOf(200)
  // Half of what all questions cost.
  const monthCap = 100 * costOfPrompt
  await setCollectingCaps(stores.db, commandLine, project.id, { monthCap })
  const { id: runId } = await startRun(stores.db, commandLine, project, {})
  for (const reached of [50, 100]) {
    await until(async () => (await endedOf(runId)) >= reached)
    await killWorker(async () => undefined)
  }
  await until(() => isOver(runId))
  const asks = await stores.db.ask.findMany({ where: { runId } })
  const cost = asks.reduce((sum, ask) => sum + (ask.cost ?? 0), 0)
  expect(cost).toBeLessThanOrEqual(monthCap)
  // What 64 questions reserve beyond their cost may keep others from fitting: about a dollar.
  expect(cost).toBeGreaterThan(monthCap - 1.5)
  expect(await spentOf(project.id)).toBeCloseTo(cost, 6)
  expect(asks.filter(({ state }) => state === 'failed').length).toBeGreaterThan(0)
  const answered = asks.filter(({ state }) => state === 'answered').length
  expect((await answersOf(project.id)).shown).toBe(answered)
})

describe('after all runs, the provider keys', () => {
  const leak = `sent ${planted} by mistake`

  test('are in no row of the stores, and a row with one would be found', async () => {
    searchProcesses()
    const catalog = await foundInCatalog(stores.db, spellings)
    const warehouse = await foundInWarehouse(stores.warehouse, spellings)
    expect([catalog.found, warehouse.found]).toEqual([[], []])
    expect(catalog.tables).toBeGreaterThan(40)
    expect(warehouse.tables).toBeGreaterThan(10)
    const nil = '00000000-0000-4000-8000-000000000000'
    const raw = {
      ...{ projectId: nil, runId: nil, askId: nil, askedAt: new Date(), prompt: 'planted' },
      ...{ provider: 'openai' as const, platform: 'chatgpt', model: 'm', repetition: 1 },
      ...{ place: null, adapterVersion: 1, body: leak, redirects: {} },
    }
    await stores.db.workspace.update({ where: { id: workspaceId }, data: { name: leak } })
    await keepRaw(stores.warehouse, raw)
    expect((await foundInCatalog(stores.db, plantedSpellings)).found).toEqual([
      'public."Workspace"',
    ])
    expect((await foundInWarehouse(stores.warehouse, plantedSpellings)).found).toEqual([
      'raw_answers',
    ])
  })

  test('were in no argument or variable of a process, and one with a key would be found', async () => {
    // All parts, their servers of PostgreSQL, and ten workers.
    expect(processes.size).toBeGreaterThan(15)
    expect([...inProcesses]).toEqual([])
    const env = { PLANTED: Buffer.from(leak).toString('base64') }
    const child = spawn('sleep', ['60'], { env, argv0: leak })
    await once(child, 'spawn')
    const pid = child.pid ?? 0
    expect(familyOf(process.pid)).toContain(pid)
    const found = foundInProcess(pid, plantedSpellings)
    expect(found).toContain(`${pid} cmdline: as it is`)
    expect(found.some((one) => one.startsWith(`${pid} environ: base64`))).toBe(true)
    child.kill()
  })

  test('are in no byte of a backup, of the data folder or of the output, and each way to write one is found', async () => {
    const backup = join(folder.parent, 'backup')
    const saved = await runCli(['backup', backup], { env: service.env })
    expect(saved).toMatchObject({ code: 0 })
    const { stdout, stderr } = await stopped()
    for (const text of [...printed, saved.stdout, saved.stderr, stdout, stderr]) {
      expect(foundIn('output', text, spellings)).toEqual([])
    }
    const log = await readFile(join(folder.path, 'logs', 'sightline.log'), 'utf8')
    // The log is there, and says that requests failed.
    expect(log).toContain('"part":"worker"')
    const { files, bytes, found } = foundInFiles(folder.parent, spellings)
    expect(files).toBeGreaterThan(1000)
    expect(bytes).toBeGreaterThan(10_000_000)
    expect(found).toEqual([])
    // The rows of above, in files of PostgreSQL, and each way to write a key in a file of its own.
    const places = ['postgres/base', 'postgres/pg_wal']
    const inFiles = foundInFiles(folder.path, plantedSpellings).found
    expect(places.filter((place) => !inFiles.some((one) => one.includes(place)))).toEqual([])
    for (const [at, { bytes: way }] of spellings.entries()) {
      await writeFile(join(folder.path, `planted-${at}`), Buffer.concat([Buffer.from('x'), way]))
    }
    const named = foundInFiles(folder.path, spellings).found.map((one) => one.split(': ')[1])
    expect(new Set(named)).toEqual(new Set(spellings.map(({ name }) => name)))
  })
})
