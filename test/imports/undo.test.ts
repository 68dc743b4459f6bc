import { beforeAll, describe, expect, test } from 'vitest'
import { reanalyze } from '../../imports/answers/reanalyze.ts'
import { importArticles } from '../../imports/content/articles.ts'
import { importDomainAuthority } from '../../imports/content/domain-authority.ts'
import { importPageContents } from '../../imports/content/page-contents.ts'
import { importPages } from '../../imports/content/pages.ts'
import { undoImport } from '../../imports/loads/undo.ts'
import { connectLogs } from '../../resolvers/connections/logs.ts'
import { commandLine } from '../../resolvers/shared/audit-trail.ts'
import { command } from '../../warehouse/run.ts'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { asking, faultIn } from '../kit/changes.ts'
import { dayMs } from '../kit/day.ts'
import { combinedLine, hitsOf, importBytes } from '../kit/imports/access-logs.ts'
import { importSearch, searchAnswer, type TestSearch } from '../kit/imports/search-console.ts'
import { bytesOf, importReport, reportOf, reportRow } from '../kit/imports/web-analytics.ts'

const api = useApi()
let workspace: TestWorkspace
let project = ''
let key = ''
const ask = asking(api, () => key)

beforeAll(async () => {
  workspace = await api.workspace()
  key = (await workspace.key({ scopes: ['admin'] })).key
})

const daysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString().slice(0, 10)

async function fresh(): Promise<string> {
  project = await workspace.project()
  return project
}

const fields = 'id kind status file read loaded rejected from to'

async function imports() {
  const { data } = await ask(`{ project(id: "${project}") { imports { nodes { ${fields} } } } }`)
  const list = data.project?.imports as { nodes: Record<string, unknown>[] }
  return list.nodes
}

const last = async () => String((await imports())[0]?.id)

async function undo(id: string): Promise<void> {
  const mutation = `undoImport(projectId: "${project}", importId: "${id}") { status }`
  const answer = await ask(`mutation { ${mutation} }`)
  expect(faultIn(answer)).toBe('none')
  expect(answer.data.undoImport).toMatchObject({ status: 'undone' })
}

async function get(path: string): Promise<Record<string, unknown>> {
  const window = 'from=2025-05-01&to=2025-05-31'
  const response = await api.get(`/api/mcp/projects/${project}${path}?${window}`, key)
  return (await response.json()) as Record<string, unknown>
}

const actions = async () => {
  const entries = await api.db.auditEntry.findMany({
    where: { projectId: project, action: { not: 'project.create' } },
    orderBy: { id: 'asc' },
  })
  return entries.map(({ action }) => action)
}

