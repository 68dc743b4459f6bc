import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { routes } from '../../rest/routes.ts'
import { publicSchema } from '../../schema/index.ts'
import { callOf, makeProjectRows, type ProjectRows, pathOf, selection } from '../access/calls.ts'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { asking, faultIn } from '../kit/changes.ts'
import { endJobs, type MutationRows, makeMutationRows } from '../kit/mutation-rows.ts'
import { bodyOf, replyLookups, startFreshApi } from '../kit/rest/fresh-api.ts'
import { isSoak, sized } from '../kit/soak.ts'
import { putHits } from '../kit/tracker/hits.ts'

/**
 * Finished replies in memory: no reader gets bytes that are older than an acknowledged write. Each GET of a project is
 * compared with that of an API that keeps no reply.
 */

const api = useApi()
/** Another process: this one does not see its writes end. */
const other = new pg.Client({ connectionString: api.databaseUrl })
let fresh = ''
let workspace: TestWorkspace
let rows: ProjectRows
let mutations: MutationRows
let admin = ''

const reads = routes.filter(({ method, path }) => method === 'GET' && path.includes('{projectId}'))
/** The reads of most tests. */
const sample = reads.filter((_, at) => at % sized({ normal: 4, soak: 1 }) === 0)
/** The keys that read: a key has 600 requests a minute. */
const keyOf = new Map<string, string>()

beforeAll(async () => {
  await other.connect()
  fresh = await startFreshApi(api)
  workspace = await api.workspace()
  rows = await makeProjectRows(api, workspace)
  mutations = await makeMutationRows(api, workspace, rows.projectId)
  admin = (await workspace.key({ scopes: ['admin'] })).key
  for (const { operationId } of reads) keyOf.set(operationId, (await workspace.key()).key)
})
afterAll(() => other.end())

/** The operations whose reply is not the one that an API without memory makes now. */
async function stale(asked = sample): Promise<string[]> {
  const found = await Promise.all(
    asked.map(async (route) => {
      const [path, key] = [pathOf(route, rows), keyOf.get(route.operationId) ?? '']
      const kept = await bodyOf(api.url, path, key)
      const now = await bodyOf(fresh, path, key)
      return kept === now ? [] : [`${route.operationId} ${kept.slice(0, 3)} ${now.slice(0, 3)}`]
    }),
  )
  return found.flat()
}

const lookups = () => replyLookups(api)

test('a reply is kept for the same question of each key of the same role', async () => {
  const path = pathOf({ ...reads[0], path: '/api/mcp/projects/{projectId}' } as never, rows)
  const [one, two] = [(await workspace.key()).key, (await workspace.key()).key]
  const before = await lookups()
  const first = await api.get(path, one)
  expect(first.status).toBe(200)
  const etag = first.headers.get('etag') ?? ''
  const second = await api.get(path, one)
  expect(await second.text()).toBe(await first.text())
  expect(second.headers.get('etag')).toBe(etag)
  expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'))
  expect(Number(second.headers.get('x-ratelimit-remaining'))).toBe(598)
  const same = await api.get(path, one, { 'if-none-match': etag })
  expect([same.status, same.headers.get('x-ratelimit-remaining')]).toEqual([304, '597'])
  expect(
    (
      await fetch(api.url + path, { method: 'HEAD', headers: { authorization: `Bearer ${one}` } })
    ).headers.get('etag'),
  ).toBe(etag)
  expect((await api.get(path, two)).headers.get('etag')).toBe(etag)
  const after = await lookups()
  expect([after.hits - before.hits, after.misses - before.misses]).toEqual([4, 1])
})

test('a table and its CSV are kept apart, also where `Accept` asks for the CSV', async () => {
  const path = `/api/mcp/projects/${rows.projectId}/sources/domains`
  const { key } = await workspace.key()
  const typeFor = async (accept: string) =>
    (await api.get(path, key, { accept })).headers.get('content-type')
  for (const _ of ['first', 'from memory']) {
    expect(await typeFor('application/json')).toBe('application/json')
    expect(await typeFor('text/csv')).toBe('text/csv; charset=utf-8')
  }
})

test('rows that come at any time are counted at once', async () => {
  const path = `/api/mcp/projects/${rows.projectId}/traffic/bots`
  const { key } = await workspace.key()
  const counted = await bodyOf(api.url, path, key)
  await putHits(api.warehouse, rows.projectId, [{ bot: 'GPTBot', at: new Date().toISOString() }])
  expect(await bodyOf(api.url, path, key)).not.toBe(counted)
})

const ofProject = Object.values(publicSchema.getMutationType()?.getFields() ?? {}).filter(
  ({ name, args }) => name !== 'deleteProject' && args.some((arg) => arg.name === 'projectId'),
)

