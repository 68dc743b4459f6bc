import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { locateDataDir, makeDataDir, readSecrets } from '../../cli/folder/data-dir.ts'
import { askOwner, tryLockDataDir } from '../../cli/folder/data-dir-lock.ts'
import { isSoak } from '../kit/soak.ts'

async function makeFolder() {
  const path = await mkdtemp(join(tmpdir(), 'sightline-lock-'))
  onTestFinished(() => rm(path, { recursive: true }))
  const dataDir = locateDataDir({ DATA_DIR: path })
  await makeDataDir(dataDir)
  return { dataDir, secrets: await readSecrets(dataDir) }
}

if (isSoak) {
  test('who asks while owners come and go finds one or none', async () => {
    const { dataDir, secrets } = await makeFolder()
    let isOver = false
    const owners = async () => {
      while (!isOver) {
        const lock = await tryLockDataDir(dataDir, secrets, { command: 'test', temporary: true })
        await sleep(1)
        await lock?.release()
      }
    }
    const found: (number | undefined)[] = []
    const ask = async () => {
      for (let i = 0; i < 400; i++) {
        const answer = await askOwner(dataDir, secrets)
        found.push(answer?.owner.pid)
        answer?.leave()
      }
    }
    const coming = owners()
    await Promise.all([ask(), ask(), ask()]).finally(() => {
      isOver = true
    })
    await coming
    expect(new Set(found)).toEqual(new Set([process.pid, undefined]))
  })
}

test('engines that stop are offered to no other command', async () => {
  const { dataDir, secrets } = await makeFolder()
  const lock = await tryLockDataDir(dataDir, secrets, { command: 'test', temporary: true })
  if (!lock) throw new Error('The folder is locked.')
  lock.publish({ catalog: { pid: 1, port: 5432 }, warehouse: { pid: 2, port: 8123 } })

  const guest = await askOwner(dataDir, secrets)
  expect(guest?.owner).toMatchObject({ catalog: { port: 5432 }, warehouse: { port: 8123 } })
  const unused = lock.unused()
  guest?.leave()
  await unused

  const late = await askOwner(dataDir, secrets)
  expect(late?.owner.catalog).toBeUndefined()
  expect(late?.owner.warehouse).toBeUndefined()
  late?.leave()
  await lock.release()
})
