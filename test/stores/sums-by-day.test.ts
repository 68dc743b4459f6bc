import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { importAnswers } from '../../imports/answers/answers.ts'
import { reanalyze } from '../../imports/answers/reanalyze.ts'
import { brandNumbers } from '../../resolvers/brands/brands.sql.ts'
import { ownTones, tonesBy, tonesByBrand } from '../../resolvers/sentiment/sentiment.sql.ts'
import { brandCounts } from '../../resolvers/share-of-voice/share-of-voice.sql.ts'
import { projectParams } from '../../resolvers/shared/facts.sql.ts'
import type { Filters } from '../../resolvers/shared/filters.ts'
import { factsOf } from '../../resolvers/shared/many.ts'
import { projectOf } from '../../resolvers/shared/slices.sql.ts'
import { crawlCounts, crawlsWhere } from '../../resolvers/traffic/traffic.sql.ts'
import { presence } from '../../resolvers/visibility/visibility.sql.ts'
import { command, type Raw, run } from '../../warehouse/run.ts'
import { makeProject, useStores } from '../kit/imports/imports.ts'
import { isSoak } from '../kit/soak.ts'

const stores = useStores()
const { db, warehouse } = stores
const days = { from: '2025-05-01', to: '2025-05-31' }

interface Statement {
  readonly sql: string
  readonly params: Record<string, unknown>
}

const noFilters: Filters = {
  platforms: null,
  models: null,
  promptIds: null,
  countries: null,
  locationIds: null,
  obtained: null,
}

const rowsOf = ({ sql, params }: Statement, settings = '') =>
  run<Raw>(warehouse, { id: 'test.sums', sql: `${sql} ${settings}`, params })

/** The sums that the engine reads for a statement, by their names. */
async function readSums({ sql, params }: Statement): Promise<string[]> {
  const plan = await run(warehouse, {
    id: 'test.plan',
    sql: `EXPLAIN ${sql}`,
    params,
    row: ({ explain }) => String(explain),
  })
  const names = plan.flatMap((line) => /\((by_\w+)\)/.exec(line)?.[1] ?? [])
  return [...new Set(names)].sort()
}

async function statementsOf(projectId: string, given: Partial<Filters> = {}) {
  const filters: Filters = { ...noFilters, ...given }
  const project = await db.project.findUniqueOrThrow({ where: { id: projectId } })
  const snapshot = { load: project.visibleLoad, dead: project.deadLoads }
  const scopes = [{ projectId, snapshot, analysis: project.analysis }]
  const { facts, params: ofFacts } = factsOf({ filters, scopes, slices: null }, days)
  const params = {
    ...ofFacts,
    brandDomains: ['bolt.io'],
    currentFrom: days.from,
    comparedTo: days.from,
  }
  return {
    presence: { sql: presence(['day', 'platform', 'window'], facts), params },
    presenceByWeek: { sql: presence(['week'], facts), params },
    presenceByMonth: { sql: presence(['month', 'window'], facts), params },
    voice: { sql: brandCounts(facts, false), params },
    numbers: { sql: brandNumbers(facts), params },
    tones: { sql: ownTones(facts, { isCompared: false, origins: true }), params },
    comparedTones: { sql: ownTones(facts, { isCompared: true, origins: true }), params },
    bareTones: { sql: ownTones(facts, { isCompared: false, origins: false }), params },
    tonesByDay: { sql: tonesBy('day', facts, { origins: true }), params },
    tonesByWeek: { sql: tonesBy('week', facts, { origins: true }), params },
    tonesByBrand: { sql: tonesByBrand(facts, { origins: true }), params },
  }
}

const answer = (run: number, more: object = {}) =>
  JSON.stringify({
    prompt: 'best speakers?',
    platform: 'chatgpt',
    run,
    collectedAt: '2025-05-10T08:00:00Z',
    text: 'Acme, then Bolt.',
    citations: [{ position: 1, url: `https://example.com/${run}` }],
    ...more,
  })

const sorted = (rows: readonly Raw[]) => rows.map((row) => JSON.stringify(row)).sort()

/** All statements give from the sums what they give from the rows. @returns the rows of the window alone */
async function countsOf(projectId: string) {
  const statements = await statementsOf(projectId)
  for (const statement of Object.values(statements)) {
    const rows = await rowsOf(statement)
    const fromRows = await rowsOf(statement, 'SETTINGS optimize_use_projections = 0')
    expect(sorted(rows)).toEqual(sorted(fromRows))
  }
  const window = (await rowsOf(statements.presence)).filter(({ by }) => by === 'window')
  return {
    answers: Math.max(0, ...window.map(({ responses }) => Number(responses))),
    naming: Math.max(0, ...window.map(({ named }) => Number(named))),
  }
}