if (isSoak) {
  test('after each mutation of the graph, all reads are those of now', {
    timeout: 300_000,
  }, async () => {
    const ask = asking(api, () => admin)
    const failed: string[] = []
    await stale()
    const parts = sized({ normal: 6, soak: 5 })
    for (const [place, field] of ofProject.entries()) {
      if (place % sized({ normal: 12, soak: 1 }) !== 0) continue
      if (['pauseProject', 'archiveProject', 'deactivateProject'].includes(field.name)) continue
      await endJobs(api, rows.projectId)
      const made = await mutations.newArgumentsOf[field.name]?.()
      const given = made ?? mutations.argumentsOf[field.name]
      const call =
        given === undefined
          ? callOf(field, { ...rows })
          : `${field.name}(projectId: "${rows.projectId}"${given && `, ${given}`})${selection(field)}`
      const fault = faultIn(await ask(`mutation { ${call} }`))
      const old = await stale(reads.filter((_, at) => at % parts === place % parts))
      if (old.length > 0) failed.push(`${field.name} (${fault}): ${old.join(', ')}`)
    }
    expect(failed).toEqual([])
  })
}

test('after an import, a recount and a removed brand, all reads are those of now', async () => {
  for (const text of ['Acme is good.', 'Acme and Rival are bad.']) {
    await workspace.load(rows.projectId, [
      { text, collectedAt: new Date().toISOString(), citations: [{ url: 'https://acme.com/a' }] },
    ])
    expect(await stale()).toEqual([])
  }
})

test('a write of another process is seen soon', async () => {
  await stale()
  await other.query('UPDATE "Competitor" SET name = name || \' 2\' WHERE "projectId" = $1', [
    rows.projectId,
  ])
  const competitors = reads.filter(({ operationId }) => operationId === 'listCompetitors')
  await expect.poll(() => stale(competitors)).toEqual([])
  expect(await stale()).toEqual([])
})

test('a window ends on the day of the request, also for a reply that was kept the day before', async () => {
  const path = `/api/mcp/projects/${rows.projectId}/visibility/history?days=2`
  const { key } = await workspace.key()
  const dates = async () => (await (await api.get(path, key)).text()).match(/\d{4}-\d\d-\d\d/g)
  const today = await dates()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 24 * 3600 * 1000 })
  try {
    expect(await dates()).not.toEqual(today)
  } finally {
    vi.useRealTimers()
  }
})

test('a page by offset keeps the snapshot of its first page, which came from memory', async () => {
  const project = await workspace.project()
  const { key } = await workspace.key()
  const line = (site: string) => ({
    collectedAt: new Date().toISOString(),
    citations: [{ url: `https://${site}.com/` }],
  })
  await workspace.load(project, [line('a'), { ...line('b'), prompt: 'other' }])
  const page = async (offset: number) => {
    const path = `/api/mcp/projects/${project}/sources/domains?limit=1&offset=${offset}`
    const { sources } = (await (await api.get(path, key)).json()) as {
      sources: { domain: string }[]
    }
    return sources.map(({ domain }) => domain)
  }
  expect(await page(0)).toEqual(['a.com'])
  expect(await page(0)).toEqual(['a.com'])
  await workspace.load(project, [
    { ...line('0'), prompt: 'third' },
    { ...line('0'), prompt: 'fourth' },
  ])
  expect(await page(1)).toEqual(['b.com'])
  expect(await page(0)).toEqual(['0.com'])
  expect(await page(1)).toEqual(['a.com'])
})

test('each table of the catalog raises a version, or has no part in a reply', async () => {
  const { rows: found } = await other.query<{ name: string; raises: number }>(`
    SELECT c.relname AS name,
           (SELECT count(*)::int FROM pg_trigger t WHERE t.tgrelid = c.oid AND t.tgname LIKE 'raise%') AS raises
      FROM pg_class c
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname NOT LIKE '\\_%'
     ORDER BY c.relname`)
  const without = found.filter(({ raises }) => raises === 0).map(({ name }) => name)
  // Who may read and how people sign in, notifications, replies of writes, what all projects of a workspace have used, logos, set-ups, alarms, marks and feeds of data, which
  // REST has not, and which prompts were merged, which changes together with the prompts.
  expect(without).toEqual([
    'Alarm',
    'ApiKey',
    'BingKey',
    'Channel',
    'CollectingBudget',
    'ConnectedClient',
    'DataFeed',
    'DataVersion',
    'DeletedRuns',
    'Delivery',
    'Digest',
    'GoogleAccount',
    'GoogleClient',
    'IdempotentReply',
    'IngestKey',
    'Invitation',
    'KeyBlock',
    'Mark',
    'Membership',
    'MergedPrompt',
    'Monitor',
    'OAuthClient',
    'OAuthRecord',
    'PageCode',
    'Passkey',
    'Password',
    'PlannedChange',
    'ProjectLogo',
    'ProjectSetup',
    'ProposalCost',
    'ProviderKey',
    'ProviderTask',
    'ReportSchedule',
    'SentimentChange',
    'SentimentCost',
    'Session',
    'User',
  ])
  const raising = found.filter(({ raises }) => raises > 0)
  expect(raising.filter(({ name, raises }) => raises !== (name === 'Project' ? 1 : 3))).toEqual([])
})
