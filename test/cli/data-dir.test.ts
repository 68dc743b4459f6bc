import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { type DataDir, locateDataDir, makeDataDir, readSecrets } from '../../cli/folder/data-dir.ts'
import { makeDemo } from '../../demo/demo.ts'
import { readDemo } from '../../demo/file.ts'
import { copyDemo } from '../kit/data-folders.ts'
import { makeDataFolder, startService } from '../kit/service.ts'

let dataDir: DataDir

beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  dataDir = locateDataDir({ DATA_DIR: join(folder, 'data') })
})

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    (error) => error.code as string,
  )

describe('secrets', () => {
  test.each(['postgres', 'warehouse', 'tracker'] as const)(
    'that are missing beside %s/ are not replaced, and the error says what to restore',
    async (place) => {
      await makeDataDir(dataDir)
      await mkdir(dataDir[place], { recursive: true })
      await writeFile(join(dataDir[place], 'data'), 'x')
      const refused = readSecrets(dataDir)
      expect(await codeOf(refused)).toBe('secrets_missing')
      await expect(refused).rejects.toThrow(`Restore secrets.json from a backup of ${dataDir.path}`)
      expect(await codeOf(stat(dataDir.secrets))).toBe('ENOENT')
    },
  )

  test('are made at the first start, whose folders are empty', async () => {
    await makeDataDir(dataDir)
    const secrets = await readSecrets(dataDir)
    await writeFile(join(dataDir.tracker, 'data'), 'x')
    expect(await readSecrets(dataDir)).toEqual(secrets)
  })
})

describe('a folder that cannot be written', () => {
  test.each(['a file', 'below a file', 'of the system'])(
    'that is %s is refused at once',
    async (kind) => {
      const file = join(dataDir.path, '..', 'file')
      await writeFile(file, 'x')
      const places: Record<string, string> = { 'a file': file, 'below a file': join(file, 'data') }
      const place = locateDataDir({ DATA_DIR: places[kind] ?? '/proc/sightline' })
      const refused = makeDataDir(place)
      expect(await codeOf(refused)).toBe('data_dir_not_writable')
      await expect(refused).rejects.toThrow(`${place.path} cannot be used by`)
    },
  )

  test('that belongs to another user is refused', async () => {
    await makeDataDir(dataDir)
    await chmod(dataDir.path, 0o500)
    const isRoot = process.getuid?.() === 0
    // Root may write anywhere: for a moment this process is nobody.
    if (isRoot) process.seteuid?.(65534)
    try {
      expect(await codeOf(makeDataDir(dataDir))).toBe('data_dir_not_writable')
    } finally {
      if (isRoot) process.seteuid?.(0)
    }
    await chmod(dataDir.path, 0o700)
  })
})

describe('what other users can read', () => {
  test.each([
    ['path', 0o755, '700'],
    ['path', 0o710, '700'],
    ['secrets', 0o644, '600'],
    ['secrets', 0o660, '600'],
    ['demo', 0o604, '600'],
  ] as const)('%s with the mode %o is refused with chmod %s', async (place, mode, mended) => {
    await makeDataDir(dataDir)
    await readSecrets(dataDir)
    await writeFile(dataDir.demo, '{}', { mode: 0o600 })
    await makeDataDir(dataDir)
    await chmod(dataDir[place], mode)
    const refused = makeDataDir(dataDir)
    expect(await codeOf(refused)).toBe('data_dir_exposed')
    await expect(refused).rejects.toThrow(`Run: chmod ${mended} ${dataDir[place]}`)
    await chmod(dataDir[place], Number.parseInt(mended, 8))
    expect(await codeOf(makeDataDir(dataDir))).toBe('none')
  })
})

test.each(['', '{', '{"projectId":"x"}'])(
  'the demo of the file "%s" is not made twice',
  async (text) => {
    await makeDataDir(dataDir)
    await writeFile(dataDir.demo, text)
    // It asks no store: there is none.
    const made = makeDemo(dataDir, await readSecrets(dataDir), {} as never)
    await expect(made).rejects.toThrow(`${dataDir.demo} is damaged`)
    expect(await readFile(dataDir.demo, 'utf8')).toBe(text)
    await rm(dataDir.demo)
    expect(await readDemo(dataDir)).toBeUndefined()
  },
)

test('a service with a damaged demo.json starts without the demo, and leaves the file', async () => {
  const folder = await makeDataFolder()
  onTestFinished(folder.remove)
  await copyDemo(folder.path)
  const { demo, path } = locateDataDir({ DATA_DIR: folder.path })
  const before = JSON.parse(await readFile(demo, 'utf8'))
  await writeFile(demo, '{')
  const service = await startService({ dataDir: path })
  expect(service.demoKey).toBe('')
  const { projects } = (await (await service.get('/api/mcp/projects', before.key)).json()) as {
    projects: unknown[]
  }
  // Those of the first start, and no second demo.
  expect(projects).toHaveLength(2)
  await service.stop()
  expect(await readFile(demo, 'utf8')).toBe('{')
})
