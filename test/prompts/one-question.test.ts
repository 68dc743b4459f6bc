import { beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { asking } from '../kit/changes.ts'
import { importCsv } from '../kit/imports/prompts.ts'
import { makeDataFolder, runCli } from '../kit/service.ts'

const api = useApi()
let workspace: TestWorkspace
let key = ''
let project = ''
const ask = asking(api, () => key)

beforeAll(async () => {
  workspace = await api.workspace()
  await api.db.workspace.update({ where: { id: workspace.id }, data: { plan: 'enterprise' } })
  key = (await workspace.key({ scopes: ['read'], capabilities: ['prompt:draft'] })).key
})
beforeEach(async () => {
  project = await workspace.project()
})

const graph = `mutation ($project: ID!, $prompts: [NewPrompt!]!) {
  addPrompts(projectId: $project, prompts: $prompts) {
    ... on PromptAddition { created existing { id text isTracked } prompts { id } }
  }
}`
const add = async (...texts: string[]) => {
  const variables = { project, prompts: texts.map((text) => ({ text })) }
  const response = await fetch(`${api.url}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: graph, variables }),
  })
  return ((await response.json()) as { data: { addPrompts: never } }).data.addPrompts as {
    created: number
    existing: { id: string; text: string; isTracked: boolean }[]
    prompts: { id: string }[]
  }
}

const numbers = Array.from({ length: 100 }, (_, n) => n)
const question = (n: number) => `Which shoe of brand ${n} is best?`

test('100 prompts with doubles by four ways in: one prompt each', async () => {
  const answers = numbers.map((n) => ({ prompt: question(n), collectedAt: '2025-05-10' }))
  await workspace.load(project, [...answers, ...answers])
  const lines = numbers.flatMap((n) => [question(n).toUpperCase(), ` ${question(n)}?`])
  expect(await importCsv(api, project, `text\n${lines.join('\n')}\n`)).toMatchObject({
    created: 0,
    unchanged: 100,
    repeated: 100,
  })
  const folder = await makeDataFolder()
  try {
    const spellings = numbers.flatMap((n) => [question(n).slice(0, -1), `“${question(n)}”`])
    const { code, stdout } = await runCli(['prompt', 'add', '--project', project, ...spellings], {
      env: { DATABASE_URL: inject('databaseUrl'), DATA_DIR: folder.path },
    })
    expect(code).toBe(0)
    expect(stdout.split('\n').filter((line) => line.startsWith('Already there'))).toHaveLength(200)
  } finally {
    await folder.remove()
  }
  for (let at = 0; at < 100; at += 5) {
    const five = numbers.slice(at, at + 5)
    const texts = five.flatMap((n) => [`${question(n).replaceAll(' ', '  ')}`, `${question(n)}！`])
    const { created, existing, prompts } = await add(...texts)
    expect([created, existing.length, new Set(prompts.map(({ id }) => id)).size]).toEqual([
      0, 10, 5,
    ])
  }
  const prompts = await api.db.prompt.findMany({ where: { projectId: project } })
  expect(prompts.map(({ text }) => text).sort()).toEqual(numbers.map(question).sort())
  expect(prompts.every(({ isImported, isTracked }) => isTracked && !isImported)).toBe(true)
  // The second load of the answers finds all of them.
  expect(await workspace.load(project, answers)).toMatchObject({ loaded: 0, skipped: 100 })
})

test('additions that come at the same time make one prompt', async () => {
  const added = await Promise.all(
    ['Best shoes?', 'best  shoes', 'BEST SHOES!'].map((it) => add(it)),
  )
  expect(added.map(({ created }) => created).sort()).toEqual([0, 0, 1])
  expect(await api.db.prompt.count({ where: { projectId: project } })).toBe(1)
})

test('a former wording, and an archived prompt, are found, and tracked again', async () => {
  const { prompts } = await add('Best shoes?')
  const id = prompts[0]?.id ?? ''
  const edit = `mutation { updatePrompt(projectId: "${project}", promptId: "${id}", text: "Best boots?") {
    ... on PromptChange { prompt { id } } } }`
  expect((await ask(edit)).errors).toBeUndefined()
  await ask(`mutation { setPromptTracking(projectId: "${project}", promptId: "${id}", action: archive) {
    ... on PromptChange { prompt { id } } } }`)
  expect(await add('best shoes', 'new')).toMatchObject({
    created: 1,
    existing: [{ id, text: 'Best boots?', isTracked: true }],
  })
})
