import { expect, test } from 'vitest'
import type { Problem } from '../../cli/doctor/problem.ts'
import { inspectRules, olderCountsQuery } from '../../cli/doctor/rules.ts'
import { rulesVersion } from '../../core/text/rules-version.ts'
import { command, run } from '../../warehouse/run.ts'
import { useApi } from '../kit/api.ts'

const api = useApi()

test('doctor names a project whose answers older rules counted, until a reanalysis', async () => {
  const workspace = await api.workspace()
  const project = await workspace.project({ name: 'Sony', domain: 'sony.com' })
  await workspace.load(project, [{ collectedAt: '2025-05-10T08:00:00Z', text: 'Sony is loud.' }])
  const older = () =>
    run<{ projectId: string; analysis: number; answers: number }>(api.warehouse, {
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
  expect(found).toEqual([{ projectId: project, analysis: 1, answers: 1 }])

  const problemsAt = (analysis: number) => {
    const problems: Problem[] = []
    inspectRules([{ projectId: project, analysis }], found, problems)
    return problems.map(({ problem }) => problem)
  }
  expect(problemsAt(1)).toEqual([`Older rules counted 1 answer of project ${project}.`])
  expect(problemsAt(2)).toEqual([])
})
