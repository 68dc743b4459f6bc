/**
 * Takes the pictures of the documentation from a running demo: `npm run docs:pictures -- URL KEY [CHROMIUM]`, with the address
 * of the dashboard, the key of the demo that `npm start` prints, and the path of Chromium.
 */
import { chromium } from 'playwright-core'

const [address, key, executablePath = '/usr/bin/chromium-headless-shell'] = process.argv.slice(2)
if (!address || !key) throw new Error('Usage: npm run docs:pictures -- http://127.0.0.1:4000 KEY')

const folder = new URL('../docs/images/', import.meta.url)
const size = { width: 1440, height: 900 }

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
const page = await browser.newPage({ viewport: size, locale: 'en-US' })

/** Waits until no part of the screen is an outline any more. */
async function settled(): Promise<void> {
  await page.waitForFunction(
    () =>
      document.querySelector('main h2') &&
      [...document.querySelectorAll('.mantine-Skeleton-root')].every(
        (outline) => outline.getBoundingClientRect().top > innerHeight,
      ),
  )
}

async function picture(name: string): Promise<void> {
  await settled()
  await page.screenshot({ path: new URL(`${name}.png`, folder).pathname })
}

await page.goto(`${address}/#key=${key}`)
await picture('overview')
const pages = { Prompts: 'prompts', Sources: 'sources', 'AI traffic': 'ai-traffic' }
for (const [title, name] of Object.entries(pages)) {
  await page.getByRole('navigation').getByRole('link', { name: title }).click()
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  await picture(name)
}
await page.getByRole('navigation').getByRole('link', { name: 'Prompts' }).click()
await page.getByRole('row').nth(1).getByRole('link').click()
await page.getByRole('article').waitFor()
await picture('prompt')
await browser.close()
