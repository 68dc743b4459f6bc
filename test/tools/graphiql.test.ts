import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { exampleQueries } from '../../web/examples.ts'
import { useApi } from '../kit/api.ts'
import { lacksChromium, useBrowser } from '../kit/web/browser.ts'
import { editorOf, run, seeLine, tabOf } from '../kit/web/graphiql.ts'

const api = useApi()
const browser = useBrowser()
let key = ''

beforeAll(async () => {
  const workspace = await api.workspace()
  await workspace.project()
  key = (await workspace.key({ capabilities: ['prompt:draft'] })).key
})

const firstLine = `query ${tabOf(exampleQueries[0]?.query ?? '')} {`

/** As a person does: behind the last character of the placeholder, then over the whole word. */
async function fillKey(page: Page): Promise<void> {
  await editorOf(page, 'request-headers.json').click()
  const presses = ['ControlOrMeta+Home', 'ArrowDown', 'End', 'ArrowLeft']
  for (const press of presses) await page.keyboard.press(press)
  for (const _ of 'sgl_YOUR_KEY') await page.keyboard.press('Shift+ArrowLeft')
  await page.keyboard.insertText(key)
}

describe.skipIf(lacksChromium)('GraphiQL in Chromium', () => {
  const withKey = () => browser.open(`${api.url}/graphql#key=${key}`)

  test('has the Authorization header ready, and runs once a key is filled in', async () => {
    const { page, outside } = await browser.open(`${api.url}/graphql`)
    await seeLine(page, 'request-headers.json', '"Authorization": "Bearer sgl_YOUR_KEY"')
    expect(await run(page)).toMatchObject({ errors: [{ extensions: { code: 'unauthorized' } }] })
    await fillKey(page)
    expect(await run(page)).toMatchObject({ data: { projects: { nodes: [{ name: 'Acme' }] } } })
    expect(outside).toEqual([])
  })

  test('names each editor, and says where the key goes', async () => {
    const { page } = await browser.open(`${api.url}/graphql`)
    const field = page.getByRole('textbox', { name: /^Headers of the request with your API key/ })
    await expect.poll(() => field.count()).toBe(1)
    const editors = page.locator('[data-uri] [role="textbox"]')
    const names = () =>
      editors.evaluateAll((found) => found.map((each) => each.getAttribute('aria-label')))
    await expect.poll(names).toHaveLength(4)
    expect(new Set(await names()).size).toBe(4)
    const button = page.getByRole('button', { name: 'Headers with your API key' })
    expect(await button.count()).toBe(1)
  })

  test('a click with the mouse shows the tab, and a reload keeps what was edited', async () => {
    const { page } = await withKey()
    for (const name of exampleQueries.map(({ query }) => tabOf(query)).reverse()) {
      await page.locator('.graphiql-tab-button', { hasText: name }).click()
      await seeLine(page, 'operation.graphql', ` ${name}`)
    }
    await editorOf(page, 'operation.graphql').click()
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.insertText('query Mine { projects { nodes { name } } }')
    await expect.poll(() => page.url()).toContain('Mine')
    await page.reload()
    await seeLine(page, 'operation.graphql', 'query Mine { projects { nodes { name } } }')
  })

  test('a second visit opens on a question too', async () => {
    const { page } = await withKey()
    await seeLine(page, 'operation.graphql', firstLine)
    await page.goto(`${api.url}/graphql`)
    await seeLine(page, 'operation.graphql', firstLine)
  })
})
