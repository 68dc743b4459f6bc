import { beforeAll, expect, test } from 'vitest'
import { useApi } from '../kit/api.ts'
import { asking } from '../kit/changes.ts'

const api = useApi()
let key = ''
let project = ''
let anvils = ''
let bolts = ''
const ask = asking(api, () => key)

/** Questions of 1 to 31 May 2025, and one of each neighbouring day, which costs $100. */
beforeAll(async () => {
  const workspace = await api.workspace()
  project = await workspace.project()
  key = (await workspace.key({ scopes: ['admin'] })).key
  const data = { projectId: project, isTracked: true }
  anvils = (await api.db.prompt.create({ data: { ...data, text: 'best anvils?' } })).id
  bolts = (await api.db.prompt.create({ data: { ...data, text: 'best bolts?' } })).id
  const shared = { providerKeyId: project, platform: 'any', state: 'answered' } as const
  const openai = { provider: 'openai', model: 'gpt-5-mini' } as const
  const sonar = { provider: 'perplexity', model: 'sonar' } as const
  const ofAnvils = { promptId: anvils, prompt: 'best anvils?' }
  const ofBolts = { promptId: bolts, prompt: 'best bolts?' }
  const at = (time: string) => ({ endedAt: new Date(time) })
  const asks = [
    { ...openai, ...ofAnvils, ...at('2025-05-01T00:00:00Z'), cost: 0.25 },
    { ...openai, ...ofBolts, ...at('2025-05-31T23:59:59Z'), cost: 0.5 },
    { ...openai, ...ofBolts, ...at('2025-05-20T08:00:00Z'), state: 'failed' as const },
    { ...sonar, ...ofAnvils, ...at('2025-05-20T08:00:00Z'), cost: 0.125 },
    { ...sonar, ...ofAnvils, ...at('2025-04-30T23:59:59Z'), cost: 100 },
    { ...sonar, ...ofAnvils, ...at('2025-06-01T00:00:00Z'), cost: 100 },
    { ...sonar, ...ofAnvils, endedAt: null, state: 'waiting' as const },
  ]
  const create = asks.map((row, repetition) => ({ ...shared, repetition, ...row }))
  await api.db.run.create({
    data: { projectId: project, repetitions: 9, deadlineAt: new Date(), asks: { create } },
  })
})

test('cost is the sum of the questions of the window, by provider and by prompt', async () => {
  const answer = await ask(`{ project(id: "${project}") {
    collectingCost(window: { from: "2025-05-01", to: "2025-05-31" }) {
      questions cost
      providers { provider model questions unpriced cost }
      prompts { prompt { id } text questions unpriced cost }
    }
  } }`)
  expect(answer.errors).toBeUndefined()
  expect(answer.data.project?.collectingCost).toEqual({
    questions: 4,
    cost: 0.875,
    providers: [
      { provider: 'openai', model: 'gpt-5-mini', questions: 3, unpriced: 1, cost: 0.75 },
      { provider: 'perplexity', model: 'sonar', questions: 1, unpriced: 0, cost: 0.125 },
    ],
    prompts: [
      { prompt: { id: bolts }, text: 'best bolts?', questions: 2, unpriced: 1, cost: 0.5 },
      { prompt: { id: anvils }, text: 'best anvils?', questions: 2, unpriced: 0, cost: 0.375 },
    ],
  })
})

test('cost of a window without questions is 0', async () => {
  const text = `{ project(id: "${project}") { collectingCost(window: { from: "2024-05-01", to: "2024-05-31" }) { questions cost providers { cost } prompts { cost } } } }`
  expect((await ask(text)).data.project).toEqual({
    collectingCost: { questions: 0, cost: 0, providers: [], prompts: [] },
  })
})
