import { appendFile, cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendJob } from '../../../resolvers/shared/jobs.ts'
import { useProviders } from '../../kit/collecting/provider.ts'
import {
  type BusyProject,
  faultsOf,
  type Load,
  makeBusyProject,
  openStores,
  startLoad,
  storedOf,
} from '../../kit/load.ts'
import {
  makeDataFolder,
  resultOf,
  runCli,
  runJson,
  spawnCli,
  startService,
  type TestService,
  until,
} from '../../kit/service.ts'
import { sized } from '../../kit/soak.ts'
import { startDemo } from '../demo-service.ts'
import { answersOf, graphOf, readsOf } from './answers.ts'
import {
  type AskingProject,
  askedOf,
  askNow,
  filesWith,
  makeAskingProject,
  providerSecret,
} from './collecting.ts'

interface Report {
  readonly takenAt: string
  readonly rows: { readonly catalog: number; readonly warehouse: number }
  readonly heldMs: number
}

const providers = await useProviders()
const env = { ALLOW_PRIVATE_HOSTS: providers.hosts }
let source: TestService
let busy: BusyProject
let asking: AskingProject
let asked: Awaited<ReturnType<typeof askedOf>>
let folder: Awaited<ReturnType<typeof makeDataFolder>>
let backup = ''
let before: Load['ledgers']
let paths: string[]
let answers: Record<string, unknown>
let report: Report

const errorOf = async (args: string[], env: Record<string, string>) => {
  const { error } = await runJson<{ error: { code: string; message: string } }>(args, { env })
  return error
}
const newFolder = (name: string) => join(folder.parent, name)

beforeAll(async () => {
  folder = await makeDataFolder()
  backup = newFolder('backup')
  source = await startDemo(env)
  // A job of the demonstration that would end after the backup.
  const stores = await openStores(source)
  await sendJob(stores.db, 'opportunities', { projectId: source.demoProjectId })
  // The API would count each look against the rate of its key.
  const where = { projectId: source.demoProjectId }
  await until(async () => (await stores.db.opportunity.count({ where })) > 0)
  await stores.close()
  busy = await makeBusyProject(source)
  asking = await makeAskingProject(source, providers)
  asked = await askedOf(source, asking)
})
afterAll(async () => {
  await source.stop()
  await folder.remove()
})

test('a backup takes both stores while imports, writes and events go on', async () => {
  paths = await readsOf(source)
  const load = startLoad(source, busy)
  await until(() => load.ledgers.imports.acknowledged.size >= sized({ normal: 2, soak: 4 }))
  before = structuredClone(load.ledgers)
  report = await runJson<Report>(['backup', backup], { env: source.env })
  await load.stop()
  expect(load.surprises).toEqual([])
  // An error of the command would stand here.
  expect(report).toHaveProperty('rows')
  answers = await answersOf(source, paths)
  expect(report.rows.warehouse).toBeGreaterThan(40_000)
})

test('a restored service gives the same answer to each read, and has every acknowledged write once', async () => {
  const graph = await graphOf(source)
  const dataDir = newFolder('restored')
  const restored = await runJson<Report>(['restore', backup], { env: { DATA_DIR: dataDir } })
  expect(restored).toMatchObject({ takenAt: report.takenAt, rows: report.rows })
  const service = await startService({ dataDir, env })
  expect(service.demoKey).toBe(source.demoKey)
  expect(paths.length).toBeGreaterThan(50)
  const again = await answersOf(service, paths)
  for (const path of paths) expect([path, again[path]]).toEqual([path, answers[path]])
  expect(await graphOf(service)).toEqual(graph)

  // What was asked is there, and the schedule asks on, with the key that the restored secrets open.
  expect(asked).toMatchObject({ runs: [{ status: 'completed' }], schedules: [{ enabled: true }] })
  expect(asked.asks.map(({ state }) => state)).toEqual(Array(4).fill('answered'))
  expect([asked.bodies.length, asked.providerKeys.length]).toEqual([4, 1])
  const restoredAsked = await askedOf(service, asking)
  expect(restoredAsked).toEqual(asked)
  const [schedule] = restoredAsked.schedules
  expect(schedule?.nextRunAt?.toISOString()).toMatch(/-01-01T0[67]:/)
  expect(schedule?.nextRunAt?.getTime()).toBeGreaterThan(Date.now())
  providers.questions.length = 0
  await askNow(service, asking)
  expect(providers.questions.map(({ headers }) => headers.authorization)).toEqual(
    Array(4).fill(`Bearer ${providerSecret}`),
  )
  expect(await askedOf(service, asking)).toMatchObject({ runs: { length: 2 }, asks: { length: 8 } })

  // The writer goes on at its checkpoint.
  const eventsOf = async () => new Map((await storedOf(service, busy)).events)
  await until(async () => {
    const stored = await eventsOf()
    return [...before.events.acknowledged.keys()].every((path) => stored.has(path))
  })
  // What was written while the backup ran may be there.
  const whole = { lost: [], twice: [], otherId: [] }
  const all = { prompts: whole, topics: whole, imports: whole, events: whole }
  expect(faultsOf(before, await storedOf(service, busy))).toMatchObject(all)

  // A new import is whole too: no row of an import that was under way joins it.
  const load = startLoad(service, busy)
  const { acknowledged } = load.ledgers.imports
  await until(() => acknowledged.size > before.imports.acknowledged.size + 2)
  await load.stop()
  const { imports } = faultsOf(load.ledgers, await storedOf(service, busy))
  expect(imports).toMatchObject({ lost: [], twice: [] })
  await service.stop()
})

