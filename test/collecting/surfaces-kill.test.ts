import { afterAll, beforeAll, expect, test } from 'vitest'
import { startRun } from '../../resolvers/collecting/runs.ts'
import { createProject } from '../../resolvers/projects/create.ts'
import { commandLine } from '../../resolvers/shared/audit-trail.ts'
import { createWorkspace } from '../../resolvers/workspaces.ts'
import { run } from '../../warehouse/run.ts'
import { storePrompts } from '../kit/collecting/prompts.ts'
import { useServices } from '../kit/collecting/services.ts'
import { openStores } from '../kit/load.ts'
import {
  isAlive,
  makeDataFolder,
  runCli,
  startService,
  type TestService,
  until,
} from '../kit/service.ts'

/** A service is killed, part by part, while sixty tasks at Cloro are under way. */

const total = 60
const services = await useServices()

let folder: Awaited<ReturnType<typeof makeDataFolder>>
let service: TestService
let stores: Awaited<ReturnType<typeof openStores>>
let workspaceId = ''

beforeAll(async () => {
  folder = await makeDataFolder()
  service = await startService({
    dataDir: folder.path,
    env: { SIGHTLINE_DEMO: '0', ALLOW_PRIVATE_HOSTS: services.hosts },
  })
  stores = await openStores(service)
  workspaceId = (await createWorkspace(stores.db, { name: 'Kills', plan: 'enterprise' })).id
  const args = ['provider-key', 'set', 'cloro', '--workspace', workspaceId, '--unit-price', '0.001']
  const address = ['--base-url', services.baseUrl('cloro')]
  const set = await runCli([...args, ...address], {
    env: service.env,
    input: 'sk-0123456789abcdef',
  })
  expect(set.code).toBe(0)
})
afterAll(async () => {
  await stores.close()
  await service.stop()
  await folder.remove()
})

async function kill(part: 'worker' | 'api' | 'catalog') {
  const pid = await service.pidOf(part)
  process.kill(pid, 'SIGKILL')
  await until(() => !isAlive(pid))
  await until(async () => (await service.pidOf(part).catch(() => pid)) !== pid)
}

test('each task is billed once, and each billed one stored', { timeout: 900_000 }, async () => {
  const input = { workspaceId, name: 'Acme', domain: 'acme.com' }
  const { id: projectId } = await createProject(stores.db, input, 'unused')
  await storePrompts(stores.db, projectId, total)
  const project = await stores.db.project.findUniqueOrThrow({ where: { id: projectId } })
  let isOpen = false
  services.fate = ({ looks }) => (isOpen ? 'done' : looks > 1 ? 'running' : 'queued')
  const { id: runId } = await startRun(stores.db, commandLine, project, {})
  // One kill while tasks are sent, the others while they are under way.
  await until(() => services.tasks.length >= total / 2)
  await kill('worker')
  const read = <T>(ask: () => Promise<T>) => ask().catch(() => undefined)
  await until(
    async () => (await read(() => stores.db.providerTask.count({ where: { runId } }))) === total,
    300_000,
  )
  await until(() => services.tasks.length === total, 300_000)
  await kill('worker')
  await kill('api')
  await kill('catalog')
  isOpen = true
  const status = () => stores.db.run.findUniqueOrThrow({ where: { id: runId } })
  await until(async () => (await read(status))?.status === 'completed', 600_000)

  const asks = await stores.db.ask.findMany({ where: { runId }, include: { task: true } })
  expect(services.tasks).toHaveLength(total)
  expect(new Set(services.tasks.map(({ key }) => key)).size).toBe(total)
  const stored = await run<{ ask: string }>(stores.warehouse, {
    id: 'test.kept',
    params: { runId },
    sql: 'SELECT toString(ask_id) AS ask FROM raw_answers WHERE run_id = {runId:UUID} GROUP BY ask_id',
  })
  const answered = asks.filter(({ state }) => state === 'answered')
  expect(stored).toHaveLength(answered.length)
  expect(answered.every(({ answerId }) => answerId !== null)).toBe(true)
  // Between the reply to a submission and the row of its id lies a kill at most for each request under way.
  const lost = asks.filter(({ state }) => state === 'failed')
  expect(lost.length).toBeLessThanOrEqual(8)
  expect(lost.every(({ reason }) => reason?.includes('its reply with the id was lost'))).toBe(true)
  expect(answered.length + lost.length).toBe(total)
  const cost = asks.reduce((sum, ask) => sum + (ask.cost ?? 0), 0)
  expect(cost).toBeCloseTo(total * 0.007, 6)
})
