import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, inject, test } from 'vitest'
import { replay } from '../../imports/collecting/replay.ts'
import { useApi } from '../kit/api.ts'
import { useProviders } from '../kit/collecting/provider.ts'
import { makeDataFolder, runJson, spawnCli } from '../kit/service.ts'
import { startTestWorker, type TestWorker } from '../kit/worker.ts'
import { collectedProject } from './collected.ts'
import { strict } from './readers.ts'

const providers = await useProviders()
const api = useApi({ ALLOW_PRIVATE_HOSTS: providers.hosts }, undefined, { ownDatabase: true })
let worker: TestWorker
beforeAll(async () => {
  worker = await startTestWorker(api)
})

test('a replay killed at any moment shows all former answers or all new ones, and the next call ends it', async () => {
  const folder = await makeDataFolder()
  const clickhouse = { CLICKHOUSE_URL: inject('clickhouseUrl') }
  const cli = { env: { DATA_DIR: folder.path, DATABASE_URL: api.databaseUrl, ...clickhouse } }
  // 2 prompts by 2 providers, 20 times.
  const project = await collectedProject(api, providers, worker, 20)
  const args = ['reparse', '--project', project.id]
  const after = await project.seen()
  await replay(api, { projectId: project.id, read: strict })
  const before = await project.seen()
  expect(before.summary).toMatchObject({ totalResponses: 40 })
  expect(after.summary).toMatchObject({ totalResponses: 60 })

  // The catalog says it: a key has too few units for a question each 20 ms.
  const begun = () => api.db.import.count({ where: { projectId: project.id } })
  const outcomes: string[] = []
  for (const afterMs of [0, 40, 100, 200, 350, 600]) {
    const known = await begun()
    const child = spawnCli(args, cli)
    const exited = once(child, 'exit')
    while ((await begun()) === known) await sleep(20)
    await sleep(afterMs)
    child.kill('SIGKILL')
    await exited
    const now = await project.seen()
    const isNew = now.answers.nodes.length === 60
    outcomes.push(isNew ? 'new' : 'former')
    expect(now).toEqual(isNew ? after : before)
    const [last] = await project.imports()
    if (isNew) await project.undo(last?.id)
    expect(await project.seen()).toEqual(before)
  }
  expect(outcomes).toContain('former')
  // 20 refused answers come back, and 40 have the former model again.
  expect(await runJson<object>(args, cli)).toMatchObject({ bodies: 80, changed: 60 })
  expect(await project.seen()).toEqual(after)
  expect(await runJson<object>(args, cli)).toMatchObject({ changed: 0, importId: null })
  await folder.remove()
}, 600_000)
