import { beforeAll, expect, test } from 'vitest'
import { sendTurn, turnOf } from '../../worker/opportunities.ts'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { asking } from '../kit/changes.ts'
import { addIssues, stored } from '../kit/work/opportunities.ts'
import { jobsOf, startTestWorker, type TestWorker } from '../kit/worker.ts'

const api = useApi({}, undefined, { ownDatabase: true })
let workspace: TestWorkspace
let worker: TestWorker
let key = ''

beforeAll(async () => {
  workspace = await api.workspace()
  key = (await workspace.key({ scopes: ['read', 'write'] })).key
  worker = await startTestWorker(api)
})

const graph = asking(api, () => key)

const refresh = async (project: string) => {
  const { data } = await graph(
    `mutation { refreshOpportunities(projectId: "${project}") { changed } }`,
  )
  return data.refreshOpportunities
}

test('a refresh evaluates the rules in the worker', async () => {
  const project = await workspace.project()
  await addIssues(api, project, [{ check: 'ai-search-bots-blocked' }])
  expect(await refresh(project)).toEqual({ changed: true })
  await worker.idle()
  expect(await stored(api, project)).toMatchObject([{ rule: 'site-issue', status: 'active' }])
  expect(
    await api.db.auditEntry.findMany({
      where: { projectId: project },
      orderBy: { id: 'asc' },
      skip: 1,
    }),
  ).toMatchObject([{ action: 'project.refreshOpportunities' }])
})

test('an import sends one job, which starts later and serves a refresh too', async () => {
  const project = await workspace.project()
  await workspace.load(project, [{}])
  await workspace.load(project, [{ prompt: 'another' }])
  expect(await refresh(project)).toEqual({ changed: false })
  const jobs = await jobsOf(api, project)
  expect(jobs.filter(({ name }) => name === 'opportunities')).toMatchObject([
    { state: 'created', data: { projectId: project } },
  ])
})

test('each night sends every regular project that is not archived, once', async () => {
  const [active, archived, pitch] = await Promise.all([
    workspace.project(),
    workspace.project(),
    workspace.project({ kind: 'pitch' }),
  ])
  await api.db.project.update({ where: { id: archived }, data: { status: 'archived' } })
  await worker.stop()
  const turn = turnOf(active)
  const start = new Date(Date.UTC(2025, 4, 31, Math.floor(turn / 6), (turn % 6) * 10, 7))
  await sendTurn(api, new Date(start.getTime() + 10 * 60_000))
  expect(await jobsOf(api, active)).toEqual([])
  await sendTurn(api, start)
  await sendTurn(api, start)
  expect(await jobsOf(api, active)).toMatchObject([{ name: 'opportunities', state: 'created' }])
  for (const project of [archived, pitch]) expect(await jobsOf(api, project)).toEqual([])
})
