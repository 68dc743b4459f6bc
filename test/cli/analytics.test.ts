import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { makeProject, useStores } from '../kit/imports/imports.ts'
import { searchAnswer } from '../kit/imports/search-console.ts'
import { makeDataFolder, runCli, runJson } from '../kit/service.ts'

const stores = useStores()
let folder: Awaited<ReturnType<typeof makeDataFolder>>
let env: Record<string, string> = {}

beforeAll(async () => {
  folder = await makeDataFolder()
  const urls = { DATABASE_URL: inject('databaseUrl'), CLICKHOUSE_URL: inject('clickhouseUrl') }
  env = { ...urls, DATA_DIR: folder.path }
})
afterAll(() => folder.remove())

const linksOf = (projectId: string) =>
  stores.db.connection.findMany({ where: { projectId }, select: { kind: true, host: true } })

const csv = [
  'Date,Landing page,Session source,Sessions,Active users,Bounce rate,Average session duration',
  '20250510,/a,chatgpt.com,4,3,0.25,12.5',
  '20250510,/a,google,four,3,0.25,12.5',
].join('\n')

test('web analytics come from standard input, and go with the link', async () => {
  const project = await makeProject(stores)
  const web = ['import', 'web-analytics', '-', '--project', project]
  const { stdout, code } = await runCli([...web, '--property', '42'], { env, input: csv })
  expect({ stdout, code }).toEqual({
    stdout:
      '1 loaded, 1 rejected, of 2 rows.\n  line 3: `sessions` must be a number from 0; got `four`.\n  Days: 2025-05-10\n',
    code: 0,
  })
  expect(await linksOf(project)).toEqual([{ kind: 'webAnalytics', host: '42' }])
  const other = await runJson([...web, '--property', '43'], { env, input: csv })
  expect(other).toMatchObject({
    error: {
      message:
        '`--property` differs from 42, which the project is linked to: unlink 42 first; got `43`.',
    },
  })
  const unlink = ['disconnect', 'web-analytics', '--project', project]
  expect(await runJson(unlink, { env })).toEqual({ id: expect.any(String), changed: true })
  expect(await linksOf(project)).toEqual([])
  expect(await runJson(unlink, { env })).toMatchObject({ changed: false })
  const trail = await stores.db.auditEntry.findMany({
    where: { projectId: project },
    orderBy: { id: 'asc' },
  })
  const actions = ['connection.add', 'import.add', 'connection.remove']
  expect(trail.map(({ action }) => action)).toEqual(actions)
})

test('a search console comes from a file, also gzipped, in the dimensions named', async () => {
  const project = await makeProject(stores)
  const file = join(folder.parent, 'rows.json.gz')
  const answer = searchAnswer([{ clicks: 1, impressions: 2 }])
  await writeFile(file, gzipSync(JSON.stringify(answer)))
  const search = [
    'import',
    'search-console',
    file,
    '--project',
    project,
    '--site',
    'https://acme.com/',
  ]
  const five = 'date,query,page,country,device'
  expect(await runJson([...search, '--dimensions', five], { env })).toEqual({
    read: 1,
    loaded: 1,
    rejected: [],
    days: { from: '2025-05-10', to: '2025-05-10' },
  })
  expect(await linksOf(project)).toEqual([{ kind: 'searchConsole', host: 'https://acme.com/' }])
  const wrong = await runJson([...search, '--dimensions', 'query'], { env })
  expect(wrong).toMatchObject({ error: { code: 'invalid_argument' } })
  const [unknown] = ['8c1e0000-0000-4000-8000-000000000000']
  const absent = ['import', 'search-console', file, '--project', unknown]
  expect(await runJson(absent, { env })).toMatchObject({ error: { code: 'not_found' } })
  expect(
    await runJson(['disconnect', 'search-console', '--project', unknown], { env }),
  ).toMatchObject({
    error: { code: 'not_found' },
  })
})
