import { beforeAll, describe, expect, test } from 'vitest'
import { type AnswerLine, type TestWorkspace, useApi } from '../kit/api.ts'
import { connectSource, putHits } from '../kit/tracker/hits.ts'
import { addIssues, addPages, answers, found } from '../kit/work/opportunities.ts'

const api = useApi()
let workspace: TestWorkspace

beforeAll(async () => {
  workspace = await api.workspace()
})

async function projectOf(lines: readonly AnswerLine[]): Promise<string> {
  const competitors = [{ name: 'Rival', domain: 'rival.com' }]
  const project = await workspace.project({ competitors })
  await workspace.load(project, lines)
  return project
}

const citing = (url: string) => ({ citations: [{ url }] })
const rival = 'Rival is good.'

describe('competitor-only-domain', () => {
  test('holds from 5 answers, half of which name a competitor and none the brand', async () => {
    const cited = (host: string, prompt = host) => ({ prompt, ...citing(`https://${host}/a`) })
    const project = await projectOf([
      ...answers(3, { ...cited('half.com'), text: rival }),
      ...answers(3, cited('half.com'), { day: 11 }),
      ...answers(5, { ...cited('all.com'), text: rival }),
      ...answers(4, { ...cited('four.com'), text: rival }),
      ...answers(2, { ...cited('less.com'), text: rival }),
      ...answers(3, cited('less.com'), { day: 11 }),
      ...answers(5, { ...cited('both.com'), text: rival }),
      ...answers(1, { ...cited('both.com'), text: 'Acme is good.' }, { day: 11 }),
      ...answers(5, { ...cited('rival.com'), text: rival }),
    ])
    const rows = await found(api, project, 'competitor-only-domain')
    // 50·log10(6)/3 + 30 + 6, and 50·log10(7)/3 + 15 + 6.
    expect(rows.map(({ subject, score, impact }) => [subject, score, impact])).toEqual([
      ['all.com', 48.97, 'medium'],
      ['half.com', 35.08, 'medium'],
    ])
    expect(rows[1]).toMatchObject({
      source: 'sources',
      category: 'outreach',
      scope: 'domain',
      actionType: 'get_listed',
      title: 'Get Acme listed on half.com',
      description:
        'In the last 30 days, 6 answers cite half.com. 3 of them name a competitor (50%), and none names Acme. Ask the site to list Acme.',
    })
    expect(rows[1]?.evidence).toMatchObject([
      { count: 6, domain: 'half.com' },
      { count: 3, domain: 'half.com' },
      { label: 'Answers to "half.com"', count: 6 },
    ])
  })
})

describe('lost-citation', () => {
  const lost = 'https://acme.com/lost'
  const lostOf = async (now: number, unreadable = false) => {
    const project = await projectOf([
      ...answers(5, citing(lost), { before: true }),
      ...answers(4, citing('https://acme.com/four'), { before: true, day: 11 }),
      ...answers(1, citing('https://acme.com/kept'), { before: true, day: 12 }),
      ...answers(now, citing('https://acme.com/kept')),
    ])
    if (unreadable) {
      const [pageId = ''] = await addPages(api, project, [{ url: lost }])
      const page = { pageId, url: lost }
      await addIssues(api, project, [
        { ...page, check: 'title-missing' },
        { ...page, check: 'page-not-found' },
      ])
    }
    return found(api, project, 'lost-citation')
  }

  test('holds from 5 answers, while the window has half of the answers before', async () => {
    expect(await lostOf(5)).toMatchObject([
      // 50·log10(6)/3 + 30 + 12
      { subject: lost, score: 54.97, actionType: 'improve_page', source: 'sources' },
    ])
    expect(await lostOf(4)).toEqual([])
    expect(await lostOf(5, true)).toMatchObject([{ score: 60.97, actionType: 'fix_page' }])
  })
})

describe('crawled-never-cited', () => {
  test('holds from 20 hits of a tracked page that no answer of 90 days cites', async () => {
    const project = await projectOf([
      ...answers(1, citing('https://acme.com/cited')),
      { collectedAt: '2025-03-03T12:00:00Z', ...citing('https://acme.com/was%C3%BC') },
      { collectedAt: '2025-03-01T12:00:00Z', ...citing('https://acme.com/long-ago') },
    ])
    await connectSource(api.db, project)
    const hits = (times: number, path: string, status = 200, bot = 'OAI-SearchBot') =>
      Array.from({ length: times }, (_, i) => ({
        bot,
        path,
        status,
        at: new Date(Date.UTC(2025, 4, 10, 0, 0, i)).toISOString(),
      }))
    await putHits(api.warehouse, project, [
      ...hits(10, '/twenty/'),
      ...hits(10, '/twenty', 200, 'ChatGPT-User'),
      ...hits(19, '/nineteen'),
      ...hits(20, '/missing', 404),
      ...hits(20, '/trained', 200, 'GPTBot'),
      ...hits(20, '/wasü'),
      ...hits(20, '/long-ago'),
      ...hits(20, '/robots.txt'),
    ])
    const paths = ['twenty', 'nineteen', 'missing', 'trained', 'was%C3%BC', 'long-ago']
    await addPages(
      api,
      project,
      paths.map((path) => ({ url: `https://acme.com/${path}` })),
    )
    const rows = await found(api, project, 'crawled-never-cited')
    // The 90 days begin on 2 March. 50·log10(3)/3 + 30 + 12.
    expect(rows.map(({ subject, score }) => [subject, score]).sort()).toEqual([
      ['https://acme.com/long-ago', 49.95],
      ['https://acme.com/twenty', 49.95],
    ])
    expect(rows.find(({ subject }) => subject.endsWith('twenty'))?.evidence).toMatchObject([
      { count: 20 },
      { label: 'Hits of ChatGPT-User', count: 10 },
      { label: 'Hits of OAI-SearchBot', count: 10 },
    ])
    // A window in which no answer cites an own page.
    expect(
      await found(api, project, 'crawled-never-cited', new Date('2025-06-10T03:00:00Z')),
    ).toEqual([])
  })
})
