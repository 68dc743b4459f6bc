import { pino } from 'pino'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { readSettings } from '../../core/settings.ts'
import { inviteMember } from '../../resolvers/members/invitations.ts'
import { commandLine } from '../../resolvers/shared/audit-trail.ts'
import { type Api, startApi } from '../../server.ts'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { isSoak } from '../kit/soak.ts'
import { lacksChromium, useBrowser } from '../kit/web/browser.ts'
import { ensureDashboard } from '../kit/web/dashboard.ts'
import { freePort } from '../kit/web/free-port.ts'
import {
  clientId,
  clientSecret,
  type SignInProvider,
  startSignInProvider,
} from './sign-in-provider.ts'

const api = useApi()
const browser = useBrowser()
let provider: SignInProvider
let signing: Api
let url = ''
let workspace: TestWorkspace
let project = ''

beforeAll(async () => {
  await ensureDashboard()
  const port = await freePort()
  url = `http://127.0.0.1:${port}`
  provider = await startSignInProvider(`${url}/sign-in/callback`)
  signing = await startApi({
    settings: readSettings({
      PORT: String(port),
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: clientId,
      OIDC_CLIENT_SECRET: clientSecret,
    }),
    databaseUrl: api.databaseUrl,
    clickhouseUrl: inject('clickhouseUrl'),
    secrets: api.secrets,
    log: pino({ level: 'silent' }),
  })
  await new Promise<void>((resolve) => signing.server.listen(port, '127.0.0.1', resolve))
  workspace = await api.workspace('growth')
  project = await workspace.project()
  await workspace.load(project, [{ text: 'Acme leads.' }])
  await addMember('ann', 'owner')
  await addMember('mia', 'viewer')
})
afterAll(async () => {
  await signing?.close()
  await provider?.close()
})

async function addMember(name: string, role: 'owner' | 'viewer'): Promise<void> {
  const email = `${name}@acme.test`
  const user = await api.db.user.create({ data: { email, name } })
  await api.db.membership.create({ data: { workspaceId: workspace.id, userId: user.id, role } })
}

/** Answers the page of the provider, and its question whether the service may know the address. */
async function answerProvider(page: Page, name: string): Promise<void> {
  await page.locator('input[name=login]').fill(name)
  await page.locator('input[name=password]').fill('any')
  await page.getByRole('button', { name: 'Sign-in' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
}

const open = (path: string) => browser.open(url + path, [provider.issuer])

async function signedIn(name: string, path = `/projects/${project}/overview?days=7`) {
  const tab = await open(path)
  await tab.page.getByRole('link', { name: 'Sign in with your organisation' }).click()
  await answerProvider(tab.page, name)
  return tab
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
}

/** The status of a question with the cookies of a page, as that page and as other clients send it. */
const asked = (cookie: string, headers: Record<string, string>) =>
  fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie, ...headers },
    body: '{"query":"{ projects { nodes { id } } }"}',
  })

test('without the setting no page offers the sign-in of an organisation', async () => {
  const page = await fetch(`${api.url}/`, { headers: { accept: 'text/html' } })
  expect(await page.text()).toContain('name="organisation" content="no"')
  expect((await fetch(`${api.url}/sign-in`, { redirect: 'manual' })).status).toBe(401)
})

test('a provider that does not answer is 502, and an unknown attempt 400', async () => {
  const alone = await fetch(`${url}/sign-in/callback?code=x&state=y`)
  expect(alone.status).toBe(400)
  expect(await alone.text()).toContain('Sign in again')
  expect((await fetch(`${url}/sign-in`, { method: 'POST' })).status).toBe(405)
})

test('another site is no page to go to after the sign-in', async () => {
  for (const to of ['//evil.test/x', 'https://evil.test', '/\\evil.test', 'javascript:alert(1)']) {
    const begun = await fetch(`${url}/sign-in?to=${encodeURIComponent(to)}`, { redirect: 'manual' })
    expect(begun.status).toBe(302)
    const kept =
      /sightline-attempt-\d+=([^;]+)/.exec(begun.headers.get('set-cookie') ?? '')?.[1] ?? ''
    expect(JSON.parse(Buffer.from(kept, 'base64url').toString())).toMatchObject({ to: '/' })
  }
})

