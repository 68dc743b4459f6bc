import { beforeAll, expect, test } from 'vitest'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { asking, changesOf } from '../kit/changes.ts'

const api = useApi()

let workspace: TestWorkspace
let key = ''
let project = ''
const ask = asking(api, () => key)
const { change, faultOf } = changesOf(ask, () => project)

const list = (...names: string[]) => names.map((name) => `- **${name}** – good`).join('\n')

beforeAll(async () => {
  workspace = await api.workspace()
  key = (await workspace.key({ scopes: ['admin'] })).key
  project = await workspace.project({
    name: 'Lumora',
    domain: 'lumora.test',
    competitors: [{ name: 'Kessler', domain: 'kessler.test' }],
  })
  const citations = [{ url: 'https://www.bose.com/quietcomfort' }]
  await workspace.load(project, [
    {
      collectedAt: '2025-05-10T08:00:00Z',
      text: list('Lumora Halo', 'Bose Ultra', 'Kessler Roam'),
      citations,
    },
    {
      collectedAt: '2025-05-11T08:00:00Z',
      text: list('Bose QuietComfort', 'Sony WH-1000XM6'),
    },
    { collectedAt: '2025-05-12T08:00:00Z', text: 'Take a Bose.' },
  ])
})

const suggested = async (args = '') => {
  const fields = 'answersRead competitors { name domain answerCount }'
  const { data } = await ask(
    `{ project(id: "${project}") { suggestedCompetitors${args} { ${fields} } } }`,
  )
  return data.project?.suggestedCompetitors
}

test('brands of two answers or more are suggested until they are tracked, at both doors', async () => {
  const bose = { name: 'Bose', domain: 'bose.com', answerCount: 3 }
  expect(await suggested()).toEqual({ answersRead: 3, competitors: [bose] })
  const path = `/api/graph/suggested-competitors?projectId=${project}`
  const body = await (await api.get(path, key)).json()
  expect(body).toMatchObject({ answersRead: 3, competitors: [bose] })
  expect(await change('dismissSuggestedCompetitor', 'name: "BOSE"')).toMatchObject({
    changed: true,
  })
  expect(await change('dismissSuggestedCompetitor', 'name: "Bose"')).toMatchObject({
    changed: false,
  })
  expect(await suggested()).toEqual({ answersRead: 3, competitors: [] })
  expect(await suggested('(filter: { isDismissed: true })')).toEqual({
    answersRead: 3,
    competitors: [bose],
  })
  expect(await faultOf('dismissSuggestedCompetitor', 'name: "!?"')).toBe('invalid_argument name')
  await change('restoreSuggestedCompetitor', 'name: "bose"')
  expect(await suggested()).toEqual({ answersRead: 3, competitors: [bose] })
  await change('addCompetitor', 'name: "Bose", domain: "bose.com"')
  expect(await suggested()).toEqual({ answersRead: 3, competitors: [] })
})
