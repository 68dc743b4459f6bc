import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { removeEndedConnections } from '../../worker/retention/connections.ts'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import {
  authorizeUrl,
  type Browser,
  browserOf,
  callWith,
  decide,
  exchanged,
  locationOf,
  newClient,
  openConsent,
  refreshed,
} from '../kit/oauth.ts'
import { until } from '../kit/service.ts'
import { freePort } from '../kit/web/free-port.ts'

/**
 * The API is killed (SIGKILL) while it stores what a step of a connection makes: the connection, the code, the tokens, the
 * tokens of a refresh. A connection is whole then, or there is none.
 */

const port = await freePort()
const api = useApi({}, undefined, { ownDatabase: true })
/** The address is the same after a kill. */
const place = { url: `http://127.0.0.1:${port}` }
let child: ChildProcess
/** The session that holds a step up. */
let holder: pg.Client
let holderPid = 0
let workspace: TestWorkspace
let browser: Browser
let client = ''

beforeAll(async () => {
  holder = new pg.Client({ connectionString: api.databaseUrl })
  await holder.connect()
  holderPid = (await holder.query('SELECT pg_backend_pid() AS pid')).rows[0].pid
  await holder.query(`
    CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      SET LOCAL lock_timeout TO 0;
      PERFORM pg_advisory_xact_lock_shared(hashtext(coalesce(to_jsonb(NEW)->>'kind', TG_TABLE_NAME)));
      RETURN NEW;
    END $$;
    CREATE TRIGGER hold BEFORE INSERT ON "OAuthRecord" FOR EACH ROW EXECUTE FUNCTION hold();
    CREATE TRIGGER hold BEFORE INSERT ON "ConnectedClient" FOR EACH ROW EXECUTE FUNCTION hold()`)
  workspace = await api.workspace()
  await workspace.project()
  await start()
  browser = browserOf(place, await workspace.session())
  client = await newClient(place)
})

afterAll(async () => {
  await Promise.all([holder.end(), kill()])
})

beforeEach(() => api.db.apiKey.deleteMany({ where: { kind: 'connection' } }))

async function start(): Promise<void> {
  const script = new URL('../fault/api-child.ts', import.meta.url).pathname
  const args = [script, api.databaseUrl, inject('clickhouseUrl'), 'silent', String(port)]
  child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  if (!child.stdout) throw new Error('the child has no output')
  await once(createInterface(child.stdout), 'line')
}

