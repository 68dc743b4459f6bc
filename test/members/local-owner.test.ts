import { expect, test } from 'vitest'
import { createKey } from '../../resolvers/keys/keys.ts'
import {
  createLocalWorkspace,
  ensureOwnWorkspace,
  findLocalOwner,
  localOwner,
} from '../../resolvers/members/local-owner.ts'
import { removeMember } from '../../resolvers/members/members.ts'
import { signInUser } from '../../resolvers/members/sessions.ts'
import { createProject } from '../../resolvers/projects/create.ts'
import { commandLine } from '../../resolvers/shared/audit-trail.ts'
import { createWorkspace } from '../../resolvers/workspaces.ts'
import { useApi } from '../kit/api.ts'

/** The workspace of who owns the machine: a catalog of its own for each test, since it is made in an empty one. */

const api = useApi({}, undefined, { ownDatabase: true })

const named = () =>
  api.db.workspace.findMany({ select: { name: true }, orderBy: { createdAt: 'asc' } })

async function owned() {
  const where = { user: { email: localOwner } }
  const rows = await api.db.membership.findMany({ where, include: { workspace: true } })
  return rows.map(({ role, workspace }) => `${workspace.name} ${role}`).sort()
}

async function asked(key: string) {
  const fields = '{ currentKey { name scopes workspace { name } } }'
  const { data } = await (await api.graphql(fields, key)).json()
  return data.currentKey
}

/** The token of a browser that the address of a start has signed in; empty for nobody. */
async function signedIn(): Promise<string> {
  const userId = await findLocalOwner(api.db)
  return (userId && (await signInUser(api.db, userId))?.token) || ''
}

async function empty() {
  await api.db.workspace.deleteMany()
  await api.db.user.deleteMany()
}

test('an empty catalog gets one workspace, also of two starts at once', async () => {
  await empty()
  await Promise.all([ensureOwnWorkspace(api.db, undefined), ensureOwnWorkspace(api.db, undefined)])
  await ensureOwnWorkspace(api.db, undefined)
  expect(await named()).toEqual([{ name: 'My workspace' }])
  expect(await asked(await signedIn())).toEqual({
    name: 'Browser',
    scopes: ['read', 'write', 'admin'],
    workspace: { name: 'My workspace' },
  })
})

test('beside the demonstration the owner has a workspace too, and reaches both', async () => {
  await empty()
  const demo = await createWorkspace(api.db, { name: 'Demo' })
  await ensureOwnWorkspace(api.db, demo.id)
  expect(await owned()).toEqual(['Demo owner', 'My workspace owner'])
  // New projects go to the workspace of the key, which is the owner's.
  expect((await asked(await signedIn())).workspace.name).toBe('My workspace')
})

test('a workspace of the command line is in the dashboard, and its keys reach nothing else', async () => {
  await empty()
  await ensureOwnWorkspace(api.db, undefined)
  const { id: workspaceId } = await createLocalWorkspace(api.db, { name: 'My company' })
  expect(await owned()).toEqual(['My company owner', 'My workspace owner'])
  const project = { workspaceId, name: 'Sony', domain: 'sony.com' }
  await createProject(api.db, project, 'secret')
  const { id: other } = await api.db.workspace.findFirstOrThrow({ where: { name: 'My workspace' } })
  await createProject(api.db, { workspaceId: other, name: 'Bose', domain: 'bose.com' }, 'secret')
  const projectsOf = async (key: string) => {
    const reply = await api.graphql('{ projects { nodes { name } } }', key)
    const { data } = (await reply.json()) as { data: { projects: { nodes: { name: string }[] } } }
    return data.projects.nodes.map(({ name }) => name).sort()
  }
  expect(await projectsOf(await signedIn())).toEqual(['Bose', 'Sony'])
  const { key } = await createKey(api.db, { workspaceId, scopes: ['read'] })
  expect(await projectsOf(key)).toEqual(['Sony'])
})

test('a workspace of the command line before the first start is in the dashboard too', async () => {
  await empty()
  await Promise.all([
    createLocalWorkspace(api.db, { name: 'Before' }),
    createLocalWorkspace(api.db, { name: 'Beside' }),
  ])
  await ensureOwnWorkspace(api.db, undefined)
  expect(await owned()).toEqual(['Before owner', 'Beside owner'])
  expect(['Before', 'Beside']).toContain((await asked(await signedIn())).workspace.name)
})

test('a catalog with workspaces of others stays as it is, and nobody is signed in', async () => {
  await empty()
  await createWorkspace(api.db, { name: 'Acme', ownerEmail: 'ann@acme.test' })
  await ensureOwnWorkspace(api.db, undefined)
  expect(await named()).toEqual([{ name: 'Acme' }])
  await createLocalWorkspace(api.db, { name: 'Of the command line' })
  expect(await findLocalOwner(api.db)).toBeNull()
})

test('who removes the local owner ends the codes of the start', async () => {
  await empty()
  await ensureOwnWorkspace(api.db, undefined)
  const [workspace] = await api.db.workspace.findMany()
  const id = workspace?.id ?? ''
  const owner = await api.db.user.findFirstOrThrow({ where: { email: localOwner } })
  await api.db.membership.create({
    data: {
      role: 'owner',
      workspace: { connect: { id } },
      user: { create: { email: 'ann@acme.test', name: 'Ann' } },
    },
  })
  await removeMember(api.db, commandLine, id, owner.id)
  await ensureOwnWorkspace(api.db, undefined)
  expect(await findLocalOwner(api.db)).toBeNull()
})

test('the owner signs in on every plan', async () => {
  await empty()
  await ensureOwnWorkspace(api.db, undefined)
  await api.db.workspace.updateMany({ data: { plan: 'free' } })
  const { workspace } = await asked(await signedIn())
  expect(workspace).toEqual({ name: 'My workspace' })
})
