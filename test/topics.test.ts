import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { importLock } from '../imports/loads/loads.ts'
import { removeLeftFacts, removeProject } from '../imports/loads/removal.ts'
import { withAdvisoryLock } from '../prisma/client.ts'
import { updateCompetitor } from '../resolvers/competitors/change.ts'
import { deleteProject } from '../resolvers/projects/change.ts'
import { commandLine } from '../resolvers/shared/audit-trail.ts'
import { addTopic } from '../resolvers/topics/topics.ts'
import { run } from '../warehouse/run.ts'
import { type TestWorkspace, useApi } from './kit/api.ts'
import { asking, faultIn } from './kit/changes.ts'

const api = useApi()

let workspace: TestWorkspace
let admin = ''
let project = ''

const ask = asking(api, () => admin)

beforeAll(async () => {
  workspace = await api.workspace()
  admin = (await workspace.key({ scopes: ['admin'] })).key
})

beforeEach(async () => {
  project = await workspace.project({ competitors: [{ name: 'Rival', domain: 'rival.com' }] })
})

async function change(name: string, args: string, after = 'id') {
  const fields = `subjectId changed needsReanalysis project { ${after} }`
  const answer = await ask(`mutation { ${name}(projectId: "${project}", ${args}) { ${fields} } }`)
  expect(answer.errors).toBeUndefined()
  return answer.data[name]
}

const faultOf = async (name: string, args: string) =>
  faultIn(await ask(`mutation { ${name}(projectId: "${project}", ${args}) { changed } }`))

async function actions(where: { projectId: string } | { workspaceId: string }): Promise<string[]> {
  const entries = await api.db.auditEntry.findMany({ where, orderBy: { id: 'desc' } })
  return entries.map(({ action }) => action)
}

