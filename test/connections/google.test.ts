import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { conditionsOf } from '../../resolvers/alarms/rules.ts'
import { addFeed as addFeedOf, sendDueFeeds } from '../../resolvers/connections/feeds.ts'
import { addMember } from '../../resolvers/members/members.ts'
import { signIn as signInMember } from '../../resolvers/members/sessions.ts'
import { commandLine } from '../../resolvers/shared/audit-trail.ts'
import { jobScope } from '../../resolvers/shared/job-scope.ts'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { asking, faultIn } from '../kit/changes.ts'
import { cookieOf } from '../kit/credentials.ts'
import { clearOfMidnight } from '../kit/day.ts'
import { googleEmail, googleError, startGoogle } from '../kit/google.ts'
import { reportRow } from '../kit/imports/web-analytics.ts'
import { startTestWorker, type TestWorker } from '../kit/worker.ts'

await clearOfMidnight(240_000)

const google = await startGoogle()
const lines: string[] = []
const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
const api = useApi({}, log, { ownDatabase: true, googleUrl: google.url })
let worker: TestWorker
let workspace: TestWorkspace
let project = ''
let admin = { id: '', key: '' }
let session = ''
const ask = asking(api, () => session)

const dayMs = 86_400_000
const day = (ago: number) => new Date(Date.now() - ago * dayMs).toISOString().slice(0, 10)
const site = 'sc-domain:acme.com'

beforeAll(async () => {
  worker = await startTestWorker(api)
})
beforeEach(async () => {
  // Feeds of other tests are due too.
  await api.db.dataFeed.deleteMany({})
  workspace = await api.workspace()
  project = await workspace.project()
  admin = await workspace.key({ scopes: ['admin'] })
  session = await workspace.session()
  google.answer(googleError(500))
  google.taken()
})
afterAll(google.close)

const setClient = () =>
  ask(
    `mutation { setGoogleClient(workspaceId: "${workspace.id}", clientId: "${google.client.clientId}", secret: "${google.client.secret}") { subjectId changed } }`,
  )

async function begin(): Promise<string> {
  const text = `mutation { beginGoogleSignIn(workspaceId: "${workspace.id}", projectId: "${project}") { url } }`
  const answer = await ask(text)
  expect(faultIn(answer)).toBe('none')
  return String(answer.data.beginGoogleSignIn?.url)
}

/** Google leads the browser back: a request of another site, with the cookies of this one. */
const comeBack = (address: string, token: string | undefined = session) => {
  const { pathname, search } = new URL(address)
  const headers = { 'sec-fetch-site': 'cross-site', ...(token && { cookie: cookieOf(token) }) }
  return fetch(api.url + pathname + search, { headers, redirect: 'manual' })
}

async function signIn(scopes?: readonly string[]): Promise<string> {
  await setClient()
  const response = await comeBack(google.allow(await begin(), scopes))
  expect(response.status).toBe(302)
  expect(response.headers.get('location')).toBe(`/projects/${project}/settings/connections`)
  const [account] = await api.db.googleAccount.findMany({ where: { workspaceId: workspace.id } })
  return account?.id ?? ''
}

const addFeed = (accountId: string, kind = 'search_console', name = site) =>
  ask(
    `mutation { addDataFeed(projectId: "${project}", kind: ${kind}, accountId: "${accountId}", name: "${name}") { changed } }`,
  )

/** A feed of a service that keeps rows for 56 days: the backfill is two imports. */
const addShort = (accountId: string, days = 56) =>
  addFeedOf(
    api.db,
    commandLine,
    project,
    { kind: 'searchConsole', accountId, name: site, label: null },
    days,
  )

const act = (name: 'pullDataFeed' | 'removeDataFeed', kind = 'search_console') =>
  ask(`mutation { ${name}(projectId: "${project}", kind: ${kind}) { changed } }`)

