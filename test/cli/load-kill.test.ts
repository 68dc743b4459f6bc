import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { locateDataDir } from '../../cli/folder/data-dir.ts'
import { startEmptyService } from '../kit/data-folders.ts'
import { faultsOf, type Load, makeBusyProject, startLoad, storedOf } from '../kit/load.ts'
import { isAlive, type TestService, until } from '../kit/service.ts'
import { sized } from '../kit/soak.ts'
import { isShipped } from '../kit/tracker/folder.ts'
import { processesOf } from './demo-service.ts'

/** Every part of one service is killed while clients write and read, in the soak again and again. `KILLS` says how often each. */

const kills = Number(process.env.KILLS ?? sized({ normal: 1, soak: 3 }))
const parts = ['catalog', 'warehouse', 'api', 'worker', 'tracker', 'trackerWriter'] as const

/** Right reads after which a part counts as working again: both doors have answered. */
const enoughReads = 6

/** Kills a part so often, and each time waits until it is back and readers get their numbers. */
async function killAgain(service: TestService, { reads }: Load, part: (typeof parts)[number]) {
  for (let kill = 0; kill < kills; kill++) {
    await sleep(Math.random() * 3000)
    const before = await service.pidOf(part)
    process.kill(before, 'SIGKILL')
    await until(async () => ![undefined, before].includes((await service.parts())[part]))
    const { right } = reads
    await until(() => reads.right >= right + enoughReads)
  }
}

test(`${kills} kills of each part under load lose no acknowledged write, do none twice, and show no wrong number`, async () => {
  const service = await startEmptyService({ LOG_LEVEL: 'error' })
  onTestFinished(async () => void (await service.stop()))
  const project = await makeBusyProject(service)
  const load = startLoad(service, project)
  await sleep(1000)
  // The parts are killed beside each other.
  await Promise.all(parts.map((part) => killAgain(service, load, part)))
  await sleep(1000)
  await load.stop()
  const { tracker } = locateDataDir({ DATA_DIR: service.dataDir })
  await until(() => isShipped(tracker))
  const whole = { lost: [], twice: [], otherId: [], foreign: [] }
  expect(load.surprises).toEqual([])
  expect(faultsOf(load.ledgers, await storedOf(service, project))).toEqual({
    prompts: whole,
    topics: whole,
    imports: whole,
    events: whole,
  })
  for (const { acknowledged } of Object.values(load.ledgers)) {
    expect(acknowledged.size).toBeGreaterThan(0)
  }
  // Its parts end with the supervisor.
  const processes = await processesOf(service)
  expect(processes).toHaveLength(7)
  service.signal('SIGKILL')
  await until(() => !processes.some(isAlive))
}, 3_600_000)
