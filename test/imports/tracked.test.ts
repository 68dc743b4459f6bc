import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { wasTracked } from '../../imports/answers/tracking.ts'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { asking } from '../kit/changes.ts'
import { askingRest } from '../kit/prompts.ts'

const api = useApi()

let workspace: TestWorkspace
let key = ''
let project = ''
const rest = askingRest(
  api,
  () => project,
  () => key,
)
const ask = asking(api, () => key)

beforeAll(async () => {
  workspace = await api.workspace()
  key = (await workspace.key({ capabilities: ['prompt:draft'] })).key
  project = await workspace.project()
})

/** The present, apart from the change before and the one after. */
async function betweenChanges(): Promise<string> {
  await sleep(5)
  const now = new Date().toISOString()
  await sleep(5)
  return now
}

/** The number of answers that count, at both doors. */
async function counted(): Promise<number[]> {
  const response = await api.get(`/api/mcp/projects/${project}/answers?days=2`, key)
  const { pagination } = (await response.json()) as { pagination: { totalCount: number } }
  const { data } = await ask(
    `{ project(id: "${project}") { answers(window: { days: 2 }) { totalCount } } }`,
  )
  const answers = data.project?.answers as { totalCount: number } | undefined
  return [pagination.totalCount, answers?.totalCount ?? 0]
}

test('answers count that were collected while their prompt was tracked, and no others', async () => {
  const prompt = 'Which one?'
  await workspace.load(project, [{ prompt, run: 1, collectedAt: await betweenChanges() }])
  const { id } = await api.db.prompt.findFirstOrThrow({ where: { projectId: project } })
  const before = await betweenChanges()
  await rest('POST', `/prompts/${id}/tracking`, { action: 'archive' })
  const archived = await betweenChanges()
  await rest('POST', `/prompts/${id}/tracking`, { action: 'restore' })
  const after = await betweenChanges()
  const { rejected, ...counts } = await workspace.load(project, [
    { prompt, run: 2, collectedAt: archived },
    { prompt, run: 2, collectedAt: before },
    { prompt, run: 2, collectedAt: after },
    { prompt, run: 2, collectedAt: '2025-01-01' },
  ])
  expect(counts).toEqual({ read: 4, loaded: 3, skipped: 0 })
  const reason = '`prompt` was archived at `collectedAt`. Such an answer does not count.'
  expect(rejected).toEqual([{ line: 1, reason }])
  expect(await counted()).toEqual([3, 3])
})

const day = (n: number) => new Date(Date.UTC(2026, 0, n))

test.each([
  ['never changed, tracked', true, [], [true, true]],
  ['never changed, archived from its creation', false, [], [true, false]],
  ['archived on the 10th', false, [[10, false]], [true, true, false]],
  ['created archived, restored on the 10th', true, [[10, true]], [true, false, true]],
] as const)('a prompt %s', (_name, isTracked, given, expected) => {
  const changes = given.map(([at, is]) => ({ at: day(at), isTracked: is }))
  const history = { createdAt: day(5), isTracked, changes }
  const days = [1, 5, 10].slice(0, expected.length)
  expect(days.map((each) => wasTracked(history, day(each)))).toEqual(expected)
})