async function feeds() {
  const fields =
    'kind name accountEmail state firstDay loadedFrom loadedTo daysLoaded daysTotal rowsLoaded problem nextPullAt firstFailedAt'
  const answer = await ask(`{ project(id: "${project}") { dataFeeds { ${fields} } } }`)
  return answer.data.project?.dataFeeds as unknown as Record<string, unknown>[]
}

type Ask = Record<string, unknown>

/** One click each day. */
const oneADay = (body: Ask) => ({
  body: {
    rows: [
      {
        keys: [body.startDate, 'anvil', 'https://acme.com/', 'usa', 'MOBILE'],
        clicks: 1,
        impressions: 2,
        ctr: 0.5,
        position: 3,
      },
    ],
  },
})

describe('the OAuth client of a workspace', () => {
  test('is stored encrypted, and shown without its secret', async () => {
    expect((await setClient()).data.setGoogleClient).toMatchObject({ changed: true })
    const shown = await ask(
      `{ workspace(id: "${workspace.id}") { google { redirectUri client { clientId } } googleAccounts { totalCount } } }`,
    )
    expect(shown.data.workspace).toEqual({
      google: {
        redirectUri: 'http://127.0.0.1:4000/google/return',
        client: { clientId: google.client.clientId },
      },
      googleAccounts: { totalCount: 0 },
    })
    const row = await api.db.googleClient.findUniqueOrThrow({
      where: { workspaceId: workspace.id },
    })
    expect(Buffer.from(row.sealed).includes(google.client.secret)).toBe(false)
    const trail = await api.db.auditEntry.findMany({ where: { workspaceId: workspace.id } })
    const said = JSON.stringify([shown, trail.map(({ after }) => after), lines])
    expect(said).not.toContain(google.client.secret)
  })

  test.each([
    ['clientId: "acme", secret: "x"', 'invalid_argument clientId'],
    [`clientId: "1.apps.googleusercontent.com", secret: "two words"`, 'invalid_argument secret'],
  ])('is refused where it cannot be one: %s', async (args, fault) => {
    const text = `mutation { setGoogleClient(workspaceId: "${workspace.id}", ${args}) { changed } }`
    expect(faultIn(await ask(text))).toBe(fault)
    expect(await api.db.googleClient.count({ where: { workspaceId: workspace.id } })).toBe(0)
  })

  test('is needed before anybody signs in', async () => {
    const text = `mutation { beginGoogleSignIn(workspaceId: "${workspace.id}") { url } }`
    expect(faultIn(await ask(text))).toBe('invalid_argument workspaceId')
  })
})

