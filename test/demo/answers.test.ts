import { beforeAll, describe, expect, test } from 'vitest'
import { builtinBots, createBotMatcher } from '../../core/bots/bots.ts'
import { contentTypes } from '../../core/sites/content-types.ts'
import { sourceTypes } from '../../core/sites/source-types.ts'
import { demoLines, demoProject } from '../../demo/answers.ts'
import { demoEvents, loadDemoHits } from '../../demo/hits.ts'
import { importAnswers } from '../../imports/answers/answers.ts'
import { run } from '../../warehouse/run.ts'
import { useStores, visibleRows } from '../kit/imports/imports.ts'

const endDay = '2026-03-01'
const lines = [...demoLines({ seed: 1, endDay })]
const dayMs = 24 * 60 * 60 * 1000

describe('the lines of the demonstration', () => {
  test('are the same for the same seed, and others for another', () => {
    expect([...demoLines({ seed: 1, endDay })]).toEqual(lines)
    expect([...demoLines({ seed: 2, endDay })]).not.toEqual(lines)
  })

  test('cover 90 days that end with the given one, each day in its first hour', () => {
    const times = lines.map((line) => Date.parse(JSON.parse(line).collectedAt))
    const days = new Set(times.map((time) => Math.floor(time / dayMs)))
    expect(days.size).toBe(90)
    expect(Math.max(...days)).toBe(Date.parse(endDay) / dayMs)
    expect(Math.max(...times.map((time) => time % dayMs))).toBeLessThan(dayMs / 24)
  })
})

describe('the crawls of the demonstration', () => {
  const events = [...demoEvents({ seed: 1, endDay })]

  test('are the same for the same seed, and others for another', () => {
    expect([...demoEvents({ seed: 1, endDay })]).toEqual(events)
    expect([...demoEvents({ seed: 2, endDay })]).not.toEqual(events)
  })

  test('come on each of 90 days, those of the last one in its first hour', () => {
    const days = Map.groupBy(events, ({ timestamp }) => Math.floor(timestamp / dayMs))
    expect(days.size).toBe(90)
    const last = days.get(Date.parse(endDay) / dayMs) ?? []
    expect(Math.max(...last.map(({ timestamp }) => timestamp % dayMs))).toBeLessThan(dayMs / 24)
  })

  test('are of known crawlers for every purpose but agents; fewer ask for users at weekends', () => {
    const { match } = createBotMatcher(builtinBots)
    const of = Map.groupBy(events, ({ user_agent }) => match(user_agent)?.name)
    expect(of.has(undefined)).toBe(false)
    expect(of.size).toBe(14)
    const purposes = new Set(events.map(({ user_agent }) => match(user_agent)?.category))
    expect([...purposes].sort()).toEqual([
      'ai_assistant',
      'ai_search',
      'ai_training',
      'search_engine',
    ])
    const asked = of.get('ChatGPT-User') ?? []
    const atWeekends = asked.filter(({ timestamp }) =>
      [0, 6].includes(new Date(timestamp).getUTCDay()),
    )
    // Two days of seven would be 29 in a hundred.
    expect(atWeekends.length / asked.length).toBeLessThan(0.22)
  })
})

