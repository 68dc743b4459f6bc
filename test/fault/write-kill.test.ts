import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { type Catalog, createCatalog } from '../../prisma/client.ts'
import { createKey } from '../../resolvers/keys/keys.ts'
import { createProject } from '../../resolvers/projects/create.ts'
import { createWorkspace } from '../../resolvers/workspaces.ts'
import { createTestDatabase } from '../kit/postgres.ts'
import { sendWrite, tellOf } from '../kit/rest/writes.ts'
import { until } from '../kit/service.ts'
import { isSoak, sized } from '../kit/soak.ts'

/**
 * PostgreSQL locks hold a write at each step, and the API is killed there. The retry with the same key answers,
 * and the write is done once.
 */

let database: Awaited<ReturnType<typeof createTestDatabase>>
let db: Catalog
let project = ''
let key = ''
/** The session that holds the write up. */
let holder: pg.Client
let holderPid = 0
/** The API of this moment. */
let api: { child: ChildProcess; url: string }

const paused = 4711

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseUrl'))
  db = createCatalog(database.url)
  const workspaceId = (await createWorkspace(db, { name: 'Kill', plan: 'enterprise' })).id
  project = (await createProject(db, { workspaceId, name: 'Acme', domain: 'acme.com' }, 'x')).id
  key = (await createKey(db, { workspaceId, scopes: ['write'], capabilities: ['prompt:draft'] }))
    .key
  holder = new pg.Client({ connectionString: database.url })
  await holder.connect()
  holderPid = (await holder.query('SELECT pg_backend_pid() AS pid')).rows[0].pid
  // Deferred: it runs in the commit, after everything else.
  await holder.query(`
    CREATE FUNCTION pause() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      SET LOCAL lock_timeout TO 0;
      PERFORM pg_advisory_xact_lock_shared(${paused});
      RETURN NULL;
    END $$;
    CREATE CONSTRAINT TRIGGER pause AFTER INSERT ON "IdempotentReply"
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION pause()`)
  api = await startChild()
})

afterAll(async () => {
  await Promise.all([holder.end(), db.$disconnect(), kill(api.child)])
  await database.drop()
})

