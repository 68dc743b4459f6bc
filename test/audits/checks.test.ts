import { beforeAll, describe, expect, test } from 'vitest'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { countStatements } from '../kit/catalog-statements.ts'
import { asking } from '../kit/changes.ts'
import { countedStatements } from '../kit/statements.ts'
import { connectSource, putHits } from '../kit/tracker/hits.ts'

const statements = countedStatements()
const api = useApi({}, statements.log)

let workspace: TestWorkspace
let key = ''
let project = ''
const graph = asking(api, () => key)

const urlOf = (page: number) => `https://acme.com/${page}`
const pagesUpTo = (last: number) => Array.from({ length: last }, (_, i) => i + 1)
const at = new Date('2025-05-10T12:00:00Z')

interface Verdict {
  readonly failed: readonly string[]
  readonly evaluated: readonly string[]
  readonly alsoFailed?: readonly string[]
}

/** An audit of pages with their verdicts, as the worker writes them. */
async function audited(
  projectId: string,
  status: 'completed' | 'running',
  verdictOf: (page: number) => Verdict | null,
) {
  const pages = await api.db.page.findMany({ where: { projectId } })
  await api.db.audit.create({
    data: {
      projectId,
      status,
      pageCount: pages.length,
      isWholeSite: true,
      createdAt: at,
      pages: {
        create: pages.flatMap(({ id: pageId, url }) => {
          const verdict = verdictOf(Number(url.split('/').at(-1)))
          if (verdict === null) return []
          const { failed, evaluated, alsoFailed = [] } = verdict
          const findings = {
            findings: failed.map((check) => ({ check, affectedCount: 1, evidence: [] })),
            evaluated,
            alsoFailed,
            superseded: alsoFailed,
            standing: 'judged',
            counted: [],
          }
          return [{ pageId, url, address: url, status: 'completed' as const, findings }]
        }),
      },
    },
  })
}

async function projectWithPages(last: number) {
  const id = await workspace.project()
  await api.db.page.createMany({
    data: pagesUpTo(last).map((page) => {
      const url = urlOf(page)
      return { projectId: id, url, slug: `${page}`, type: 'other', title: '', description: '' }
    }),
  })
  return id
}

const when = (holds: boolean, ...ids: string[]) => (holds ? ids : [])
const bare = 'structured-data-missing'

/**
 * Twelve audited pages, and a thirteenth that no audit judged.
 *
 *   pages   title-missing   structured-data-missing     description-missing   crawled     cited
 *   1–6     pass            pass                        pass                  all six     1 and 2
 *   7       pass            fail                        pass                  no          no
 *   8       fail            fail, as a cited page       pass                  no          yes
 *   9–12    fail            fail                        fail                  no          no
 *
 * An older audit found all titles missing. A later one is not over. Page 13 is crawled and cited.
 */
beforeAll(async () => {
  workspace = await api.workspace()
  key = (await workspace.key()).key
  project = await projectWithPages(13)
  await connectSource(api.db, project)
  const evaluated = ['title-missing', bare, 'description-missing', 'not-crawled-by-ai']
  const isJudged = (page: number) => page <= 12
  const allFail = { failed: ['title-missing'], evaluated }
  await audited(project, 'completed', (page) => (isJudged(page) ? allFail : null))
  await audited(project, 'completed', (page) =>
    isJudged(page)
      ? {
          failed: [
            ...when(page >= 8, 'title-missing'),
            ...when(page === 7 || page >= 9, bare),
            ...when(page === 8, 'cited-page-without-structured-data'),
            ...when(page >= 9, 'description-missing'),
          ],
          evaluated,
          alsoFailed: when(page === 8, bare),
        }
      : null,
  )
  await audited(project, 'running', (page) => (isJudged(page) ? allFail : null))
  const hit = (bot: string, page: number, day = '2025-05-10') => {
    return { bot, path: `/${page}`, at: `${day}T08:00:00Z` }
  }
  await putHits(api.warehouse, project, [
    ...pagesUpTo(6).map((page) => hit('GPTBot', page)),
    { ...hit('ClaudeBot', 13), path: '/13' },
    // A search engine, and a hit before the window.
    hit('Googlebot', 9),
    hit('GPTBot', 10, '2025-04-10'),
  ])
  const cite = (...pages: number[]) => ({ citations: pages.map((page) => ({ url: urlOf(page) })) })
  await workspace.load(project, [
    { ...cite(1, 2), collectedAt: '2025-05-10T08:00:00Z' },
    { ...cite(2, 8, 13), collectedAt: '2025-05-11T08:00:00Z' },
    { ...cite(12), collectedAt: '2025-04-10T08:00:00Z' },
  ])
  await api.db.issue.createMany({
    data: [8, 9, 10].map((page) => ({
      id: crypto.randomUUID(),
      projectId: project,
      check: 'title-missing',
      origin: null,
      url: urlOf(page),
      severity: 'high' as const,
      affectedCount: 1,
      reach: 0,
      evidence: [],
      decidedBy: 1,
      firstSeenAt: at,
      lastSeenAt: at,
      openedAt: at,
      status: page === 10 ? ('resolved' as const) : ('open' as const),
    })),
  })
})

const fields = `passing { value numerator denominator } failing { value numerator denominator }
  difference interval { low high } isSignificant reason`
const worth = `worth(window: { from: "2025-05-01", to: "2025-05-30" }) { crawled { ${fields} } cited { ${fields} } }`
const counts = 'id: type openIssueCount passingPages failingPages'

