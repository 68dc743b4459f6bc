import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createCatalog } from '../../prisma/client.ts'
import { releaseAsks } from '../../resolvers/collecting/asks.ts'
import { type AskEnd, openBook } from '../../resolvers/collecting/book.ts'
import { useApi } from '../kit/api.ts'
import { asking, faultIn } from '../kit/changes.ts'

const api = useApi()
/** Workers with connections of their own. */
const workers = Array.from({ length: 4 }, () => createCatalog(api.databaseUrl, { poolSize: 4 }))
afterAll(() => Promise.all(workers.map((db) => db.$disconnect())))

const nil = '00000000-0000-0000-0000-000000000000'
const today = new Date()
let project = ''
let runId = ''
let admin = ''
const ask = asking(api, () => admin)

beforeEach(async () => {
  const workspace = await api.workspace()
  project = await workspace.project()
  admin = (await workspace.key({ scopes: ['admin'] })).key
  const data = { projectId: project, repetitions: 1, deadlineAt: today }
  runId = (await api.db.run.create({ data })).id
})

const cap = (args: string) =>
  ask(`mutation { setCollectingCaps(projectId: "${project}", ${args}) { changed } }`)

const questionOf = (id: string) => ({
  id,
  runId,
  promptId: randomUUID(),
  prompt: 'best anvils?',
  providerKeyId: nil,
  provider: 'openai' as const,
  platform: 'chatgpt',
  model: 'm',
  repetition: 1,
})

async function questions(count: number) {
  const ids = Array.from({ length: count }, () => randomUUID())
  await api.db.ask.createMany({ data: ids.map(questionOf) })
  return ids
}

/** Begins questions with one statement. @returns the ids of those that fit */
async function beginAll(
  ids: readonly string[],
  price: number | null,
  askedAt = today,
  db = api.db,
) {
  const book = openBook(db, project)
  const isBegun = await Promise.all(ids.map((askId) => book.begin({ askId, askedAt, price })))
  const begun = isBegun.filter(Boolean).length
  // Those that fit are the first ones.
  expect(isBegun.slice(0, begun)).not.toContain(false)
  return ids.slice(0, begun)
}

/** Begins so many new questions with one statement. @returns the ids of those that fit */
const begin = async (count: number, price: number | null, askedAt = today) =>
  beginAll(await questions(count), price, askedAt)

const fits = async (price: number | null, at = today) => (await begin(1, price, at)).length === 1

const end = (ids: readonly string[], said: AskEnd) =>
  openBook(api.db, project).end(ids.map((askId) => ({ askId, ...said })))
const replied = (cost: number | null): AskEnd => ({ state: 'answered', outcome: 'answered', cost })

/** Dollars of the budget, in whole cents. */
async function budget() {
  const row = await api.db.collectingBudget.findUniqueOrThrow({ where: { id: project } })
  const [day, month] = [row.daySpent, row.monthSpent].map((sum) => Math.round(sum * 100))
  return { on: row.day.toISOString().slice(0, 10), day, month }
}

describe('a hundred workers at once', () => {
  /** Each begins one question, a quarter of them on each of four clients. */
  const raceOf = (ids: readonly string[], price: number, days: readonly Date[]) =>
    Promise.all(
      ids.map((id, at) =>
        beginAll([id], price, days[at % days.length], workers[at % workers.length]),
      ),
    )

  /** @returns the ids of those that fit, after a look at each */
  async function race(price: number, days: readonly Date[]) {
    const begun = await raceOf(await questions(100), price, days)
    const ids = begun.flat()
    expect(await api.db.ask.count({ where: { runId, attempts: 1 } })).toBe(ids.length)
    expect(await api.db.ask.count({ where: { runId, reserved: price } })).toBe(ids.length)
    return ids
  }

  test('never reserve more than the cap of a day', async () => {
    await cap('dayCap: 1')
    expect(await race(0.03, [today])).toHaveLength(33)
    expect(await budget()).toMatchObject({ day: 99, month: 99 })
  })

  test('never reserve more than the cap of a month, whatever the cap of a day allows', async () => {
    await cap('dayCap: 2, monthCap: 0.5')
    expect(await race(0.01, [today])).toHaveLength(50)
    expect(await budget()).toMatchObject({ day: 50, month: 50 })
  })

  test('never reserve more than the cap on both sides of a midnight', async () => {
    const sides = [new Date('2031-05-10T23:59:59.999Z'), new Date('2031-05-11T00:00:00.000Z')]
    await cap('dayCap: 0.2, monthCap: 0.3')
    const ids = await race(0.01, sides)
    // The first one of the new day ends the old day for all, whatever their clocks say.
    const asks = await api.db.ask.findMany({ where: { id: { in: ids } } })
    const on = (day: string) => asks.filter((row) => row.reservedOn?.toISOString().startsWith(day))
    const [before, after] = [on('2031-05-10').length, on('2031-05-11').length]
    expect(before).toBeLessThanOrEqual(20)
    expect(after).toBeLessThanOrEqual(20)
    expect(before + after).toBe(Math.min(30, before + 20))
    expect(await budget()).toEqual({ on: '2031-05-11', day: after, month: before + after })
  })

  test('give back what they reserved, also where others reserve at once', async () => {
    await cap('dayCap: 1')
    const ids = await race(0.03, [today])
    const others = await questions(20)
    const ends = ids.map((id) => end([id], replied(0.01)))
    await Promise.all([...ends, raceOf(others, 0.03, [today])])
    // 33 cents were spent, and some of twenty more have reserved three cents each.
    const held = await api.db.ask.count({ where: { runId, reserved: 0.03 } })
    expect(await budget()).toMatchObject({ day: 33 + 3 * held })
    expect(33 + 3 * held).toBeLessThanOrEqual(100)
  })
})

