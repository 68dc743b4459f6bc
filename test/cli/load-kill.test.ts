import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { locateDataDir } from '../../cli/folder/data-dir.ts'
import { startEmptyService } from '../kit/data-folders.ts'
import { accountOf, writeKinds } from '../kit/kills/ledger.ts'
import { type Load, startLoad } from '../kit/kills/load.ts'
import { makePlace, storedIn } from '../kit/kills/place.ts'
import { type TestService, until } from '../kit/service.ts'
import { sized } from '../kit/soak.ts'
import { isShipped } from '../kit/tracker/folder.ts'

/** Every part of one service is killed while clients write and read, in the soak again and again. `KILLS` says how often each. */

const kills = Number(process.env.KILLS ?? sized({ normal: 1, soak: 3 }))
const parts = ['catalog', 'warehouse', 'api', 'worker', 'tracker', 'trackerWriter'] as const

/** Right reads after which a part counts as working again: both doors have answered. */
const enoughReads = 12

/**
 * Kills a part so often, and each time waits until it is back and readers get their numbers. The parts are killed beside
 * each other.
 */
async function killAgain(service: TestService, { reads }: Load, part: (typeof parts)[number]) {
  let done = 0
  for (; done < kills; done++) {
    await sleep(Math.random() * 3000)
    const before = await service.pidOf(part)
    process.kill(before, 'SIGKILL')
    await until(async () => ![undefined, before].includes((await service.parts())[part]))
    const { right } = reads
    await until(() => reads.right >= right + enoughReads)
  }
  return done
}

test(`${kills} kills of each part under load lose no acknowledged write, do none twice, and show no wrong number`, async () => {
  const service = await startEmptyService({ LOG_LEVEL: 'error' })
  onTestFinished(async () => void (await service.stop()))
  const place = await makePlace(service)
  const began = performance.now()
  const load = startLoad(place)
  await sleep(1000)
  const killed = await Promise.all(parts.map((part) => killAgain(service, load, part)))
  await sleep(1000)
  await load.stop()
  const { tracker } = locateDataDir({ DATA_DIR: service.dataDir })
  await until(() => isShipped(tracker))
  const stored = await storedIn(service, place)
  const accounts = Object.fromEntries(
    writeKinds.map((kind) => [kind, accountOf(load.ledgers[kind], stored[kind])]),
  )
  const seconds = Math.round((performance.now() - began) / 1000)
  const { reads, wrongReads, surprises } = load
  const told = {
    kills: Object.fromEntries(parts.map((part, at) => [part, killed[at]])),
    seconds,
    reads,
  }
  process.stdout.write(`${JSON.stringify({ ...told, wrongReads: wrongReads.length, accounts })}\n`)
  expect({ wrongReads, surprises }).toEqual({ wrongReads: [], surprises: [] })
  for (const [kind, account] of Object.entries(accounts)) {
    // A report waits for the one before, whose job a killed worker takes up again after half a minute.
    if (kind !== 'restReports') expect(account.givenUp).toBe(0)
    expect(account).toMatchObject({ lost: 0, twice: 0, otherId: 0, foreign: 0 })
    expect(account.acknowledged).toBeGreaterThan(0)
  }
  expect(reads.right).toBeGreaterThan(kills)
}, 3_600_000)
