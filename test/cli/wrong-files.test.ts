import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { useApi } from '../kit/api.ts'
import { clfTime } from '../kit/imports/access-logs.ts'
import { type CliOptions, makeDataFolder, runCli } from '../kit/service.ts'

const api = useApi()
let folder: Awaited<ReturnType<typeof makeDataFolder>>
let options: CliOptions
let project = ''
let admin = ''

beforeAll(async () => {
  folder = await makeDataFolder()
  const urls = { DATABASE_URL: inject('databaseUrl'), CLICKHOUSE_URL: inject('clickhouseUrl') }
  options = { env: { ...urls, DATA_DIR: folder.path } }
  const workspace = await api.workspace()
  project = await workspace.project()
  admin = (await workspace.key({ scopes: ['admin'] })).key
})
afterAll(() => folder.remove())

const answer = { prompt: 'p', platform: 'chatgpt', collectedAt: '2025-05-10', text: 'Acme.' }
const search = { keys: ['2025-05-10', 'q', 'https://acme.com/', 'usa', 'MOBILE'], clicks: 1 }
const files = {
  answers: `${JSON.stringify(answer)}\n`,
  prompts: 'Prompt,Topic\nBest headphones?,Audio\n',
  search: JSON.stringify({ rows: [{ ...search, impressions: 9, ctr: 0.1, position: 2 }] }),
  log: `192.0.2.1 - - [${clfTime(new Date())}] "GET / HTTP/1.1" 200 9 "-" "curl/8"\n`,
  sitemap: '<urlset><url><loc>https://acme.com/</loc></url></urlset>',
  other: '{"weather":"sunny","wind":3}\n',
  prose: 'Dear all\nplease find attached\n',
} as const

describe('a file of something else is refused, with the command that takes it', () => {
  test.each([
    [
      'answers',
      'prompts',
      ['a table with the columns `Prompt`, `Topic`', 'sightline import prompts'],
    ],
    ['answers', 'search', ['JSON with the keys', 'sightline import search-console']],
    ['answers', 'other', ['JSON with the keys `weather`, `wind`.', 'takes JSON lines']],
    ['answers', 'prose', ['plain text', 'takes JSON lines']],
    ['search-console', 'answers', ['`prompt`, `platform`', 'sightline import answers']],
    ['web-analytics', 'answers', ['`prompt`, `platform`', 'sightline import answers']],
    ['access-log', 'answers', ['`prompt`, `platform`', 'sightline import answers']],
    ['page-contents', 'answers', ['`prompt`, `platform`', 'sightline import answers']],
    ['articles', 'answers', ['`prompt`, `platform`', 'sightline import answers']],
    ['prompts', 'log', ['an access log', 'import access-log --format combined']],
    ['pages', 'prompts', ['`Prompt`, `Topic`', 'sightline import prompts']],
    ['domain-authority', 'sitemap', ['XML', 'sightline import pages']],
    ['brand-profile', 'other', ['`profile` must have one of name', 'it has weather']],
  ] as const)('import %s, given %s', async (command, name, parts) => {
    const path = join(folder.parent, `wrong-${name}`)
    await writeFile(path, files[name])
    const format = command === 'access-log' ? ['--format', 'combined'] : []
    const args = ['import', command, path, '--project', project, ...format]
    const { code, stdout, stderr } = await runCli(args, options)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    for (const part of parts) expect(stderr).toContain(part)
  })

  test('and links nothing, changes nothing', async () => {
    const [connections, pages, articles, prompts, trail] = await Promise.all([
      api.db.connection.count({ where: { projectId: project } }),
      api.db.page.count({ where: { projectId: project } }),
      api.db.article.count({ where: { projectId: project } }),
      api.db.prompt.count({ where: { projectId: project } }),
      api.db.auditEntry.count({ where: { projectId: project, action: { not: 'project.create' } } }),
    ])
    expect({ connections, pages, articles, prompts, trail }).toEqual({
      connections: 0,
      pages: 0,
      articles: 0,
      prompts: 0,
      trail: 0,
    })
  })

  test('a mutation answers with the same sentence', async () => {
    const mutation = `mutation($id: ID!, $lines: String!) {
      importAnswers(projectId: $id, content: $lines) { read }
    }`
    const response = await api.graphql(mutation, admin, { id: project, lines: files.prompts })
    expect(await response.json()).toMatchObject({
      data: {
        importAnswers: {
          code: 'invalid_argument',
          message: expect.stringContaining('`sightline import prompts` takes such a file.'),
        },
      },
    })
  })
})

test('an empty file has no rows, and is no error', async () => {
  const path = join(folder.parent, 'empty')
  await writeFile(path, '')
  const { stdout } = await runCli(['import', 'answers', path, '--project', project], options)
  expect(stdout).toContain('0 loaded')
})