describe('a sign-in with Google', () => {
  test('asks for reading alone, with PKCE and a state, and stores the token encrypted', async () => {
    await setClient()
    const page = new URL(await begin())
    expect(page.origin + page.pathname).toBe(`${google.url}/o/oauth2/v2/auth`)
    expect(Object.fromEntries(page.searchParams)).toEqual({
      client_id: google.client.clientId,
      redirect_uri: 'http://127.0.0.1:4000/google/return',
      response_type: 'code',
      scope:
        'openid email https://www.googleapis.com/auth/webmasters.readonly https://www.googleapis.com/auth/analytics.readonly',
      state: expect.stringMatching(/^[\w-]{32}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      access_type: 'offline',
      prompt: 'consent',
    })
    const back = google.allow(page.href)
    expect((await comeBack(back)).status).toBe(302)
    const row = await api.db.googleAccount.findFirstOrThrow({
      where: { workspaceId: workspace.id },
    })
    expect(row).toMatchObject({ email: googleEmail, endedAt: null })
    const [token = 'none'] = google.refreshTokens().slice(-1)
    expect(Buffer.from(row.sealed).includes(token)).toBe(false)
    expect(JSON.stringify(lines)).not.toContain(token)
    // A state works once.
    expect((await comeBack(back)).status).toBe(400)
  })

  test('ends only in the browser of the person who began it', async () => {
    await setClient()
    const back = google.allow(await begin())
    expect((await comeBack(back, '')).status).toBe(401)
    await addMember(api.db, commandLine, workspace.id, { email: 'eve@acme.com', role: 'owner' })
    const eve = await signInMember(api.db, 'eve@acme.com')
    if (!('token' in eve)) throw new Error('Eve is a member.')
    const stranger = await comeBack(back, eve.token)
    expect([stranger.status, await stranger.text()]).toEqual([
      403,
      expect.stringContaining('Another person began this sign-in.'),
    ])
    expect(await api.db.googleAccount.count({ where: { workspaceId: workspace.id } })).toBe(0)
  })

  test('that the person declines, or with a wrong secret, says why and stores nothing', async () => {
    await setClient()
    const page = new URL(await begin())
    const refusal = new URLSearchParams({
      state: page.searchParams.get('state') ?? '',
      error: 'access_denied',
    })
    const declined = await comeBack(`${page.searchParams.get('redirect_uri')}?${refusal}`)
    expect([declined.status, await declined.text()]).toEqual([
      403,
      expect.stringContaining('access_denied'),
    ])
    await ask(
      `mutation { setGoogleClient(workspaceId: "${workspace.id}", clientId: "${google.client.clientId}", secret: "GOCSPX-wrong") { changed } }`,
    )
    const wrong = await comeBack(google.allow(await begin()))
    expect(await wrong.text()).toContain('its secret is wrong')
    expect(await api.db.googleAccount.count({ where: { workspaceId: workspace.id } })).toBe(0)
  })

  test('lets the sites and properties of the account be chosen', async () => {
    const account = await signIn()
    google.answer((_body, path) =>
      path.startsWith('/webmasters/')
        ? {
            body: {
              siteEntry: [
                { siteUrl: 'https://acme.com/', permissionLevel: 'siteUnverifiedUser' },
                { siteUrl: site, permissionLevel: 'siteOwner' },
              ],
            },
          }
        : path.includes('pageToken=2')
          ? {
              body: {
                accountSummaries: [
                  { displayName: 'Bolt', propertySummaries: [{ property: 'properties/7' }] },
                ],
              },
            }
          : {
              body: {
                accountSummaries: [
                  {
                    displayName: 'Acme',
                    propertySummaries: [{ property: 'properties/42', displayName: 'Shop' }],
                  },
                ],
                nextPageToken: '2',
              },
            },
    )
    const lists =
      'searchConsole { properties { name label } problem } webAnalytics { properties { name label } problem }'
    const text = `mutation { listGoogleProperties(workspaceId: "${workspace.id}", accountId: "${account}") { ${lists} } }`
    expect((await ask(text)).data.listGoogleProperties).toEqual({
      searchConsole: { properties: [{ name: site, label: null }], problem: null },
      webAnalytics: {
        properties: [
          { name: '7', label: 'Bolt' },
          { name: '42', label: 'Shop, Acme' },
        ],
        problem: null,
      },
    })
    google.answer(googleError(403, 'accessNotConfigured', 'The API is not enabled.'))
    const off = (await ask(text)).data.listGoogleProperties
    const problem = 'Google answered 403: The API is not enabled.'
    expect(off).toEqual({
      searchConsole: { properties: [], problem },
      webAnalytics: { properties: [], problem },
    })
  })

  test('ends with the account, which Google is asked to revoke, and its feed waits for another', async () => {
    const account = await signIn()
    google.answer(oneADay)
    await addShort(account)
    await worker.idle()
    const tokens = google.refreshTokens().length
    const text = `mutation { removeGoogleAccount(workspaceId: "${workspace.id}", accountId: "${account}") { changed } }`
    expect((await ask(text)).data.removeGoogleAccount).toEqual({ changed: true })
    expect(google.refreshTokens()).toHaveLength(tokens - 1)
    expect(await feeds()).toMatchObject([
      { state: 'failing', accountEmail: null, nextPullAt: null, daysLoaded: 56 },
    ])
    await signIn()
    await worker.idle()
    expect(await feeds()).toMatchObject([{ state: 'current', accountEmail: googleEmail }])
  })
})

describe('a feed', () => {
  test('loads the newest days first, then back for 16 months, and from then on the last days', async () => {
    const account = await signIn()
    google.answer(oneADay)
    expect(faultIn(await addFeed(account))).toBe('none')
    await worker.idle()
    const days = google.taken().map(({ body }) => body.startDate)
    expect(days).toHaveLength(486)
    expect(new Set(days).size).toBe(486)
    // The first 28 days end today, the next 28 before them.
    expect([days[0], days[27], days[28], days.at(-1)]).toEqual([day(27), day(0), day(55), day(476)])
    expect(await feeds()).toEqual([
      {
        kind: 'search_console',
        name: site,
        accountEmail: googleEmail,
        state: 'current',
        firstDay: day(485),
        loadedFrom: day(485),
        loadedTo: day(0),
        daysLoaded: 486,
        daysTotal: 486,
        rowsLoaded: 486,
        problem: null,
        firstFailedAt: null,
        nextPullAt: expect.stringMatching(new RegExp(`^${day(-1)}T0[5-7]:`)),
      },
    ])
    const clicks = await ask(
      `{ project(id: "${project}") { searchPerformance(window: { days: 28 }) { totals { clicks } } } }`,
    )
    expect(JSON.stringify(clicks.data)).toContain('"clicks":28')
    // Nothing is due before tomorrow; then the last four days are read again.
    expect(await sendDueFeeds(api.db, new Date())).toBe(0)
    await sendDueFeeds(api.db, new Date(Date.now() + 2 * dayMs))
    await worker.idle()
    expect(google.taken().map(({ body }) => body.startDate)).toEqual([
      day(3),
      day(2),
      day(1),
      day(0),
    ])
  })

  test('of Google Analytics loads sessions', async () => {
    const account = await signIn()
    const { dimensionValues, metricValues } = reportRow({
      date: day(1).replaceAll('-', ''),
      source: 'chatgpt.com',
    })
    const [date, , source, medium, host] = dimensionValues
    const row = { dimensionValues: [date, host, { value: '/' }, source, medium], metricValues }
    google.answer(
      () => ({ body: { rows: [row], rowCount: 1 } }),
      () => ({ body: { rowCount: 0 } }),
    )
    await addFeed(account, 'web_analytics', 'properties/42')
    await worker.idle()
    expect(await feeds()).toMatchObject([
      { kind: 'web_analytics', name: '42', state: 'current', rowsLoaded: 1, daysLoaded: 486 },
    ])
  })

  test('whose access was revoked says so, alarms, and goes on after a new sign-in', async () => {
    const account = await signIn()
    google.answer(oneADay)
    await addShort(account)
    await worker.idle()
    google.revoke()
    await act('pullDataFeed')
    await worker.idle()
    const said = expect.stringMatching(/^Google ended the sign-in: it was revoked or has expired/)
    expect(await feeds()).toMatchObject([{ state: 'failing', problem: said, nextPullAt: null }])
    const accounts = `{ workspace(id: "${workspace.id}") { googleAccounts { nodes { endedAt } } } }`
    expect(JSON.stringify((await ask(accounts)).data)).toMatch(/"endedAt":"20/)
    expect(await alarms()).toEqual([[site, said]])
    // What is loaded stays readable.
    const report = await api.get(`/api/mcp/projects/${project}/gsc/queries`, admin.key)
    expect(report.status).toBe(200)
    await signIn()
    await worker.idle()
    expect(await feeds()).toMatchObject([{ state: 'current', problem: null, firstFailedAt: null }])
    expect(await alarms()).toEqual([])
  })

  test('that Google refuses by its quota is tried again later, longer each time, and alarms after a day', async () => {
    const account = await signIn()
    google.answer(googleError(403, 'quotaExceeded', 'Quota exceeded.'))
    const pauses: number[] = []
    await addShort(account)
    for (const _ of [1, 2]) {
      await worker.idle()
      const feed = await api.db.dataFeed.findFirstOrThrow({ where: { projectId: project } })
      expect(feed).toMatchObject({
        problem: 'quota',
        problemText: 'Google answered 403: Quota exceeded.',
      })
      pauses.push(Math.round(((feed.nextPullAt?.getTime() ?? 0) - Date.now()) / 60_000))
      await api.db.dataFeed.update({ where: { id: feed.id }, data: { nextPullAt: new Date() } })
      if (pauses.length < 2) await sendDueFeeds(api.db, new Date())
    }
    expect(pauses).toEqual([15, 30])
    expect(await alarms()).toEqual([])
    expect(await alarms(new Date(Date.now() + dayMs))).toEqual([
      [site, 'Google answered 403: Quota exceeded.'],
    ])
  })

  test.each([
    [403, 'forbidden', 'accessDenied'],
    [404, 'notFound', 'notFound'],
    [403, 'accessNotConfigured', 'apiDisabled'],
  ])('with the answer %i %s has the problem %s', async (status, reason, problem) => {
    const account = await signIn()
    google.answer(googleError(status, reason))
    await addShort(account)
    await worker.idle()
    const feed = await api.db.dataFeed.findFirstOrThrow({ where: { projectId: project } })
    expect(feed).toMatchObject({ problem, problemText: `Google answered ${status}: No.` })
    expect(google.taken()).toHaveLength(1)
    expect(await alarms()).toEqual([[site, `Google answered ${status}: No.`]])
  })

  test('needs the scope that the person may have left out', async () => {
    const account = await signIn(['openid', 'email'])
    await addShort(account)
    await worker.idle()
    expect(await feeds()).toMatchObject([
      { state: 'failing', problem: `${googleEmail} did not allow to read Search Console.` },
    ])
    expect(google.taken()).toEqual([])
  })

  test('that breaks in the middle goes on where it has stored its days', async () => {
    const account = await signIn()
    const answers = Array.from({ length: 40 }, () => oneADay)
    google.answer(...answers, googleError(404))
    await addShort(account)
    await worker.idle()
    expect(await feeds()).toMatchObject([
      { state: 'failing', loadedFrom: day(27), daysLoaded: 28, daysTotal: 56 },
    ])
    google.answer(oneADay)
    google.taken()
    await act('pullDataFeed')
    await worker.idle()
    expect(google.taken()).toHaveLength(4 + 28)
    expect(await feeds()).toMatchObject([{ state: 'current', daysLoaded: 56 }])
  })

  test('is refused for another site than that of the data, and ends without its rows', async () => {
    const account = await signIn()
    google.answer(oneADay)
    await addShort(account)
    await worker.idle()
    expect(faultIn(await addFeed(account, 'search_console', 'sc-domain:bolt.com'))).toBe(
      'invalid_argument name',
    )
    expect(faultIn(await addFeed('8c1e0000-0000-4000-8000-000000000000'))).toBe(
      'invalid_argument accountId',
    )
    expect((await act('removeDataFeed')).data.removeDataFeed).toEqual({ changed: true })
    expect(await feeds()).toEqual([])
    expect(faultIn(await act('pullDataFeed'))).toBe('not_found')
    expect((await api.get(`/api/mcp/projects/${project}/gsc/queries`, admin.key)).status).toBe(200)
  })
})

/** Name and detail of the alarms about connections. */
async function alarms(now = new Date()): Promise<(readonly [string, string])[]> {
  const scope = await jobScope(api, project, now)
  if (!scope) throw new Error('The project is gone.')
  const found = await conditionsOf(scope, now, null)
  return found
    .filter(({ problem }) => problem === 'connection_refused')
    .map(({ name, detail }) => [name, detail] as const)
}
