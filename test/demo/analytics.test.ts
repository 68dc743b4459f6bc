import { expect, test } from 'vitest'
import { demoSearches, demoSessions, loadDemoAnalytics } from '../../demo/analytics.ts'
import { ownPaths } from '../../demo/sources.ts'
import { run } from '../../warehouse/run.ts'
import { makeProject, useStores } from '../kit/imports/imports.ts'

const stores = useStores()
const options = { seed: 1, endDay: '2026-03-01' }

test('the analytics of the demonstration are the same for the same seed, and others for another', () => {
  for (const rowsOf of [demoSessions, demoSearches]) {
    expect(rowsOf(options)).toEqual(rowsOf(options))
    expect(rowsOf({ ...options, seed: 2 })).not.toEqual(rowsOf(options))
  }
})

test('AI assistants send more and more visitors, to pages that answers cite', () => {
  const sent = demoSessions(options).filter(({ platform }) => platform !== '')
  const months = Map.groupBy(sent, ({ day }) => day.slice(0, 7))
  const sums = ['2025-12', '2026-01', '2026-02'].map((month) =>
    (months.get(month) ?? []).reduce((sum, { sessions }) => sum + Number(sessions), 0),
  )
  expect(sums.toSorted((a, b) => a - b)).toEqual(sums)
  const cited = new Set(ownPaths())
  expect(sent.every(({ page }) => cited.has(String(page)))).toBe(true)
  expect(new Set(sent.map(({ platform }) => platform)).size).toBe(5)
})

test('loading twice loads once, and links both', async () => {
  const projectId = await makeProject(stores)
  await loadDemoAnalytics(stores, projectId, options)
  await loadDemoAnalytics(stores, projectId, options)
  for (const [table, rows] of [
    ['web_analytics', demoSessions(options).length],
    ['search_console', demoSearches(options).length],
  ] as const) {
    const [found] = await run(stores.warehouse, {
      id: 'test.count',
      sql: `SELECT count() AS rows FROM ${table} FINAL WHERE project_id = {projectId:UUID}`,
      params: { projectId },
      row: (raw) => raw.rows,
    })
    expect(found).toBe(rows)
  }
  expect(await stores.db.connection.count({ where: { projectId } })).toBe(2)
})
