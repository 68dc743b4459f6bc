import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { catalog, type ErrorCode, Fault } from '../../core/errors.ts'
import { problemBody } from '../../core/problem.ts'
import { routes } from '../../rest/routes.ts'
import { useApi } from '../kit/api.ts'
import { root } from '../kit/repository.ts'
import { isSoak } from '../kit/soak.ts'
import { lacksChromium, useBrowser } from '../kit/web/browser.ts'

const api = useApi()
const browser = useBrowser()
const committed = readFileSync(join(root, 'rest/contract/openapi.json'), 'utf8')

describe('the document', () => {
  test('is served to everybody as it is committed, compressed to who takes that', async () => {
    const plain = await fetch(`${api.url}/openapi.json`, {
      headers: { 'accept-encoding': 'identity' },
    })
    expect(plain.status).toBe(200)
    expect(plain.headers.get('content-type')).toBe('application/json')
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect(await plain.text()).toBe(committed)
    const zipped = await fetch(`${api.url}/openapi.json`)
    expect(zipped.headers.get('content-encoding')).toBe('gzip')
    expect(Number(zipped.headers.get('content-length'))).toBeLessThan(committed.length / 5)
    expect(await zipped.text()).toBe(committed)
  })

  test('is not sent again to who has it', async () => {
    const first = await fetch(`${api.url}/openapi.json`)
    const tag = first.headers.get('etag') ?? ''
    const again = await fetch(`${api.url}/openapi.json`, { headers: { 'if-none-match': tag } })
    expect({ status: again.status, text: await again.text() }).toEqual({ status: 304, text: '' })
    const other = await fetch(`${api.url}/openapi.json`, { headers: { 'if-none-match': '"x"' } })
    expect(other.status).toBe(200)
  })

  test('answers HEAD with its headers alone', async () => {
    const head = await fetch(`${api.url}/openapi.json`, { method: 'HEAD' })
    expect({ status: head.status, text: await head.text() }).toEqual({ status: 200, text: '' })
  })

  test('tells each operation that is routed, once, under its name', () => {
    const { paths } = JSON.parse(committed) as {
      paths: Record<string, Record<string, { operationId: string }>>
    }
    const told = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) =>
        [operationId, method.toUpperCase(), path].join(' '),
      ),
    )
    const routed = routes.map(({ operationId, method, path }) => [operationId, method, path])
    expect(told.sort()).toEqual(routed.map((parts) => parts.join(' ')).sort())
  })
})

describe.skipIf(lacksChromium)('the reference in Chromium', () => {
  test('has every operation, and asks no other host', async () => {
    const { page, outside, faults } = await browser.open(`${api.url}/docs`)
    await page.locator('.opblock').first().waitFor()
    expect(await page.locator('.opblock').count()).toBe(routes.length)
    expect(await page.title()).toBe('Sightline REST API')
    expect({ outside, faults }).toEqual({ outside: [], faults: [] })
  })
})

describe('an address with a slash behind', () => {
  test.each(['/docs', '/docs/graph', '/docs/errors', '/bot'])(
    '%s is the same page',
    async (path) => {
      const [plain, slashed] = [await fetch(api.url + path), await fetch(`${api.url}${path}/`)]
      expect(slashed.status).toBe(200)
      expect(await slashed.text()).toBe(await plain.text())
    },
  )
})

if (isSoak) {
  describe.skipIf(lacksChromium)('the reference of a key in Chromium', () => {
    test.each([
      ['/docs', '#operations-Projects-getUsage'],
      ['/docs/graph', '.opblock:has([data-path="/api/graph/traffic-bots"])'],
    ])('%s fills in the first project of the key', async (path, operation) => {
      const workspace = await api.workspace()
      const project = await workspace.project()
      const { key } = await workspace.key()
      const { page, faults } = await browser.open(`${api.url}${path}#key=${key}`)
      await page.locator(operation).first().locator('.opblock-summary-control').click()
      const field = page.locator('tr[data-param-name="projectId"] input').first()
      await field.waitFor()
      expect(await field.inputValue()).toBe(project)
      expect(faults).toEqual([])
    })
  })
}

if (isSoak) {
  describe.skipIf(lacksChromium)('the page of errors in Chromium', () => {
    test('the type of every problem opens at the section of its code', async () => {
      const { page, outside, faults } = await browser.open(`${api.url}/docs/errors`)
      for (const code of Object.keys(catalog) as ErrorCode[]) {
        const { type } = problemBody(new Fault(code, 'x'), { requestId: 'x', baseUrl: api.url })
        await page.goto(type)
        const section = page.locator('h2', { has: page.locator(':target') })
        expect(await section.textContent()).toBe(code)
      }
      expect({ outside, faults }).toEqual({ outside: [], faults: [] })
    })
  })
}
