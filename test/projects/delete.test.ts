import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { importLock } from '../../imports/loads/lock.ts'
import { removeLeftFacts, removeProject } from '../../imports/loads/removal.ts'
import { withAdvisoryLock } from '../../prisma/client.ts'
import { deleteProject } from '../../resolvers/projects/change.ts'
import { commandLine } from '../../resolvers/shared/audit-trail.ts'
import { run } from '../../warehouse/run.ts'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { asking, faultIn } from '../kit/changes.ts'
import { isSoak } from '../kit/soak.ts'

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

if (isSoak) {
  test('a list that is read while projects are deleted has those that are left', async () => {
    const made = await Promise.all(Array.from({ length: 24 }, () => workspace.project()))
    let left = made.length
    const deletions = made.map(async (id) => {
      await ask(`mutation { deleteProject(projectId: "${id}") { __typename } }`)
      left--
    })
    const statuses = new Set<number | string>()
    while (left > 0) {
      const [rest, graph] = await Promise.all([
        api.get('/api/mcp/projects', admin),
        ask('{ projects { nodes { id } } }'),
      ])
      statuses.add(rest.status).add(faultIn(graph))
    }
    await Promise.all(deletions)
    expect([...statuses]).toEqual([200, 'none'])
  })
}

describe('deleting a project', () => {
  const tables = ['answers', 'mentions', 'citations']

  async function factsOf(projectId: string): Promise<number[]> {
    const counts = tables.map((table) =>
      run(api.warehouse, {
        id: 'delete-test',
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
    expect(faultIn(await ask(`{ project(id: "${project}") { id } }`))).toBe('not_found')
    expect(faultIn(await ask('{ projects { nodes { id } } }', bound.key))).toBe('unauthorized')
    const [entry] = await api.db.auditEntry.findMany({
      where: { projectId: project, action: 'project.delete' },
    })
    expect(entry?.before).toEqual({
      name: 'Acme',
      domain: 'acme.com',
      kind: 'regular',
      status: 'active',
      keyIds: [bound.id],
    })
  })

  test('waits for an import, and is asks to retry when that does not end', async () => {
    const removal = () => removeProject(api, commandLine, project, { waitMs: 50 })
    await withAdvisoryLock(
      api.databaseUrl,
      importLock(project),
      () => expect(removal()).rejects.toMatchObject({ code: 'rate_limited' }),
      { waitMs: 0 },
    )
    expect(await api.db.project.count({ where: { id: project } })).toBe(1)
  })

  if (isSoak) {
    test('facts that were left when the warehouse went away are removed later', async () => {
      await workspace.load(project, [line])
      await deleteProject(api.db, commandLine, project)
      expect(await factsOf(project)).toEqual([1, 2, 1])
      await removeLeftFacts(api.db, api.warehouse)
      await expect.poll(() => factsOf(project), { timeout: 150_000 }).toEqual([0, 0, 0])
    })
  }
})
