import { beforeAll, describe, expect, test } from 'vitest'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { addIssues, addPages, answers, evaluate, found } from '../kit/work/opportunities.ts'

const api = useApi()
let workspace: TestWorkspace

beforeAll(async () => {
  workspace = await api.workspace()
})

describe('cited-page-with-issues', () => {
  test('holds from one citing answer and one open issue, critical or high', async () => {
    const project = await workspace.project()
    const page = async (name: string, cited: number, ...checks: string[]) => {
      const url = `https://acme.com/${name}`
      const [pageId = ''] = await addPages(api, project, [{ url }])
      await addIssues(
        api,
        project,
        checks.map((check) => ({ check, pageId, url })),
      )
      await workspace.load(project, answers(cited, { prompt: name, citations: [{ url }] }))
      return pageId
    }
    const critical = await page('critical', 1, 'title-missing', 'cited-page-blocked')
    const high = await page('high', 9, 'title-missing')
    await page('medium', 1, 'h1-missing')
    await page('uncited', 0, 'title-missing')
    const rows = await found(api, project, 'cited-page-with-issues')
    // 50·log10(2)/3 + 30 + 18, and 50·log10(10)/3 + 18 + 18.
    expect(rows.map(({ subject, score, category }) => [subject, score, category])).toEqual([
      [critical, 53.02, 'aiReadiness'],
      [high, 52.67, 'content'],
    ])
    const { count } = await api.db.issue.updateMany({
      where: { projectId: project, check: 'cited-page-blocked' },
      data: { status: 'resolved', resolution: 'fixed' },
    })
    expect(count).toBe(1)
    const [, eased] = await found(api, project, 'cited-page-with-issues')
    expect(eased).toMatchObject({ subject: critical, score: 41.02, impact: 'medium' })
  })
})

describe('site-issue', () => {
  test('holds for critical and high issues of the site, also without an answer', async () => {
    const project = await workspace.project()
    const [blocked, http] = await addIssues(api, project, [
      { check: 'ai-search-bots-blocked' },
      { check: 'https-missing' },
      { check: 'sitemap-missing' },
    ])
    const rows = await found(api, project, 'site-issue')
    // 0 + 30 + 20, and 0 + 18 + 18.
    expect(
      rows.map(({ subject, score, actionType, category }) => [
        subject,
        score,
        actionType,
        category,
      ]),
    ).toEqual([
      [blocked, 50, 'allow_crawler', 'aiReadiness'],
      [http, 36, 'fix_site', 'technical'],
    ])
    await evaluate(api, project)
    const { key } = await workspace.key()
    const query = `{ project(id: "${project}") { opportunities(first: 1) { nodes { evidence { count ... on IssueEvidence { url issue { id } } } } } } }`
    expect(await (await api.graphql(query, key)).json()).toEqual({
      data: {
        project: {
          opportunities: {
            nodes: [
              {
                evidence: [
                  { count: 1, url: 'https://acme.com/', issue: { id: blocked } },
                  { count: 0 },
                ],
              },
            ],
          },
        },
      },
    })
    await workspace.load(project, answers(9, { citations: [{ url: 'https://acme.com/' }] }))
    expect(await found(api, project, 'site-issue')).toMatchObject([
      { score: 66.67 },
      { score: 52.67 },
    ])
  })
})

describe('widespread-issue', () => {
  const spread = async (pages: number, tracked: number, severity?: 'low') => {
    const project = await workspace.project()
    const urls = Array.from({ length: tracked }, (_, i) => `https://acme.com/${i}`)
    const ids = await addPages(
      api,
      project,
      urls.map((url) => ({ url })),
    )
    const issues = ids.slice(0, pages).map((pageId, i) => {
      const issue = { check: 'h1-missing', pageId, url: urls[i] ?? '', reach: 18 }
      return severity ? { ...issue, severity } : issue
    })
    await addIssues(api, project, issues)
    const rows = await found(api, project, 'widespread-issue')
    return rows.map(({ subject, score }) => [subject, score])
  }

  test('holds on 10 pages, or on 5 that are a fifth of the tracked ones', async () => {
    // n is 5·18/10: 50·log10(10)/3 + 12 + 18.
    expect(await spread(5, 25)).toEqual([['h1-missing', 46.67]])
    expect(await spread(5, 26)).toEqual([])
    expect(await spread(4, 4)).toEqual([])
    // n is 18: 50·log10(19)/3 + 12 + 18.
    expect(await spread(10, 51)).toEqual([['h1-missing', 51.31]])
    expect(await spread(9, 51)).toEqual([])
    expect(await spread(10, 10, 'low')).toEqual([])
  })
})
