import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { importAnswers } from '../../imports/answers/answers.ts'
import { reanalyze } from '../../imports/answers/reanalyze.ts'
import { type Judge, openJudge } from '../../imports/judge/client.ts'
import { judgeProject, planJudging } from '../../imports/judge/judge.ts'
import { removeProject } from '../../imports/loads/removal.ts'
import { commandLine } from '../../resolvers/shared/audit-trail.ts'
import { type Raw, run } from '../../warehouse/run.ts'
import { makeProject, useStores } from '../kit/imports/imports.ts'
import { type Provider, refusing, saying, tonesOf, useProvider } from '../kit/judge/provider.ts'
import { until } from '../kit/service.ts'
import { isSoak } from '../kit/soak.ts'

const stores = useStores()
const { db, warehouse } = stores

let provider: Provider
let judge: Judge
const opened = async (model: string) =>
  openJudge({ JUDGE_MODEL: model, JUDGE_URL: provider.url }) as Judge

beforeAll(async () => {
  provider = await useProvider()
  judge = await opened('one')
})
beforeEach(() => {
  provider.next()
  provider.asked.length = 0
})

const load = (projectId: string, texts: readonly string[], day = '2025-05-10') =>
  importAnswers(stores, {
    projectId,
    lines: texts.map((text, run) =>
      JSON.stringify({ prompt: 'best?', platform: 'chatgpt', collectedAt: day, run, text }),
    ),
  })

async function projectWith(...texts: string[]): Promise<string> {
  const projectId = await makeProject(stores)
  await load(projectId, texts)
  return projectId
}

/** The verdicts that readers see, sorted; the brand that is the project is Acme. */
async function verdicts(projectId: string, version = judge.version): Promise<string[]> {
  const { analysis } = await db.project.findUniqueOrThrow({ where: { id: projectId } })
  const rows = await run(warehouse, {
    id: 'test.judgements',
    sql: `SELECT brand_id = project_id AS isOwn, verdict, sentiment FROM judgements
      WHERE project_id = {projectId:UUID} AND analysis = {analysis:UInt32} AND judge_version = {version:String}`,
    params: { projectId, analysis, version },
    row: ({ isOwn, verdict, sentiment }) =>
      `${isOwn === 1 ? 'Acme' : 'Bolt'} ${verdict} ${sentiment}`,
  })
  return rows.sort()
}

const rowsLeft = (projectId: string): Promise<Raw[]> =>
  run(warehouse, {
    id: 'test.left',
    params: { projectId },
    row: (raw: Raw) => raw,
    sql: `SELECT 'judgements' FROM judgements WHERE project_id = {projectId:UUID}
       UNION ALL SELECT 'judge_runs' FROM judge_runs WHERE project_id = {projectId:UUID}`,
  })

/** The passages of all calls. */
const asked = () => provider.asked.flatMap(({ mentions }) => mentions.map(({ passage }) => passage))
const judged = (projectId: string, by = judge) => judgeProject(stores, { projectId, judge: by })

