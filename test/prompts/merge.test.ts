import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { questionKey } from '../../core/question.ts'
import { mergePrompts } from '../../imports/prompts/merge.ts'
import { commandLine } from '../../resolvers/shared/audit-trail.ts'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { asking } from '../kit/changes.ts'

const api = useApi()
let workspace: TestWorkspace
let key = ''
let project = ''
const ask = asking(api, () => key)

beforeAll(async () => {
  workspace = await api.workspace()
  key = (await workspace.key({ scopes: ['admin'] })).key
})
beforeEach(async () => {
  project = await workspace.project()
})

/** The second prompt of a question, as projects have from before, with three answers that came with it. */
async function twice() {
  const first = { prompt: 'best shoes?', topic: 'Shoes', collectedAt: '2025-05-10' }
  await workspace.load(project, [first, { ...first, run: 2 }])
  const kept = await api.db.prompt.findFirstOrThrow({ where: { projectId: project } })
  const lines = ['2025-05-10', '2025-05-11', '2025-06-01'].map((collectedAt) => ({
    prompt: 'Best boots',
    topic: 'Boots',
    collectedAt,
  }))
  await workspace.load(project, [...lines, { prompt: 'other', collectedAt: '2025-05-10' }])
  const double = await api.db.prompt.findFirstOrThrow({
    where: { projectId: project, text: 'Best boots' },
  })
  const text = 'Best  Shoes'
  await api.db.prompt.update({
    where: { id: double.id },
    data: { text, questionKey: null, currentRevision: 2 },
  })
  await api.db.promptRevision.create({
    data: {
      promptId: double.id,
      projectId: project,
      revision: 2,
      text,
      questionKey: questionKey(text),
      change: 'edited',
    },
  })
  return { kept: kept.id, double: double.id, lines }
}

const window = 'window: { from: "2025-05-01", to: "2025-06-30" }'
async function countsOf() {
  const { data } = await ask(
    `{ project(id: "${project}") { prompts(first: 10) { nodes { id text topics { name }
        answers(${window}, first: 10) { totalCount } } } } }`,
  )
  type Node = { id: string; text: string; answers: { totalCount: number } }
  const { nodes } = (data.project as { prompts: { nodes: Node[] } }).prompts
  return Object.fromEntries(nodes.map(({ text, answers }) => [text, answers.totalCount]))
}

describe('prompts that exist twice', () => {
  test('become one, with their answers, topics and wordings', async () => {
    const { kept, double, lines } = await twice()
    expect(await countsOf()).toEqual({ 'best shoes?': 2, 'Best  Shoes': 3, other: 1 })
    const merged = await mergePrompts(api, commandLine, { projectId: project })
    expect(merged).toMatchObject([{ id: double, kept }])
    expect(await countsOf()).toEqual({ 'best shoes?': 5, other: 1 })
    // Both files find their answers, also those that came with the prompt that is gone.
    expect(await workspace.load(project, lines)).toMatchObject({ loaded: 0, skipped: 3 })
    const { data } = await ask(
      `{ project(id: "${project}") { prompt(id: "${double}") { id topics { name }
          revisions(first: 9) { nodes { revision text } } } } }`,
    )
    expect(data.project).toEqual({
      prompt: {
        id: kept,
        topics: [{ name: 'Shoes' }, { name: 'Boots' }],
        revisions: {
          nodes: [
            { revision: 3, text: 'best shoes?' },
            { revision: 2, text: 'Best boots' },
            { revision: 1, text: 'best shoes?' },
          ],
        },
      },
    })
    expect(await mergePrompts(api, commandLine, { projectId: project })).toEqual([])
  })
})

describe('prompts that are deleted', () => {
  test('go with their answers, and others keep theirs', async () => {
    const { kept, double } = await twice()
    const { data } = await ask(
      `mutation { deletePrompts(projectId: "${project}", promptIds: ["${double}"]) {
        ... on PromptDeletion { prompts answers } } }`,
    )
    expect(data.deletePrompts).toEqual({ prompts: 1, answers: 3 })
    expect(await countsOf()).toEqual({ 'best shoes?': 2, other: 1 })
    const again = await ask(
      `mutation { deletePrompts(projectId: "${project}", promptIds: ["${kept}", "${double}"]) {
        ... on NotFound { code } } }`,
    )
    expect(again.data.deletePrompts).toEqual({ code: 'not_found' })
    expect(await countsOf()).toEqual({ 'best shoes?': 2, other: 1 })
  })
})

test('several prompts are archived and get topics together', async () => {
  await twice()
  const ids = (await api.db.prompt.findMany({ where: { projectId: project } })).map(({ id }) => id)
  const boots = await api.db.topic.findFirstOrThrow({
    where: { projectId: project, name: 'Boots' },
  })
  const given = `projectId: "${project}", promptIds: ${JSON.stringify(ids)}`
  const { data } = await ask(`mutation {
    a: setPromptsTracking(${given}, action: archive) { ... on PromptsChange { changed prompts { isTracked } } }
    b: setPromptsTracking(${given}, action: archive) { ... on PromptsChange { changed } }
    c: changePromptTopics(${given}, addTopicIds: ["${boots.id}"]) { ... on PromptsChange { changed } }
  }`)
  expect(data).toEqual({
    a: { changed: 3, prompts: [false, false, false].map((isTracked) => ({ isTracked })) },
    b: { changed: 0 },
    c: { changed: 2 },
  })
})

test('a preview says what an import would do, and changes nothing', async () => {
  await workspace.load(project, [{ prompt: 'best shoes?', topic: 'Shoes' }])
  const content = 'Q,Theme\nBEST SHOES,Shoes\nbest boots?,\nbest boots,\n,x\nbest socks,Socks\n'
  const { data } =
    await ask(`mutation { previewPrompts(projectId: "${project}", content: ${JSON.stringify(content)},
    columns: [{ column: text, position: 0 }, { column: topic, position: 1 }]) {
    ... on PromptPreview { created updated unchanged repeated rejected { line }
      columns { header column } lines { line text topics state prompt { text } } } } }`)
  expect(data.previewPrompts).toEqual({
    created: 2,
    updated: 0,
    unchanged: 1,
    repeated: 1,
    rejected: [{ line: 5 }],
    columns: [
      { header: 'Q', column: 'text' },
      { header: 'Theme', column: 'topic' },
    ],
    lines: [
      {
        line: 2,
        text: 'BEST SHOES',
        topics: ['Shoes'],
        state: 'unchanged',
        prompt: { text: 'best shoes?' },
      },
      { line: 3, text: 'best boots?', topics: [], state: 'created', prompt: null },
      { line: 4, text: 'best boots', topics: [], state: 'repeated', prompt: null },
      { line: 6, text: 'best socks', topics: ['Socks'], state: 'created', prompt: null },
    ],
  })
  expect(await api.db.prompt.count({ where: { projectId: project } })).toBe(1)
  expect(await api.db.topic.count({ where: { projectId: project } })).toBe(1)
})