async function kill(): Promise<void> {
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

/** Kills the API while a request inserts a row of a kind, and starts it again. */
async function killAt(kind: string, request: () => Promise<unknown>): Promise<void> {
  await holder.query('SELECT pg_advisory_lock(hashtext($1))', [kind])
  const lost = request().catch(() => 'lost')
  await until(async () => {
    const { rowCount } = await holder.query(
      'SELECT 1 FROM pg_stat_activity WHERE $1::int = ANY(pg_blocking_pids(pid))',
      [holderPid],
    )
    return rowCount !== 0
  })
  await kill()
  await holder.query('SELECT pg_advisory_unlock_all()')
  expect(await lost).toBe('lost')
  await start()
}

const allow = { decision: 'allow', write: false, draft: false, projectId: null, days: 30 }
const statusOf = async (reply: Promise<Response>) => (await reply).status
const begin = () => openConsent(browser, authorizeUrl(place, client))
const rows = () => api.db.connectedClient.count()
/** Those that a person sees. */
const listed = () => api.db.connectedClient.count({ where: { lastRefreshAt: { not: null } } })

interface Pair {
  readonly access_token: string
  readonly refresh_token: string
}

async function pairOf(back: URL): Promise<Pair> {
  const got = await exchanged(place, client, back.searchParams.get('code') ?? '')
  expect(got.status).toBe(200)
  return (await got.json()) as Pair
}

test('killed while the decision is stored: the same page decides again, once', async () => {
  const page = await begin()
  await killAt('ConnectedClient', () => browser(page, allow))
  expect(await rows()).toBe(0)
  const { access_token: token } = await pairOf(await decide(browser, page))
  expect(await statusOf(callWith(place, token))).toBe(200)
  expect([await rows(), await listed()]).toEqual([1, 1])
})

test('killed while the code is stored: nothing is connected, and the page says to begin again', async () => {
  const page = await begin()
  const decided = await browser(page, allow)
  const { to } = (await decided.json()) as { to: string }
  await killAt('AuthorizationCode', () => browser(to))
  const again = await browser(to)
  expect([again.status, locationOf(again)]).toEqual([400, ''])
  expect(await again.text()).toContain('Go back to your AI client and connect it again.')
  expect(await listed()).toBe(0)
  const { access_token: token } = await pairOf(await decide(browser, await begin()))
  expect(await statusOf(callWith(place, token))).toBe(200)
  expect(await listed()).toBe(1)
})

test('killed while the first token is stored: nothing is connected, and the client begins again', async () => {
  const code = (await decide(browser, await begin())).searchParams.get('code') ?? ''
  await killAt('AccessToken', () => exchanged(place, client, code))
  expect(await listed()).toBe(0)
  expect(await statusOf(exchanged(place, client, code))).toBe(400)
  const { access_token: token } = await pairOf(await decide(browser, await begin()))
  expect(await statusOf(callWith(place, token))).toBe(200)
  expect(await listed()).toBe(1)
})

test('killed between the first access token and its reply: what is listed was never used, and can be removed or ends by itself', async () => {
  // The access token is stored before the refresh token, and the reply has both.
  async function lost(): Promise<string> {
    const code = (await decide(browser, await begin())).searchParams.get('code') ?? ''
    await killAt('RefreshToken', () => exchanged(place, client, code))
    return code
  }
  const { key } = await workspace.key({ scopes: ['admin'] })
  const shown = async () => {
    const query = `{ workspace(id: "${workspace.id}") { connectedClients { nodes { id lastUsedAt } } } }`
    const { data } = await (await api.graphql(query, key)).json()
    return data.workspace.connectedClients.nodes
  }
  const code = await lost()
  expect(await shown()).toEqual([{ id: expect.any(String), lastUsedAt: null }])
  // A client that tries its code again ends what nobody holds.
  expect(await statusOf(exchanged(place, client, code))).toBe(400)
  expect(await shown()).toEqual([])
  await api.db.apiKey.deleteMany({ where: { kind: 'connection' } })
  await lost()
  expect(await shown()).toEqual([{ id: expect.any(String), lastUsedAt: null }])
  // The client has nothing, and begins again.
  const long = await decide(browser, await begin(), { days: 180 })
  const { access_token: token } = await pairOf(long)
  expect(await statusOf(callWith(place, token))).toBe(200)
  expect(await shown()).toHaveLength(2)
  // The access token lives for an hour. What is in use stays.
  await removeEndedConnections(api.db, new Date(Date.now() + 59 * 60_000))
  expect(await shown()).toHaveLength(2)
  await removeEndedConnections(api.db, new Date(Date.now() + 61 * 60_000))
  expect(await shown()).toEqual([{ id: expect.any(String), lastUsedAt: expect.any(String) }])
  expect(await rows()).toBe(1)
  // So does one that was used, thirty days after its last token; its key stays, for the audit trail.
  const later = new Date(Date.now() + 31 * 24 * 60 * 60_000)
  await removeEndedConnections(api.db, later)
  expect(await statusOf(callWith(place, token))).toBe(401)
  const ends = await api.db.apiKey.findMany({ where: { kind: 'connection' } })
  expect(ends.map(({ expiresAt }) => expiresAt)).toEqual([later])
})

test.each(['RefreshToken', 'AccessToken'])(
  'killed while the %s of a refresh is stored: the former token gets a pair, also after the window',
  async (kind) => {
    const { refresh_token: former } = await pairOf(await decide(browser, await begin()))
    await killAt(kind, () => refreshed(place, client, former))
    const { grantId } = await api.db.connectedClient.findFirstOrThrow()
    const used = { grantId, kind: 'RefreshToken', consumedAt: { not: null } }
    const consumedAt = new Date(Date.now() - 3 * 60_000)
    expect(await api.db.oAuthRecord.updateMany({ where: used, data: { consumedAt } })).toEqual({
      count: 1,
    })
    // Longer ago than its use is the last pair that a client got.
    const lastRefreshAt = new Date(Date.now() - 60 * 60_000)
    await api.db.connectedClient.updateMany({ data: { lastRefreshAt } })
    const got = await refreshed(place, client, former)
    expect(got.status).toBe(200)
    const { access_token: token } = (await got.json()) as Pair
    expect(await statusOf(callWith(place, token))).toBe(200)
    expect([await rows(), await listed()]).toEqual([1, 1])
  },
)
