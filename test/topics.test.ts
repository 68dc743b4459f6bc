import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { updateCompetitor } from '../resolvers/competitors/change.ts'
import { commandLine } from '../resolvers/shared/audit-trail.ts'
import { addTopic } from '../resolvers/topics/topics.ts'
import { type TestWorkspace, useApi } from './kit/api.ts'
import { asking, changesOf, faultIn } from './kit/changes.ts'

const api = useApi()

let workspace: TestWorkspace
let admin = ''
let project = ''

const ask = asking(api, () => admin)
const { change, faultOf } = changesOf(ask, () => project)

beforeAll(async () => {
  workspace = await api.workspace()
  admin = (await workspace.key({ scopes: ['admin'] })).key
})

beforeEach(async () => {
  project = await workspace.project({ competitors: [{ name: 'Rival', domain: 'rival.com' }] })
})

async function actions(where: { projectId: string } | { workspaceId: string }): Promise<string[]> {
  const entries = await api.db.auditEntry.findMany({ where, orderBy: { id: 'desc' } })
  return entries.map(({ action }) => action)
}

test('a name that nobody can see, or that turns the text after it, is refused at every door', async () => {
  for (const name of ['\u200b', '\u202egnp.exe', ' \u3164\u00ad ']) {
    const quoted = JSON.stringify(name)
    expect(await faultOf('addTopic', `name: ${quoted}`)).toBe('invalid_argument name')
    const rival = `name: ${quoted}, domain: "new.com"`
    expect(await faultOf('addCompetitor', rival)).toBe('invalid_argument name')
    expect(await faultOf('updateProject', `name: ${quoted}`)).toBe('invalid_argument name')
    const prompts = `projectId: "${project}", prompts: [{ text: ${quoted} }]`
    const added = await ask(`mutation { addPrompts(${prompts}) { created } }`)
    expect(faultIn(added)).toBe('invalid_argument prompts.0.text')
    const response = await fetch(`${api.url}/api/mcp/projects/${project}/prompts`, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/json' },
      body: JSON.stringify({ prompts: [{ text: name }] }),
    })
    expect(await response.json()).toMatchObject({
      status: 400,
      details: { fieldErrors: { 'prompts.0.text': [expect.stringMatching(/^must /)] } },
    })
    const file = { topic: name, prompt: 'Which anvil?' }
    expect(await workspace.load(project, [file])).toMatchObject({
      loaded: 0,
      rejected: [{ reason: expect.stringMatching(/^`topic` must /) }],
    })
  }
  // Names of Arabic and Hebrew hold marks of direction, and an emoji signs without a width.
  for (const name of ['\u200fאקמי\u200e', '👩\u200d🚀']) {
    expect(await change('addTopic', `name: "${name}"`)).toMatchObject({ changed: true })
  }
})

describe('topics', () => {
  test('are added once, renamed with their prompts, and removed without them', async () => {
    await workspace.load(project, [{ topic: 'Anvils' }])
    const fields = 'topics { nodes { name promptCount } }'
    const { id } = await api.db.topic.findFirstOrThrow({ where: { projectId: project } })
    expect(await change('addTopic', 'name: "Anvils"')).toMatchObject({
      subjectId: id,
      changed: false,
    })
    await change('addTopic', 'name: "Rockets"')
    const renamed = await change('renameTopic', `topicId: "${id}", name: "Iron"`, fields)
    expect(renamed).toMatchObject({ changed: true, needsReanalysis: false })
    expect(renamed?.project).toEqual({
      topics: {
        nodes: [
          { name: 'Iron', promptCount: 1 },
          { name: 'Rockets', promptCount: 0 },
        ],
      },
    })
    expect(await faultOf('renameTopic', `topicId: "${id}", name: "Rockets"`)).toBe(
      'invalid_argument name',
    )
    expect((await change('removeTopic', `topicId: "${id}"`, fields))?.project).toEqual({
      topics: { nodes: [{ name: 'Rockets', promptCount: 0 }] },
    })
    expect(await api.db.prompt.count({ where: { projectId: project } })).toBe(1)
    expect(await faultOf('removeTopic', `topicId: "${id}"`)).toBe('not_found')
    expect(await actions({ projectId: project })).toEqual([
      'topic.remove',
      'topic.update',
      'topic.add',
      'import.add',
      'project.create',
    ])
  })

  test('two changes of one request see each other', async () => {
    const one = (name: string) =>
      `addTopic(projectId: "${project}", name: "${name}") { project { topics { nodes { name } } } }`
    const { data } = await ask(`mutation { a: ${one('A')} b: ${one('B')} }`)
    expect(data.a?.project).toEqual({ topics: { nodes: [{ name: 'A' }] } })
    expect(data.b?.project).toEqual({ topics: { nodes: [{ name: 'A' }, { name: 'B' }] } })
  })

  test('a change and its entry stand or fall with the transaction that they are part of', async () => {
    const failing = api.db.$transaction(async (tx) => {
      await addTopic(tx, commandLine, project, { name: 'Anvils' })
      throw new Error('later in the same transaction')
    })
    await expect(failing).rejects.toThrow('later')
    expect(await api.db.topic.count({ where: { projectId: project } })).toBe(0)
    expect(await actions({ projectId: project })).toEqual(['project.create'])
  })
})

test('a change that is refused leaves the transaction around it usable', async () => {
  const { id } = await api.db.competitor.findFirstOrThrow({ where: { projectId: project } })
  await api.db.$transaction(async (tx) => {
    const refused = updateCompetitor(tx, commandLine, project, id, { domain: 'acme.com' })
    await expect(refused).rejects.toMatchObject({ code: 'invalid_argument' })
    await addTopic(tx, commandLine, project, { name: 'Anvils' })
  })
  expect(await actions({ projectId: project })).toEqual(['topic.add', 'project.create'])
})
