import { beforeAll, describe, expect, test } from 'vitest'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { importSearch, searchAnswer } from '../kit/imports/search-console.ts'
import { addPages, answers, found } from '../kit/work/opportunities.ts'

const api = useApi()
let workspace: TestWorkspace

beforeAll(async () => {
  workspace = await api.workspace()
})

describe('sub-queries', () => {
  test('need a page from 5 answers, and a prompt from 10 where a page has the words', async () => {
    const project = await workspace.project()
    const asking = (...searchQueries: string[]) => ({ searchQueries })
    await workspace.load(project, [
      ...answers(4, asking('Noise free earbuds', 'on paper')),
      ...answers(1, asking('NOISE FREE EARBUDS', 'best headphones'), { day: 11 }),
      ...answers(4, asking('quiet buds'), { day: 12 }),
      ...answers(10, asking('The earbud guide of 2025', 'best headphones'), { day: 13 }),
      ...answers(9, asking('an earbud guide'), { day: 14 }),
      ...answers(9, asking('cited once'), { day: 15 }),
      ...answers(5, asking('Buds for swimmers'), { day: 17 }),
      ...answers(
        1,
        { ...asking('cited once'), citations: [{ url: 'https://acme.com/' }] },
        { day: 16 },
      ),
    ])
    await addPages(api, project, [
      { url: 'https://acme.com/guide', title: 'The Earbud guide, 2025: an of' },
      { url: 'https://acme.com/noise', title: 'Noise' },
      { url: 'https://acme.com/free', title: 'Noise free earbuds', isTracked: false },
    ])
    // The audit reads the main heading of a page whose title says less.
    const audit = await api.db.audit.create({
      data: { projectId: project, status: 'completed', pageCount: 1, isWholeSite: true },
    })
    const page = await api.db.page.findFirstOrThrow({
      where: { projectId: project, url: 'https://acme.com/noise' },
    })
    await api.db.auditPage.create({
      data: {
        auditId: audit.id,
        pageId: page.id,
        url: page.url,
        address: page.url,
        status: 'completed',
        reading: { document: { h1: ['Our buds, for all swimmers'] } },
      },
    })
    // 50·log10(6)/3 + 30 + 8
    expect(await found(api, project, 'query-without-page')).toMatchObject([
      {
        subject: 'noise free earbuds',
        title: 'Answer "Noise free earbuds" on a page of yours',
        score: 50.97,
        scope: 'topic',
        actionType: 'create_page',
        source: 'fanout',
      },
    ])
    // 50·log10(11)/3 + 15 + 16; 10 and 9 answers searched for the guide.
    const prompts = await found(api, project, 'untracked-question')
    expect(prompts.map(({ subject, score }) => [subject, score]).sort()).toEqual([
      ['cited once', 48.36],
      ['the earbud guide of 2025', 52.68],
    ])
  })
})

describe('searches', () => {
  test('that ask for nearly the same are one, and those of a competitor none', async () => {
    const project = await workspace.project({
      competitors: [{ name: 'Rival', domain: 'rival.com' }],
    })
    const searches = (...searchQueries: string[]) => ({ searchQueries })
    await workspace.load(project, [
      // 8 answers, of which one searched twice and 2 mention the brand.
      ...answers(5, searches('best kids headphones 2026', 'Rival Roam review')),
      ...answers(1, searches('kids headphones reddit', 'headphones for kids'), { day: 11 }),
      ...answers(2, { ...searches('kids headphones reddit'), text: 'Acme is good.' }, { day: 12 }),
      // Ten answers that all search for the brand, and no own page is cited.
      ...answers(10, searches('Acme One or Rival Roam'), { day: 13 }),
      ...answers(2, { prompt: 'other' }, { day: 14 }),
    ])
    const needed = await found(api, project, 'query-without-page')
    expect(needed.map((row) => [row.title, row.effectMetric, row.effectAnswers])).toEqual([
      ['Answer "Acme One or Rival Roam" on a page of yours', 'citations', 10],
      ['Answer "best kids headphones" on a page of yours', 'visibility', 6],
    ])
    const [, kids] = needed
    // 6 of 20 answers; 50·log10(9)/3 + 30·6/8 + 8.
    expect(kids).toMatchObject({ effectValue: 30, score: 46.4, impact: 'medium' })
    expect(kids?.effectReason).toBe(
      '8 answers a month searched for it, none of them cites a page of yours, and 6 do not mention Acme.',
    )
    expect(await found(api, project, 'untracked-question')).toEqual([])
  })
})

describe('search-demand', () => {
  test('holds from 100 impressions at position 10', async () => {
    const project = await workspace.project()
    await workspace.load(project, [{ prompt: 'Tracked Search' }])
    const rows = [
      { query: 'hundred', clicks: 1, impressions: 40, position: 10 },
      { query: 'Hundred', date: '2025-05-11', clicks: 1, impressions: 60, position: 10 },
      { query: 'ninety-nine', impressions: 99, position: 1 },
      { query: 'acme', impressions: 900, position: 1 },
      { query: 'deep', impressions: 100, position: 10.01 },
      { query: 'tracked search', impressions: 100, position: 1 },
      { query: 'before', date: '2025-04-10', impressions: 100, position: 1 },
    ]
    await importSearch(api, project, JSON.stringify(searchAnswer(rows)), {
      site: 'sc-domain:acme.com',
      dimensions: ['date', 'query', 'page', 'country', 'device'],
    })
    // 50·log10(11)/3 + 15 + 16
    expect(await found(api, project, 'search-demand')).toMatchObject([
      {
        subject: 'hundred',
        score: 48.36,
        impact: 'medium',
        source: 'search',
        description:
          'In the last 30 days, "Hundred" had 100 impressions in search results at a mean position of 10, and 2 clicks. No prompt has these words.',
      },
    ])
  })
})
