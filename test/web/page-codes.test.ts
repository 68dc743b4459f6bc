import { describe, expect, test } from 'vitest'
import { banner } from '../../cli/banner.ts'
import { locateDataDir } from '../../cli/folder/data-dir.ts'
import { makePageCode } from '../../resolvers/keys/page-codes.ts'
import { useApi } from '../kit/api.ts'
import { lacksChromium, useBrowser } from '../kit/web/browser.ts'
import { run, seeLine } from '../kit/web/graphiql.ts'

const api = useApi()
const browser = useBrowser()

async function makeKey(): Promise<string> {
  const workspace = await api.workspace()
  await workspace.project()
  return (await workspace.key()).key
}

const redeem = (body: object) =>
  fetch(`${api.url}/page-key`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: api.url },
    body: JSON.stringify(body),
  })

describe('a code', () => {
  test('is exchanged for its key once, also of two requests at the same time', async () => {
    const key = await makeKey()
    const code = await makePageCode(api.db, { key })
    const answers = await Promise.all([redeem({ code }), redeem({ code })])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404])
    expect(await answers.find(({ ok }) => ok)?.json()).toEqual({ key })
    expect((await redeem({ code })).status).toBe(404)
  })

  test('ends after ten minutes, and cannot be made up', async () => {
    const code = await makePageCode(api.db, { key: await makeKey() })
    const rows = await api.db.pageCode.findMany({ orderBy: { expiresAt: 'desc' }, take: 1 })
    const [row] = rows
    expect(Number(row?.expiresAt) - Date.now()).toBeGreaterThan(590_000)
    expect(Number(row?.expiresAt) - Date.now()).toBeLessThanOrEqual(600_000)
    await api.db.pageCode.updateMany({
      where: { hash: row?.hash ?? '' },
      data: { expiresAt: new Date() },
    })
    for (const wrong of [code, 'none', '']) {
      const answer = await redeem({ code: wrong })
      expect([answer.status, (await answer.json()).code]).toEqual([404, 'not_found'])
    }
    expect((await redeem({})).status).toBe(400)
    expect((await fetch(`${api.url}/page-key`)).status).toBe(401)
  })

  test('is kept without the key and without itself', async () => {
    const key = await makeKey()
    const code = await makePageCode(api.db, { key })
    const kept = (await api.db.pageCode.findMany()).map(
      ({ hash, sealed }) => `${hash} ${Buffer.from(sealed).toString('latin1')}`,
    )
    expect(kept.join()).not.toContain(key)
    expect(kept.join()).not.toContain(code)
  })
})

test('the start prints the key once, and no address with it', () => {
  const key = 'sgl_demo'
  const demo = { projectId: 'p', key }
  const codes = { dashboard: 'none', graphiql: 'one', docs: 'two' }
  const place = { url: 'http://x', trackerUrl: 'http://y', dataDir: locateDataDir({}) }
  const text = banner({ version: '1', readyMs: 1, demo, codes, ...place })
  expect(text.split(key)).toHaveLength(2)
  expect(text).toContain('http://x/#code=none')
  expect(text).toContain('http://x/graphql#code=one')
  expect(text).toContain('http://x/docs#code=two')
})

describe.skipIf(lacksChromium)('in Chromium', () => {
  test('GraphiQL asks with the key of the code, also after a reload, and the address keeps neither', async () => {
    const key = await makeKey()
    const code = await makePageCode(api.db, { key })
    const { page, faults } = await browser.open(`${api.url}/graphql#code=${code}`)
    await seeLine(page, 'request-headers.json', `"Authorization": "Bearer ${key}"`)
    expect(page.url()).toBe(`${api.url}/graphql`)
    const named = { data: { projects: { nodes: [{ name: 'Acme' }] } } }
    expect(await run(page)).toMatchObject(named)
    await page.reload()
    await seeLine(page, 'operation.graphql', 'query ')
    expect(await run(page)).toMatchObject(named)
    expect(faults).toEqual([])
    const stored = JSON.stringify(await page.context().storageState())
    expect(stored).not.toContain(key)
    expect(stored).not.toContain(code)
    // What the history of a browser holds is worth nothing to its next reader.
    const other = await browser.open(`${api.url}/graphql#code=${code}`)
    await seeLine(other.page, 'request-headers.json', 'sgl_YOUR_KEY')
    const said = 'This link was used. Run `npx sightline open` for a new one.'
    expect(await other.page.locator('.sightline-status').textContent()).toBe(said)
    expect(await run(other.page)).toMatchObject({
      errors: [{ extensions: { code: 'unauthorized' } }],
    })
    await seeLine(other.page, 'response.json', '"message": "This link was used.')
    await other.page.getByRole('button', { name: 'Show Documentation Explorer' }).click()
    await expect
      .poll(() => other.page.locator('.graphiql-doc-explorer-error').textContent())
      .toBe(said)
  })

  test('the reference is authorized by the code, also after a reload', async () => {
    const key = await makeKey()
    const code = await makePageCode(api.db, { key })
    const { page, faults } = await browser.open(`${api.url}/docs#code=${code}`)
    const authorized = page.locator('.btn.authorize.locked')
    await authorized.waitFor()
    expect(page.url()).toBe(`${api.url}/docs`)
    await page.reload()
    await authorized.waitFor()
    expect(faults).toEqual([])
  })
})