describe('sums by day', () => {
  test('are read in place of the rows, unless a filter needs a prompt', async () => {
    const projectId = await makeProject(stores)
    await importAnswers(stores, { projectId, lines: [answer(1)] })
    const every = await statementsOf(projectId)
    expect(await readSums(every.presence)).toEqual(['by_brand_tone', 'by_day'])
    expect(await readSums(every.presenceByWeek)).toEqual(['by_brand_tone', 'by_day'])
    expect(await readSums(every.presenceByMonth)).toEqual(['by_brand_tone', 'by_day'])
    expect(await readSums(every.voice)).toEqual(['by_brand_tone'])
    expect(await readSums(every.numbers)).toEqual(['by_brand_tone', 'by_day'])
    expect(await readSums(every.tones)).toEqual(['by_brand_tone'])
    expect(await readSums(every.bareTones)).toEqual(['by_brand_tone'])
    expect(await readSums(every.comparedTones)).toEqual(['by_brand_tone'])
    expect(await readSums(every.tonesByDay)).toEqual(['by_brand_tone', 'by_day'])
    expect(await readSums(every.tonesByWeek)).toEqual(['by_brand_tone', 'by_day'])
    expect(await readSums(every.tonesByBrand)).toEqual(['by_brand_tone'])
    const inGermany = await statementsOf(projectId, { platforms: ['chatgpt'], countries: ['DE'] })
    expect(await readSums(inGermany.presence)).toEqual(['by_brand_tone', 'by_day'])
    const ofPrompt = await statementsOf(projectId, { promptIds: [randomUUID()] })
    expect(await readSums(ofPrompt.presence)).toEqual([])
  })

  if (isSoak) {
    test('hold when answers come again, when an import is removed, and after another analysis', async () => {
      const projectId = await makeProject(stores)
      const load = (...lines: string[]) => importAnswers(stores, { projectId, lines })
      await load(answer(1), answer(2, { text: 'Nobody.' }))
      expect(await countsOf(projectId)).toEqual({ answers: 2, naming: 1 })
      // The answer 2 is there already.
      await load(answer(2), answer(3))
      expect(await countsOf(projectId)).toEqual({ answers: 3, naming: 2 })
      await load(answer(4, { text: 'Nobody.' }))
      expect(await countsOf(projectId)).toEqual({ answers: 4, naming: 2 })

      await db.project.update({
        where: { id: projectId },
        data: { aliases: { create: { text: 'Nobody' } } },
      })
      await reanalyze(stores, { projectId })
      expect(await countsOf(projectId)).toEqual({ answers: 4, naming: 4 })

      // As when an import is undone: its rows go, and others stay in the same part.
      await command(warehouse, { id: 'test.merge', sql: 'OPTIMIZE TABLE answers FINAL' })
      const sql = 'DELETE FROM answers WHERE project_id = {projectId:UUID} AND run = 3'
      await command(warehouse, { id: 'test.delete', sql, params: { projectId } })
      expect(await countsOf(projectId)).toEqual({ answers: 3, naming: 4 })
    })
  }

  test('of crawls are read by crawler, status and day', async () => {
    const filters = { hosts: ['acme.com'], botName: null, botCategory: null, path: null }
    const crawls = crawlsWhere({ verification: null, ...filters })
    const params = { ...projectParams([randomUUID()]), ...days, hosts: ['acme.com'] }
    const sql = crawlCounts(['platform', 'botName', 'day', 'status'], crawls, projectOf(true))
    await command(warehouse, {
      id: 'test.hit',
      sql: `INSERT INTO crawler_hits (project_id, timestamp, host, path, platform, bot_name)
        SELECT arrayJoin({projects:Array(UUID)}), '2025-05-02 08:00:00', 'acme.com', '/', 'chatgpt', 'GPTBot'
        SETTINGS insert_deduplication_token = 'sums'`,
      params,
    })
    expect(await readSums({ sql, params })).toEqual(['by_bot'])
    expect(
      (await rowsOf({ sql, params })).map(({ countedBy, visits }) => [countedBy, visits]),
    ).toEqual(
      expect.arrayContaining([
        ['platform', 1],
        ['botName', 1],
        ['day', 1],
        ['status', 1],
      ]),
    )
  })
})