interface CheckBody {
  readonly id: string
  readonly worth: Readonly<Record<'crawled' | 'cited', { readonly reason: string | null }>>
}

async function checksOf(of: string, args = ''): Promise<Map<string, CheckBody>> {
  const { data, errors } = await graph(
    `{ project(id: "${of}") { checks${args} { ${counts} ${worth} } } }`,
  )
  expect(errors).toBeUndefined()
  const { checks } = (data.project ?? {}) as { checks: CheckBody[] }
  return new Map(checks.map((check) => [check.id, check]))
}

const metric = (numerator: number, denominator: number, value: number) => {
  return { value, numerator, denominator }
}
const noComparison = (reason: string) => ({
  passing: null,
  failing: null,
  difference: null,
  interval: null,
  isSignificant: null,
  reason,
})

describe('the worth of a check', () => {
  test('compares pages that pass by the newest completed audit with pages that fail', async () => {
    expect((await checksOf(project)).get('title-missing')).toEqual({
      id: 'title-missing',
      openIssueCount: 2,
      passingPages: 7,
      failingPages: 5,
      worth: {
        crawled: {
          passing: metric(6, 7, 85.71),
          failing: metric(0, 5, 0),
          difference: 85.71,
          interval: { low: 28.63, high: 97.43 },
          isSignificant: true,
          reason: null,
        },
        cited: {
          passing: metric(2, 7, 28.57),
          failing: metric(1, 5, 20),
          difference: 8.57,
          interval: { low: -38.5, high: 47.7 },
          isSignificant: false,
          reason: null,
        },
      },
    })
  })

  test('counts a page as failing where an issue of a cited page replaces that of the check', async () => {
    expect((await checksOf(project)).get(bare)).toMatchObject({
      passingPages: 6,
      failingPages: 6,
      worth: { cited: { passing: metric(2, 6, 33.33), failing: metric(1, 6, 16.67) } },
    })
  })

  test.each([
    ['description-missing', 'too_few_pages', 'too_few_pages'],
    ['llms-txt-missing', 'site_check', 'site_check'],
    ['not-crawled-by-ai', 'same_facts', 'same_facts'],
    ['cited-page-stale', 'same_facts', 'same_facts'],
    ['brand-not-named', 'too_few_pages', 'too_few_pages'],
  ])('of %s is null: %s', async (id, crawled, cited) => {
    expect((await checksOf(project)).get(id)?.worth).toEqual({
      crawled: noComparison(crawled),
      cited: noComparison(cited),
    })
  })

  test('is null without facts, and says which are missing', async () => {
    const of = await projectWithPages(10)
    const reasons = async () => {
      const found = (await checksOf(of)).get('title-missing')?.worth
      return [found?.crawled.reason, found?.cited.reason]
    }
    expect(await reasons()).toEqual(['no_traffic_source', 'no_citations'])
    await connectSource(api.db, of)
    expect(await reasons()).toEqual(['no_crawls', 'no_citations'])
  })

  test('takes one statement of each store, however many checks and issues ask for it', async () => {
    const one = `{ project(id: "${project}") { issues(first: 1) { issues: nodes { check { ${counts} ${worth} } } } } }`
    const all = `{ project(id: "${project}") {
      checks { ${counts} ${worth} } issues { issues: nodes { check { ${counts} ${worth} } } } } }`
    statements.taken()
    const few = await countStatements(api, key, one)
    expect(statements.taken()).toEqual(['audits.seen-pages'])
    const many = await countStatements(api, key, all)
    expect(statements.taken()).toEqual(['audits.seen-pages'])
    expect(many.statements).toBe(few.statements)
    const { issues } = many.data.project as { issues: { issues: { check: CheckBody }[] } }
    expect(issues.issues.map(({ check }) => check.id)).toEqual(['title-missing', 'title-missing'])
  })
})

describe('checks', () => {
  test('are listed by severity and open issues, and narrowed by open issues and pages', async () => {
    const all = [...(await checksOf(project)).keys()]
    expect(all).toHaveLength(95)
    expect(all.indexOf('unreachable')).toBeLessThan(all.indexOf('title-missing'))
    expect(all.indexOf('title-missing')).toBeLessThan(all.indexOf('broken-internal-links'))
    expect([...(await checksOf(project, '(filter: { hasOpenIssues: true })')).keys()]).toEqual([
      'title-missing',
    ])
    expect(await checksOf(project, '(filter: { hasOpenIssues: false })')).toHaveProperty('size', 94)
    expect([...(await checksOf(project, '(filter: { minPages: 5 })')).keys()]).toEqual([
      'title-missing',
      bare,
    ])
    expect([...(await checksOf(project, '(filter: { minPages: 6 })')).keys()]).toEqual([bare])
  })

  test('are null for the issues of a check that audits no longer make', async () => {
    const of = await projectWithPages(1)
    await api.db.issue.create({
      data: {
        id: crypto.randomUUID(),
        projectId: of,
        check: 'gone',
        url: urlOf(1),
        severity: 'low',
        affectedCount: 1,
        reach: 0,
        evidence: [],
        decidedBy: 1,
        firstSeenAt: at,
        lastSeenAt: at,
        openedAt: at,
      },
    })
    const { data } = await graph(
      `{ project(id: "${of}") { issues { issues: nodes { check { id: type } } } } }`,
    )
    expect(data.project?.issues).toEqual({ issues: [{ check: null }] })
  })
})
