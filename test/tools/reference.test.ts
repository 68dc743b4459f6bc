import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { useApi } from '../kit/api.ts'
import { root } from '../kit/repository.ts'
import { seriousFindings } from '../kit/web/axe.ts'
import { lacksChromium, useBrowser } from '../kit/web/browser.ts'

const api = useApi()
const browser = useBrowser()
let project = ''
let key = ''

beforeAll(async () => {
  const workspace = await api.workspace('growth')
  project = await workspace.project()
  const { key: made } = await workspace.key({ scopes: ['read'], capabilities: ['prompt:draft'] })
  key = made
})

describe.skipIf(lacksChromium)('axe', () => {
  test('finds what keeps people out', async () => {
    const { page } = await browser.open(`${api.url}/docs/errors`)
    await page.setContent(
      '<html lang="en"><title>x</title><p style="color: #bbb; background: #fff">pale</p></html>',
    )
    expect(await seriousFindings(page)).toEqual([expect.stringMatching(/^color-contrast: /)])
  })

  test.each([
    ['reference', '/docs', '.opblock'],
    ['page of errors', '/docs/errors', 'h2'],
  ])('finds nothing on the %s', async (_name, path, element) => {
    const { page } = await browser.open(`${api.url}${path}`)
    await page.locator(element).first().waitFor()
    expect(await seriousFindings(page)).toEqual([])
  })

  test('GraphiQL keeps nobody out, with an answer and its documentation open', async () => {
    const { page, outside, faults } = await browser.open(`${api.url}/graphql#key=${key}`)
    await page.locator('.graphiql-tab-button[aria-current="true"]').waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click()
    await page.getByRole('link', { name: 'Query', exact: true }).first().click()
    await page.getByRole('link', { name: 'projects', exact: true }).waitFor()
    expect(await seriousFindings(page, '.graphiql-plugin')).toEqual([])
    await page.getByRole('link', { name: 'projects', exact: true }).click()
    await page.getByText('Projects that the key reaches, sorted by name.').first().waitFor()
    expect({ outside, faults }).toEqual({ outside: [], faults: [] })
  })
})

describe.skipIf(lacksChromium)('the reference in Chromium', () => {
  test('of the graph over HTTP is a page of its own, that says it is not frozen', async () => {
    const { page, outside, faults } = await browser.open(`${api.url}/docs/graph`)
    await page.locator('.opblock').first().waitFor()
    const { paths } = JSON.parse(
      readFileSync(join(root, 'rest/contract/openapi-graph.json'), 'utf8'),
    )
    expect(await page.locator('.opblock').count()).toBe(Object.keys(paths).length)
    expect(await page.locator('.info').textContent()).toContain('is not frozen')
    expect(await seriousFindings(page)).toEqual([])
    await page.getByRole('link', { name: 'REST v1' }).click()
    await expect.poll(() => page.title()).toBe('Sightline REST API')
    expect({ outside, faults }).toEqual({ outside: [], faults: [] })
  })

  test('asks with a key that is typed in, shows the answer, and keeps nobody out', async () => {
    const { page, outside, faults } = await browser.open(`${api.url}/docs#/Projects/getUsage`)
    await page.locator('.opblock.is-open .responses-wrapper').waitFor()
    await page.getByRole('button', { name: 'Authorize' }).first().click()
    await page.locator('.modal-ux').waitFor()
    expect(await seriousFindings(page, '.dialog-ux')).toEqual([])
    await page.locator('#auth-bearer-value').fill(key)
    await page.getByRole('button', { name: 'Authorize' }).last().click()
    await page.getByRole('button', { name: 'Close' }).last().click()
    await page.getByPlaceholder('projectId').fill(project)
    await page.getByRole('button', { name: 'Execute' }).click()
    const live = page.locator('.live-responses-table')
    await live.getByText('"plan"').waitFor()
    expect(await live.locator('.response-col_status').last().textContent()).toContain('200')
    expect(await seriousFindings(page, '.opblock.is-open')).toEqual([])
    const write = page.locator('#operations-Prompts-addPrompts')
    await write.locator('.opblock-summary-control').click()
    await write.locator('.responses-wrapper').waitFor()
    expect(await seriousFindings(page, '#operations-Prompts-addPrompts')).toEqual([])
    expect({ outside, faults }).toEqual({ outside: [], faults: [] })
  })

  test('takes the key from the address, out of the address, and stores it nowhere', async () => {
    const { page } = await browser.open(`${api.url}/docs#key=${key}`)
    const locked = page.getByRole('button', { name: 'authorization button locked' })
    await locked.first().waitFor()
    expect(page.url()).toBe(`${api.url}/docs`)
    // The form has filled in days; dates take their place.
    const operation = page.locator('#operations-Visibility-getVisibilityHistory')
    await operation.locator('.opblock-summary-control').click()
    await operation.getByPlaceholder('projectId').fill(project)
    await operation.getByPlaceholder('from').fill('2026-05-01')
    await operation.getByPlaceholder('to', { exact: true }).fill('2026-05-31')
    const asked = page.waitForRequest((request) => request.url().includes('/visibility/history'))
    await operation.getByRole('button', { name: 'Execute' }).click()
    expect(new URL((await asked).url()).search).toBe('?from=2026-05-01&to=2026-05-31')
    const status = operation.locator('.live-responses-table .response-col_status')
    await expect.poll(() => status.last().textContent()).toContain('200')
    const { origins, cookies } = await page.context().storageState()
    expect(JSON.stringify({ origins, cookies })).not.toContain(key)
  })
})
