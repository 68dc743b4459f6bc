import { beforeAll, expect, test } from 'vitest'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { asking } from '../kit/changes.ts'
import { askingRest, outcomeOf } from '../kit/prompts.ts'

const api = useApi()

let workspace: TestWorkspace
let key = ''
let project = ''
const rest = askingRest(
  api,
  () => project,
  () => key,
)
const ask = asking(api, () => key)

beforeAll(async () => {
  workspace = await api.workspace()
  key = (await workspace.key()).key
  project = await workspace.project()
  const texts = ['100% wool?', 'tracked 100%', 'Cotton?', 'COTTON_socks']
  for (const [i, text] of texts.entries()) {
    const isTracked = text.startsWith('tracked')
    const createdAt = `2025-05-0${i + 1}T10:00:00Z`
    await api.db.prompt.create({ data: { projectId: project, text, createdAt, isTracked } })
  }
})

const listed = async (query: string) =>
  (await rest('GET', `/prompts/untracked${query}`)).body.prompts.map(({ text }) => text)

test('archived prompts alone are listed, newest first, as prompts are, at both doors', async () => {
  const { status, body } = await rest('GET', '/prompts/untracked')
  expect([status, Object.keys(body)]).toEqual([200, ['project', 'prompts', 'pagination']])
  expect(body.prompts.map(({ text }) => text)).toEqual(['COTTON_socks', 'Cotton?', '100% wool?'])
  const { body: whole } = await rest('GET', '/prompts?isTracked=false')
  expect(body).toEqual(whole)
  const { data } = await ask(
    `{ project(id: "${project}") { prompts(filter: { isTracked: false, search: "cotton" }) { prompts: nodes { text isTracked } totalCount } } }`,
  )
  expect(data.project?.prompts).toEqual({
    prompts: [
      { text: 'COTTON_socks', isTracked: false },
      { text: 'Cotton?', isTracked: false },
    ],
    totalCount: 2,
  })
})

test.each([
  ['?search=cotton', ['COTTON_socks', 'Cotton?']],
  ['?search=%25', ['100% wool?']],
  ['?search=_', ['COTTON_socks']],
  ['?search=tracked', []],
  ['?limit=1&offset=1', ['Cotton?']],
  // Whoever asks for tracked ones here asks for what this list is not.
  ['?isTracked=true&limit=1', ['COTTON_socks']],
])('%s', async (query, expected) => {
  expect(await listed(query)).toEqual(expected)
})

test.each([
  ['?search=a%00', '400 invalid_argument search'],
  ['?limit=0', '400 invalid_argument limit'],
  ['?format=csv', '400 invalid_argument format'],
])('%s gives %s', async (query, outcome) => {
  expect(outcomeOf(await rest('GET', `/prompts/untracked${query}`))).toBe(outcome)
})

test('a project without prompts has none', async () => {
  const other = await workspace.project()
  const response = await api.get(`/api/mcp/projects/${other}/prompts/untracked`, key)
  expect(await response.json()).toMatchObject({ prompts: [], pagination: { totalCount: 0 } })
})