describe('topics', () => {
  test('are added once, renamed with their prompts, and removed without them', async () => {
    await workspace.load(project, [{ topic: 'Anvils' }])
    const fields = 'topics { name promptCount }'
    const { id } = await api.db.topic.findFirstOrThrow({ where: { projectId: project } })
    expect(await change('addTopic', 'name: "Anvils"')).toMatchObject({
      subjectId: id,
      changed: false,
    })
    await change('addTopic', 'name: "Rockets"')
    const renamed = await change('renameTopic', `topicId: "${id}", name: "Iron"`, fields)
    expect(renamed).toMatchObject({ changed: true, needsReanalysis: false })
    expect(renamed?.project).toEqual({
      topics: [
        { name: 'Iron', promptCount: 1 },
        { name: 'Rockets', promptCount: 0 },
      ],
    })
    expect(await faultOf('renameTopic', `topicId: "${id}", name: "Rockets"`)).toBe(
      'invalid_argument name',
    )
    expect((await change('removeTopic', `topicId: "${id}"`, fields))?.project).toEqual({
      topics: [{ name: 'Rockets', promptCount: 0 }],
    })
    expect(await api.db.prompt.count({ where: { projectId: project } })).toBe(1)
    expect(await faultOf('removeTopic', `topicId: "${id}"`)).toBe('not_found')
    expect(await actions({ projectId: project })).toEqual([
      'topic.remove',
      'topic.update',
      'topic.add',
      'project.create',
    ])
  })

  test('two changes of one request see each other', async () => {
    const one = (name: string) =>
      `addTopic(projectId: "${project}", name: "${name}") { project { topics { name } } }`
    const { data } = await ask(`mutation { a: ${one('A')} b: ${one('B')} }`)
    expect(data.a?.project).toEqual({ topics: [{ name: 'A' }] })
    expect(data.b?.project).toEqual({ topics: [{ name: 'A' }, { name: 'B' }] })
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

describe('locations', () => {
  test('are read from a text and are the ones that an import means', async () => {
    const fields = 'locations { id countryCode city region }'
    const made = await change('addLocation', 'place: "Austin, Texas, US"', fields)
    const austin = { id: made?.subjectId, countryCode: 'US', city: 'Austin', region: 'Texas' }
    expect(made).toMatchObject({ needsReanalysis: false, project: { locations: [austin] } })
    expect(await change('addLocation', 'place: "austin, TEXAS, United States"')).toMatchObject({
      subjectId: made?.subjectId,
      changed: false,
    })
    await workspace.load(project, [{ location: 'Austin, Texas, US' }])
    expect(await api.db.location.count({ where: { projectId: project } })).toBe(1)
    expect(await faultOf('addLocation', 'place: "Nowhere"')).toBe('invalid_argument place')
  })

  test('one that was removed and is met again has its id again: no answer counts twice', async () => {
    const line = { location: 'Bonn, Germany' }
    const made = await change('addLocation', 'place: "Bonn, DE"')
    await workspace.load(project, [line])
    const args = `locationId: "${made?.subjectId}"`
    expect((await change('removeLocation', args, 'locations { id }'))?.project).toEqual({
      locations: [],
    })
    expect(await faultOf('removeLocation', args)).toBe('not_found')
    expect(await workspace.load(project, [line])).toMatchObject({ loaded: 0, skipped: 1 })
  })
})

describe('deleting a project', () => {
  const tables = ['answers', 'mentions', 'citations']

  async function factsOf(projectId: string): Promise<number[]> {
    const counts = tables.map((table) =>
      run(api.warehouse, {
        id: 'shaping-test',
        sql: `SELECT count() AS n FROM ${table} WHERE project_id = {projectId:UUID}`,
        params: { projectId },
        row: ({ n }) => Number(n),
      }),
    )
    return (await Promise.all(counts)).flat()
  }

  const line = {
    text: 'Acme, not Rival.',
    citations: [{ position: 1, url: 'https://acme.com/', title: 'Acme' }],
  }

  test('takes its catalog, its facts and its keys, and no other project', async () => {
    const other = await workspace.project()
    for (const id of [project, other]) await workspace.load(id, [line])
    expect(await factsOf(project)).toEqual([1, 2, 1])
    const bound = await workspace.key({ scopes: ['admin'], projectId: project })
    const { data } = await ask(`mutation { deleteProject(projectId: "${project}") { projectId } }`)
    expect(data.deleteProject).toEqual({ projectId: project })
    await expect.poll(() => factsOf(project), { timeout: 150_000 }).toEqual([0, 0, 0])
    expect(await factsOf(other)).toEqual([1, 1, 1])
    expect(faultIn(await ask(`{ project(projectId: "${project}") { id } }`))).toBe('not_found')
    expect(faultIn(await ask('{ projects { id } }', bound.key))).toBe('unauthorized')
    const [entry] = await api.db.auditEntry.findMany({
      where: { projectId: project, action: 'project.delete' },
    })
    expect(entry?.before).toEqual({
      ...{ name: 'Acme', domain: 'acme.com', kind: 'regular', status: 'active' },
      keyIds: [bound.id],
    })
  })

  test('waits for an import, and is told to come again when that does not end', async () => {
    const removal = () =>
      removeProject(api, project, () => deleteProject(api.db, commandLine, project), { waitMs: 50 })
    await withAdvisoryLock(
      api.databaseUrl,
      importLock(project),
      () => expect(removal()).rejects.toMatchObject({ code: 'rate_limited' }),
      { waitMs: 0 },
    )
    expect(await api.db.project.count({ where: { id: project } })).toBe(1)
  })

  test('facts that were left when the warehouse went away are removed later', async () => {
    await workspace.load(project, [line])
    await deleteProject(api.db, commandLine, project)
    expect(await factsOf(project)).toEqual([1, 2, 1])
    await removeLeftFacts(api.db, api.warehouse)
    await expect.poll(() => factsOf(project), { timeout: 150_000 }).toEqual([0, 0, 0])
  })
})