describe('the demonstration', () => {
  const stores = useStores()
  let projectId = ''

  beforeAll(async () => {
    const { aliases, competitors, ...about } = demoProject
    const workspace = await stores.db.workspace.create({ data: { name: 'Demo' } })
    const asAliases = (texts: readonly string[]) => ({ create: texts.map((text) => ({ text })) })
    const project = await stores.db.project.create({
      data: {
        ...about,
        workspaceId: workspace.id,
        aliases: asAliases(aliases),
        competitors: {
          create: competitors.map((it) => ({ ...it, aliases: asAliases(it.aliases) })),
        },
      },
    })
    projectId = project.id
  })

  test('loads whole, with 60 prompts in 12 topics, 3 places and 5 platforms', async () => {
    const result = await importAnswers(stores, { projectId, lines })
    expect(result).toEqual({ read: 3375, loaded: 3375, skipped: 0, rejected: [] })
    const of = { where: { projectId } }
    const { db } = stores
    expect(await db.prompt.count(of)).toBe(60)
    expect(await db.prompt.count({ where: { projectId, isBranded: true } })).toBe(5)
    expect(await db.topic.count(of)).toBe(12)
    expect(await db.location.count(of)).toBe(3)
    expect(await db.projectModel.count(of)).toBe(5)
  })

  test('cites every type of source and of content, on more than 60 domains', async () => {
    const rows = await visibleRows(stores, projectId, 'citations')
    expect(new Set(rows.map(({ domain }) => domain)).size).toBeGreaterThan(60)
    // Brand and competitor are worked out by whoever asks, from their domains.
    const own = rows.filter(({ domain }) => domain === demoProject.domain)
    expect(own.length).toBeGreaterThan(100)
    const types = new Set(rows.map(({ registry_type }) => String(registry_type)))
    expect([...types, 'brand', 'competitor'].sort()).toEqual([...sourceTypes].sort())
    const contents = new Set(rows.map(({ content_type }) => String(content_type)))
    expect([...contents].sort()).toEqual([...contentTypes].sort())
  })

  test('shows products and ads, and has answers without either', async () => {
    const answers = await visibleRows(stores, projectId, 'answers')
    const measured = (column: string) => answers.filter((row) => row[column] === 1).length
    const shown = async (table: 'product_mentions' | 'ad_impressions') =>
      new Set((await visibleRows(stores, projectId, table)).map((row) => row.answer_id)).size
    const rates = [
      (await shown('product_mentions')) / measured('products_measured'),
      (await shown('ad_impressions')) / measured('ads_measured'),
    ]
    expect(rates).toEqual([expect.closeTo(0.48, 1), expect.closeTo(0.32, 1)])
    const ads = await visibleRows(stores, projectId, 'ad_impressions')
    expect(new Set(ads.map(({ domain }) => domain)).size).toBe(5)
  })

  test('tells a story: a trough in the middle, a recovery, and growth at the end', async () => {
    const mentions = await visibleRows(stores, projectId, 'mentions')
    const own = mentions.filter(({ is_own }) => is_own === 1)
    const daysAgo = ({ day }: (typeof own)[number]) =>
      (Date.parse(endDay) - Date.parse(String(day))) / dayMs
    const within = (from: number, to: number) =>
      own.filter((row) => daysAgo(row) >= from && daysAgo(row) < to)
    const [last, , , middle, , before] = [0, 14, 28, 42, 56, 70].map((from) => {
      return within(from, from + 14).length
    })
    expect(middle).toBeLessThan((before ?? 0) * 0.75)
    expect(last).toBeGreaterThan((before ?? 0) * 1.25)
    const tones = new Set(own.map(({ sentiment }) => sentiment))
    expect([...tones].sort()).toEqual([-1, 0, 1])
  })

  test('has crawls of two hosts, by tracker and by log, and loads them once', async () => {
    const { db, warehouse } = stores
    const counts = () =>
      run(warehouse, {
        id: 'test.hits',
        sql: `SELECT host, source, count() AS hits FROM crawler_hits
          WHERE project_id = {projectId:UUID} GROUP BY host, source ORDER BY host`,
        params: { projectId },
        row: ({ host, source, hits }) => ({ host, source, hits: Number(hits) }),
      })
    await loadDemoHits(stores, projectId, { seed: 1, endDay })
    const first = await counts()
    expect(first).toMatchObject([
      { host: 'support.lumora.example', source: 'log' },
      { host: 'www.lumora.example', source: 'tracker' },
    ])
    expect(first.reduce((sum, { hits }) => sum + hits, 0)).toBe(
      [...demoEvents({ seed: 1, endDay })].length,
    )
    await loadDemoHits(stores, projectId, { seed: 1, endDay })
    expect(await counts()).toEqual(first)
    const proofs = await run(warehouse, {
      id: 'test.proofs',
      sql: `SELECT bot_name AS bot, groupUniqArray(verification) AS proofs FROM crawler_hits
        WHERE project_id = {projectId:UUID} GROUP BY bot_name`,
      params: { projectId },
      row: ({ bot, proofs: of }) => [bot, of] as const,
    })
    expect(Object.fromEntries(proofs)).toMatchObject({
      GPTBot: ['verified'],
      PerplexityBot: ['verified'],
      ClaudeBot: ['claimed'],
    })
    expect(proofs.flatMap(([, of]) => of)).not.toContain('impostor')
    const connections = await db.connection.findMany({ where: { projectId } })
    expect(connections.map(({ kind }) => kind).sort()).toEqual(['log', 'tracker'])
  })

  test('has own pages that are both cited and crawled', async () => {
    const crawled = new Set([...demoEvents({ seed: 1, endDay })].map(({ url }) => url))
    const citations = await visibleRows(stores, projectId, 'citations')
    const own = new Set(
      citations.map(({ url }) => String(url)).filter((url) => url.includes(demoProject.domain)),
    )
    expect(own.size).toBeGreaterThan(20)
    expect([...own].filter((url) => !crawled.has(url))).toEqual([])
  })
})
