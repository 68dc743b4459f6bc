import { createHash, randomUUID } from 'node:crypto'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { idOf } from '../../core/ids.ts'
import { textHash } from '../../core/question.ts'
import { importAnswers } from '../../imports/answers/answers.ts'
import { importPages } from '../../imports/content/pages.ts'
import { importLock } from '../../imports/loads/lock.ts'
import { importPromptsCsv } from '../../imports/prompts/prompts.ts'
import { type Db, withAdvisoryLock } from '../../prisma/client.ts'
import { useApi } from '../kit/api.ts'
import { sendWrite, tellOf } from '../kit/rest/writes.ts'
import { until } from '../kit/service.ts'

/** Locks of PostgreSQL: what waits for one keeps nobody else waiting. */

const api = useApi()
const commandLine = { userId: null, keyId: null }

let workspace: Awaited<ReturnType<typeof api.workspace>>
let project = ''

beforeAll(async () => {
  workspace = await api.workspace('starter')
  project = await workspace.project()
})

const drafter = (of = workspace) => of.key({ capabilities: ['prompt:draft'] })

/** Runs statements in a transaction that stays open until the result is called, which undoes them. */
async function hold(work: (tx: Db) => Promise<unknown>): Promise<() => Promise<void>> {
  const held = Promise.withResolvers<void>()
  const release = Promise.withResolvers<never>()
  const holder = api.db.$transaction(
    async (tx) => {
      await work(tx)
      held.resolve()
      await release.promise
    },
    { timeout: 120_000 },
  )
  const ended = holder.catch((error: unknown) => {
    held.reject(error)
  })
  await held.promise
  const undo = () => {
    release.reject(new Error('undone'))
    return ended
  }
  onTestFinished(undo)
  return undo
}

/** Holds the project, so that writes to it wait. */
const holdProject = () =>
  hold((tx) => tx.$queryRaw`SELECT id FROM "Project" WHERE id = ${project}::uuid FOR UPDATE`)

/** How many sessions of this database wait for a lock of a kind. */
async function waiting(...kinds: readonly string[]): Promise<number> {
  const rows = await api.db.$queryRaw<unknown[]>`
    SELECT pid FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock' AND wait_event = ANY(${kinds})`
  return rows.length
}
const rowLocks = ['transactionid', 'tuple'] as const

async function add(to: string, key: string, headers: Record<string, string> = {}) {
  const body = { prompts: [{ text: randomUUID() }] }
  return tellOf(
    await sendWrite(api, { path: `/api/mcp/projects/${to}/prompts`, key, body, headers }),
  )
}

test('forty writes that wait for one project delay no read and no other workspace', async () => {
  const { key } = await drafter()
  const other = await api.workspace()
  const [elsewhere, stranger] = [await other.project(), (await drafter(other)).key]
  const release = await holdProject()
  let isHeld = true
  const told: Awaited<ReturnType<typeof add>>[] = []
  /** Sends one write after the other, with and without a key of its own. */
  const write = async (line: number) => {
    for (let i = 0; isHeld; i++) {
      told.push(await add(project, key, i % 2 ? { 'idempotency-key': `held ${line} ${i}` } : {}))
    }
  }
  const writes = Array.from({ length: 40 }, (_, line) => write(line))
  await until(async () => (await waiting(...rowLocks)) >= 4)
  const path = `/api/mcp/projects/${project}/prompts`
  expect((await api.get(path, key)).status).toBe(200)
  const asked = await api.graphql(`{ project(id: "${project}") { name } }`, key)
  expect(await asked.json()).toEqual({ data: { project: { name: 'Acme' } } })
  expect((await add(elsewhere, stranger)).status).toBe(200)
  await until(() => told.length > 0)
  isHeld = false
  await release()
  await Promise.all(writes)
  const refused = told.filter(({ status }) => status !== 200)
  const answers = refused.map((one) => [one.status, one.code, one.retryable, one.retryAfter])
  expect(new Set(answers.map(String))).toEqual(new Set(['429,rate_limited,true,2']))
  const made = told.length - refused.length
  expect(await api.db.prompt.count({ where: { projectId: project } })).toBe(made)
})

