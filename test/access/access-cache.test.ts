import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { hashApiKey } from '../../core/access.ts'
import { createPrepared } from '../../prisma/client.ts'
import { cacheAccess } from '../../resolvers/keys/access-cache.ts'
import { removeMember } from '../../resolvers/members/members.ts'
import { type TestWorkspace, useApi } from '../kit/api.ts'

/** Keys, memberships and projects in memory: a loss of access reaches every process. */

const api = useApi({}, undefined, { ownDatabase: true })

/** Another process: this one does not see its writes end. */
const other = new pg.Client({ connectionString: api.databaseUrl })
let workspace: TestWorkspace
beforeAll(async () => {
  await other.connect()
  workspace = await api.workspace()
})
afterAll(() => other.end())

/** The API's connections for notices. */
async function listeners(): Promise<number[]> {
  const { rows } = await other.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity
      WHERE datname = current_database() AND query LIKE 'LISTEN %' AND state = 'idle'`,
  )
  return rows.map(({ pid }) => pid)
}

async function reader() {
  const projectId = await workspace.project()
  const { id, key } = await workspace.key()
  const statusOf = async () => (await api.get(`/api/mcp/projects/${projectId}`, key)).status
  // Twice: the second answer comes from memory.
  expect([await statusOf(), await statusOf()]).toEqual([200, 200])
  // The first request opens the connection, and does not wait for it.
  await expect.poll(listeners).toHaveLength(1)
  const { userId } = await api.db.apiKey.findUniqueOrThrow({ where: { id } })
  return { id, key, projectId, userId, statusOf }
}

const writes: readonly [
  string,
  string,
  (made: Awaited<ReturnType<typeof reader>>) => string,
  number,
][] = [
  ['a revoked key', 'UPDATE "ApiKey" SET "revokedAt" = now() WHERE id = $1', ({ id }) => id, 401],
  ['a deleted key', 'DELETE FROM "ApiKey" WHERE id = $1', ({ id }) => id, 401],
  [
    'a key without a scope',
    'UPDATE "ApiKey" SET scopes = \'{}\' WHERE id = $1',
    ({ id }) => id,
    403,
  ],
  [
    'an inactive project',
    'UPDATE "Project" SET "isActive" = false WHERE id = $1',
    ({ projectId }) => projectId,
    403,
  ],
  ['a deleted project', 'DELETE FROM "Project" WHERE id = $1', ({ projectId }) => projectId, 404],
  [
    'a blocked key',
    'INSERT INTO "KeyBlock" ("workspaceId", "apiKeyId") SELECT "workspaceId", id FROM "ApiKey" WHERE id = $1',
    ({ id }) => id,
    403,
  ],
]

test.each(writes)('%s of another process is known by its notice', async (_, sql, idOf, status) => {
  const made = await reader()
  // Nothing in memory grows old: a notice alone can drop it.
  vi.useFakeTimers({ toFake: ['performance'] })
  try {
    await other.query(sql, [idOf(made)])
    await expect.poll(made.statusOf, { interval: 10 }).toBe(status)
  } finally {
    vi.useRealTimers()
  }
})

/** Does work while the API's connection for notices stands still: a write reaches it by no notice. */
async function withoutNotices(work: () => Promise<void>): Promise<void> {
  const pids = await listeners()
  expect(pids).toHaveLength(1)
  const send = (signal: NodeJS.Signals) => pids.forEach((pid) => void process.kill(pid, signal))
  send('SIGSTOP')
  await work().finally(() => send('SIGCONT'))
}

test('a change of this process is known to the next request, before any notice', async () => {
  const { id, projectId, statusOf } = await reader()
  await withoutNotices(async () => {
    await api.db.project.update({ where: { id: projectId }, data: { isActive: false } })
    expect(await statusOf()).toBe(403)
    await api.db.project.update({ where: { id: projectId }, data: { isActive: true } })
    expect(await statusOf()).toBe(200)
    await api.db.apiKey.update({ where: { id }, data: { revokedAt: new Date() } })
    expect(await statusOf()).toBe(401)
  })
})

test('a removed member and a new member are known at once, in this process and by notice', async () => {
  const { userId, statusOf } = await reader()
  const { role } = await api.db.membership.findFirstOrThrow({ where: { userId } })
  const where = [workspace.id, userId]
  await other.query('DELETE FROM "Membership" WHERE "workspaceId" = $1 AND "userId" = $2', where)
  await expect.poll(statusOf, { interval: 10, timeout: 1500 }).toBe(403)
  await other.query(
    'INSERT INTO "Membership" ("workspaceId", "userId", role) VALUES ($1, $2, \'owner\')',
    where,
  )
  await expect.poll(statusOf, { interval: 10, timeout: 1500 }).toBe(200)
  await api.db.membership.create({
    data: {
      workspace: { connect: { id: workspace.id } },
      user: { create: { email: 'second@owner.test', name: 'Second' } },
      role,
    },
  })
  await removeMember(api.db, { userId: null, keyId: null }, workspace.id, userId)
  expect(await statusOf()).toBe(401)
})

test('a key that expires is refused from then on', async () => {
  const projectId = await workspace.project()
  const expiresAt = new Date(Date.now() + 3000)
  const { key } = await workspace.key({ expiresAt })
  const statusOf = async () => (await api.get(`/api/mcp/projects/${projectId}`, key)).status
  expect(await statusOf()).toBe(200)
  await expect.poll(statusOf, { interval: 50 }).toBe(401)
})

test('without notices a project is at most one second old, and a key five', async () => {
  const { key, projectId, id, userId } = await reader()
  const reads = createPrepared(api.databaseUrl)
  let statements = 0
  const counted = {
    $queryRawUnsafe: <Rows>(sql: string, ...values: unknown[]) => {
      statements += 1
      return reads.$queryRawUnsafe<Rows>(sql, ...values)
    },
  }
  const memory = cacheAccess(counted, () => 0)
  const look = async () => {
    const [project] = await memory.projects({ userId, keyId: id }, [projectId])
    return [project?.name, (await memory.keyByHash(hashApiKey(key)))?.scopes]
  }
  vi.useFakeTimers({ toFake: ['performance'] })
  try {
    expect(await look()).toEqual(['Acme', ['read']])
    await other.query('UPDATE "Project" SET name = \'Other\' WHERE id = $1', [projectId])
    await other.query('UPDATE "ApiKey" SET scopes = \'{write}\' WHERE id = $1', [id])
    vi.advanceTimersByTime(999)
    expect(await look()).toEqual(['Acme', ['read']])
    expect(statements).toBe(2)
    vi.advanceTimersByTime(1)
    expect(await look()).toEqual(['Other', ['read']])
    vi.advanceTimersByTime(4000)
    expect(await look()).toEqual(['Other', ['write']])
  } finally {
    vi.useRealTimers()
    await reads.close()
  }
})
