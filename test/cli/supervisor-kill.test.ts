import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { copyDemo, endDayOf } from '../kit/data-folders.ts'
import {
  holderOf,
  isAlive,
  makeDataFolder,
  spawnCli,
  startService,
  type TestService,
  until,
} from '../kit/service.ts'
import {
  lastMonthOf,
  lastMonthReport,
  processesOf,
  startDemo,
  surviveKill,
} from './demo-service.ts'

async function domainsOf(service: TestService): Promise<unknown> {
  const window = await lastMonthOf(service.dataDir)
  const path = `/api/mcp/projects/${service.demoProjectId}/sources/domains?limit=5&${window}`
  const { sources } = await (await service.get(path)).json()
  expect(sources).toHaveLength(5)
  return sources
}

test('after SIGKILL no process is left, and the next start has the same numbers', async () => {
  const folder = await makeDataFolder()
  await copyDemo(folder.path)
  const first = await startService({ dataDir: folder.path })
  const report = await lastMonthReport(first)
  const numbers = await (await first.get(report)).json()
  const processes = await processesOf(first)
  expect(processes).toHaveLength(7)
  first.signal('SIGKILL')
  await until(() => !processes.some(isAlive))

  const second = await startService({ dataDir: folder.path })
  expect(second.demoKey).toBe(first.demoKey)
  expect(await (await second.get(report)).json()).toEqual(numbers)
  await second.stop()
  await folder.remove()
})

test('after SIGKILL of each part it answers again by itself, with the same numbers', async () => {
  const service = await startDemo()
  for (const part of ['api', 'worker', 'warehouse', 'catalog'] as const) {
    await surviveKill(service, part)
  }
  expect((await service.stop()).code).toBe(0)
})

test('one that was killed while it made the demo is completed by the next', async () => {
  const folder = await makeDataFolder()
  const env = { DATA_DIR: folder.path }
  const { promise: gone, resolve } = Promise.withResolvers<void>()
  const cut = spawnCli(['serve'], { env }).once('exit', () => resolve())
  // The demo's file is there, its answers are not.
  await until(() => existsSync(join(folder.path, 'demo.json')))
  cut.kill('SIGKILL')
  await gone
  await until(async () => (await holderOf(folder.path)) === undefined)

  const next = await startService({ dataDir: folder.path })
  const found = await domainsOf(next)
  const projects = await (await next.get('/api/mcp/projects')).json()
  // The demo has two.
  expect(projects.projects).toHaveLength(2)
  const endDay = await endDayOf(folder.path)
  await next.stop()
  await folder.remove()

  const whole = await startWholeDemo(endDay)
  expect(await domainsOf(whole)).toEqual(found)
  await whole.stop()
})

/** A service with the demonstration that ends on the day: the shared one, or a new one after midnight. */
async function startWholeDemo(endDay: string): Promise<TestService> {
  const folder = await makeDataFolder()
  await copyDemo(folder.path)
  const isSame = (await endDayOf(folder.path)) === endDay
  return startService(isSame ? { dataDir: folder.path } : {})
}
