import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { canMount, fillDisk, mountDisk } from '../kit/disk.ts'
import { samplesOf, sumOf } from '../kit/observability/samples.ts'
import { makeDataFolder, startService, type TestService, until } from '../kit/service.ts'

/** A service without the demonstration, whose log says much. */
async function start(dataDir: string): Promise<TestService> {
  const env = { SIGHTLINE_DEMO: '0', LOG_LEVEL: 'debug', METRICS_PORT: '0' }
  const service = await startService({ dataDir, env })
  onTestFinished(async () => void (await service.stop()))
  return service
}

const isReady = async ({ url }: TestService) => (await fetch(`${url}/readyz`)).ok

test.skipIf(!canMount)(
  'a full disk under the log ends no part, and the log goes on with the number of lost lines',
  async () => {
    const folder = await makeDataFolder()
    onTestFinished(folder.remove)
    const logs = join(folder.path, 'logs')
    mountDisk(logs, 512 * 1024)
    const service = await start(folder.path)
    const parts = await service.parts()
    const ballast = fillDisk(logs)
    const lostOf = async () => {
      await service.get('/api/mcp/projects', null)
      await isReady(service)
      const samples = samplesOf(await (await fetch(service.metricsUrl)).text())
      return ['api', 'warehouse', 'supervisor'].map((part) =>
        sumOf(samples, 'sightline_log_lines_lost_total', { part }),
      )
    }
    await until(async () => (await lostOf()).every((lost) => (lost ?? 0) > 0))
    expect(await service.parts()).toEqual(parts)

    await rm(ballast)
    const lost = await lostOf()
    const told = async (name: string) => {
      const lines = (await readFile(join(logs, 'sightline.log'), 'utf8')).split('\n')
      const line = lines.findLast(
        (each) => each.includes(`"name":"${name}"`) && /"lost":/.test(each),
      )
      return line === undefined ? undefined : JSON.parse(line).lost
    }
    await expect.poll(() => told('api')).toBe(lost[0])
    await expect.poll(() => told('warehouse')).toBe(lost[1])
    const { stderr } = await service.stop()
    expect(stderr.match(/sightline[.]log loses lines until .*ENOSPC/g)).toHaveLength(1)
  },
)

test.skipIf(!canMount)(
  'PostgreSQL, killed on a full disk, is tried until there is space, and the other parts stay',
  async () => {
    const folder = await makeDataFolder()
    onTestFinished(folder.remove)
    mountDisk(folder.path, 400 * 2 ** 20)
    // The log has room of its own, to show each try.
    const logs = join(folder.path, 'logs')
    mountDisk(logs, 8 * 2 ** 20)
    const service = await start(folder.path)
    const { catalog = 0, ...others } = await service.parts()
    const ballast = fillDisk(folder.path)
    process.kill(catalog, 'SIGKILL')
    const tries = async () => {
      const log = await readFile(join(logs, 'sightline.log'), 'utf8')
      return log.match(/FATAL:.*No space left on device/g)?.length ?? 0
    }
    // After ten a part is given up, where there is space.
    await until(async () => (await tries()) > 12)
    expect(await service.parts()).toEqual(others)
    await rm(ballast)
    await until(() => isReady(service))
    expect(await service.parts()).toMatchObject(others)
  },
)
