import { beforeEach, describe, expect, test } from 'vitest'
import { createVerifier } from '../ingest/endpoint/key.ts'
import { signingSecret, type TestWorkspace, useApi } from './kit/api.ts'
import { asking, faultIn } from './kit/changes.ts'

const api = useApi()

let workspace: TestWorkspace
let admin = { id: '', key: '' }
let project = ''

const ask = asking(api, () => admin.key)

const nothing = { keys: new Set<string>(), projects: new Set<string>() }
const verifier = createVerifier({ secrets: [signingSecret], revoked: () => nothing })

beforeEach(async () => {
  workspace = await api.workspace()
  admin = await workspace.key({ scopes: ['admin'] })
  project = await workspace.project()
})

const link = (host?: string, id = project) =>
  ask(
    `mutation { createSiteToken(projectId: "${id}"${host === undefined ? '' : `, host: ${JSON.stringify(host)}`}) { siteToken } }`,
  )

const connections = () =>
  api.db.connection.findMany({
    where: { projectId: project },
    select: { kind: true, host: true },
    orderBy: { createdAt: 'asc' },
  })

async function trail() {
  const where = { workspaceId: workspace.id, action: { notIn: ['workspace.create'] } }
  const entries = await api.db.auditEntry.findMany({ where, orderBy: { id: 'asc' } })
  return entries
    .map(({ action, keyId, before, after }) => ({ action, keyId, before, after }))
    .filter(({ action }) => /^(ingestKey|connection)/.test(action))
}

describe('a site token', () => {
  test('is the same each time, and links the tracker to the project once', async () => {
    const first = await link()
    const token = String(first.data.createSiteToken?.siteToken)
    expect(verifier.site(token)).toEqual({ projectId: project, workspaceId: workspace.id })
    expect((await link(undefined, project.toUpperCase())).data).toEqual(first.data)
    expect(await connections()).toEqual([{ kind: 'tracker', host: null }])
    expect(await trail()).toEqual([
      {
        action: 'connection.add',
        keyId: admin.id,
        before: null,
        after: { kind: 'tracker', host: null },
      },
    ])
  })

  test('comes with the address of the tracker', async () => {
    const { data } = await ask(
      `mutation { createSiteToken(projectId: "${project}") { trackerUrl } }`,
    )
    expect(data.createSiteToken).toEqual({ trackerUrl: 'http://127.0.0.1:4001' })
  })

  test('links one connection a host; the first without one takes the host named next', async () => {
    for (const host of [undefined, 'https://WWW.Acme.com/de', 'shop.acme.com', 'www.acme.com']) {
      expect((await link(host)).errors).toBeUndefined()
    }
    await link()
    expect(await connections()).toEqual([
      { kind: 'tracker', host: 'www.acme.com' },
      { kind: 'tracker', host: 'shop.acme.com' },
    ])
    expect((await trail()).map(({ action }) => action)).toEqual([
      'connection.add',
      'connection.update',
      'connection.add',
    ])
  })

  test('two at once make one connection', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => link('acme.com')))
    expect(answers.every(({ errors }) => errors === undefined)).toBe(true)
    expect(await connections()).toHaveLength(1)
  })

  test('a value that is no host is refused by field, and changes nothing', async () => {
    for (const host of ['', 'acme', '10.0.0.1', 'ftp://acme.com', 'a b.com']) {
      expect(faultIn(await link(host))).toBe('invalid_argument host')
    }
    expect(await connections()).toEqual([])
  })
})
