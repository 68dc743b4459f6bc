import { once } from 'node:events'
import { appendFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { builtinBots } from '../../core/bots/bots.ts'
import { clearOfMidnight } from '../kit/day.ts'
import { browser, combinedLine, noon, pathsOf } from '../kit/imports/access-logs.ts'
import { makeProject, useStores } from '../kit/imports/imports.ts'
import {
  type CliOptions,
  makeDataFolder,
  runCli,
  runJson,
  spawnCli,
  until,
} from '../kit/service.ts'
import { isSoak } from '../kit/soak.ts'

await clearOfMidnight(180_000)

interface Failed {
  error: { code: string; message: string; details?: { fieldErrors: Record<string, string[]> } }
}

const stores = useStores()
let folder: Awaited<ReturnType<typeof makeDataFolder>>
let options: CliOptions
let file: string

const visit = (path: string) => `${combinedLine({ request: `GET ${path} HTTP/1.1` })}\n`
const stranger = `${combinedLine({ agent: browser })}\n`
const threeLines = visit('/a') + visit('/b') + stranger
const args = (project: string, path: string, ...more: string[]) => [
  'import',
  'access-log',
  path,
  '--project',
  project,
  '--format',
  'combined',
  ...more,
]

beforeAll(async () => {
  folder = await makeDataFolder()
  const urls = { DATABASE_URL: inject('databaseUrl'), CLICKHOUSE_URL: inject('clickhouseUrl') }
  options = { env: { ...urls, DATA_DIR: folder.path } }
  file = join(folder.parent, 'access.log')
})
afterAll(() => folder.remove())

/** The day of each visit. */
const visited = noon(1).toISOString().slice(0, 10)

test('a log is counted line by line, and gives what was added since when it is imported again', async () => {
  const project = await makeProject(stores)
  await writeFile(file, threeLines)
  const days = { from: visited, to: visited }
  const first = { read: 3, kept: 2, dropped: { not_a_crawler: 1 }, isUnfinished: false, days }
  expect(await runJson(args(project, file), options)).toEqual({ ...first, readBefore: 0 })
  await appendFile(file, visit('/c') + visit('/d').slice(0, 40))
  const said = async () => (await runCli(args(project, file), options)).stdout.split('\n')
  expect(await said()).toEqual([
    '1 kept, 0 dropped, of 1 lines. An earlier import read 3 lines.',
    '  The last line is incomplete: the next import will read it.',
    `  Days: ${visited}`,
    '',
  ])
  await writeFile(file, threeLines + visit('/c') + visit('/d'))
  expect(await runJson(args(project, file), options)).toMatchObject({ read: 1, readBefore: 4 })
  expect(await said()).toEqual([
    '0 kept, 0 dropped, of 0 lines. An earlier import read 5 lines.',
    '',
  ])
  expect(await pathsOf(stores, project)).toEqual(['/a', '/b', '/c', '/d'])
})

test('people are told why lines were dropped', async () => {
  const old = combinedLine({ time: '01/Jan/2001:00:00:00 +0000' })
  const input = `${threeLines}${old}\nno line\n`
  const { stdout } = await runCli(args(await makeProject(stores), '-'), { ...options, input })
  expect(stdout.split('\n')).toEqual([
    '2 kept, 3 dropped, of 5 lines.',
    '  1 not from an AI crawler',
    '  1 older than 400 days, or in the future',
    '  1 not readable as a request',
    `  Days: ${visited}`,
    '',
  ])
})

test('a log is known again, whether it comes as a file, packed or by standard input', async () => {
  const project = await makeProject(stores)
  const input = gzipSync(threeLines)
  expect(await runJson(args(project, '-'), { ...options, input })).toMatchObject({ read: 3 })
  await writeFile(`${file}.1.gz`, Buffer.concat([input, gzipSync(visit('/c'))]))
  const grown = await runJson(args(project, `${file}.1.gz`), options)
  expect(grown).toMatchObject({ read: 1, kept: 1, readBefore: 3 })
  const other = visit('/a') + visit('/x')
  const again = await runJson<Failed>(args(project, '-'), { ...options, input: other })
  expect(again.error).toMatchObject({ code: 'input_only_once' })
  expect(await pathsOf(stores, project)).toEqual(['/a', '/b', '/c'])
})

test('the project is linked to its log, once a host, and the change is on record', async () => {
  const project = await makeProject(stores)
  await writeFile(file, threeLines)
  const cdn = ['import', 'access-log', file, '--project', project, '--format', 'cloudflare']
  const runs = [
    args(project, file),
    args(project, file),
    args(project, file, '--host', 'WWW.a.com'),
  ]
  for (const run of runs) await runJson(run, options)
  expect(await runJson(cdn, options)).toMatchObject({ error: { code: 'invalid_argument' } })
  const found = await stores.db.connection.findMany({
    where: { projectId: project },
    orderBy: { createdAt: 'asc' },
    select: { kind: true, host: true },
  })
  expect(found).toEqual([
    { kind: 'log', host: 'acme.com' },
    { kind: 'log', host: 'www.a.com' },
  ])
  const where = { projectId: project, action: 'connection.add' }
  expect(await stores.db.auditEntry.count({ where })).toBe(2)
})

test('the list of crawlers that the tracker keeps says who is one, as long as it is of the same source', async () => {
  const project = await makeProject(stores)
  const source = 'https://crawlers.example/bots.json'
  const [bot] = builtinBots.bots
  const registry = { updatedAt: '2026-01-01', bots: [{ ...bot, pattern: 'AcmeBot' }] }
  const kept = join(folder.path, 'tracker', 'bots.json')
  await mkdir(join(folder.path, 'tracker'), { recursive: true })
  const load = (input: string, CRAWLERS_SOURCE = source) =>
    runJson(args(project, '-'), { env: { ...options.env, CRAWLERS_SOURCE }, input })
  await writeFile(kept, JSON.stringify({ source, list: registry }))
  const both = visit('/gpt') + visit('/acme').replace('GPTBot', 'AcmeBot')
  expect(await load(both)).toMatchObject({ kept: 1, dropped: { not_a_crawler: 1 } })
  expect(await load(visit('/elsewhere'), `${source}?2`)).toMatchObject({ kept: 1 })
  await writeFile(kept, 'damaged')
  expect(await load(visit('/damaged'))).toMatchObject({ kept: 1 })
  expect(await pathsOf(stores, project)).toEqual(['/acme', '/damaged', '/elsewhere'])
})

if (isSoak) {
  test('Ctrl-C ends an import in order, and the next one goes on', async () => {
    const project = await makeProject(stores)
    const whole = visit('/a') + stranger.repeat(40_000) + visit('/b')
    const child = spawnCli([...args(project, '-'), '--json'], options)
    child.stdin?.on('error', () => undefined)
    child.stdin?.write(whole.slice(0, -1))
    await until(async () => {
      const [log] = await stores.db.accessLog.findMany({ where: { projectId: project } })
      return (log?.readLines ?? 0n) > 0n
    })
    child.kill('SIGINT')
    const output = child.stdout ? text(child.stdout) : ''
    const [[code], stdout] = await Promise.all([once(child, 'exit'), output])
    expect(code).toBe(130)
    const { read, kept, interrupted } = JSON.parse(stdout)
    expect({ kept, interrupted }).toEqual({ kept: 1, interrupted: true })
    await writeFile(file, whole)
    const rest = await runJson(args(project, file), options)
    expect(rest).toMatchObject({ read: 40_002 - read, kept: 1, readBefore: read })
    expect(await pathsOf(stores, project)).toEqual(['/a', '/b'])
  })
}

test('what is wrong is named', async () => {
  const project = await makeProject(stores)
  const failure = async (...args: string[]) => (await runJson<Failed>(args, options)).error
  const absent = await failure(...args(project, '/absent.log'))
  expect(absent).toMatchObject({ code: 'file_not_readable' })
  await writeFile(file, threeLines)
  expect(await failure(...args('nonsense', file))).toMatchObject({ code: 'not_found' })
  expect(await failure(...args(project, file, '--host', 'a b'))).toMatchObject({
    code: 'invalid_argument',
    details: { fieldErrors: { host: [expect.stringContaining('a b')] } },
  })
  const noFormat = ['import', 'access-log', file, '--project', project]
  expect(await failure(...noFormat)).toMatchObject({ code: 'usage' })
  const golden = await failure(...noFormat, '--format', 'golden')
  expect(golden.message).toContain('combined, cloudflare, cloudfront, caddy, alb, fastly, iis')
  expect(await stores.db.connection.count({ where: { projectId: project } })).toBe(0)
})

test('its help has an example', async () => {
  const { stdout } = await runCli(['import', 'access-log', '--help'])
  expect(stdout).toMatch(/Example:\n {2}\$ npx sightline import access-log /)
})
