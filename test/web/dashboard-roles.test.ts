import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { Role } from '../../core/access.ts'
import { createKey } from '../../resolvers/keys/keys.ts'
import { addMember } from '../../resolvers/members/members.ts'
import { commandLine } from '../../resolvers/shared/audit-trail.ts'
import { useApi } from '../kit/api.ts'
import { lacksChromium, useBrowser } from '../kit/web/browser.ts'
import { useDemoPages } from './demo-pages.ts'

/** What people of each role find on the pages. */

const api = useApi()
const browser = useBrowser()
const { demo, days } = useDemoPages(api, browser)

/** A browser of a person with a role in the workspace of the demonstration. */
async function openAs(role: Role, page: string) {
  const { workspaceId } = await api.db.project.findUniqueOrThrow({ where: { id: demo } })
  const userEmail = `${role}@roles.test`
  await addMember(api.db, commandLine, workspaceId, { email: userEmail, role })
  const scopes = ['read' as const, 'write' as const, 'admin' as const]
  const { key } = await createKey(api.db, { workspaceId, userEmail, scopes })
  return browser.open(`${api.url}/projects/${demo}/${page}?${days}#key=${key}`)
}

/** The names of the mutations that a page sends. */
function mutationsOf(page: Page): string[] {
  const sent: string[] = []
  page.on('request', (request) => {
    const name = /mutation (\w+)/.exec(request.postData() ?? '')?.[1]
    if (name) sent.push(name)
  })
  return sent
}

/** Presses each button of the page that is not in a menu, and leaves what it opens. */
async function pressAll(page: Page): Promise<number> {
  const buttons = page.locator('main button:visible:not([aria-haspopup])')
  const total = await buttons.count()
  for (let at = 0; at < total; at++) {
    const button = buttons.nth(at)
    // A button before it may have closed the part with this one.
    if (!(await button.isVisible()) || !(await button.isEnabled())) continue
    await button.click({ timeout: 5000 }).catch(() => undefined)
    await page.keyboard.press('Escape')
  }
  return total
}

describe.skipIf(lacksChromium)('the dashboard', () => {
  test('shows a viewer all pages, says why there is nothing to change, and no control that changes', async () => {
    const { page, faults } = await openAs('viewer', 'overview')
    const sent = mutationsOf(page)
    await page.getByText('View only').waitFor()
    const menu = page.getByRole('navigation').getByRole('link')
    const paths = await menu.evaluateAll((links) => links.map((link) => link.getAttribute('href')))
    expect(paths.length).toBeGreaterThan(10)
    const tabs = ['competitors', 'topics', 'members'].map(
      (tab) => `/projects/${demo}/settings/${tab}`,
    )
    let pressed = 0
    for (const path of [...paths, ...tabs]) {
      await page.goto(`${api.url}${path}`)
      await page.locator('main h2').first().waitFor()
      expect.soft([path, await page.locator('main [type=submit]').count()]).toEqual([path, 0])
      pressed += await pressAll(page)
    }
    expect(pressed).toBeGreaterThan(20)
    expect(sent).toEqual([])
    expect(faults).toEqual([])
  })

  test('lets an editor change data, and shows neither invitations nor API keys', async () => {
    const { page } = await openAs('editor', 'settings/members')
    await page.getByRole('table', { name: 'Members' }).waitFor()
    expect(await page.getByRole('button', { name: /^(Invite|Remove|Withdraw)/ }).count()).toBe(0)
    expect(await page.getByRole('tab', { name: 'API keys' }).count()).toBe(0)
    await page.getByRole('tab', { name: 'Topics and locations' }).click()
    await page.getByRole('textbox', { name: 'Topic', exact: true }).fill('Edited')
    await page.getByRole('region', { name: 'Topics' }).getByRole('button', { name: 'Add' }).click()
    await page.getByRole('rowheader', { name: 'Edited' }).waitFor()
  })
})
