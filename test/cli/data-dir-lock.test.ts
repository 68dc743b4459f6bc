import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { locateDataDir, makeDataDir, readSecrets } from '../../cli/folder/data-dir.ts'
import { askOwner, tryLockDataDir } from '../../cli/folder/data-dir-lock.ts'

test('engines that stop are offered to no other command', async () => {
  const path = await mkdtemp(join(tmpdir(), 'sightline-lock-'))
  onTestFinished(() => rm(path, { recursive: true }))
  const dataDir = locateDataDir({ DATA_DIR: path })
  await makeDataDir(dataDir)
  const secrets = await readSecrets(dataDir)
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
