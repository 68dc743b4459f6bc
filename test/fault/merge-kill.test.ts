import { once } from 'node:events'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { questionKey } from '../../core/question.ts'
import { importAnswers } from '../../imports/answers/answers.ts'
import { run } from '../../warehouse/run.ts'
import { makeProject, useStores } from '../kit/imports/imports.ts'
import { type CliOptions, makeDataFolder, runJson, spawnCli, until } from '../kit/service.ts'

const stores = useStores()
let folder: Awaited<ReturnType<typeof makeDataFolder>>
let options: CliOptions
beforeAll(async () => {
  folder = await makeDataFolder()
  const [DATABASE_URL, CLICKHOUSE_URL] = [inject('databaseUrl'), inject('clickhouseUrl')]
  options = { env: { DATABASE_URL, CLICKHOUSE_URL, DATA_DIR: folder.path } }
})
afterAll(() => folder.remove())

const [prompts, months] = [20, 12]

/** Twenty questions with two prompts each, and answers of each prompt in twelve months. */
async function makeDoubles(): Promise<string> {
  const projectId = await makeProject(stores)
  const lines = Array.from({ length: 2 * prompts }, (_, n) =>
    Array.from({ length: months }, (_month, month) =>
      JSON.stringify({
        prompt: `question ${n}`,
        platform: 'chatgpt',
        text: 'An answer about Acme.',
        collectedAt: `2025-${String(month + 1).padStart(2, '0')}-10`,
      }),
    ),
  ).flat()
  await importAnswers(stores, { projectId, lines })
  const rows = await stores.db.prompt.findMany({ where: { projectId } })
  for (const { id, text } of rows) {
    const n = Number(text.slice('question '.length))
    if (n < prompts) continue
    const twin = `Question  ${n - prompts}?`
    await stores.db.prompt.update({ where: { id }, data: { text: twin, questionKey: null } })
    const key = { promptId_revision: { promptId: id, revision: 1 } }
    const data = { text: twin, questionKey: questionKey(twin) }
    await stores.db.promptRevision.update({ where: key, data })
  }
  return projectId
}

/** The answers that readers see, by prompt, and all that are stored. */
async function answersOf(projectId: string) {
  const { visibleLoad, deadLoads } = await stores.db.project.findUniqueOrThrow({
    where: { id: projectId },
  })
  const rows = await run(stores.warehouse, {
    id: 'test.answers',
    sql: `SELECT toString(prompt_id) AS prompt,
             countIf(load_seq <= {visibleLoad:UInt32} AND load_seq NOT IN {deadLoads:Array(UInt32)}) AS seen,
             count() AS stored
        FROM answers WHERE project_id = {projectId:UUID} GROUP BY prompt`,
    params: { projectId, visibleLoad, deadLoads },
    row: ({ prompt, seen, stored }) => ({
      prompt: String(prompt),
      seen: Number(seen),
      stored: Number(stored),
    }),
  })
  return {
    seen: new Map(rows.filter(({ seen }) => seen > 0).map(({ prompt, seen }) => [prompt, seen])),
    stored: rows.reduce((sum, { stored }) => sum + stored, 0),
  }
}

test('a merge that is killed changes nothing, and the next one merges all', async () => {
  const projectId = await makeDoubles()
  const args = ['prompt', 'merge', '--project', projectId]
  const before = await answersOf(projectId)
  expect([before.seen.size, before.stored]).toEqual([2 * prompts, 2 * prompts * months])

  const child = spawnCli(args, options)
  const ended = once(child, 'exit')
  await until(
    async () => child.exitCode !== null || (await answersOf(projectId)).stored > before.stored,
  )
  child.kill('SIGKILL')
  await ended
  // Readers see all of it or none.
  const left = await stores.db.prompt.count({ where: { projectId } })
  expect((await answersOf(projectId)).seen.size).toBe(left)
  expect([prompts, 2 * prompts]).toContain(left)

  const { merged } = await runJson<{ merged: unknown[] }>(args, options)
  expect(merged).toHaveLength(left - prompts)
  const rows = await stores.db.prompt.findMany({ where: { projectId } })
  expect(rows).toHaveLength(prompts)
  const after = await answersOf(projectId)
  expect(Object.fromEntries(after.seen)).toEqual(
    Object.fromEntries(rows.map(({ id }) => [id, 2 * months])),
  )
})