async function startChild(): Promise<typeof api> {
  const script = new URL('./api-child.ts', import.meta.url).pathname
  const args = [script, database.url, inject('clickhouseUrl')]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  if (!child.stdout) throw new Error('the child has no output')
  const [url] = await once(createInterface(child.stdout), 'line')
  return { child, url }
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

/** The API of this moment, which does not outlive the test. */
function victim(): typeof api {
  const { child } = api
  onTestFinished(async () => {
    await kill(child)
    await holder.query('ROLLBACK; SELECT pg_advisory_unlock_all()')
  })
  return api
}

const send = (url: string, text: string) =>
  sendWrite(
    { url },
    {
      path: `/api/mcp/projects/${project}/prompts`,
      key,
      body: { prompts: [{ text }] },
      headers: { 'idempotency-key': text },
    },
  )

/** Whether a session waits for what the holder has. */
async function isHeldUp(): Promise<boolean> {
  const waiting = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM pg_stat_activity WHERE ${holderPid}::int = ANY(pg_blocking_pids(pid))`
  return waiting.length > 0
}

/** Sends until the answer is one: while the first session is not over, a twin is in flight. */
async function retry(url: string, text: string) {
  for (;;) {
    const told = await tellOf(await send(url, text))
    if (told.code !== 'idempotency_in_flight') return told
    await sleep(50)
  }
}

const made = (text: string) => db.prompt.count({ where: { text } })
const kept = (text: string) => db.idempotentReply.count({ where: { key: text } })

/** When it is killed, and the lock that the write waits for at that step. */
const steps = [
  ['before the transaction', 'LOCK TABLE "ApiKey" IN ACCESS EXCLUSIVE MODE'],
  ['after the lock', 'LOCK TABLE "IdempotentReply" IN ACCESS EXCLUSIVE MODE'],
  ['within the effect', 'LOCK TABLE "PromptRevision" IN EXCLUSIVE MODE'],
  ['after the effect', 'LOCK TABLE "IdempotentReply" IN EXCLUSIVE MODE'],
] as const

test.each(sized({ normal: [...steps.slice(2, 3)], soak: [...steps] }))(
  'killed %s, a write is done once by its retry',
  async (step, lock) => {
    const first = victim()
    await holder.query('BEGIN')
    await holder.query(lock)
    const lost = send(first.url, step).catch(() => 'lost')
    await until(isHeldUp)
    await kill(first.child)
    expect(await lost).toBe('lost')
    await holder.query('ROLLBACK')
    api = await startChild()
    const told = await retry(api.url, step)
    expect([told.status, told.replayed]).toEqual([200, false])
    expect((await retry(api.url, step)).replayed).toBe(true)
    expect([await made(step), await kept(step)]).toEqual([1, 1])
  },
)

if (isSoak) {
  test('killed in the commit, a write is done once, by itself or by its retry', async () => {
    const step = 'in the commit'
    const first = victim()
    await holder.query('SELECT pg_advisory_lock($1)', [paused])
    const lost = send(first.url, step).catch(() => 'lost')
    await until(isHeldUp)
    await kill(first.child)
    expect(await lost).toBe('lost')
    api = await startChild()
    // The committing session has not ended, so its twin is refused.
    let twin = await tellOf(await send(api.url, step))
    // An API that has just started on a busy machine may get no connection in time.
    while (twin.code === 'internal_error') twin = await tellOf(await send(api.url, step))
    expect(twin.code).toBe('idempotency_in_flight')
    await holder.query('SELECT pg_advisory_unlock($1)', [paused])
    const told = await retry(api.url, step)
    expect(told.status).toBe(200)
    expect([await made(step), await kept(step)]).toEqual([1, 1])
  })
}

test('killed after the commit and before the answer, a write is answered by its retry', async () => {
  const step = 'after the commit'
  const first = victim()
  await holder.query('SELECT pg_advisory_lock($1)', [paused])
  const lost = send(first.url, step).catch(() => 'lost')
  await until(isHeldUp)
  // Frozen, it learns nothing of the commit that PostgreSQL ends now.
  first.child.kill('SIGSTOP')
  await holder.query('SELECT pg_advisory_unlock($1)', [paused])
  await until(async () => (await made(step)) === 1)
  await kill(first.child)
  expect(await lost).toBe('lost')
  api = await startChild()
  const told = await retry(api.url, step)
  expect([told.status, told.replayed]).toEqual([200, true])
  const { prompts } = JSON.parse(told.text)
  const [row] = await db.prompt.findMany({ where: { text: step } })
  expect(prompts[0].id).toBe(row?.id)
  expect([await made(step), await kept(step)]).toEqual([1, 1])
})

if (isSoak) {
  test('killed in the commit, a request for a refresh leaves one refresh with its job', async () => {
    const idempotencyKey = 'a refresh'
    const refresh = (url: string) =>
      sendWrite(
        { url },
        {
          path: `/api/mcp/projects/${project}/sitemap/refresh`,
          key,
          body: {},
          headers: { 'idempotency-key': idempotencyKey },
        },
      )
    const first = victim()
    await holder.query('SELECT pg_advisory_lock($1)', [paused])
    const lost = refresh(first.url).catch(() => 'lost')
    await until(isHeldUp)
    await kill(first.child)
    expect(await lost).toBe('lost')
    await holder.query('SELECT pg_advisory_unlock($1)', [paused])
    await until(async () => (await kept(idempotencyKey)) === 1)
    api = await startChild()
    const told = await tellOf(await refresh(api.url))
    expect([told.status, told.replayed]).toEqual([202, true])
    const { sitemapJobId } = await db.project.findUniqueOrThrow({ where: { id: project } })
    expect(JSON.parse(told.text).job.id).toBe(sitemapJobId)
    const jobs = await db.$queryRaw<object[]>`SELECT state::text FROM pgboss.job`
    expect(jobs).toEqual([{ state: 'created' }])
  })
}
