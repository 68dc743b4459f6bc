import { parse, validate } from 'graphql'
import { beforeAll, describe, expect, test } from 'vitest'
import { catalog } from '../../core/errors.ts'
import { liveChannel } from '../../core/live/events.ts'
import { publicSchema } from '../../schema/index.ts'
import { exampleQueries } from '../../web/examples.ts'
import { useApi } from '../kit/api.ts'
import { clearOfMidnight } from '../kit/day.ts'
import { connectSource } from '../kit/tracker/hits.ts'
import { lacksChromium, useBrowser } from '../kit/web/browser.ts'
import { operationOf, run, seeLine, showTab, tabOf } from '../kit/web/graphiql.ts'

await clearOfMidnight(180_000)

const api = useApi()
const browser = useBrowser()
let key = ''
let project = ''

const hourAgo = new Date(Date.now() - 60 * 60 * 1000).toISOString()
const cited = (...urls: string[]) => urls.map((url) => ({ url }))

beforeAll(async () => {
  const workspace = await api.workspace()
  project = await workspace.project({
    competitors: [{ name: 'Bolt', domain: 'bolt.io' }],
  })
  key = (await workspace.key({ capabilities: ['prompt:draft'] })).key
  await connectSource(api.db, project)
  // Three answers that cite reviews.org twice, acme.com once and bolt.io once.
  const shared = { collectedAt: hourAgo, topic: 'Headphones', location: 'Berlin, Germany' }
  await workspace.load(project, [
    { ...shared, run: 1, citations: cited('https://reviews.org/best', 'https://acme.com/x1') },
    { ...shared, run: 2, citations: cited('https://reviews.org/best') },
    { ...shared, run: 3, model: 'gpt-5.2', citations: cited('https://bolt.io/b') },
  ])
})

const firstLine = `query ${tabOf(exampleQueries[0]?.query ?? '')} {`

test.each(exampleQueries)('the schema has every field of "$title"', ({ query }) => {
  expect(validate(publicSchema, parse(query))).toEqual([])
})

