import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addMember } from '../../resolvers/members/members.ts'
import { commandLine } from '../../resolvers/shared/audit-trail.ts'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { asking } from '../kit/changes.ts'
import { lacksChromium, useBrowser } from '../kit/web/browser.ts'
import { ensureDashboard } from '../kit/web/dashboard.ts'
import { cellsOf } from './dashboard-page.ts'

const api = useApi()
const browser = useBrowser()
let workspace: TestWorkspace
let project = ''
let admin = ''
const ask = asking(api, () => admin)

beforeAll(ensureDashboard, 300_000)

beforeEach(async () => {
  workspace = await api.workspace()
  project = await workspace.project({ domain: 'acme.com' })
  admin = (await workspace.key({ scopes: ['admin'] })).key
  for (const name of ['Bolt', 'Nutt', 'Rivet']) {
    await ask(
      `mutation { addCompetitor(projectId: "${project}", name: "${name}", domain: "${name}.io") { __typename } }`,
    )
  }
})

/** The tab of competitors, in a browser whose clock the test moves. */
async function openCompetitors() {
  const tab = await browser.open(`${api.url}/projects/${project}/settings/competitors#key=${admin}`)
  await tab.page.clock.install()
  await tab.page.getByRole('button', { name: 'Remove: Bolt' }).waitFor()
  return tab
}

const stored = async () => {
  const rows = await api.db.competitor.findMany({
    where: { projectId: project },
    orderBy: { name: 'asc' },
  })
  return rows.map(({ name }) => name)
}

async function remove(page: Page, name: string) {
  await page.getByRole('button', { name: `Remove: ${name}` }).click()
  await page.getByRole('status').getByText(`“${name}” removed`).waitFor()
  await page.getByRole('button', { name: `Remove: ${name}` }).waitFor({ state: 'detached' })
}

describe.skipIf(lacksChromium)('a removed competitor', () => {
  test('comes back within ten seconds, by the button or the keyboard, and nothing was sent', async () => {
    const { page, faults } = await openCompetitors()
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.postData()?.includes('RemoveCompetitor')) sent.push(request.url())
    })
    await remove(page, 'Bolt')
    await remove(page, 'Nutt')
    await page.getByRole('button', { name: 'Undo: “Bolt” removed' }).click()
    await page.getByRole('button', { name: 'Remove: Bolt' }).waitFor()
    await page.keyboard.press('Control+Z')
    await page.getByRole('button', { name: 'Remove: Nutt' }).waitFor()
    await page.clock.fastForward(30_000)
    expect((await cellsOf(page, 'Competitors')).map(([name]) => name)).toEqual([
      'Bolt',
      'Nutt',
      'Rivet',
    ])
    expect({ sent, faults, stored: await stored() }).toEqual({
      sent: [],
      faults: [],
      stored: ['Bolt', 'Nutt', 'Rivet'],
    })
  })

  test('is gone after ten seconds, before another change, and with the page', async () => {
    const { page } = await openCompetitors()
    await remove(page, 'Bolt')
    await page.clock.fastForward(9000)
    expect(await stored()).toEqual(['Bolt', 'Nutt', 'Rivet'])
    await page.clock.fastForward(2000)
    await expect.poll(stored).toEqual(['Nutt', 'Rivet'])
    // The same competitor again is another one: the first removal does not wait for it.
    await remove(page, 'Nutt')
    await page.getByLabel('Name').fill('Nutt')
    await page.getByLabel('Domain').fill('nutt.example')
    await page.getByRole('button', { name: 'Add' }).click()
    await page.getByRole('button', { name: 'Remove: Nutt' }).waitFor()
    expect(await stored()).toEqual(['Nutt', 'Rivet'])
    await remove(page, 'Rivet')
    await page.getByRole('tab', { name: 'Brand' }).click()
    await expect.poll(stored).toEqual(['Nutt'])
    await page.getByRole('tab', { name: 'Competitors' }).click()
    await remove(page, 'Nutt')
    await page.goto('about:blank')
    await expect.poll(stored).toEqual([])
  })
})

test.skipIf(lacksChromium)('a new role is taken back, and the only owner stays', async () => {
  await addMember(api.db, commandLine, workspace.id, { email: 'ann@acme.test', role: 'editor' })
  const { page } = await browser.open(
    `${api.url}/projects/${project}/settings/members#key=${admin}`,
  )
  const roleOfAnn = page.getByRole('combobox', { name: 'Role of ann@acme.test' })
  await roleOfAnn.selectOption('owner')
  await page
    .getByRole('button', { name: /^Remove: / })
    .nth(1)
    .waitFor()
  await page.getByRole('button', { name: /^Undo: ann@acme\.test has the role Owner now/ }).click()
  await page.getByText('The only owner stays. Make somebody else an owner first.').waitFor()
  expect(await roleOfAnn.inputValue()).toBe('editor')
  expect(await page.getByRole('button', { name: /^(?:Remove|Leave): / }).count()).toBe(1)
})
