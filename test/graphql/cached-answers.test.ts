import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { publicSchema } from '../../schema/index.ts'
import { callOf, makeProjectRows, type ProjectRows, selection } from '../access/calls.ts'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { asking, faultIn } from '../kit/changes.ts'
import { endJobs, type MutationRows, makeMutationRows } from '../kit/mutation-rows.ts'
import { replyLookups, startFreshApi } from '../kit/rest/fresh-api.ts'
import { isSoak, sized } from '../kit/soak.ts'
import { type FieldDocument, projectDocuments } from './project-documents.ts'

/**
 * Finished answers of GraphQL in memory: no reader gets one that is older than an acknowledged write, or that another key
 * may not see. Each field of a project is compared with that of an API that keeps nothing.
 */

const api = useApi()
/** Another process: this one does not see its writes end. */
const other = new pg.Client({ connectionString: api.databaseUrl })
let fresh = ''
let workspace: TestWorkspace
let rows: ProjectRows
let mutations: MutationRows
let admin = ''
let documents: FieldDocument[] = []
/** The keys that read: a key has 600 requests a minute. */
const keyOf = new Map<string, string>()

beforeAll(async () => {
  await other.connect()
  fresh = await startFreshApi(api)
  workspace = await api.workspace()
  rows = await makeProjectRows(api, workspace)
  mutations = await makeMutationRows(api, workspace, rows.projectId)
  admin = (await workspace.key({ scopes: ['admin'] })).key
  documents = projectDocuments(rows)
  for (const { field } of documents) keyOf.set(field, (await workspace.key()).key)
})
afterAll(() => other.end())

async function ask(base: string, key: string, query: string) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return fetch(`${base}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) })
}

/** An answer without the id of its request. */
const textOf = async (response: Response) =>
  (await response.text()).replaceAll(/"requestId":"[^"]*"/g, '')

/** The fields whose answer is not the one that an API without memory gives now. */
async function stale(asked: readonly FieldDocument[]): Promise<string[]> {
  const found = await Promise.all(
    asked.map(async ({ field, document }) => {
      const key = keyOf.get(field) ?? ''
      const kept = await textOf(await ask(api.url, key, document))
      const now = await textOf(await ask(fresh, key, document))
      return kept === now ? [] : [`${field}: ${kept.slice(0, 300)} is now ${now.slice(0, 300)}`]
    }),
  )
  return found.flat()
}

const lookups = () => replyLookups(api, 'answers')
/** The answers that are found in memory while `work` runs. */
async function hitsOf(work: () => Promise<unknown>): Promise<number> {
  const { hits } = await lookups()
  await work()
  return (await lookups()).hits - hits
}

test('an answer is kept for the same question of the same key, and each request is counted and charged', async () => {
  const { key } = await workspace.key()
  const document = `{ project(id: "${rows.projectId}") { shareOfVoice { totalCount } topics { totalCount } } }`
  const first = await ask(api.url, key, document)
  const before = await lookups()
  const second = await ask(api.url, key, document)
  const after = await lookups()
  expect([after.hits - before.hits, after.misses - before.misses]).toEqual([1, 0])
  expect(await second.text()).toBe(await first.text())
  const headersOf = ({ headers }: Response) => {
    const own = ['x-request-id', 'x-ratelimit-remaining', 'ratelimit', 'date', 'x-ratelimit-reset']
    return Object.fromEntries([...headers].filter(([name]) => !own.includes(name)))
  }
  const { 'content-length': _length, ...kept } = headersOf(second)
  const { 'transfer-encoding': _encoding, 'content-length': _made, ...made } = headersOf(first)
  expect(kept).toEqual(made)
  expect(kept['x-query-cost']).toBe('2')
  expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'))
  const left = [first, second].map(({ headers }) => headers.get('x-ratelimit-remaining'))
  expect(left).toEqual(['598', '596'])
  // Another key, another document and another form of the answer are questions of their own.
  const { hits } = await lookups()
  await ask(api.url, (await workspace.key()).key, document)
  await ask(api.url, key, `${document} # 2`)
  expect((await lookups()).hits).toBe(hits)
})