describe.skipIf(lacksChromium)('GraphiQL in Chromium', () => {
  const withKey = () => browser.open(`${api.url}/graphql#key=${key}`)

  test('a request to another host does not go unseen, nor does a script that fails', async () => {
    const { page, outside, faults } = await browser.open(`${api.url}/healthz`)
    await page.setContent('<img src="https://cdn.example/a.png" alt=""><script>missing()</script>')
    await expect.poll(() => outside).toEqual(['https://cdn.example/a.png'])
    expect(faults).toContain('script: missing is not defined')
  })

  test('has a tab for each example, which gives data with nothing to set first', async () => {
    const { page, outside, faults } = await withKey()
    await seeLine(page, 'request-headers.json', `"Authorization": "Bearer ${key}"`)
    const tabs = exampleQueries.map(({ query }) => tabOf(query))
    await seeLine(page, 'operation.graphql', firstLine)
    expect(await page.locator('.graphiql-tab-button').allInnerTexts()).toEqual(tabs)
    const changes: Record<string, object> = {
      AddOnce: { addPrompts: { __typename: 'PromptAddition' } },
      Refused: { noText: { __typename: 'InvalidInput' }, noTopic: { __typename: 'NotFound' } },
    }
    const line = page.locator('.sightline-status')
    const isRun = (query: string) => operationOf(query)?.operation !== 'subscription'
    for (const { query } of exampleQueries.filter(({ query }) => isRun(query))) {
      await showTab(page, tabOf(query))
      const data = changes[tabOf(query)] ?? { projects: { nodes: [{ name: 'Acme' }] } }
      const answer = await run(page, tabOf(query))
      expect(answer).toMatchObject({ data })
      expect(answer).not.toHaveProperty('errors')
      await seeLine(page, 'response.json', '"data": {')
      await expect
        .poll(() => line.textContent())
        .toMatch(/^Cost \d+ · \d+ of 600 left this minute · \d+ ms · \d/)
    }
    await page.getByRole('button', { name: 'Show History' }).click()
    const runs = page.locator('.graphiql-history-item-label')
    await expect.poll(() => runs.count()).toBe(exampleQueries.length - 1)
    expect({ outside, faults }).toEqual({ outside: [], faults: [] })
    // The key is out of the address, and stored nowhere.
    expect(page.url()).not.toContain(key)
    const { origins, cookies } = await page.context().storageState()
    expect(JSON.stringify({ origins, cookies })).not.toContain(key)
  })

  test('says that it listens and how many events came, and what an empty tab is for', async () => {
    const { page } = await withKey()
    await showTab(page, 'Watch')
    await page.getByRole('button', { name: /^Execute query/ }).click()
    const line = page.locator('.sightline-status')
    await expect.poll(() => line.textContent()).toMatch(/^Listening… · 0 events · Cost 2/)
    const notice = JSON.stringify({ kind: 'opportunities_evaluated', projectId: project })
    await api.db.$queryRaw`SELECT pg_notify(${liveChannel}, ${notice})::text`
    await seeLine(page, 'response.json', 'OpportunitiesEvaluated')
    expect(await line.textContent()).toMatch(/^Listening… · 1 event · the last at/)
    await page.getByRole('button', { name: /^Stop query/ }).click()
    await expect.poll(() => line.textContent()).toMatch(/^Stopped · 1 event/)
    await page.getByRole('button', { name: 'New tab' }).click()
    await page.locator('[data-empty-tab] .graphiql-query-editor').waitFor()
    await page.getByRole('button', { name: /^Execute query/ }).click()
    await seeLine(page, 'response.json', 'This tab is empty. Write a query')
  })

  test('a reload needs no key, a new tab does, and nothing outlives the session', async () => {
    const { page } = await withKey()
    const named = { data: { projects: { nodes: [{ name: 'Acme' }] } } }
    await seeLine(page, 'operation.graphql', firstLine)
    expect(await run(page)).toMatchObject(named)
    await page.reload()
    await seeLine(page, 'operation.graphql', firstLine)
    expect(await run(page)).toMatchObject(named)
    expect(JSON.stringify(await page.context().storageState())).not.toContain(key)
    const other = await page.context().newPage()
    await other.goto(`${api.url}/graphql`)
    await seeLine(other, 'operation.graphql', 'query ')
    expect(await run(other)).toMatchObject({ errors: [{ extensions: { code: 'unauthorized' } }] })
  })
})

describe.skipIf(lacksChromium)('the page of errors in Chromium', () => {
  test('has an anchor for every code in its order, and links to each', async () => {
    const { page, outside, faults } = await browser.open(`${api.url}/docs/errors`)
    const anchors = await page.locator('h2 [id]').evaluateAll((found) => found.map(({ id }) => id))
    expect(anchors).toEqual(Object.keys(catalog))
    const links = await page
      .locator('td a')
      .evaluateAll((found) => found.map((link) => link.getAttribute('href')))
    expect(links).toEqual(Object.keys(catalog).map((code) => `#${code}`))
    expect({ outside, faults }).toEqual({ outside: [], faults: [] })
  })

  test('is where the type of a problem leads, at the section of its code', async () => {
    const problem = (await (await api.get('/nowhere', key)).json()) as { type: string }
    // The API of a test gets its port too late for its settings.
    const { pathname, hash } = new URL(problem.type)
    const { page } = await browser.open(`${api.url}${pathname}${hash}`)
    const section = page.locator('h2', { has: page.locator(':target') })
    expect(await section.allInnerTexts()).toEqual(['not_found'])
    const box = await section.boundingBox()
    // Its upper edge may lie a few pixels above that of its anchor.
    expect(box?.y).toBeGreaterThan(-20)
    expect(box?.y).toBeLessThan(200)
  })
})
