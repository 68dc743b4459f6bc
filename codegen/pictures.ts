/**
 * Takes the pictures of the documentation from a running demo: `npm run docs:pictures -- URL KEY [CHROMIUM]`, with the address
 * of the dashboard, the key of the demo that `npm start` prints, and the path of Chromium.
 */
import { chromium, type Page, type Request } from 'playwright-core'

const [address, key, executablePath = '/usr/bin/chromium-headless-shell'] = process.argv.slice(2)
if (!address || !key) throw new Error('Usage: npm run docs:pictures -- http://127.0.0.1:4000 KEY')

const folder = new URL('../docs/images/', import.meta.url)
const size = { width: 1440, height: 900 }
const quietMs = 1500

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
const context = await browser.newContext({ viewport: size, locale: 'en-US' })
const page = await context.newPage()

/** Requests on the way, but for the stream of live events, and when the last of them began or ended. */
const network = { open: 0, changedAt: Date.now() }
const isStream = (headers: Readonly<Record<string, string>>) =>
  headers.accept === 'text/event-stream'
page.on('request', (request) => {
  if (isStream(request.headers())) return
  network.open++
  network.changedAt = Date.now()
})
const ended = (request: Request) => {
  if (isStream(request.headers())) return
  network.open--
  network.changedAt = Date.now()
}
page.on('requestfinished', ended)
page.on('requestfailed', ended)

/** Waits until no part of the screen is an outline any more, and nothing is on its way. */
async function settled(): Promise<void> {
  await page.waitForFunction(
    () =>
      document.querySelector('main h2') &&
      [...document.querySelectorAll('.mantine-Skeleton-root')].every(
        (outline) => outline.getBoundingClientRect().top > innerHeight,
      ),
  )
  if (network.open === 0 && Date.now() - network.changedAt > quietMs) return
  await page.waitForTimeout(100)
  await settled()
}

async function picture(name: string): Promise<void> {
  await settled()
  await page.screenshot({ path: new URL(`${name}.png`, folder).pathname })
}

async function openPage(title: string): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name: title }).click()
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  await settled()
}

/** A page that is not the dashboard's. */
async function pictureOf(other: Page, path: string, name: string): Promise<void> {
  await other.goto(path)
  await other.getByRole('heading').first().waitFor()
  await other.waitForTimeout(quietMs)
  await other.screenshot({ path: new URL(`${name}.png`, folder).pathname })
}

await page.goto(`${address}/#key=${key}`)
await picture('overview')
const pages = {
  Sources: 'sources',
  'AI traffic': 'ai-traffic',
  'Site audit': 'site-audit',
  Prompts: 'prompts',
}
for (const [title, name] of Object.entries(pages)) {
  await openPage(title)
  await picture(name)
}
await page.getByRole('row').nth(1).getByRole('link').first().click()
await page.getByRole('article').waitFor()
await picture('prompt')

// The page of a report as it is before it is shared, which readers with its link see alike.
await openPage('Reports')
await page.getByRole('main').getByRole('rowheader').last().getByRole('link').click()
const report = await page.locator('iframe').getAttribute('src')
const other = await context.newPage()
await pictureOf(other, new URL(report ?? '', address).href, 'report')

await pictureOf(other, `${address}/docs#key=${key}`, 'docs')
await browser.close()
