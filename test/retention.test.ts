import { beforeAll, expect, test } from 'vitest'
import { readSettings } from '../core/settings.ts'
import { enforceRetention } from '../worker/retention/retention.ts'
import { type TestWorkspace, useApi } from './kit/api.ts'
import { asking, faultIn } from './kit/changes.ts'

/** A workspace keeps its data for as long as its owners say, and no other workspace loses any. */

const api = useApi({ RETENTION_DAYS: 'audit_trail=90' }, undefined, { ownDatabase: true })

let mine: TestWorkspace
let other: TestWorkspace
let key = ''
const projects = { mine: '', other: '' }
const ask = asking(api, () => key)

const dayMs = 24 * 3600 * 1000
const now = new Date()
const daysAgo = (days: number) =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate(), 12) - days * dayMs)

beforeAll(async () => {
  mine = await api.workspace()
  other = await api.workspace()
  key = (await mine.key({ scopes: ['admin'] })).key
  projects.mine = await mine.project()
  projects.other = await other.project()
  const lines = [40, 31, 30, 2].map((days) => ({ collectedAt: daysAgo(days).toISOString() }))
  await mine.load(projects.mine, lines)
  await other.load(projects.other, lines)
})

const of = () => `workspaceId: "${mine.id}"`
const set = async (args: string) =>
  faultIn(await ask(`mutation { setRetention(${of()}, ${args}) { changed } }`))

async function read(fields: string) {
  const { data } = await ask(`{ workspace(id: "${mine.id}") { ${fields} } }`)
  return data.workspace
}

async function answers(project: string, as: TestWorkspace): Promise<number> {
  const { key: reader } = await as.key({ scopes: ['read'] })
  const window = `window: { from: "${daysAgo(60).toISOString().slice(0, 10)}", to: "${now.toISOString().slice(0, 10)}" }`
  const { data } = await ask(
    `{ project(id: "${project}") { answers(${window}) { totalCount } } }`,
    reader,
  )
  return Number((data.project as { answers: { totalCount: number } }).answers.totalCount)
}

const update = (before: object, after: object) => ({ action: 'workspace.update', before, after })

const night = () => enforceRetention({ ...api, settings: readSettings({}) }, now)

test('a preview says what would go, and changes nothing', async () => {
  const firstKeptOn = daysAgo(30).toISOString().slice(0, 10)
  const found = await read('retentionPreview(answers: 30) { kind firstKeptOn rowCount }')
  expect(found?.retentionPreview).toEqual([{ kind: 'answers', firstKeptOn, rowCount: 2 }])
  expect(await read('retentionPreview(answers: 60) { kind }')).toEqual({ retentionPreview: [] })
  expect(await read('retention { answers }')).toEqual({ retention: { answers: null } })
})

test('what is older than an owner keeps goes in the night, and nothing of others', async () => {
  await night()
  expect(await answers(projects.mine, mine)).toBe(4)
  expect(await set('answers: 30')).toBe('none')
  expect(await answers(projects.mine, mine)).toBe(4)
  await night()
  expect([await answers(projects.mine, mine), await answers(projects.other, other)]).toEqual([2, 4])
  const { dataAvailableFrom } = await api.db.project.findUniqueOrThrow({
    where: { id: projects.mine },
  })
  expect(dataAvailableFrom?.toISOString().slice(0, 10)).toBe(daysAgo(30).toISOString().slice(0, 10))
  expect(await read('retentionPreview(answers: 30) { kind }')).toEqual({ retentionPreview: [] })
})

test('null ends a limit, absent leaves it, and the trail says who changed what', async () => {
  expect(await set('crawlerHits: 7')).toBe('none')
  expect(await set('answers: null')).toBe('none')
  const limits = await read('retention { answers crawlerHits auditTrail }')
  expect(limits?.retention).toEqual({ answers: null, crawlerHits: 7, auditTrail: 90 })
  const trail = await read('auditTrail(first: 2) { nodes { action before after } }')
  expect(trail?.auditTrail).toEqual({
    nodes: [
      update({ keepAnswersDays: 30 }, { keepAnswersDays: null }),
      update({ keepCrawlerHitsDays: null }, { keepCrawlerHitsDays: 7 }),
    ],
  })
})

test('days that are none, and more than the service keeps, are refused at their field', async () => {
  expect(await set('answers: 0')).toBe('invalid_argument answers')
  expect(await set('auditTrail: 91')).toBe('invalid_argument auditTrail')
  expect(await read('serviceRetention { answers auditTrail }')).toEqual({
    serviceRetention: { answers: null, auditTrail: 90 },
  })
})
