import { expect, test } from 'vitest'
import type { Problem } from '../../cli/doctor/problem.ts'
import { inspectRules, type OlderCounts, olderCountsQuery } from '../../cli/doctor/rules.ts'
import { rulesVersion } from '../../core/text/rules-version.ts'
import { command, run } from '../../warehouse/run.ts'
import { useApi } from '../kit/api.ts'

const api = useApi()

test('doctor names a project whose answers older rules counted, until a reanalysis', async () => {
  const workspace = await api.workspace()
  const project = await workspace.project({ name: 'Sony', domain: 'sony.com' })
  await workspace.load(project, [{ collectedAt: '2025-05-10T08:00:00Z', text: 'Sony is loud.' }])
  const older = () =>
    run<OlderCounts>(api.warehouse, {
      id: 'test.older',
      sql: olderCountsQuery,
    }).then((rows) => rows.filter(({ projectId }) => projectId === project))
  expect(await older()).toEqual([])
  await command(api.warehouse, {
    id: 'test.age',
    sql: `INSERT INTO mentions SELECT * REPLACE (toUInt16(${rulesVersion.names - 1}) AS names_version)
      FROM mentions WHERE project_id = '${project}'`,
  })
  const found = await older()
  expect(found).toEqual([{ projectId: project, analysis: 1, load: 0, answers: 1 }])

  const problemsAt = (analysis: number) => {
    const problems: Problem[] = []
    const seen = { visibleLoad: 1, deadLoads: [] }
    inspectRules([{ projectId: project, analysis, ...seen }], found, problems)
    return problems.map(({ problem }) => problem)
  }
  expect(problemsAt(1)).toEqual([
    `Older rules counted the names in 1 answer of project ${project}.`,
  ])
  expect(problemsAt(2)).toEqual([])
})

test('doctor names a project whose cited pages older rules named, in imports that readers see', () => {
  const counts = { projectId: 'p', analysis: 0 }
  const older = [1, 2, 3, 4].map((load) => ({ ...counts, load, answers: 10 ** load }))
  const problems: Problem[] = []
  const project = { projectId: 'p', analysis: 5, visibleLoad: 3, deadLoads: [2] }
  inspectRules([project, { ...project, projectId: 'q' }], older, problems)
  expect(problems.map(({ problem }) => problem)).toEqual([
    'Older rules counted the cited pages of 1,010 answers of project p.',
  ])
})
