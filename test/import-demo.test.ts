import { beforeAll, describe, expect, test } from 'vitest'
import { contentTypes } from '../core/content-types.ts'
import { sourceTypes } from '../core/source-types.ts'
import { importAnswers } from '../imports/answers.ts'
import { demoLines, demoProject } from '../imports/demo.ts'
import { useStores, visibleRows } from './kit/imports.ts'

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
})