describe('an import of answers', () => {
  /** One answer on 10 May, then two on 11 May, one of which names Acme. */
  async function loadTwice() {
    await fresh()
    await workspace.load(project, [{ text: 'Acme leads.' }])
    const first = await last()
    const day = { collectedAt: '2025-05-11T08:00:00Z' }
    await workspace.load(project, [day, { ...day, platform: 'perplexity', text: 'Acme.' }])
    return { first, second: await last() }
  }
  const available = async () => {
    const days = 'dataAvailableFrom dataAvailable { from to }'
    return (await ask(`{ project(id: "${project}") { ${days} } }`)).data.project
  }
  const responses = async () =>
    ((await get('/visibility')).summary as { totalResponses: number }).totalResponses

  test('is listed with its rows and days, and both doors forget it at once', async () => {
    const { first, second } = await loadTwice()
    expect(await imports()).toMatchObject([
      { kind: 'answers', status: 'finished', loaded: 2, from: '2025-05-11', to: '2025-05-11' },
      { kind: 'answers', status: 'finished', loaded: 1, read: 1, rejected: 0, file: null },
    ])
    expect(await responses()).toBe(3)
    expect(await available()).toEqual({
      dataAvailableFrom: '2025-05-10',
      dataAvailable: { from: '2025-05-10', to: '2025-05-11' },
    })
    await undo(second)
    expect(await responses()).toBe(1)
    expect(await available()).toMatchObject({ dataAvailable: { to: '2025-05-10' } })
    await undo(second)
    expect(await imports()).toMatchObject([{ status: 'undone' }, { status: 'finished' }])
    await undo(first)
    expect(await responses()).toBe(0)
    expect(await available()).toEqual({ dataAvailableFrom: null, dataAvailable: null })
    expect(await actions()).toEqual(['import.add', 'import.add', 'import.undo', 'import.undo'])
  })

  test('can be loaded again', async () => {
    const { first } = await loadTwice()
    await undo(first)
    const again = await workspace.load(project, [{ text: 'Bolt leads.' }])
    expect(again).toMatchObject({ loaded: 1, skipped: 0 })
    expect(await responses()).toBe(3)
  })

  test('can still be undone after a reanalysis that named its pages anew', async () => {
    await fresh()
    const cites = (url: string) => ({ citations: [{ url }] })
    await workspace.load(project, [cites('https://a.com/x')])
    await workspace.load(project, [{ collectedAt: '2025-05-11', ...cites('https://b.com/x') }])
    const second = await last()
    await command(api.warehouse, {
      id: 'test.age',
      sql: `ALTER TABLE citations UPDATE pages_version = 1 WHERE project_id = '${project}' SETTINGS mutations_sync = 2`,
    })
    expect(await reanalyze(api, { projectId: project })).toMatchObject({ answers: 2 })
    expect(await responses()).toBe(2)
    await undo(second)
    expect(await responses()).toBe(1)
    const { sources } = await get('/sources/domains')
    expect(sources).toMatchObject([{ domain: 'a.com' }])
    expect((await actions()).slice(2)).toEqual(['project.reanalyze', 'import.undo'])
  })

  test('that changed nothing is not listed', async () => {
    await fresh()
    await workspace.load(project, [{}])
    await workspace.load(project, [{}])
    expect(await imports()).toHaveLength(1)
  })

  test('of another project, and an unknown one, is not found', async () => {
    const { first } = await loadTwice()
    await fresh()
    for (const id of [first, crypto.randomUUID(), 'none']) {
      const mutation = `undoImport(projectId: "${project}", importId: "${id}") { status }`
      expect(faultIn(await ask(`mutation { ${mutation} }`))).toBe('not_found')
    }
  })
})

describe('prompts', () => {
  const load = async (csv: string) => {
    const args = `projectId: "${project}", content: ${JSON.stringify(csv)}, file: "prompts.csv"`
    const answer = await ask(`mutation { importPrompts(${args}) { created updated } }`)
    expect(faultIn(answer)).toBe('none')
    return answer.data.importPrompts
  }
  const stored = async () => {
    const include = { topics: { include: { topic: true } }, revisions: true }
    const rows = await api.db.prompt.findMany({
      where: { projectId: project },
      include,
      orderBy: { text: 'asc' },
    })
    return rows.map(({ text, isTracked, keywordSearchVolume: volume, topics, revisions }) => ({
      text,
      isTracked,
      volume,
      topics: topics.map(({ topic }) => topic.name),
      changes: revisions.map(({ change }) => change),
    }))
  }
  const plain = { isTracked: true, volume: null, topics: [], changes: ['created'] }

  test('that are new go, and those that changed are as before', async () => {
    await fresh()
    await load('text,volume,tracked\nold one,10,\npaused,,no\n')
    const before = await stored()
    const csv = 'text,volume,topic,tracked\nnew one,5,Prices,\nold one,20,Prices,\npaused,,,yes\n'
    expect(await load(csv)).toEqual({ created: 1, updated: 2 })
    const [found] = await imports()
    const listed = { kind: 'prompts', file: 'prompts.csv', read: 3, loaded: 3, rejected: 0 }
    expect(found).toMatchObject({ ...listed, status: 'finished', from: null })
    await undo(String(found?.id))
    expect(await stored()).toEqual([
      { ...before[0], changes: ['created', 'edited', 'edited'] },
      { ...before[1], changes: ['created', 'unarchived', 'archived'] },
    ])
    expect(before.map(({ volume, isTracked }) => [volume, isTracked])).toEqual([
      [10, true],
      [null, false],
    ])
    expect(await load(csv)).toEqual({ created: 1, updated: 2 })
  })

  test('that were asked or edited since are paused, and edits of others stay', async () => {
    await fresh()
    await load('text\nold\n')
    await load('text,volume\nasked,\nedited,\nold,30\nunused,\n')
    const id = await last()
    await workspace.load(project, [{ prompt: 'asked', text: 'Acme.' }])
    const edit = { keywordSearchVolume: 7, currentRevision: { increment: 1 } } as const
    for (const text of ['edited', 'old']) {
      await api.db.prompt.updateMany({ where: { projectId: project, text }, data: edit })
    }
    await undo(id)
    const states = (await stored()).map(({ text, isTracked, volume }) => [text, isTracked, volume])
    expect(states).toEqual([
      ['asked', false, null],
      ['edited', false, 7],
      ['old', true, 7],
    ])
  })

  test('that repeat what is there are no import', async () => {
    await fresh()
    await load('text\nold\n')
    expect(await load('text\nold\n')).toEqual({ created: 0, updated: 0 })
    expect(await imports()).toHaveLength(1)
    expect(await stored()).toEqual([{ text: 'old', ...plain }])
  })
})

