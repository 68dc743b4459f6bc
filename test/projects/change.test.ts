import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { asking, changesOf } from '../kit/changes.ts'
import { assertProblem } from '../kit/rest/problem-schema.ts'

const api = useApi()

let workspace: TestWorkspace
let admin = { id: '', key: '' }
let project = ''

const ask = asking(api, () => admin.key)
const { change, faultOf, trail } = changesOf(ask, () => project)

beforeAll(async () => {
  workspace = await api.workspace()
  admin = await workspace.key({ scopes: ['admin'] })
})

beforeEach(async () => {
  project = await workspace.project({ competitors: [{ name: 'Rival', domain: 'rival.com' }] })
})

describe('the brand', () => {
  test('takes another name and keeps no other; answers need to be analysed anew', async () => {
    const fields = 'name aliases brandProfile { name description updatedAt }'
    const made = await change('updateProject', 'name: "Apex", description: "Anvils."', fields)
    expect(made).toMatchObject({ subjectId: project, changed: true, needsReanalysis: true })
    expect(made?.project).toMatchObject({
      name: 'Apex',
      aliases: [],
      brandProfile: { name: 'Apex', description: 'Anvils.' },
    })
    const { userId } = await api.db.apiKey.findUniqueOrThrow({ where: { id: admin.id } })
    expect(await trail()).toEqual([
      {
        action: 'project.update',
        subjectType: 'project',
        subjectId: project,
        before: { name: 'Acme', description: null },
        after: { name: 'Apex', description: 'Anvils.' },
        userId,
        keyId: admin.id,
      },
    ])
  })

  test('keeps its old name as an alias when asked to', async () => {
    const made = await change('updateProject', 'name: "Apex", keepOldName: true', 'aliases')
    expect(made?.project).toEqual({ aliases: ['Acme'] })
    expect(await trail()).toMatchObject([
      { action: 'brandAlias.add', after: { text: 'Acme', caseSensitive: true } },
      { action: 'project.update' },
    ])
  })

  test('a description alone needs no new analysis, and null takes it away', async () => {
    await change('updateProject', 'description: "Anvils."')
    const made = await change('updateProject', 'description: null', 'brandProfile { description }')
    expect(made).toMatchObject({ changed: true, needsReanalysis: false })
    expect(made?.project).toEqual({ brandProfile: { description: null } })
  })

  test('a change that changes nothing writes nothing', async () => {
    const { updatedAt } = await api.db.project.findUniqueOrThrow({ where: { id: project } })
    const same = 'name: "Acme", domain: "https://www.acme.com/about", keepOldName: true'
    const made = await change('updateProject', same)
    expect(made).toMatchObject({ subjectId: project, changed: false, needsReanalysis: false })
    expect(await change('activateProject')).toMatchObject({ changed: false })
    expect(await trail()).toEqual([])
    const after = await api.db.project.findUniqueOrThrow({ where: { id: project } })
    expect(after.updatedAt).toEqual(updatedAt)
  })

  test.each([
    ['name: ""', 'invalid_argument name'],
    ['name: null', 'invalid_argument name'],
    ['name: "a\\nb"', 'invalid_argument name'],
    ['domain: "nowhere"', 'invalid_argument domain'],
    ['domain: "rival.com"', 'invalid_argument domain'],
    ['name: "", domain: "?"', 'invalid_argument name domain'],
  ])('refuses %s, and says which field is wrong', async (args, fault) => {
    expect(await faultOf('updateProject', args)).toBe(fault)
    expect(await trail()).toEqual([])
  })

  test('has other names, whose case counts or does not', async () => {
    const fields = 'brandAliases { nodes { text caseSensitive } }'
    const first = await change('addBrandAlias', 'text: " ACME Ltd "', fields)
    expect(first).toMatchObject({ changed: true, needsReanalysis: true })
    expect(first?.project).toEqual({
      brandAliases: { nodes: [{ text: 'ACME Ltd', caseSensitive: false }] },
    })
    const again = await change('addBrandAlias', 'text: "ACME Ltd"')
    expect(again).toMatchObject({ subjectId: first?.subjectId, changed: false })
    const exact = await change('addBrandAlias', 'text: "ACME Ltd", caseSensitive: true', fields)
    expect(exact?.project).toEqual({
      brandAliases: { nodes: [{ text: 'ACME Ltd', caseSensitive: true }] },
    })
    const gone = await change('removeBrandAlias', 'text: "ACME Ltd"', fields)
    expect(gone).toMatchObject({ needsReanalysis: true, project: { brandAliases: { nodes: [] } } })
    expect(await faultOf('removeBrandAlias', 'text: "ACME Ltd"')).toBe('not_found')
    expect(await trail()).toMatchObject([
      { action: 'brandAlias.remove', before: { text: 'ACME Ltd', caseSensitive: true } },
      { action: 'brandAlias.update', before: { caseSensitive: false }, after: {} },
      { action: 'brandAlias.add', before: null },
    ])
  })

  test('has other domains, but never that of a competitor', async () => {
    const made = await change('addOwnDomain', 'domain: "www.acme.co.uk"', 'ownDomains')
    expect(made).toMatchObject({ needsReanalysis: true })
    expect(made?.project).toEqual({ ownDomains: ['acme.com', 'acme.co.uk'] })
    expect(await change('addOwnDomain', 'domain: "acme.com"')).toMatchObject({ changed: false })
    expect(await change('addOwnDomain', 'domain: "acme.co.uk"')).toMatchObject({ changed: false })
    expect(await faultOf('addOwnDomain', 'domain: "rival.com"')).toBe('invalid_argument domain')
    const gone = await change('removeOwnDomain', 'domain: "acme.co.uk"', 'ownDomains')
    expect(gone?.project).toEqual({ ownDomains: ['acme.com'] })
    expect(await faultOf('removeOwnDomain', 'domain: "acme.com"')).toBe('not_found')
    expect(await trail()).toHaveLength(2)
  })
})

describe('the state of a project', () => {
  test('is paused, archived and active again, each announced once', async () => {
    for (const [name, status] of [
      ['pauseProject', 'paused'],
      ['pauseProject', 'paused'],
      ['archiveProject', 'archived'],
      ['activateProject', 'active'],
    ] as const) {
      expect((await change(name, '', 'status'))?.project).toEqual({ status })
    }
    expect(await trail()).toMatchObject([
      { action: 'project.activate', before: { status: 'archived' }, after: { status: 'active' } },
      { action: 'project.archive', before: { status: 'paused' } },
      { action: 'project.pause', before: { status: 'active' } },
    ])
  })

  test('an inactive project takes no change but being activated, and answers from then on', async () => {
    expect(await change('deactivateProject')).toMatchObject({ changed: true })
    expect(await change('deactivateProject')).toMatchObject({ changed: false })
    expect(await faultOf('addTopic', 'name: "Anvils"')).toBe('forbidden')
    const read = () => api.get(`/api/mcp/projects/${project}/visibility`, admin.key)
    expect(assertProblem(await (await read()).json())).toMatchObject({
      code: 'forbidden',
      message: 'The project is not active.',
    })
    const made = await change('activateProject', '', 'isActive topics { nodes { name } }')
    expect(made).toMatchObject({
      changed: true,
      project: { isActive: true, topics: { nodes: [] } },
    })
    expect((await read()).status).toBe(200)
    expect(await trail()).toMatchObject([
      { action: 'project.activate', after: { isActive: true } },
      { action: 'project.deactivate', before: { isActive: true }, after: { isActive: false } },
    ])
  })
})
