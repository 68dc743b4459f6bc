import { beforeAll, describe, expect, test } from 'vitest'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { answers, found } from '../kit/work/opportunities.ts'

const api = useApi()
let workspace: TestWorkspace

beforeAll(async () => {
  workspace = await api.workspace()
})

const competitors = [{ name: 'Rival', domain: 'rival.com' }]

async function projectOf(lines: Parameters<TestWorkspace['load']>[1]): Promise<string> {
  const project = await workspace.project({ competitors })
  await workspace.load(project, lines)
  return project
}

const rival = 'Rival is good.'
const own = 'Acme is good.'

describe('prompt-gap', () => {
  test('holds from 10 answers and beyond chance, with the score of the contract', async () => {
    const project = await projectOf([
      // 24 of 40 name the competitor and none the brand: 50·log10(41)/3 + 30·0.6 + 20·0.4.
      ...answers(24, { prompt: 'forty', text: rival }),
      ...answers(16, { prompt: 'forty' }, { day: 11 }),
      // The interval of 0 of 10 ends at 27.75 %, that of 6 of 10 begins at 31.27 %, of 5 of 10 at 23.66 %.
      ...answers(6, { prompt: 'six of ten', text: rival }),
      ...answers(4, { prompt: 'six of ten' }, { day: 11 }),
      ...answers(5, { prompt: 'five of ten', text: rival }),
      ...answers(5, { prompt: 'five of ten' }, { day: 11 }),
      ...answers(9, { prompt: 'nine of nine', text: rival }),
      ...answers(10, { prompt: 'archived', text: rival }),
      ...answers(10, {
        prompt: 'cites us',
        text: rival,
        citations: [{ url: 'https://acme.com/a' }],
      }),
      ...answers(10, { prompt: 'before the window', text: rival }, { before: true }),
    ])
    const where = { projectId: project, text: 'archived' }
    await api.db.prompt.updateMany({ where, data: { isTracked: false } })
    const rows = await found(api, project, 'prompt-gap')
    expect(rows.map(({ title, score, impact }) => [title, score, impact])).toEqual([
      ['Improve the page that answers "cites us", where Rival leads', 59.36, 'high'], // 17.36 + 30 + 12
      ['Answer "forty" on a page of yours, where Rival leads', 52.88, 'high'],
      ['Answer "six of ten" on a page of yours, where Rival leads', 43.36, 'medium'], // 17.36 + 18 + 8
    ])
    // Of the 89 answers of the window, as many as the competitor is ahead.
    expect(rows.map((row) => [row.effectAnswers, row.effectValue, row.effort])).toEqual([
      [10, 11.24, 'medium'],
      [24, 26.97, 'high'],
      [6, 6.74, 'high'],
    ])
    expect(rows[1]?.effectReason).toBe(
      '24 of 40 answers to the prompt mention Rival, and 0 mention Acme.',
    )
    expect(rows.map(({ actionType }) => actionType)).toEqual([
      'improve_page',
      'create_page',
      'create_page',
    ])
    expect(rows[1]).toMatchObject({
      source: 'competitors',
      category: 'content',
      scope: 'prompt',
      description:
        'In the last 30 days, 24 of 40 answers name Rival (60%), and 0 name Acme (0%). Create a page that answers it.',
    })
    expect(rows[1]?.evidence).toMatchObject([
      { count: 40, promptId: rows[1]?.subject },
      { label: 'Answers that name Acme', count: 0 },
      { label: 'Answers that name Rival', count: 24, competitorId: expect.any(String) },
    ])
  })
})

describe('platform-gap', () => {
  const gap = async (responses: number, named: number) => {
    const project = await projectOf([
      ...answers(responses, { platform: 'perplexity' }),
      ...answers(named, { platform: 'chatgpt', text: own }),
      ...answers(100 - named, { platform: 'chatgpt' }, { day: 11 }),
    ])
    return (await found(api, project, 'platform-gap')).map(({ subject, score }) => [subject, score])
  }

  test('holds from 50 answers and 15 points', async () => {
    // 50·log10(51)/3 + 30·0.15 + 20·0.5
    expect(await gap(50, 15)).toEqual([['perplexity', 42.96]])
    expect(await gap(50, 14)).toEqual([])
    expect(await gap(49, 15)).toEqual([])
  })
})

describe('negative-topic', () => {
  const topic = (name: string, rated: number, negative: number) => [
    ...answers(negative, { prompt: name, topic: name, text: own, sentiment: -1 }),
    ...answers(
      rated - negative,
      { prompt: name, topic: name, text: own, sentiment: 0 },
      { day: 11 },
    ),
  ]

  test('holds from 20 rated answers, above 20 percent beyond chance', async () => {
    const project = await projectOf([
      ...topic('eight', 20, 8), // from 21.88 %
      ...topic('seven', 20, 7), // from 18.12 %
      ...topic('few', 19, 19),
    ])
    const rows = await found(api, project, 'negative-topic')
    expect(rows).toMatchObject([
      {
        title: 'Answer what is said against Acme on "eight"',
        // 50·log10(9)/3 + 30·0.4 + 20·0.6
        score: 39.9,
        impact: 'medium',
        scope: 'topic',
        actionType: 'improve_page',
      },
    ])
  })
})

describe('visibility-decline', () => {
  /** Five prompts of 20 answers in each window, of which so many name the brand. */
  const decline = async (before: readonly number[], now: readonly number[]) => {
    const window = (named: readonly number[], inBefore: boolean) =>
      named.flatMap((count, i) => {
        const line = { prompt: `prompt ${i}`, topic: 'Audio' }
        const [day, later] = [{ before: inBefore }, { before: inBefore, day: 11 }]
        return [...answers(count, { ...line, text: own }, day), ...answers(20 - count, line, later)]
      })
    const project = await projectOf([...window(before, true), ...window(now, false)])
    const rows = await found(api, project, 'visibility-decline')
    return rows.map(({ scope, score, title }) => [scope, score, title]).sort()
  }

  test('holds from 5 points and beyond chance, for the site and the topic', async () => {
    // From 40 to 30 of 100; the interval of the change is −17.6 to −2.4. 50·log10(101)/3 + 30·0.2 + 10.
    expect(await decline([12, 10, 8, 6, 4], [8, 8, 6, 5, 3])).toEqual([
      ['site', 49.41, 'Find out why Acme lost 10 points of visibility'],
      ['topic', 49.41, 'Find out why Acme lost 10 points of visibility on "Audio"'],
    ])
    // Five points, the same of each prompt: the interval is the point itself.
    expect(await decline([8, 8, 8, 8, 8], [7, 7, 7, 7, 7])).toHaveLength(2)
    expect(await decline([8, 8, 8, 8, 8], [8, 7, 7, 7, 7])).toEqual([])
    // Ten points, but one prompt won and another lost: chance alone can do it.
    expect(await decline([20, 0, 20, 0, 0], [0, 0, 10, 20, 0])).toEqual([])
  })
})