describe('an access log', () => {
  const log = [combinedLine(), combinedLine({ request: 'GET /b' })]
  const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('')
  const load = (lines: readonly string[], host = 'acme.com') =>
    importBytes(api, project, text(lines), {
      host: () => connectLogs(api.db, commandLine, project, { kind: 'log', host }),
    })
  const hosts = async () =>
    (await hitsOf(api, project, 'host, path')).map(({ host, path }) => `${host}${path}`)

  test('that was imported for the wrong host is imported again for another', async () => {
    await fresh()
    await load(log, 'wrong.com')
    await undo(await last())
    expect(await hosts()).toEqual([])
    expect(await api.db.connection.count({ where: { projectId: project } })).toBe(0)
    expect(await load(log, 'shop.acme.com')).toMatchObject({ read: 2, kept: 2, readBefore: 0 })
    expect(await hosts()).toEqual(['shop.acme.com/', 'shop.acme.com/b'])
    const { imports: list } = { imports: await imports() }
    expect(list).toMatchObject([
      { kind: 'access_log', status: 'finished', loaded: 2 },
      { kind: 'access_log', status: 'undone', loaded: 2 },
    ])
  })

  test('that grew loses the lines of the undone import alone', async () => {
    await fresh()
    await load(log.slice(0, 1))
    const first = await last()
    await load(log)
    const second = await last()
    await undo(first)
    expect(await hosts()).toEqual(['acme.com/b'])
    expect(await load(log)).toMatchObject({ read: 0 })
    await undo(second)
    expect(await hosts()).toEqual([])
    expect(await load(log)).toMatchObject({ read: 2, kept: 2 })
    expect(await hosts()).toEqual(['acme.com/', 'acme.com/b'])
  })
})

describe('rows by day', () => {
  test('of web analytics go, and with the last import the link', async () => {
    await fresh()
    const date = daysAgo(1).replaceAll('-', '')
    await importReport(api, project, JSON.stringify(reportOf([reportRow({ date, sessions: 3 })])))
    const first = await last()
    const other = reportRow({ date, page: '/b', sessions: 5 })
    await importReport(api, project, JSON.stringify(reportOf([other])))
    const second = await last()
    const path = `/api/mcp/projects/${project}/ga4/overview?weeks=1`
    const overview = async () =>
      (await (await api.get(path, key)).json()) as Record<string, unknown>
    const sessions = async () => (await overview()).totals
    expect(await sessions()).toMatchObject({ sessions: 8 })
    await undo(first)
    expect(await sessions()).toMatchObject({ sessions: 5 })
    await undo(second)
    expect(await overview()).toMatchObject({ code: 'ga4_not_connected' })
  })

  test('of Search Console go, and rows that a later import replaced stay with it', async () => {
    await fresh()
    const load = (...rows: TestSearch[]) =>
      importSearch(api, project, JSON.stringify(searchAnswer(rows)))
    await load({ query: 'a', clicks: 1 }, { query: 'b', clicks: 2 })
    const first = await last()
    await load({ query: 'b', clicks: 7, impressions: 10 })
    await undo(first)
    const window = 'startDate=2025-05-01&endDate=2025-05-31'
    const response = await api.get(`/api/mcp/projects/${project}/gsc/performance?${window}`, key)
    expect(await response.json()).toMatchObject({ totals: { clicks: 7, impressions: 10 } })
  })

  test('texts of pages go', async () => {
    await fresh()
    const page = { url: 'https://a.com/x', content: 'Text.', fetchedAt: '2025-05-10T08:00:00Z' }
    await importPageContents(api, { projectId: project, bytes: bytesOf(JSON.stringify(page)) })
    await undo(await last())
    const again = { projectId: project, bytes: bytesOf(JSON.stringify(page)) }
    expect(await importPageContents(api, again)).toMatchObject({ loaded: 1, skipped: 0 })
  })
})

