import { beforeAll, expect, test } from 'vitest'
import { useApi } from '../kit/api.ts'
import { asking } from '../kit/changes.ts'
import { importCsv } from '../kit/imports/prompts.ts'
import { askingRest, outcomeOf } from '../kit/prompts.ts'
import { pathsOf } from '../kit/rest/prompt-writes.ts'
import { sendWrite } from '../kit/rest/writes.ts'

const api = useApi()

let key = ''
let project = ''
const rest = askingRest(
  api,
  () => project,
  () => key,
)
const ask = asking(api, () => key)

beforeAll(async () => {
  const workspace = await api.workspace()
  project = await workspace.project()
  key = (await workspace.key({ scopes: ['read'], capabilities: ['prompt:draft'] })).key
})

const patch = (id: string, body: unknown) => rest('PATCH', `/prompts/${id}`, body)
const reword = (id: string, revision: unknown, more = {}) =>
  rest('POST', `/prompts/${id}/restore-wording`, { revision, ...more })

async function added(text: string): Promise<string> {
  const { body } = await rest('POST', '/prompts', { prompts: [{ text }] })
  return body.prompts[0]?.id ?? ''
}

const revisionsOf = async (id: string) =>
  (await rest('GET', `/prompts/${id}/revisions`)).body.revisions as { change: string }[]

const changesOf = async (id: string) => (await revisionsOf(id)).map(({ change }) => change)

test.each([
  [1.5, 2],
  [1.4999, 1],
  [0.2, 0],
  [99.5, 100],
])('a metric of %d is kept as %d, at both doors', async (given, kept) => {
  const id = await added('a?')
  const metrics = { keywordSearchVolume: kept, keywordDifficulty: kept }
  const { status, body } = await patch(id, {
    keywordSearchVolume: given,
    keywordDifficulty: given,
  })
  expect([status, body.prompt]).toEqual([200, expect.objectContaining(metrics)])
  expect((await rest('GET', `/prompts/${id}`)).body.prompt).toMatchObject(metrics)
  const args = `projectId: "${project}", promptId: "${id}", keywordSearchVolume: ${given}`
  const { data } = await ask(
    `mutation { updatePrompt(${args}) { prompt { keywordSearchVolume } } }`,
  )
  expect(data.updatePrompt).toEqual({ prompt: { keywordSearchVolume: kept } })
})

test.each([
  ['keywordSearchVolume', -1, '0 to 2147483647'],
  ['keywordSearchVolume', 2 ** 31, '0 to 2147483647'],
  ['keywordSearchVolume', 1e300, '0 to 2147483647'],
  ['keywordDifficulty', -0.1, '0 to 100'],
  ['keywordDifficulty', 100.4, '0 to 100'],
  ['keywordDifficulty', 101, '0 to 100'],
])('%s of %d is refused by every way of writing', async (name, value, range) => {
  const id = await added('a?')
  const message = new RegExp(`^\\\`${name}\\\` must be a number from ${range}; got `)
  for (const path of pathsOf('updatePrompt', { projectId: project, promptId: id })) {
    const reply = await sendWrite(api, { path, key, method: 'PATCH', body: { [name]: value } })
    expect(await reply.json()).toMatchObject({
      status: 400,
      message: expect.stringMatching(message),
    })
  }
  const args = `projectId: "${project}", promptId: "${id}", ${name}: ${value}`
  const { data } = await ask(`mutation { updatePrompt(${args}) { prompt { id } } }`)
  expect(data.updatePrompt).toMatchObject({
    code: 'invalid_argument',
    message: expect.stringMatching(message),
  })
  const { rejected } = await importCsv(api, project, `text,${name}\nb?,${value}\n`)
  expect(rejected).toEqual([{ line: 2, reason: expect.stringContaining(`a number from ${range}`) }])
})

test('the current wording adds no revision, at both doors', async () => {
  const id = await added('first?')
  expect((await reword(id, 1)).body.prompt).toMatchObject({ currentRevision: 1 })
  await patch(id, { text: 'second?' })
  await patch(id, { text: 'first?' })
  expect((await reword(id, 1)).body.prompt).toMatchObject({ text: 'first?', currentRevision: 3 })
  const args = `projectId: "${project}", promptId: "${id}", revision: 3`
  const { data } = await ask(
    `mutation { restorePromptWording(${args}) { prompt { currentRevision } } }`,
  )
  expect(data.restorePromptWording).toEqual({ prompt: { currentRevision: 3 } })
  expect(outcomeOf(await reword(id, 1, { expectedRevision: 2 }))).toBe('409 stale_revision')
  expect(await changesOf(id)).toEqual(['edited', 'edited', 'created'])
})
