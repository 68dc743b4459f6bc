import { beforeAll, expect, test } from 'vitest'
import { useApi } from './kit/api.ts'
import { asking } from './kit/changes.ts'

const api = useApi()
let key = ''
let project = ''
let rival = ''
const ask = asking(api, () => key)

const text = [
  'Acme is great and reliable, with [excellent](https://acme.com/x) support. It costs $40.',
  '',
  '**Rival** has a terrible app, but the battery is the best and very reliable.',
  'Rival is slow.',
].join('\n')

beforeAll(async () => {
  const workspace = await api.workspace()
  key = (await workspace.key()).key
  project = await workspace.project({ competitors: [{ name: 'Rival', domain: 'rival.com' }] })
  rival = (await api.db.competitor.findFirstOrThrow({ where: { projectId: project } })).id
  await workspace.load(project, [
    { prompt: 'p1', platform: 'chatgpt', collectedAt: '2025-05-10T08:00:00Z', text },
    {
      prompt: 'p1',
      platform: 'chatgpt',
      collectedAt: '2025-05-09T08:00:00Z',
      text: 'Acme, Rival.',
    },
    {
      prompt: 'p1',
      platform: 'chatgpt',
      collectedAt: '2025-05-08T08:00:00Z',
      text: 'Acme ist eine gute Marke, und die Geräte sind nicht so teuer wie bei anderen.',
    },
  ])
})

test('an answer has the sentences that speak well or badly of a brand, the strongest first', async () => {
  const opinions = 'text sentiment'
  const { data, errors } = await ask(`{ project(id: "${project}") {
    answers(window: { from: "2025-05-01", to: "2025-05-31" }) { nodes {
      sentiment own: opinions { ${opinions} } rival: opinions(brandId: "${rival}") { ${opinions} }
    } } } }`)
  expect(errors).toBeUndefined()
  expect(data.project?.answers).toEqual({
    nodes: [
      {
        sentiment: 'positive',
        own: [
          { text: 'Acme is great and reliable, with excellent support.', sentiment: 'positive' },
        ],
        rival: [
          {
            text: 'Rival has a terrible app, but the battery is the best and very reliable.',
            sentiment: 'positive',
          },
          { text: 'Rival is slow.', sentiment: 'negative' },
        ],
      },
      { sentiment: null, own: [], rival: [] },
      {
        sentiment: 'positive',
        own: [
          {
            text: 'Acme ist eine gute Marke, und die Geräte sind nicht so teuer wie bei anderen.',
            sentiment: 'positive',
          },
        ],
        rival: [],
      },
    ],
  })
})

test('a brand that no project of the answers tracks is not found', async () => {
  const { errors } = await ask(`{ project(id: "${project}") {
    answers(window: { from: "2025-05-01", to: "2025-05-31" }) { nodes {
    opinions(brandId: "5ae10fd7-1c9e-4b4a-8f0e-3c0f2f1f7a11") { text } } } } }`)
  expect(errors?.[0]?.extensions).toMatchObject({ code: 'not_found', argument: 'brandId' })
})
