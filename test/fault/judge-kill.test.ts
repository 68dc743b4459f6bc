import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, inject, test } from 'vitest'
import { importAnswers } from '../../imports/answers/answers.ts'
import { run } from '../../warehouse/run.ts'
import { makeProject, useStores } from '../kit/imports/imports.ts'
import { useProvider } from '../kit/judge/provider.ts'
import { until } from '../kit/service.ts'

const stores = useStores()
const answers = 400
/** Of four calls side by side, with 20 passages each. */
const mostUnderWay = 80

function start(projectId: string, url: string): ChildProcess {
  const script = new URL('./judge-child.ts', import.meta.url).pathname
  const args = [script, inject('databaseUrl'), inject('clickhouseUrl'), projectId, url]
  return spawn(process.execPath, args, { stdio: 'inherit' })
}

test('a run killed in the middle goes on, and asks again only about the calls under way', async () => {
  const provider = await useProvider()
  const projectId = await makeProject(stores)
  const lines = Array.from({ length: answers }, (_, run) =>
    JSON.stringify({
      prompt: 'best?',
      platform: 'chatgpt',
      collectedAt: '2025-05-10',
      run,
      text: `Acme is great, says reader ${run}.`,
    }),
  )
  await importAnswers(stores, { projectId, lines })
  const passages = () => provider.asked.flatMap(({ mentions }) => mentions)
  for (const reached of [100, 220]) {
    const child = start(projectId, provider.url)
    const exited = once(child, 'exit')
    await until(async () => passages().length >= reached)
    child.kill('SIGKILL')
    await exited
  }
  const [code] = await once(start(projectId, provider.url), 'exit')
  expect(code).toBe(0)
  const rows = await run(stores.warehouse, {
    id: 'test.judged',
    params: { projectId },
    sql: `SELECT answer_id, count() AS times FROM judgements
      WHERE project_id = {projectId:UUID} GROUP BY answer_id`,
    row: ({ times }) => Number(times),
  })
  expect(rows).toEqual(Array.from({ length: answers }, () => 1))
  expect(passages().length).toBeLessThanOrEqual(answers + 2 * mostUnderWay)
})