test('questions of one statement begin in their order, as many as fit', async () => {
  await cap('dayCap: 1')
  expect(await begin(5, 0.3)).toHaveLength(3)
  expect(await begin(5, 0.05)).toHaveLength(2)
  expect(await begin(5, 0)).toHaveLength(5)
  expect(await budget()).toMatchObject({ day: 100 })
})

test('a reply replaces what its question reserved, and what comes back can be spent', async () => {
  await cap('dayCap: 1')
  const first = await begin(1, 1)
  expect(await fits(0.1)).toBe(false)
  await end(first, replied(0.5))
  // A second end changes nothing.
  await end(first, replied(0.1))
  expect([await fits(0.5), await fits(0.01)]).toEqual([true, false])
  expect(await budget()).toMatchObject({ day: 100, month: 100 })
})

test('a reply of unknown cost counts as expected, and a question without a reply as nothing', async () => {
  await cap('dayCap: 1')
  const [unpriced = '', failed = '', again = ''] = await begin(3, 0.3)
  await end([unpriced], replied(null))
  await end([failed], { state: 'failed', reason: 'No answer.' })
  await end([again], { state: 'waiting' })
  expect(await budget()).toMatchObject({ day: 30 })
  const rows = await api.db.ask.findMany({ where: { id: again } })
  expect(rows).toMatchObject([{ state: 'waiting', endedAt: null, reserved: null, attempts: 1 }])
})

test('what a dead worker reserved is free when its run goes on, and other runs keep theirs', async () => {
  await cap('dayCap: 1')
  const [counted = ''] = await begin(2, 0.3)
  await end([counted], replied(0.1))
  const first = runId
  const data = { projectId: project, repetitions: 1, deadlineAt: today }
  runId = (await api.db.run.create({ data })).id
  await begin(1, 0.2)
  expect(await budget()).toMatchObject({ day: 60, month: 60 })
  await releaseAsks(api.db, first)
  await releaseAsks(api.db, first)
  expect(await budget()).toMatchObject({ day: 30, month: 30 })
})

describe('at midnight', () => {
  const [before, after] = [new Date('2030-01-31T23:59:59Z'), new Date('2030-02-01T00:00:01Z')]

  test('the sums begin again with each day and month, and both caps hold', async () => {
    await cap('dayCap: 1, monthCap: 1.5')
    const days = ['2030-01-30', '2030-01-31', '2030-02-01'].map((day) => new Date(day))
    const taken = []
    for (const day of days) taken.push(await fits(1, day))
    expect(taken).toEqual([true, false, true])
  })

  test('a reply after it changes no sum of the new day', async () => {
    await cap('dayCap: 1')
    const old = await begin(1, 0.4, before)
    await begin(1, 0.3, after)
    await end(old, replied(0.9))
    expect(await budget()).toEqual({ on: '2030-02-01', day: 30, month: 30 })
  })

  test('a worker whose clock is behind spends of the new day', async () => {
    await cap('dayCap: 1')
    await begin(1, 0.7, after)
    expect(await fits(0.4, before)).toBe(false)
    const late = await begin(1, 0.3, before)
    expect(await budget()).toEqual({ on: '2030-02-01', day: 100, month: 100 })
    await end(late, replied(0.1))
    expect(await budget()).toEqual({ on: '2030-02-01', day: 80, month: 80 })
  })
})

test('an unknown price fits under no cap, and anything without caps', async () => {
  expect([await fits(null), await fits(1e9)]).toEqual([true, true])
  await cap('monthCap: 100')
  expect([await fits(null), await fits(1)]).toEqual([false, true])
  await cap('monthCap: null')
  expect([await fits(null), await fits(1e9)]).toEqual([true, true])
})

test('a question that began before the first cap counts with its reply', async () => {
  const early = await begin(1, 0.5)
  await cap('dayCap: 1')
  await end(early, replied(0.2))
  expect(await budget()).toMatchObject({ day: 20, month: 20 })
})

test('caps count replies from before, are shown, recorded, and removed', async () => {
  await api.db.ask.create({
    data: { ...questionOf(randomUUID()), state: 'answered', cost: 0.4, endedAt: today },
  })
  expect((await cap('dayCap: 1')).data.setCollectingCaps).toEqual({ changed: true })
  expect((await cap('dayCap: 1')).data.setCollectingCaps).toEqual({ changed: false })
  expect([await fits(0.7), await fits(0.6)]).toEqual([false, true])
  const text = `{ project(id: "${project}") { spending { today thisMonth dayCap monthCap } } }`
  expect((await ask(text)).data.project).toEqual({
    spending: { today: 0.4, thisMonth: 0.4, dayCap: 1, monthCap: null },
  })
  await cap('dayCap: null')
  expect(await fits(5)).toBe(true)
  const where = { projectId: project, action: 'project.setCollectingCaps' }
  expect(await api.db.auditEntry.count({ where })).toBe(2)
  expect(faultIn(await cap('dayCap: -1'))).toBe('invalid_argument dayCap')
})
