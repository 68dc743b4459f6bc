import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, expect, inject, test, vi } from 'vitest'
import { makeProject, useStores } from '../kit/imports/imports.ts'
import { promptState } from '../kit/imports/prompts.ts'
import {
  type CliOptions,
  makeDataFolder,
  resultOf,
  runCli,
  runJson,
  spawnCli,
} from '../kit/service.ts'
import { sized } from '../kit/soak.ts'

const stores = useStores()
/** Names our connections: other files import prompts into the same database meanwhile. */
const ourName = `import-prompts ${process.pid}`
let folder: Awaited<ReturnType<typeof makeDataFolder>>
let options: CliOptions
let project = ''

beforeAll(async () => {
  folder = await makeDataFolder()
  // Prompts need no warehouse: none is started, and none is asked.
  const url = new URL(inject('databaseUrl'))
  url.searchParams.set('application_name', ourName)
  options = { env: { DATABASE_URL: url.href, DATA_DIR: folder.path } }
})
afterAll(() => folder.remove())
beforeEach(async () => {
  project = await makeProject(stores)
})

const args = (path: string, ...more: string[]) => [
  'import',
  'prompts',
  path,
  '--project',
  project,
  ...more,
]

async function fileOf(name: string, content: string | Buffer): Promise<string> {
  const path = join(folder.parent, name)
  await writeFile(path, content)
  return path
}

const csv =
  'Prompt;Topic;Volume;Owner\nbest speakers?;Audio;10;Ann\nIs Acme any good?;;x;Bob\n;;;\n'
const json = {
  read: 2,
  created: 1,
  updated: 0,
  unchanged: 0,
  repeated: 0,
  ignoredColumns: ['Owner'],
  rejected: [{ line: 3, reason: '`volume` must be a number from 0 to 2147483647; got `x`.' }],
}

test('a file says what became of its lines, to people and to programs, and twice is once', async () => {
  const path = await fileOf('prompts.csv', csv)
  const { stdout, code } = await runCli(args(path), options)
  expect([code, ...stdout.split('\n')]).toEqual([
    0,
    '1 created, 0 updated, 0 unchanged, 1 rejected, of 2 lines.',
    '  line 3: `volume` must be a number from 0 to 2147483647; got `x`.',
    '  Ignored columns: Owner',
    '',
  ])
  expect(await runJson(args(path), options)).toEqual({ ...json, created: 0, unchanged: 1 })
  expect(await promptState(stores.db, project)).toMatchObject([
    { text: 'best speakers?', topics: ['0 Audio'], volume: 10, revision: 1 },
  ])
})

test('packed, or by standard input, it is the same', async () => {
  const packed = gzipSync(csv)
  expect(await runJson(args(await fileOf('prompts.csv.gz', packed)), options)).toEqual(json)
  const again = await runJson(args('-'), { ...options, input: packed })
  expect(again).toEqual({ ...json, created: 0, unchanged: 1 })
})

test('what refuses the file as a whole ends with 1 or 2, and says why', async () => {
  const failures = [
    [args(await fileOf('a.csv', 'name\nx\n')), 'has no column "text"', 2],
    [
      args(await fileOf('b.csv', Buffer.from('text\n\xe9\n', 'latin1'))),
      'neither UTF-8 nor UTF-16',
      2,
    ],
    [args(join(folder.parent, 'missing.csv')), 'cannot be read', 1],
    [['import', 'prompts', '-', '--project', 'none'], 'There is no project', 1],
  ] as const
  for (const [line, reason, exitCode] of failures) {
    const { code, stderr } = await runCli(line, { ...options, input: 'text\na\n' })
    expect([code, stderr]).toEqual([exitCode, expect.stringContaining(reason)])
  }
  expect(await promptState(stores.db, project)).toEqual([])
})

