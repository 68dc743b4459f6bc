import { existsSync } from 'node:fs'
import { cp, mkdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { inject } from 'vitest'
import { makeDataFolder, startService, type TestService, until } from './service.ts'
import { isSoak } from './soak.ts'

/** The last day of a demonstration's answers, as its folder knows it. */
export async function endDayOf(dataDir: string): Promise<string> {
  return JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8')).endDay
}

/**
 * Fills a data folder with the demonstration, which is made once a run and copied while nothing runs on it.
 * @param dataDir a path where nothing is yet; its parent exists
 */
export async function copyDemo(dataDir: string): Promise<void> {
  await copyOnce('demo', dataDir, {}, demoAudited)
}

/** Resolves when the worker has audited the site of the demonstration. */
export async function demoAudited(service: TestService): Promise<void> {
  const path = `/api/mcp/projects/${service.demoProjectId}/audits?status=completed`
  await until(async () => (await (await service.get(path)).json()).audits.length > 0)
}

/** A service whose stores hold their tables alone. Its folder goes with it. */
export async function startEmptyService(env: Record<string, string> = {}): Promise<TestService> {
  // One file of the normal run asks for it: a copy would cost a start more.
  if (!isSoak) return startService({ env: { ...withoutDemo, ...env } })
  const folder = await makeDataFolder()
  await copyOnce('empty', folder.path, withoutDemo)
  const service = await startService({ dataDir: folder.path, env: { ...withoutDemo, ...env } })
  const stop = async () => {
    const result = await service.stop()
    await folder.remove()
    return result
  }
  return { ...service, stop }
}

const withoutDemo = { SIGHTLINE_DEMO: '0' }

async function copyOnce(
  name: string,
  dataDir: string,
  env: Record<string, string>,
  ready?: (service: TestService) => Promise<void>,
): Promise<void> {
  const made = join(inject('runFolder'), name)
  if (!existsSync(made)) await makeOnce(made, env, ready)
  // The cache holds compiled code alone, and is large.
  const filter = (path: string) => path !== join(made, 'cache')
  await cp(made, dataDir, { recursive: true, filter, verbatimSymlinks: true })
}

/** Makes the folder, or waits for the test file that makes it already. */
async function makeOnce(
  made: string,
  env: Record<string, string>,
  ready?: (service: TestService) => Promise<void>,
): Promise<void> {
  const making = `${made}-making`
  const isOurs = await mkdir(making).then(
    () => true,
    () => false,
  )
  if (!isOurs) {
    await until(() => existsSync(made) || !existsSync(making), 200_000)
    if (!existsSync(made)) {
      throw new Error('The folder could not be made: see the test file that made it.')
    }
    return
  }
  try {
    const service = await startService({ dataDir: join(making, 'data'), env })
    await ready?.(service)
    await service.stop()
    await rename(join(making, 'data'), made)
  } finally {
    await rm(making, { recursive: true, force: true })
  }
}