describe('records of the catalog', () => {
  const pages = (csv: string) =>
    importPages(api, { projectId: project, name: 'pages', bytes: bytesOf(csv) })
  const titles = async () => {
    const found = await api.db.page.findMany({
      where: { projectId: project },
      orderBy: { url: 'asc' },
    })
    return found.map(({ title }) => title)
  }

  test('pages that an import made go, and pages that it changed are as before', async () => {
    await fresh()
    await pages('url,title\nhttps://acme.com/a,A1\nhttps://acme.com/b,B1\n')
    await pages('url,title\nhttps://acme.com/b,B2\nhttps://acme.com/c,C2\n')
    expect(await titles()).toEqual(['A1', 'B2', 'C2'])
    await undo(await last())
    expect(await titles()).toEqual(['A1', 'B1'])
  })

  test('undone from the first on, nothing of either comes back', async () => {
    await fresh()
    await pages('url,title\nhttps://acme.com/a,A1\nhttps://acme.com/b,B1\n')
    const first = await last()
    await pages('url,title\nhttps://acme.com/b,B2\n')
    const second = await last()
    await undo(first)
    expect(await titles()).toEqual(['B2'])
    await undo(second)
    expect(await titles()).toEqual([])
  })

  test('a sitemap goes with its pages', async () => {
    await fresh()
    await pages('<urlset><url><loc>https://acme.com/a</loc></url></urlset>')
    await undo(await last())
    expect(await titles()).toEqual([])
    expect(await api.db.sitemapUrl.count({ where: { projectId: project } })).toBe(0)
  })

  test('articles and domain authority are as before', async () => {
    await fresh()
    const article = (title: string) =>
      importArticles(api.db, {
        projectId: project,
        files: [
          {
            name: null,
            open: () => bytesOf(JSON.stringify([{ slug: 'a', title, tags: ['x', 'y'] }])),
          },
        ],
      })
    const found = () => api.db.article.findMany({ where: { projectId: project } })
    await article('One')
    const before = await found()
    await article('Two')
    await undo(await last())
    expect(await found()).toEqual(before)
    const authority = (score: number) => {
      const csv = `date,score,backlinks,rd\n2025-05-10,${score},5,2\n`
      return importDomainAuthority(api.db, { projectId: project, bytes: bytesOf(csv) })
    }
    await authority(40)
    await authority(50)
    expect((await imports())[0]).toMatchObject({ from: '2025-05-10', to: '2025-05-10' })
    await undo(await last())
    const rows = await api.db.domainAuthority.findMany({ where: { projectId: project } })
    expect(rows).toMatchObject([{ score: 40, backlinks: 5n, referringDomains: 2n }])
  })
})

test('an undo by the command line names nobody in the trail', async () => {
  await fresh()
  await workspace.load(project, [{}])
  const options = { projectId: project, importId: await last() }
  expect(await undoImport(api, commandLine, options)).toMatchObject({ changed: true })
  expect(await undoImport(api, commandLine, options)).toMatchObject({ changed: false })
  const where = { projectId: project, action: 'import.undo' }
  expect(await api.db.auditEntry.findMany({ where })).toMatchObject([{ keyId: null, userId: null }])
})
