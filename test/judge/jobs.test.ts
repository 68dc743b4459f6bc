import { beforeAll, expect, test } from 'vitest'
import { sendJob } from '../../resolvers/shared/jobs.ts'
import { run } from '../../warehouse/run.ts'
import { handlers } from '../../worker/handlers.ts'
import { startWorker } from '../../worker/worker.ts'
import { useApi } from '../kit/api.ts'
import { type Provider, refusing, useProvider } from '../kit/judge/provider.ts'
import { jobsOf, startTestWorker, type TestWorker } from '../kit/worker.ts'

const api = useApi({}, undefined, { ownDatabase: true })
let provider: Provider
let worker: TestWorker
let project = ''

beforeAll(async () => {
  provider = await useProvider()
  const settings = { ...api.settings, JUDGE_MODEL: 'test-model', JUDGE_URL: provider.url }
  worker = await startTestWorker({ ...api, settings })
  const workspace = await api.workspace()
  project = await workspace.project()
  await workspace.load(project, [{ text: 'Acme is great.' }])
})

const judgeJobs = async () => (await jobsOf(api, project)).filter(({ name }) => name === 'judge')
const judged = async () => {
  const sql = 'SELECT 1 FROM judgements WHERE project_id = {project:UUID}'
  const params = { project }
  return (await run(api.warehouse, { id: 'test.judged', sql, params, row: () => 1 })).length
}

test('an import sends one job, which starts later', async () => {
  expect(await judgeJobs()).toMatchObject([{ state: 'created', data: { projectId: project } }])
  await api.db.$executeRaw`DELETE FROM pgboss.job`
})

test('a long wait that the provider asks for is a later job', async () => {
  provider.next(refusing(429, { 'retry-after': '900' }))
  await sendJob(api.db, 'judge', { projectId: project })
  await worker.idle()
  expect(await judgeJobs()).toMatchObject([{ state: 'completed' }, { state: 'created' }])
  expect([provider.asked.length, await judged()]).toEqual([1, 0])
  await api.db.$executeRaw`DELETE FROM pgboss.job`
})

test('a job asks about the mentions of its project', async () => {
  await sendJob(api.db, 'judge', { projectId: project })
  await worker.idle()
  expect(await judgeJobs()).toMatchObject([{ state: 'completed' }])
  expect([provider.asked.length, await judged()]).toEqual([2, 1])
  await worker.stop()
})

test('a worker without a judge drops the job', async () => {
  await api.db.$executeRaw`DELETE FROM pgboss.job`
  const off = await startWorker(api, { handlers, supervises: false })
  await sendJob(api.db, 'judge', { projectId: project })
  await worker.idle()
  expect(await judgeJobs()).toMatchObject([{ state: 'completed' }])
  await off.stop()
})
