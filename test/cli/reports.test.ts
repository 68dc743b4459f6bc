import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, inject, test } from 'vitest'
import { collected } from '../agreement/ways.ts'
import { useApi } from '../kit/api.ts'
import { answers, brand } from '../kit/reports.ts'
import { runCli, runJson } from '../kit/service.ts'

const api = useApi()

let env: Record<string, string> = {}
let project = ''
let id = ''

interface Shown {
  readonly id: string
  readonly title: string
  readonly status: string
  readonly shareUrl: string | null
}

beforeAll(async () => {
  const workspace = await api.workspace()
  project = await workspace.project(brand)
  await workspace.load(project, answers)
  env = {
    DATABASE_URL: api.databaseUrl,
    CLICKHOUSE_URL: inject('clickhouseUrl'),
    DATA_DIR: `${inject('runFolder')}/reports-cli`,
    PUBLIC_URL: 'https://sightline.test',
  }
})

const reports = (name: string, ...args: string[]) => ['report', name, '--project', project, ...args]
const may = ['--from', '2025-05-01', '--to', '2025-05-30']
const json = async (...args: Parameters<typeof reports>) =>
  (await runJson<{ report: Shown }>(reports(...args), { env })).report

test('report create makes the report without a worker, and report list shows it', async () => {
  expect((await runCli(reports('list'), { env })).stdout).toBe('No reports.\n')
  const made = await runCli(reports('create', '--type', 'visibility', ...may), { env })
  const title = 'Visibility of Acme, 1 – 30 May 2025'
  expect([made.code, made.stdout]).toEqual([
    0,
    expect.stringMatching(/^Created report [0-9a-f-]{36}: Visibility of Acme, .+\n$/),
  ])
  const { reports: all } = await runJson<{ reports: Shown[] }>(reports('list'), { env })
  expect(all).toEqual([
    {
      id: expect.any(String),
      reportType: 'visibility',
      title,
      status: 'completed',
      shareUrl: null,
      dateRange: { from: '2025-05-01', to: '2025-05-30' },
      createdAt: expect.any(String),
      completedAt: expect.any(String),
    },
  ])
  id = all[0]?.id ?? ''
  const { stdout } = await runCli(reports('list'), { env })
  expect(stdout).toMatch(new RegExp(`^${id}  \\d{4}-\\d\\d-\\d\\d  completed  ${title}\\n$`))
})

test('report share opens a link; report revoke closes it, and the next link is another', async () => {
  const first = await runCli(reports('share', id), { env })
  expect(first.stdout).toMatch(/^https:\/\/sightline\.test\/share\/[\w.-]+\n$/)
  const { shareUrl } = await json('share', id)
  expect(`${shareUrl}\n`).toBe(first.stdout)
  const closed = await runCli(reports('revoke', id), { env })
  expect(closed.stdout).toBe(`Closed the link of report ${id}\n`)
  expect((await json('revoke', id)).shareUrl).toBeNull()
  expect((await json('share', id, '--no-texts')).shareUrl).not.toBe(shareUrl)
  const row = await api.db.report.findUniqueOrThrow({ where: { id } })
  expect([row.isShared, row.proofTexts]).toEqual([true, false])
})

test('report create --share prints the link of a report with its own title', async () => {
  const title = ['--title', 'For the board', '--share']
  const { report } = await runJson<{ report: Shown }>(reports('create', ...may, ...title), { env })
  expect(report).toMatchObject({ title: 'For the board', status: 'completed' })
  expect(report.shareUrl).toContain('https://sightline.test/share/')
})

test('a wrong type, window or report is named', async () => {
  const refused = [
    [reports('create', '--type', 'traffic'), 2, 'reportType'],
    [reports('create', '--days', '30', ...may), 2, 'days'],
    [reports('create', '--days', 'many'), 2, 'days'],
    [reports('share', '3fa85f64-5717-4562-b3fc-2c963f66afa6'), 1, 'not_found'],
    [reports('revoke', 'x'), 1, 'not_found'],
  ] as const
  for (const [args, exitCode, word] of refused) {
    const { code, stdout } = await runCli([...args, '--json'], { env })
    expect([code, stdout]).toEqual([exitCode, expect.stringContaining(word)])
  }
})

test('report --obtained narrows the reports of both doors, and report agreement compares the ways', async () => {
  const workspace = await api.workspace()
  const of = await workspace.project(brand)
  const day = (at: number) => ({ collectedAt: `2025-05-0${at}T08:00:00Z` })
  await workspace.load(of, [day(1)])
  await collected(api, of, [
    { ...day(2), text: 'Acme is great.' },
    { ...day(3) },
    { ...day(2), platform: 'chatgpt_surface', text: 'Acme is great.' },
  ])
  const run = (name: string, ...args: string[]) =>
    runCli(['report', name, '--project', of, ...args, ...may], { env })
  const answersOf = async (...ways: string[]) =>
    JSON.parse((await run('visibility', ...ways, '--json')).stdout) as object
  expect(await answersOf()).toMatchObject({ summary: { totalResponses: 4 } })
  expect(await answersOf('--obtained', 'api')).toMatchObject({ summary: { totalResponses: 2 } })
  expect(await answersOf('--obtained', 'surface,imported')).toMatchObject({
    summary: { totalResponses: 2 },
  })
  const refused = await run('answers', '--obtained', 'guessed')
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringContaining('`--obtained` must be of surface, api, imported; got `guessed`.'),
  ])
  const { stdout } = await run('agreement')
  expect(stdout).toMatch(/^api +2$/m)
  expect(stdout).toMatch(/^ChatGPT +surface +api +1 +1 +100\.0% +100\.0% +100\.0% +100\.0%/m)
})

test('a proof of the visibility is verified without the stores, and a change of it is found', async () => {
  const made = await runCli(reports('prove', ...may), { env })
  expect(made.code).toBe(0)
  const folder = await mkdtemp(join(tmpdir(), 'proof-'))
  const file = join(folder, 'proof.json')
  await writeFile(file, made.stdout)
  const nothing = { DATA_DIR: join(folder, 'none') }
  const verified = await runCli(['verify', file], { env: nothing })
  expect([verified.code, verified.stdout]).toEqual([
    0,
    expect.stringMatching(
      /^Acme, 2025-05-01 to 2025-05-30\nRecounted from \d+ answers, equal:\nVisibility: [^\n]+\nShare of voice: [^\n]+\nAverage position: [^\n]+\nSigned by the key [\w-]{43}\.\n$/,
    ),
  ])
  const bare = await runCli(reports('prove', '--no-texts', ...may), { env })
  expect(made.stdout.length).toBeGreaterThan(bare.stdout.length)
  await writeFile(file, bare.stdout.replace('"2025-05-01"', '"2025-05-02"'))
  const changed = await runCli(['verify', file, '--json'], { env: nothing })
  expect(changed.code).toBe(1)
  expect(JSON.parse(changed.stdout)).toMatchObject({ isValid: false, textsRead: 0 })
  expect(await readdir(folder)).toEqual(['proof.json'])
  await rm(folder, { recursive: true })
})
