import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { seriousFindings } from '../kit/web/axe.ts'
import type { Tab } from '../kit/web/browser.ts'

const widths = [360, 768, 1440]

/** The cells of a table by its name, row by row, as screen readers find them. */
export async function cellsOf(page: Page, table: string): Promise<string[][]> {
  const region = page.getByRole('region', { name: table, exact: true })
  await region.waitFor()
  return region
    .locator('tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) => [...row.children].map((cell) => cell.textContent.trim())),
    )
}

/** The largest number of a Chromium that moved nothing a reader looks at is 0.1. */
function layoutShift(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries())
            sum += (entry as unknown as { value: number }).value
        }).observe({ type: 'layout-shift', buffered: true })
        setTimeout(() => resolve(sum), 200)
      }),
  )
}

/** Pictures of the page in both schemes, where `DASHBOARD_PICTURES` names a folder. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.DASHBOARD_PICTURES
  if (!folder) return
  await mkdir(folder, { recursive: true })
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 })
      await page.screenshot({
        path: join(folder, `${name}-${width}-${colorScheme}.png`),
        fullPage: true,
      })
    }
  }
}

/** Pages that the documentation shows. */
const ofDocs = ['new-project', 'standing', 'asked-prompt', 'read', 'collecting']

/** The picture of the documentation, where `DOCS_PICTURES` is set. */
async function docsPicture(page: Page, name: string): Promise<void> {
  if (!process.env.DOCS_PICTURES || !ofDocs.includes(name)) return
  await page.setViewportSize({ width: 1200, height: 900 })
  await page.screenshot({ path: `docs/images/dashboard-${name}.png` })
}

/** What holds of every page: no error, no barrier, no jump, no other host, nothing wider than a narrow screen. */
export async function expectSound({ page, faults, outside }: Tab, name: string): Promise<void> {
  expect(await layoutShift(page)).toBeLessThan(0.1)
  await docsPicture(page, name)
  expect(await seriousFindings(page)).toEqual([])
  await picture(page, name)
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
  }
  expect({ faults, outside }).toEqual({ faults: [], outside: [] })
}