describe.skipIf(lacksChromium)('in Chromium', () => {
  test('a member signs in by the organisation, reads, and signs out for good', async () => {
    const { page, faults } = await signedIn('ann')
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    expect(page.url()).toBe(`${url}/projects/${project}/overview?days=7`)
    const cookies = await page.context().cookies(url)
    const session = cookies.find(({ name }) => name.startsWith('sightline-session'))
    expect(session).toMatchObject({ httpOnly: true, sameSite: 'Lax' })
    expect(await page.evaluate('document.cookie')).toBe('')
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).toBe('{}')

    const cookie = `${session?.name}=${session?.value}`
    expect((await asked(cookie, { 'sec-fetch-site': 'same-origin' })).status).toBe(200)
    expect((await asked(cookie, { origin: url })).status).toBe(200)
    for (const headers of [
      {},
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.test' },
    ]) {
      expect((await asked(cookie, headers)).status).toBe(401)
    }
    const forged = await fetch(`${url}/sign-out`, { method: 'POST', headers: { cookie } })
    expect(forged.status).toBe(403)

    // A question that waits while the session ends is given up before, so the service never refuses it.
    const ended = Promise.withResolvers<void>()
    await page.route('**/graphql', async (route) => {
      await ended.promise
      await route.continue().catch(() => undefined)
    })
    await page.route('**/sign-out', async (route) => {
      const response = await route.fetch()
      ended.resolve()
      await page.waitForTimeout(500)
      await route.fulfill({ response })
    })
    const question = page.waitForRequest('**/graphql')
    await page.getByRole('navigation').getByRole('link', { name: 'Prompts', exact: true }).click()
    await question
    await signOut(page)
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect((await asked(cookie, { 'sec-fetch-site': 'same-origin' })).status).toBe(401)
    // The page of the provider asks for a font.
    expect(faults.filter((fault) => !fault.startsWith('request:'))).toEqual([])
  })

  if (isSoak) {
    test('a session that could not be ended goes on, and its page is shown again', async () => {
      const { page } = await signedIn('mia')
      const heading = page.getByRole('heading', { level: 1, name: 'Overview' })
      await heading.waitFor()
      await page.route('**/sign-out', (route) => route.abort())
      const failed = page.waitForEvent('requestfailed', (request) => /sign-out/.test(request.url()))
      await signOut(page)
      await failed
      await heading.waitFor()
    })
  }

  test('an address that is not verified, and a stranger, get nothing', async () => {
    const eve = await signedIn('eve')
    await eve.page.getByRole('heading', { name: 'The address is not verified' }).waitFor()
    const bob = await signedIn('bob')
    await bob.page.getByText('No workspace has bob@acme.test as a member.').waitFor()
    expect(
      await api.db.user.count({ where: { email: { in: ['eve@acme.test', 'bob@acme.test'] } } }),
    ).toBe(0)
    const cookies = await bob.page.context().cookies(url)
    expect(cookies.filter(({ name }) => name.startsWith('sightline'))).toEqual([])
  })

  test('a sign-in ends at this service, whatever its link says', async () => {
    const { page } = await open(`/sign-in?to=${encodeURIComponent(`${url}//evil.test/`)}`)
    await answerProvider(page, 'mia')
    await page.waitForURL(`${url}/evil.test/`)
  })

  test('an invited person joins by a click, and not by an address of another site', async () => {
    const invited = { email: 'kim@acme.test', role: 'viewer' as const }
    await inviteMember(api.db, commandLine, workspace.id, invited)
    const { page } = await signedIn('kim')
    const join = page.getByRole('link', { name: /^Join .+ as viewer$/ })
    await join.waitFor()
    const address = (await join.getAttribute('href')) ?? ''
    const lured = await fetch(url + address, {
      redirect: 'manual',
      headers: { 'sec-fetch-site': 'cross-site' },
    })
    const kept =
      /sightline-attempt-\d+=([^;]+)/.exec(lured.headers.get('set-cookie') ?? '')?.[1] ?? ''
    expect(JSON.parse(Buffer.from(kept, 'base64url').toString())).toMatchObject({ invitation: '' })
    expect(await api.db.user.count({ where: { email: invited.email } })).toBe(0)
    await join.click()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    const user = await api.db.user.findUniqueOrThrow({
      where: { email: invited.email },
      include: { memberships: true },
    })
    expect(user.memberships).toMatchObject([{ workspaceId: workspace.id, role: 'viewer' }])
  })
})
