import { beforeAll, expect, test } from 'vitest'
import { reanalyze } from '../../imports/answers/reanalyze.ts'
import { command, type Raw, run } from '../../warehouse/run.ts'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { asking } from '../kit/changes.ts'
import { isSoak } from '../kit/soak.ts'

const api = useApi()

let workspace: TestWorkspace
let key = ''
const ask = asking(api, () => key)

beforeAll(async () => {
  workspace = await api.workspace()
  key = (await workspace.key({ scopes: ['admin'] })).key
})

const google = 'https://www.google.com/url?q=https://rtings.com/a'
const short = 'https://youtu.be/dQw4w9WgXcQ'
const long = 'https://www.youtube.com/watch?v=dQw4w9WgXcQ'

/** Two answers, in two months, that cite three pages by four addresses; one page is read only. */
const answers = [
  {
    collectedAt: '2025-05-10T08:00:00Z',
    text: 'Sony is loud.',
    citations: [{ url: google, title: 'A' }, { url: short }, { url: long }],
    searchQueries: ['loud speakers'],
  },
  {
    collectedAt: '2025-06-10T08:00:00Z',
    text: 'Buy it.',
    citations: [
      { url: 'https://rtings.com/a' },
      { url: 'https://shop.example/products/x', cited: false },
    ],
  },
]

/** Stores the citations as the first rules did: each address as it came is a page. */
async function age(project: string): Promise<void> {
  const row = (day: string, position: number, url: string, domain: string) =>
    `SELECT * REPLACE ('${url}' AS url, '' AS given_url, ${position} AS position, '${domain}' AS domain,
       'other' AS registry_type, 1 AS pages_version)
      FROM (SELECT * FROM citations
             WHERE project_id = '${project}' AND day = '${day}' AND position = 1)`
  await command(api.warehouse, {
    id: 'test.age',
    sql: `INSERT INTO citations ${[
      row('2025-05-10', 11, google, 'google.com'),
      row('2025-05-10', 12, short, 'youtu.be'),
      row('2025-05-10', 13, long, 'youtube.com'),
      row('2025-06-10', 11, 'https://rtings.com/a', 'rtings.com'),
    ].join(' UNION ALL ')}`,
  })
  await command(api.warehouse, {
    id: 'test.age-only',
    sql: `DELETE FROM citations WHERE project_id = '${project}' AND position < 10`,
  })
}

const seenRows = async (project: string, table: string, columns: string): Promise<Raw[]> => {
  const { visibleLoad, deadLoads } = await api.db.project.findUniqueOrThrow({
    where: { id: project },
  })
  return run(api.warehouse, {
    id: 'test.seen',
    sql: `SELECT ${columns} FROM ${table} WHERE project_id = {project:UUID}
       AND load_seq <= {visibleLoad:UInt32} AND load_seq NOT IN {deadLoads:Array(UInt32)} ORDER BY ALL`,
    params: { project, visibleLoad, deadLoads },
    row: (raw) => raw,
  })
}
const pages = 'toString(day) AS day, url, given_url, domain, registry_type'

async function domains(project: string): Promise<Record<string, number>> {
  const path = `/api/mcp/projects/${project}/sources/domains?from=2025-05-01&to=2025-06-30`
  const { sources } = (await (await api.get(path, key)).json()) as {
    sources: { domain: string; totalCitations: number }[]
  }
  return Object.fromEntries(sources.map(({ domain, totalCitations }) => [domain, totalCitations]))
}

if (isSoak) {
  test('the address as it came is kept beside its page', async () => {
    const project = await workspace.project({ name: 'Sony', domain: 'sony.com' })
    await workspace.load(project, answers)
    expect(await seenRows(project, 'citations', 'url, given_url')).toEqual([
      { url: 'https://rtings.com/a', given_url: '' },
      { url: 'https://rtings.com/a', given_url: google },
      { url: long, given_url: short },
    ])
  })
}

test('a reanalysis names pages by the rules of today, at once, and keeps all else', async () => {
  const project = await workspace.project({ name: 'Sony', domain: 'sony.com' })
  await workspace.load(project, answers)
  const fresh = await seenRows(project, 'citations', pages)
  const tables = ['answers', 'mentions', 'fanout_queries', 'retrieved_urls']
  const others = () =>
    Promise.all(tables.map((table) => seenRows(project, table, '* EXCEPT (load_seq, analysis)')))
  const kept = await Promise.all(
    tables.map((table) =>
      seenRows(
        project,
        table,
        table === 'mentions' ? '* EXCEPT (load_seq, analysis)' : '* EXCEPT load_seq',
      ),
    ),
  )
  await age(project)
  expect(await domains(project)).toEqual({
    'google.com': 1,
    'youtu.be': 1,
    'youtube.com': 1,
    'rtings.com': 1,
  })
  const counts = 'citations: citationCount urls: urlCount domains: domainCount'
  const preview = () =>
    ask(`{ project(id: "${project}") { previewReanalysis {
      citations { before { ${counts} } after { ${counts} } } } } }`)
  const today = { citations: 3, urls: 2, domains: 2 }
  expect((await preview()).data.project?.previewReanalysis).toEqual({
    citations: { before: { citations: 4, urls: 4, domains: 4 }, after: today },
  })

  const result = await reanalyze(api, { projectId: project })
  expect(result).toMatchObject({ answers: 2, mentions: 1 })
  expect(await domains(project)).toEqual({ 'rtings.com': 2, 'youtube.com': 1 })
  expect(await seenRows(project, 'citations', pages)).toEqual(fresh)
  expect(await others()).toEqual(kept)
  expect((await preview()).data.project?.previewReanalysis).toEqual({
    citations: { before: today, after: today },
  })
})