test('answers about anything but data of projects are not kept, and answers with errors', async () => {
  const { key } = await workspace.key({ scopes: ['read', 'write', 'admin'] })
  const { projectId } = rows
  const project = (fields: string) => `project(id: "${projectId}") { ${fields} }`
  for (const document of [
    '{ __typename }',
    '{ currentKey { id } }',
    `{ ${project('name')} currentKey { id } }`,
    `{ ${project('workspace { name }')} }`,
    `{ ${project('report(id: "none") { id }')} currentKey { id } }`,
    `{ ${project('visibility(window: { days: 0 }) { dateRange { from } }')} }`,
    `{ project(id: "${crypto.randomUUID()}") { name } }`,
    `mutation { addTopic(projectId: "${projectId}", name: "") { __typename } }`,
  ]) {
    await ask(api.url, key, document)
    expect([document, await hitsOf(() => ask(api.url, key, document))]).toEqual([document, 0])
  }
})

test('who may no longer read a project gets no cached answer', async () => {
  const alone = await api.workspace()
  const projectId = await alone.project()
  const { id, key } = await alone.key()
  const document = `{ project(id: "${projectId}") { name } }`
  const answered = async () => (await ask(api.url, key, document)).status
  await answered()
  expect(await hitsOf(answered)).toBe(1)
  await api.db.project.update({ where: { id: projectId }, data: { status: 'paused' } })
  const text = async () => (await ask(api.url, key, document)).text()
  const paused = await text()
  expect(paused).toBe(await (await ask(fresh, key, document)).text().then((now) => now))
  await api.db.apiKey.update({ where: { id }, data: { revokedAt: new Date() } })
  expect(await answered()).toBe(401)
})

const ofProject = Object.values(publicSchema.getMutationType()?.getFields() ?? {}).filter(
  ({ name, args }) => name !== 'deleteProject' && args.some((arg) => arg.name === 'projectId'),
)

if (isSoak) {
  test('after each mutation of the graph, all answers are those of now', {
    timeout: 300_000,
  }, async () => {
    const change = asking(api, () => admin)
    const failed: string[] = []
    const parts = sized({ normal: 24, soak: 40 })
    const some = (place: number) => documents.filter((_, at) => at % parts === place % parts)
    for (const [place, field] of ofProject.entries()) {
      if (place % sized({ normal: 12, soak: 1 }) !== 0) continue
      if (['pauseProject', 'archiveProject', 'deactivateProject'].includes(field.name)) continue
      await endJobs(api, rows.projectId)
      await stale(some(place))
      const made = await mutations.newArgumentsOf[field.name]?.()
      const given = made ?? mutations.argumentsOf[field.name]
      const call =
        given === undefined
          ? callOf(field, { ...rows })
          : `${field.name}(projectId: "${rows.projectId}"${given && `, ${given}`})${selection(field)}`
      const fault = faultIn(await change(`mutation { ${call} }`))
      const old = await stale(some(place))
      if (old.length > 0) failed.push(`${field.name} (${fault}): ${old.join(', ')}`)
    }
    expect(failed).toEqual([])
  })
}

if (isSoak) {
  test('an import shows at once, and a write of another process soon', async () => {
    const asked = documents.filter(({ field }) =>
      ['shareOfVoice', 'visibility', 'competitors'].includes(field),
    )
    expect(asked).toHaveLength(3)
    await stale(asked)
    const today = new Date().toISOString()
    await workspace.load(rows.projectId, [{ text: 'Acme and Rival are bad.', collectedAt: today }])
    expect(await stale(asked)).toEqual([])
    await other.query('UPDATE "Competitor" SET name = name || \' 2\' WHERE "projectId" = $1', [
      rows.projectId,
    ])
    await expect.poll(() => stale(asked)).toEqual([])
  })
}

test('a window ends on the day of the request, also for an answer that was kept the day before', async () => {
  const { key } = await workspace.key()
  const document = `{ project(id: "${rows.projectId}") { visibilityHistory(window: { days: 2 }) { dateRange { from to } } } }`
  const dates = async () => (await ask(api.url, key, document)).text()
  const today = await dates()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 24 * 3600 * 1000 })
  try {
    expect(await dates()).not.toBe(today)
  } finally {
    vi.useRealTimers()
  }
})
