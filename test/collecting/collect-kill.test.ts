import { hash, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PgBoss } from 'pg-boss'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { queueSchema } from '../../core/queues.ts'
import { startRun } from '../../resolvers/collecting/runs.ts'
import { setCollectingCaps } from '../../resolvers/collecting/spending.ts'
import { createProject } from '../../resolvers/projects/create.ts'
import { commandLine } from '../../resolvers/shared/audit-trail.ts'
import { createWorkspace } from '../../resolvers/workspaces.ts'
import { run } from '../../warehouse/run.ts'
import { storePrompts } from '../kit/collecting/prompts.ts'
import { cutOff, type Reply, refusing, saying, useProviders } from '../kit/collecting/provider.ts'
import { openStores } from '../kit/load.ts'
import {
  isAlive,
  makeDataFolder,
  runCli,
  startService,
  type TestService,
  until,
} from '../kit/service.ts'

/** The worker of a service is killed while it asks prompts at providers that fail at times. */

const promptCount = Number(process.env.COLLECT_PROMPTS ?? 250)
/** With the two of the second test, fewer than the ten quick deaths after which a service gives up. */
const kills = 7
/** What a reply costs, in US dollars: of OpenAI by its tokens, of the others by their own figure. */
const costs = { openai: 0.01045, perplexity: 0.006, compatible: 0.004 } as const
const models = { openai: 'gpt-5-mini', perplexity: 'sonar', compatible: 'gpt-5-mini' } as const
const names = Object.keys(costs) as (keyof typeof costs)[]
const costOfPrompt = 0.02045
const total = promptCount * names.length
/** Its last characters change where it is encoded. */
const secret = `sk-${randomBytes(24).toString('base64url')}+k/1=`

const providers = await useProviders()
const failed = new Set<string>()
/** Errors repeat the key, as those of some providers do. */
const faults: readonly Reply[] = [refusing(429, { 'retry-after': '0.05' }), refusing(500), cutOff]
/** Each twentieth question fails the first time. */
providers.always((question, response) => {
  const name = `${question.provider} ${question.prompt}`
  const drawn = Number.parseInt(hash('sha256', name, 'hex').slice(0, 8), 16)
  const fault = faults[drawn % faults.length]
  if (fault === undefined || drawn % 20 > 0 || failed.has(name))
    return saying('Acme is great.')(question, response)
  failed.add(name)
  return fault(question, response)
})
const requests = () =>
  Map.groupBy(providers.questions, ({ provider, prompt }) => `${provider} ${prompt}`)

let folder: Awaited<ReturnType<typeof makeDataFolder>>
let service: TestService
let stores: Awaited<ReturnType<typeof openStores>>
let boss: PgBoss
let workspaceId = ''
let printed = ''

beforeAll(async () => {
  folder = await makeDataFolder()
  service = await startService({
    dataDir: folder.path,
    env: {
      SIGHTLINE_DEMO: '0',
      LOG_LEVEL: 'debug',
      ALLOW_PRIVATE_HOSTS: providers.hosts,
    },
  })
  stores = await openStores(service)
  boss = new PgBoss({
    connectionString: stores.databaseUrl,
    schema: queueSchema,
    migrate: false,
    supervise: false,
    schedule: false,
  })
  await boss.start()
  workspaceId = (await createWorkspace(stores.db, { name: 'Kills', plan: 'enterprise' })).id
  for (const name of names) {
    const args = ['provider-key', 'set', name, '--workspace', workspaceId]
    const address = ['--model', models[name], '--base-url', providers.baseUrl(name)]
    const set = await runCli([...args, ...address], { env: service.env, input: secret })
    printed += set.stdout + set.stderr
  }
})
afterAll(() => folder.remove())

async function startedRun(prompts: number, caps: { dayCap?: number; monthCap: number }) {
  const input = { workspaceId, name: 'Acme', domain: 'acme.com' }
  const { id } = await createProject(stores.db, input, 'unused')
  await storePrompts(stores.db, id, prompts)
  const project = await stores.db.project.findUniqueOrThrow({ where: { id } })
  await setCollectingCaps(stores.db, commandLine, id, caps)
  const { id: runId } = await startRun(stores.db, commandLine, project, {})
  return {
    projectId: id,
    asks: () => stores.db.ask.findMany({ where: { runId } }),
    ended: () => stores.db.ask.count({ where: { runId, state: { not: 'waiting' } } }),
    isOver: async () =>
      (await stores.db.run.findUniqueOrThrow({ where: { id: runId } })).status === 'completed',
    spent: async () =>
      (await stores.db.collectingBudget.findUniqueOrThrow({ where: { id } })).monthSpent,
    /** Replies that are stored, as providers name their questions. */
    kept: async () =>
      (
        await run<{ name: string }>(stores.warehouse, {
          id: 'test.kept',
          params: { runId },
          sql: `SELECT DISTINCT concat(provider, ' ', prompt) AS name FROM raw_answers
                 WHERE run_id = {runId:UUID}`,
        })
      ).map(({ name }) => name),
  }
}

/** Kills the worker, and reads what `look` reads while nobody asks. Then the service starts another worker. */
async function killWorker<T>(look: () => Promise<T>): Promise<T> {
  const pid = await service.pidOf('worker')
  process.kill(pid, 'SIGKILL')
  await until(() => !isAlive(pid))
  const found = await look()
  await until(async () => (await service.pidOf('worker')) !== pid)
  // Who would wait ten seconds for the heartbeat sees it missed now.
  await stores.db.$executeRaw`
    UPDATE pgboss.job SET heartbeat_on = heartbeat_on - interval '1 minute'
     WHERE name = 'collect' AND state = 'active'`
  await boss.supervise('collect')
  return found
}