test('the folder of a backup is for its owner only, and a second backup does not replace it', async () => {
  const modes = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)
  expect(await modes(backup)).toBe('700')
  for (const name of await readdir(backup, { recursive: true, withFileTypes: true })) {
    const mode = await modes(join(name.parentPath, name.name))
    expect([name.name, mode]).toEqual([name.name, name.isDirectory() ? '700' : '600'])
  }
  expect(await errorOf(['backup', backup], source.env)).toMatchObject({ code: 'backup_exists' })
})

test('a backup has no key of a provider in clear', async () => {
  expect(await filesWith(backup, providerSecret)).toEqual([])
  // The same search finds the label of the key, and a body.
  expect(await filesWith(backup, 'openai')).toContain('catalog/ProviderKey.copy.zst')
  const [body] = await filesWith(backup, 'https://acme.com/cited')
  expect(body).toMatch(/^warehouse\//)
})

test('restore refuses a running service, a folder with data, and a service without data', async () => {
  expect(await errorOf(['restore', backup], source.env)).toMatchObject({ code: 'data_dir_in_use' })
  const used = newFolder('used')
  await mkdir(join(used, 'postgres'), { recursive: true })
  const inUsed = await errorOf(['restore', backup], { DATA_DIR: used })
  expect(inUsed.code).toBe('data_dir_not_empty')
  expect(inUsed.message).toContain('set DATA_DIR to a new folder')
  const none = await errorOf(['backup', newFolder('none')], { DATA_DIR: newFolder('nothing') })
  expect(none.code).toBe('nothing_to_back_up')
  const { code, stderr } = await runCli(['restore', newFolder('absent')], {
    env: { DATA_DIR: newFolder('x') },
  })
  expect([code, stderr]).toEqual([1, expect.stringContaining('Name the folder of a backup.')])
})

test('restore refuses a damaged, an incomplete and a newer backup, and makes no data', async () => {
  const faults: [code: string, breakIt: (dir: string) => Promise<unknown>][] = [
    ['backup_damaged', (dir) => appendFile(join(dir, 'catalog/Prompt.copy.zst'), 'x')],
    ['backup_damaged', (dir) => rm(join(dir, 'tracker/checkpoint'))],
    ['backup_damaged', (dir) => writeFile(join(dir, 'manifest.json'), '{"format":1}')],
    ['backup_incomplete', (dir) => rm(join(dir, 'manifest.json'))],
    ['backup_newer', (dir) => writeFile(join(dir, 'manifest.json'), '{"format":2}')],
    [
      'backup_newer',
      (dir) => renameMigration(dir, '20261120135038_catalog', '20991120135038_later'),
    ],
  ]
  for (const [index, [code, breakIt]] of faults.entries()) {
    const dir = newFolder(`fault-${index}`)
    await cp(backup, dir, { recursive: true })
    await breakIt(dir)
    const dataDir = newFolder(`into-${index}`)
    expect(await errorOf(['restore', dir], { DATA_DIR: dataDir })).toMatchObject({ code })
    await expect(stat(join(dataDir, 'secrets.json'))).rejects.toThrow('ENOENT')
  }
})

async function renameMigration(dir: string, from: string, to: string): Promise<void> {
  const text = await readFile(join(dir, 'manifest.json'), 'utf8')
  await writeFile(join(dir, 'manifest.json'), text.replace(from, to))
}

test('a killed backup leaves a folder that restore refuses, and the next backup works', async () => {
  for (let kill = 0; kill < sized({ normal: 1, soak: 4 }); kill++) {
    const dir = newFolder(`killed-${kill}`)
    const child = spawnCli(['backup', dir], { env: source.env })
    const ended = resultOf(child)
    const isThere = () => stat(join(dir, 'tracker')).then(Boolean, () => false)
    await until(async () => child.exitCode !== null || (await isThere()))
    await new Promise((resolve) => setTimeout(resolve, kill * 40))
    child.kill('SIGKILL')
    const { code } = await ended
    if (code === 0) continue
    const error = await errorOf(['restore', dir], { DATA_DIR: newFolder('after-kill') })
    expect(error.code).toBe('backup_incomplete')
  }
  const options = ['--without-secrets', newFolder('after')]
  const next = await runJson<Report>(['backup', ...options], { env: source.env })
  expect(next.rows.warehouse).toBeGreaterThanOrEqual(report.rows.warehouse)
  expect(await readdir(newFolder('after'))).not.toContain('secrets.json')
})