describe('a run of the judge', () => {
  test('rates each mention by the clauses that speak of it, in a call for each brand', async () => {
    const projectId = await projectWith('Acme is great. Bolt is awful.', 'Acme costs 5 euros.')
    expect(await planJudging(stores, projectId, judge.version)).toEqual({
      calls: 2,
      passages: 3,
      mentions: 3,
      settled: 0,
      characters: 'Acme is great.Bolt is awful.Acme costs 5 euros.'.length,
    })
    expect(provider.asked).toEqual([])
    expect(await judged(projectId)).toEqual({
      calls: 2,
      judged: 3,
      settled: 0,
      failed: 0,
      isComplete: true,
    })
    expect(asked().sort()).toEqual(['Acme costs 5 euros.', 'Acme is great.', 'Bolt is awful.'])
    expect(await verdicts(projectId)).toEqual([
      'Acme neutral 0',
      'Acme positive 1',
      'Bolt negative -1',
    ])
  })

  test('rates other languages than English, and a mere name without a call', async () => {
    const projectId = await projectWith('Acme ist great.', 'Bolt\n\nCrest')
    expect(await judged(projectId)).toMatchObject({ calls: 1, judged: 1, settled: 2 })
    expect(await verdicts(projectId)).toEqual([
      'Acme positive 1',
      'Bolt none null',
      'Bolt none null',
    ])
  })

  test('asks about no word of the language of the answer that is spelled as a name', async () => {
    const projectId = await makeProject(stores)
    const competitor = { projectId, name: 'Carrefour', domain: 'carrefour.example' }
    await db.competitor.create({ data: competitor })
    const french = 'Pour votre téléphone, nous vous conseillons de comparer les offres.'
    await load(projectId, [`${french} Allez chez Carrefour. Le prochain carrefour est affreux.`])
    expect(await judged(projectId)).toMatchObject({ calls: 1, judged: 1 })
    expect(asked()).toEqual(['Allez chez Carrefour.'])
  })

  test('asks about the same clauses once: in one answer, in the next import, after a reanalysis', async () => {
    const projectId = await projectWith('Acme is great.', 'Acme is great. Bolt is awful.')
    expect(await judged(projectId)).toMatchObject({ calls: 2, judged: 3 })
    expect(asked()).toHaveLength(2)

    await load(projectId, ['Bolt is awful.'], '2025-05-11')
    expect(await judged(projectId)).toMatchObject({ calls: 0, judged: 0, settled: 1 })

    await reanalyze(stores, { projectId })
    expect(await verdicts(projectId)).toEqual([])
    expect(await judged(projectId)).toMatchObject({ calls: 0, judged: 0, settled: 4 })
    expect(await verdicts(projectId)).toEqual([
      'Acme positive 1',
      'Acme positive 1',
      'Bolt negative -1',
      'Bolt negative -1',
    ])
    expect(asked()).toHaveLength(2)
  })

  test('asks again where a reanalysis finds other clauses', async () => {
    const projectId = await projectWith('Acme is great, but lacks the case of Delta. It breaks.')
    await judged(projectId)
    expect(asked()).toEqual(['Acme is great, but lacks the case of Delta. It breaks.'])
    await db.competitor.create({ data: { projectId, name: 'Delta', domain: 'delta.example' } })
    await reanalyze(stores, { projectId })
    await judged(projectId)
    expect(asked().slice(1).sort()).toEqual([
      'Acme is great,',
      'but lacks the case of Delta. It breaks.',
    ])
  })

  if (isSoak) {
    test('of another model asks about everything, and both keep their rows', async () => {
      const projectId = await projectWith('Acme is great.')
      await judged(projectId)
      const other = await opened('two')
      expect(await judged(projectId, other)).toMatchObject({ calls: 1, judged: 1 })
      expect(await verdicts(projectId)).toEqual(['Acme positive 1'])
      expect(await verdicts(projectId, other.version)).toEqual(['Acme positive 1'])
    })
  }

  test('asks once more for what has no valid verdict, and then leaves it unrated', async () => {
    const projectId = await projectWith('Acme is great. Bolt is awful.')
    const other = saying(
      tonesOf([
        { id: 9, tone: 'positive' },
        { id: 1, tone: 'excellent' },
      ]),
    )
    provider.next(other, saying('{"ratings":[{"id":1'), saying('no'), saying('no'))
    expect(await judged(projectId)).toEqual({
      calls: 4,
      judged: 0,
      settled: 0,
      failed: 2,
      isComplete: true,
    })
    expect(await verdicts(projectId)).toEqual([])
    expect(await judged(projectId)).toMatchObject({ calls: 2, judged: 2, failed: 0 })
  })

  if (isSoak) {
    test('that the provider refuses keeps what it has, and the next one goes on', async () => {
      const texts = Array.from({ length: 30 }, (_, i) => `Acme is great, says reader ${i}.`)
      const projectId = await projectWith(...texts)
      const reply = saying(
        tonesOf(
          Array.from({ length: 20 }, (_, i) => ({
            id: i + 1,
            quote: 'is great',
            tone: 'positive',
          })),
        ),
      )
      provider.next(reply, refusing(401))
      await expect(judged(projectId)).rejects.toThrow('answered 401')
      const kept = (await verdicts(projectId)).length
      expect([10, 20]).toContain(kept)
      expect(await judged(projectId)).toMatchObject({ calls: 1, judged: 30 - kept })
      expect(await verdicts(projectId)).toHaveLength(30)
    })
  }

  if (isSoak) {
    test('about a project that is deleted leaves no row', async () => {
      const projectId = await projectWith('Acme is great.', 'Bolt is awful.')
      provider.next(async (_asked, response) => {
        await removeProject(stores, commandLine, projectId)
        saying(tonesOf([{ id: 1, quote: 'great', tone: 'positive' }]))(_asked, response)
      })
      await judged(projectId).catch(() => undefined)
      await until(async () => (await rowsLeft(projectId)).length === 0)
    })
  }

  test('is removed with its project', async () => {
    const projectId = await projectWith('Acme is great.')
    await judged(projectId)
    expect(await rowsLeft(projectId)).toHaveLength(2)
    await removeProject(stores, commandLine, projectId)
    await until(async () => (await rowsLeft(projectId)).length === 0)
  })

  if (isSoak) {
    test('waits for another run on the project, so that nothing is asked twice', async () => {
      const projectId = await projectWith('Acme is great.')
      const both = await Promise.all([judged(projectId), judged(projectId)])
      expect(both.map(({ calls }) => calls).sort()).toEqual([0, 1])
      expect(asked()).toHaveLength(1)
    })
  }
})