test(`${total} questions with faults are each answered and paid once, after ${kills} kills`, {
  timeout: 3_600_000,
}, async () => {
  const cost = promptCount * costOfPrompt
  // No room for all that killed workers had under way: 48 questions each, of a cent or more.
  const most = cost + 3
  const collecting = await startedRun(promptCount, { dayCap: most, monthCap: most })
  const looks = []
  for (let kill = 1; kill <= kills; kill++) {
    await until(async () => (await collecting.ended()) >= (total * kill) / (kills + 1), 900_000)
    expect(await collecting.spent()).toBeLessThanOrEqual(most)
    looks.push(await killWorker(async () => ({ kept: await collecting.kept(), asked: requests() })))
  }
  await until(collecting.isOver, 900_000)

  const asks = await collecting.asks()
  expect(asks.filter(({ state, answerId }) => state !== 'answered' || !answerId)).toEqual([])
  const ids = asks.map(({ answerId }) => answerId).sort()
  expect(new Set(ids).size).toBe(total)
  const stored = await run<{ id: string }>(stores.warehouse, {
    id: 'test.answers',
    params: { projectId: collecting.projectId },
    sql: `SELECT toString(id) AS id FROM answers
           WHERE project_id = {projectId:UUID} ORDER BY id`,
  })
  expect(stored.map(({ id }) => id)).toEqual(ids)
  expect(failed.size).toBeGreaterThan(total / 40)
  // What had a stored reply when its worker died is not asked again.
  const asked = requests()
  const again = looks.flatMap((look) =>
    look.kept.filter((name) => asked.get(name)?.length !== look.asked.get(name)?.length),
  )
  expect(again).toEqual([])
  for (const name of names) {
    const own = asks.filter(({ provider }) => provider === name)
    const sum = own.reduce((paid, ask) => paid + (ask.cost ?? 0), 0)
    expect(sum).toBeCloseTo(promptCount * costs[name], 6)
  }
  expect(await collecting.spent()).toBeCloseTo(cost, 6)
})

test('a cap is not passed where workers are killed, and is used up', async () => {
  // Half of what all questions cost.
  const monthCap = 100 * costOfPrompt
  const collecting = await startedRun(200, { monthCap })
  for (const reached of [50, 100]) {
    await until(async () => (await collecting.ended()) >= reached)
    await killWorker(async () => undefined)
  }
  await until(collecting.isOver)
  const asks = await collecting.asks()
  const cost = asks.reduce((sum, ask) => sum + (ask.cost ?? 0), 0)
  expect(cost).toBeLessThanOrEqual(monthCap)
  // What 48 questions reserve beyond their cost may keep others from fitting.
  expect(cost).toBeGreaterThan(monthCap - 1)
  expect(await collecting.spent()).toBeCloseTo(cost, 6)
  expect(asks.filter(({ state }) => state === 'failed').length).toBeGreaterThan(0)
})

/** The secret in clear, in the address of a request, and in Base64 at each of its three places. */
const spellings = [
  secret,
  encodeURIComponent(secret),
  ...[0, 1, 2].map((before) =>
    Buffer.from('x'.repeat(before) + secret)
      .toString('base64')
      .slice(before + 2, -4),
  ),
]
const isIn = (bytes: Buffer | string) => spellings.some((spelling) => bytes.includes(spelling))

/** The files below a folder that have the secret. */
const filesWithSecret = (parent: string) =>
  readdirSync(parent, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => isIn(readFileSync(path)))

test('after all runs, the provider key is in no process, row, backup, file or output, and would be found', async () => {
  for (const pid of [service.pid, ...Object.values(await service.parts())]) {
    const ofProcess = ['cmdline', 'environ'].map((name) => readFileSync(`/proc/${pid}/${name}`))
    expect(ofProcess.map(isIn)).toEqual([false, false])
  }
  const tables = await run<{ name: string }>(stores.warehouse, {
    id: 'test.tables',
    sql: `SELECT name FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree'`,
  })
  expect(tables.length).toBeGreaterThan(10)
  for (const { name } of tables) {
    const [row] = await run<{ hits: number }>(stores.warehouse, {
      id: 'test.secrets',
      params: { spellings },
      timeoutMs: 120_000,
      sql: `SELECT count() AS hits FROM ${name}
             WHERE multiSearchAny(toString(tuple(*)), {spellings:Array(String)})`,
    })
    expect([name, row?.hits]).toEqual([name, 0])
  }
  const backup = join(folder.parent, 'backup')
  const saved = await runCli(['backup', backup], { env: service.env })
  expect(saved.code).toBe(0)
  await boss.stop()
  await stores.close()
  const { stdout, stderr } = await service.stop()
  expect(isIn(printed + saved.stdout + saved.stderr + stdout + stderr)).toBe(false)
  expect(filesWithSecret(folder.parent)).toEqual([])
  const planted = spellings.map((spelling, at) => {
    const path = join(folder.path, `planted-${at}`)
    writeFileSync(path, `x${spelling}`)
    return path
  })
  expect(filesWithSecret(folder.parent).sort()).toEqual(planted.sort())
})
