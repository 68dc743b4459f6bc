import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { makeProject, useStores } from '../kit/imports/imports.ts'
import { type CliOptions, makeDataFolder, runCli, runJson } from '../kit/service.ts'

const stores = useStores()
let folder: Awaited<ReturnType<typeof makeDataFolder>>
let options: CliOptions
let project = ''

beforeAll(async () => {
  folder = await makeDataFolder()
  const urls = { DATABASE_URL: inject('databaseUrl'), CLICKHOUSE_URL: inject('clickhouseUrl') }
  options = { env: { ...urls, DATA_DIR: folder.path } }
  project = await makeProject(stores)
})
afterAll(() => folder.remove())

const args = (what: string, path: string, ...more: string[]) => [
  'import',
  what,
  path,
  '--project',
  project,
  ...more,
]

async function put(name: string, content: string | Buffer): Promise<string> {
  const path = join(folder.parent, name)
  await mkdir(join(path, '..'), { recursive: true })
  await writeFile(path, content)
  return path
}

test('articles come out of a folder, a file and standard input, into either store', async () => {
  await put('blog/a.md', '---\ntitle: A\n---\nOne two three.')
  await put('blog/deep/b.mdx', '# B\n\nText')
  await put('blog/c.md', '---\ntitle: [\n---\n')
  await put('blog/list.jsonl', '{"slug":"d","title":"D"}\nnot json\n')
  await put('blog/notes.txt', 'no article')
  await put('blog/.draft.md', '# Hidden')
  const { stdout } = await runCli(args('articles', join(folder.parent, 'blog')), options)
  expect(stdout.split('\n')).toEqual([
    '3 loaded, 0 there already, 2 rejected, of 5 records.',
    expect.stringMatching(/^ {2}line 2: c\.md: The front matter /),
    expect.stringMatching(/^ {2}line 4: list\.jsonl: 2: The line is not valid JSON/),
    '',
  ])
  const one = args('articles', join(folder.parent, 'blog/a.md'))
  expect(await runJson(one, options)).toMatchObject({ read: 1, loaded: 0, skipped: 1 })
  const input = gzipSync('[{"slug":"a","title":"Old A"}]')
  const legacy = args('articles', '-', '--store', 'legacy')
  expect(await runJson(legacy, { ...options, input })).toMatchObject({ loaded: 1 })
  const found = await stores.db.article.findMany({
    where: { projectId: project },
    orderBy: [{ slug: 'asc' }, { source: 'asc' }],
    select: { slug: true, source: true, title: true },
  })
  expect(found.map(({ slug, source, title }) => [slug, source, title])).toEqual([
    ['a', 'content-v2', 'A'],
    ['a', 'legacy', 'Old A'],
    ['d', 'content-v2', 'D'],
    ['deep/b', 'content-v2', 'B'],
  ])
})

test('a sitemap index reads the files beside it, packed or not, and CSV adds pages', async () => {
  const index = await put(
    'site/index.xml',
    '<sitemapindex><sitemap><loc>https://acme.com/a.xml</loc></sitemap>' +
      '<sitemap><loc>https://acme.com/b.xml</loc></sitemap></sitemapindex>',
  )
  const urlset = (path: string) => `<urlset><url><loc>https://acme.com${path}</loc></url></urlset>`
  await put('site/a.xml.gz', gzipSync(urlset('/a')))
  const lost = await runJson<{ error: object }>(args('pages', index), options)
  expect(lost.error).toMatchObject({ code: 'invalid_argument' })
  await put('site/b.xml', urlset('/b'))
  expect(await runJson(args('pages', index), options)).toMatchObject({ read: 2, loaded: 2 })
  const csv = await put('pages.csv', 'url,title\nhttps://acme.com/a,A\nhttps://acme.com/c,C\nx,X\n')
  const { stdout } = await runCli(args('pages', csv), options)
  expect(stdout.split('\n').slice(0, 2)).toEqual([
    '2 loaded, 0 there already, 1 rejected, of 3 records.',
    expect.stringMatching(
      /^ {2}line 4: `url` must be an http or https URL of at most 2,000 characters; got /,
    ),
  ])
  expect(await stores.db.page.count({ where: { projectId: project } })).toBe(3)
})

test('domain authority and texts of pages come out of a file each', async () => {
  const csv = await put('da.csv', 'date,DA,backlinks,RD\n2025-05-01,40,100,10\n2025-05-02,x,1,1\n')
  expect(await runJson(args('domain-authority', csv), options)).toMatchObject({
    read: 2,
    loaded: 1,
    skipped: 0,
    rejected: [{ line: 3 }],
  })
  const line = { url: 'https://acme.com/a', content: 'Text', fetchedAt: '2025-05-01T00:00:00Z' }
  const texts = await put('texts.jsonl', `${JSON.stringify(line)}\n{"url":`)
  const result = await runJson(args('page-contents', texts), options)
  expect(result).toMatchObject({ read: 2, loaded: 1, rejected: [{ line: 2 }] })
})

test('a profile is taken as it stands, on record, and told when answers need counting again', async () => {
  const file = await put('brand.json', '{"industry":"Anvils","aliases":["Acme Ltd"]}')
  const { stdout } = await runCli(args('brand-profile', file), options)
  expect(stdout).toContain('recount')
  expect(await runJson(args('brand-profile', file), options)).toMatchObject({ changed: false })
  const where = { projectId: project, action: { not: 'import.add' } }
  const entries = await stores.db.auditEntry.findMany({ where })
  expect(entries.map(({ action }) => action).sort()).toEqual([
    'brandAlias.add',
    'brandAlias.remove',
    'project.update',
  ])
  const wrong = await put('wrong.json', '{"name":""}')
  const refused = await runJson<{ error: object }>(args('brand-profile', wrong), options)
  expect(refused.error).toMatchObject({ code: 'invalid_argument' })
})

test('what is wrong with the command is named, and each has an example', async () => {
  const failure = async (given: string[]) =>
    (await runJson<{ error: object }>(given, options)).error
  const absent = join(folder.parent, 'absent')
  for (const what of ['articles', 'pages', 'domain-authority', 'page-contents', 'brand-profile']) {
    expect(await failure(args(what, absent))).toMatchObject({ code: 'file_not_readable' })
    const { stdout } = await runCli(['import', what, '--help'])
    expect(stdout).toMatch(new RegExp(`Example:\n {2}\\$ npx sightline import ${what} `))
  }
  const csv = await put('none.csv', 'url\n')
  expect(await failure(['import', 'pages', csv, '--project', 'none'])).toMatchObject({
    code: 'not_found',
  })
})