test('Ctrl-C ends the reading: what was read until then is imported, and the same again goes on', async () => {
  const child = spawnCli(args('-', '--json'), options)
  const result = resultOf(child)
  child.stdin?.write(`text\n${lines(5000)}cut of`)
  await vi.waitFor(async () => expect(await waiting()).toBe(1), { timeout: 60_000, interval: 50 })
  child.kill('SIGINT')
  const { code, stdout } = await result
  expect([code, JSON.parse(stdout)]).toMatchObject([130, { interrupted: true, rejected: [] }])
  const { read } = JSON.parse(stdout)
  expect(await stores.db.prompt.count({ where: { projectId: project } })).toBe(read)
  expect(await stores.db.prompt.count({ where: { projectId: project, text: 'cut of' } })).toBe(0)
  const whole = await runJson(args('-'), { ...options, input: `text\n${lines(5000)}cut off?` })
  expect(whole).toMatchObject({ created: 5001 - read, unchanged: read })
})

const lines = (count: number, more = '') =>
  Array.from({ length: count }, (_, i) => `prompt number ${i}${more}\n`).join('')

/** How many imports hold staged lines, and wait for more. */
async function waiting(): Promise<number> {
  const [row] = await stores.db.$queryRaw<{ open: number }[]>`
    SELECT count(*)::int AS open FROM pg_stat_activity
     WHERE application_name = ${ourName} AND state = 'idle in transaction' AND query LIKE '%staged_prompt%'`
  return row?.open ?? 0
}

const killedLines = sized({ normal: 8000, soak: 20_000 })

test('killed, it leaves nothing; again, it is as if it had been once', async () => {
  const header = 'text,topic,volume\n'
  const row = (i: number) => `prompt number ${i},Topic ${i % 7},${i}\n`
  const path = await fileOf(
    'many.csv',
    header + Array.from({ length: killedLines }, (_, i) => row(i)).join(''),
  )
  const child = spawnCli(args('-'), options)
  const ended = once(child, 'exit')
  child.stdin?.on('error', () => undefined)
  child.stdin?.write(header + Array.from({ length: 5000 }, (_, i) => row(i)).join(''))
  await vi.waitFor(async () => expect(await waiting()).toBe(1), { timeout: 60_000, interval: 50 })
  child.kill('SIGKILL')
  await ended
  expect(await promptState(stores.db, project)).toEqual([])
  const counts = { read: killedLines, updated: 0, repeated: 0, rejected: [] }
  expect(await runJson(args(path), options)).toMatchObject({ ...counts, created: killedLines })
  expect(await runJson(args(path), options)).toMatchObject({ ...counts, unchanged: killedLines })
  expect(await stores.db.topic.count({ where: { projectId: project } })).toBe(7)
})

/** What the process holds in memory at most, as the kernel counts it. */
async function peakBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024
}

const lineCounts = sized({ normal: [1000, 6000], soak: [10_000, 100_000] } as const)

test('many lines take hardly more memory than few', async () => {
  const [fewLines, manyLines] = lineCounts
  // The command needs 70 to 80 MB of heap: what it kept of each line would soon exceed the limit, and end it.
  const NODE_OPTIONS = '--max-old-space-size=96 --max-semi-space-size=8'
  const importing = async (count: number) => {
    const child = spawnCli(args('-', '--json'), { env: { ...options.env, NODE_OPTIONS } })
    const result = resultOf(child)
    let peak = 0
    const watch = setInterval(async () => {
      peak = Math.max(peak, await peakBytes(child.pid ?? 0))
    }, 20)
    child.stdin?.end(`text,topic\n${lines(count, ',Topic')}`)
    const { stdout, stderr } = await result
    clearInterval(watch)
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toMatchObject({ read: count, rejected: [] })
    return peak
  }
  const few = await importing(fewLines)
  expect(few).toBeGreaterThan(0)
  expect((await importing(manyLines)) - few).toBeLessThan(64 * 1024 * 1024)
  expect(await stores.db.prompt.count({ where: { projectId: project } })).toBe(manyLines)
})
