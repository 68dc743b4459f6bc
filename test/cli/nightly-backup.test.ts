import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listBackups, nightlyBackup } from '../../cli/backup/scheduled.ts'
import { inspectBackup, inspectKeeping } from '../../cli/doctor/keeping.ts'
import { locateDataDir } from '../../cli/folder/data-dir.ts'
import { openStorage } from '../../cli/storage/open.ts'
import { readSettings } from '../../core/settings.ts'
import { startBucket } from '../kit/s3.ts'
import { makeDataFolder, runJson } from '../kit/service.ts'

const { bucket, env: storage } = await startBucket()
let folder: Awaited<ReturnType<typeof makeDataFolder>>
let env: Record<string, string>
let context: Parameters<typeof nightlyBackup>[0]

/** Ten answers; three name Acme. */
const lines = Array.from({ length: 10 }, (_, run) =>
  JSON.stringify({
    prompt: 'Which anvil?',
    platform: 'chatgpt',
    run,
    collectedAt: '2026-11-01T08:00:00Z',
    text: run < 3 ? 'Acme.' : 'Bolt.',
  }),
).join('\n')

beforeAll(async () => {
  folder = await makeDataFolder()
  env = {
    ...storage,
    DATA_DIR: folder.path,
    BACKUP_TO: `s3://${bucket}/nightly?keep=2,0,0`,
  }
  context = { settings: readSettings(env), dataDir: locateDataDir(env), asJson: true }
  const project = '{ name: Acme, domain: acme.com, competitors: [{ name: Bolt, domain: bolt.io }] }'
  const acme = join(folder.parent, 'acme.yaml')
  await writeFile(acme, `workspaces: [{ name: Acme, projects: [${project}] }]`)
  await runJson(['apply', '-f', acme], { env })
  const answers = join(folder.parent, 'answers.jsonl')
  await writeFile(answers, lines)
  await runJson(['import', 'answers', '--project', 'Acme', answers], { env })
})
afterAll(() => folder.remove())

const visibilityOf = (env: Record<string, string>) => {
  const days = ['--from', '2026-11-01', '--to', '2026-11-02']
  return runJson(['report', 'visibility', '--project', 'Acme', ...days], { env })
}

test('a backup streams to a bucket, what the rule does not keep goes, and a restore from there gives the same numbers', async () => {
  const { settings } = context
  for (const name of ['2026-11-01T07-15-00Z', '2026-11-02T07-15-00Z']) {
    const old = await openStorage(settings, `s3://${bucket}/nightly/${name}`)
    await old.write('manifest.json', Buffer.from('{}'))
  }
  const died = await openStorage(settings, `s3://${bucket}/nightly/2026-11-03T07-15-00Z`)
  await died.write('catalog/Prompt.copy.zst', Buffer.from('a part'))
  const notes = await openStorage(settings, `s3://${bucket}/nightly`)
  await notes.write('notes/keep.txt', Buffer.from('mine'))

  const report = await nightlyBackup(context)
  expect(report?.removed).toEqual([
    `s3://${bucket}/nightly/2026-11-03T07-15-00Z`,
    `s3://${bucket}/nightly/2026-11-01T07-15-00Z`,
  ])
  const found = await listBackups(settings, `s3://${bucket}/nightly`)
  expect(found.map(({ isComplete }) => isComplete)).toEqual([true, true])
  expect(await notes.read('notes/keep.txt')).toEqual(Buffer.from('mine'))
  const health = async () => inspectBackup(await inspectKeeping(context.dataDir, settings))
  expect((await health()).state).toBe('ok')

  const restored = { ...storage, DATA_DIR: join(folder.parent, 'restored') }
  const done = await runJson(['restore', found[0]?.place ?? ''], { env: restored })
  expect(done).toMatchObject({ rows: report?.rows, takenAt: report?.takenAt })
  expect(await visibilityOf(restored)).toEqual(await visibilityOf(env))
})

test('a file of more than one part is the same in the bucket, and a place that fails is said by doctor', async () => {
  const place = await openStorage(context.settings, `s3://${bucket}/large`)
  const bytes = Buffer.alloc(20 * 2 ** 20, 'Sightline')
  async function* pieces() {
    for (let from = 0; from < bytes.length; from += 3_000_000)
      yield bytes.subarray(from, from + 3_000_000)
  }
  await place.writeStream('facts.zst', pieces())
  await place.writeStream('empty', (async function* () {})())
  expect((await place.read('facts.zst'))?.equals(bytes)).toBe(true)
  expect((await place.list()).sort()).toEqual(['empty', 'facts.zst'])
  await place.clear()
  expect(await place.list()).toEqual([])

  const taken = join(folder.parent, 'a-file')
  await writeFile(taken, '')
  const settings = readSettings({ ...env, BACKUP_TO: taken })
  await expect(nightlyBackup({ ...context, settings })).rejects.toThrow()
  const { state, found } = inspectBackup(await inspectKeeping(context.dataDir, settings))
  expect([state, found]).toEqual(['warning', expect.stringContaining(`${taken} failed`)])
  expect(JSON.parse(await readFile(join(folder.path, 'backup.json'), 'utf8'))).toHaveProperty(
    'takenAt',
  )
})
