import { beforeEach, expect, test } from 'vitest'
import { reserveSpending, settleSpending } from '../../resolvers/collecting/spending.ts'
import { useApi } from '../kit/api.ts'
import { asking, faultIn } from '../kit/changes.ts'

const api = useApi()
const today = new Date()
let project = ''
let admin = ''
const ask = asking(api, () => admin)

beforeEach(async () => {
  const workspace = await api.workspace()
  project = await workspace.project()
  admin = (await workspace.key({ scopes: ['admin'] })).key
})

const cap = (args: string) =>
  ask(`mutation { setCollectingCaps(projectId: "${project}", ${args}) { changed } }`)
const take = (price: number | null, at = today) => reserveSpending(api.db, project, price, at)

test('a hundred at once never reserve more than the cap', async () => {
  await cap('dayCap: 1')
  const taken = await Promise.all(Array.from({ length: 100 }, () => take(0.03)))
  expect(taken.filter(Boolean)).toHaveLength(33)
})

test('a reservation is corrected by the real cost, and what comes back can be spent', async () => {
  await cap('dayCap: 1')
  expect([await take(1), await take(0.1)]).toEqual([true, false])
  await settleSpending(api.db, project, -0.5, today)
  expect([await take(0.5), await take(0.01)]).toEqual([true, false])
})

test('the sums begin again with each day and month, and both caps hold', async () => {
  await cap('dayCap: 1, monthCap: 1.5')
  const days = ['2030-01-30', '2030-01-31', '2030-02-01'].map((day) => new Date(day))
  const taken = []
  for (const day of days) taken.push(await take(1, day))
  expect(taken).toEqual([true, false, true])
})

test('an unknown price fits under no cap, and anything without caps', async () => {
  expect([await take(null), await take(1e9)]).toEqual([true, true])
  await cap('monthCap: 100')
  expect([await take(null), await take(1)]).toEqual([false, true])
})

test('caps count replies from before, are shown, recorded, and removed', async () => {
  const run = { projectId: project, repetitions: 1, deadlineAt: today }
  const { id: runId } = await api.db.run.create({ data: run })
  const nil = '00000000-0000-0000-0000-000000000000'
  await api.db.ask.create({
    data: {
      ...{ runId, promptId: nil, prompt: 'best anvils?', providerKeyId: nil, provider: 'openai' },
      ...{ platform: 'chatgpt', model: 'm', repetition: 1, state: 'answered', cost: 0.4 },
      endedAt: today,
    },
  })
  expect((await cap('dayCap: 1')).data.setCollectingCaps).toEqual({ changed: true })
  expect((await cap('dayCap: 1')).data.setCollectingCaps).toEqual({ changed: false })
  expect([await take(0.7), await take(0.6)]).toEqual([false, true])
  const text = `{ project(id: "${project}") { spending { today thisMonth dayCap monthCap } } }`
  expect((await ask(text)).data.project).toEqual({
    spending: { today: 0.4, thisMonth: 0.4, dayCap: 1, monthCap: null },
  })
  await cap('dayCap: null')
  expect(await take(5)).toBe(true)
  const where = { projectId: project, action: 'project.setCollectingCaps' }
  expect(await api.db.auditEntry.count({ where })).toBe(2)
  expect(faultIn(await cap('dayCap: -1'))).toBe('invalid_argument dayCap')
})