test('a mutation that waits too long answers with the same code', async () => {
  const { key } = await workspace.key({ scopes: ['read', 'admin'] })
  const release = await holdProject()
  const change = `mutation { updateProject(projectId: "${project}", industry: "audio") { ... on ProjectChange { changed } } }`
  const asked = await api.graphql(change, key)
  await release()
  const { errors } = (await asked.json()) as { errors: { extensions: object }[] }
  expect(errors[0]?.extensions).toMatchObject({
    code: 'rate_limited',
    retryable: true,
    status: 429,
  })
  expect((await api.db.project.findUniqueOrThrow({ where: { id: project } })).industry).toBe(null)
})

test('imports that wait for another import hold one connection', async () => {
  const attempt = () =>
    importAnswers(api, { projectId: project, lines: [], waitMs: 1500 }).catch((error) => error.code)
  // Other files hold locks of their projects on the same server.
  const lock = createHash('sha256').update(importLock(project)).digest().readBigInt64BE()
  const sessions = async () => {
    const rows = await api.db.$queryRaw<unknown[]>`
      SELECT pid FROM pg_locks
       WHERE locktype = 'advisory' AND NOT granted AND (classid::int8 << 32 | objid::int8) = ${lock}`
    return rows.length
  }
  const seen: number[] = []
  await withAdvisoryLock(
    api.databaseUrl,
    importLock(project),
    async () => {
      const attempts = Promise.all(Array.from({ length: 12 }, attempt))
      await until(async () => {
        seen.push(await sessions())
        return seen.length >= 10
      })
      expect(new Set(await attempts)).toEqual(new Set(['rate_limited']))
    },
    { waitMs: 0 },
  )
  expect(Math.max(...seen)).toBe(1)
})

/** Whether a row can be changed by others at this moment. */
async function isFree(table: 'Project' | 'Workspace', id: string): Promise<boolean> {
  const sql = `SELECT id FROM "${table}" WHERE id = $1::uuid FOR NO KEY UPDATE NOWAIT`
  return api.db
    .$transaction((tx) => tx.$queryRawUnsafe<unknown[]>(sql, id))
    .then(
      () => true,
      () => false,
    )
}

async function* bytes(text: string) {
  yield Buffer.from(text)
}

test('a sitemap is written before its project is locked', async () => {
  const sitemap = (loc: string) => `<urlset><url><loc>${loc}</loc></url></urlset>`
  const load = (loc: string) =>
    importPages(api, { projectId: project, name: 'sitemap.xml', bytes: bytes(sitemap(loc)) })
  await load('https://acme.com/a')
  const release = await hold(
    (tx) => tx.$queryRaw`SELECT id FROM "Page" WHERE "projectId" = ${project}::uuid FOR UPDATE`,
  )
  const loading = load('https://acme.com/a/')
  await until(async () => (await waiting(...rowLocks)) > 0)
  expect(await isFree('Project', project)).toBe(true)
  await release()
  expect(await loading).toMatchObject({ loaded: 1 })
})

test('prompts are imported before their workspace is locked', async () => {
  const text = 'prompt of an import'
  const id = idOf(project, 'prompt', textHash(text))
  const release = await hold((tx) => tx.prompt.create({ data: { id, projectId: project, text } }))
  const importing = importPromptsCsv(api, commandLine, {
    projectId: project,
    csv: bytes(`text\n${text}\n`),
  })
  await until(async () => (await waiting(...rowLocks)) > 0)
  expect(await isFree('Workspace', workspace.id)).toBe(true)
  await release()
  expect(await importing).toMatchObject({ created: 1 })
})
