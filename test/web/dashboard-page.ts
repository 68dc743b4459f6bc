import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { seriousFindings } from '../kit/web/axe.ts'
import type { Tab } from '../kit/web/browser.ts'

const widths = [360, 768, 1440]
const narrow = [320, 360]

/** The cells of a table by its name, row by row, as screen readers find them. */
export async function cellsOf(page: Page, table: string): Promise<string[][]> {
  const found = page.getByRole('table', { name: table, exact: true })
  await found.waitFor()
  return found.locator('tbody tr').evaluateAll((rows) =>
    rows.map((row) =>
      [...row.children].map((cell) => {
        const spoken = cell.cloneNode(true) as Element
        for (const hidden of spoken.querySelectorAll('[aria-hidden=true]')) hidden.remove()
        return spoken.textContent.trim()
      }),
    ),
  )
}

interface SavedCsv {
  readonly name: string
  readonly head: string
  readonly lines: readonly string[]
}

/** The file that a card saves as CSV: its name, its head and the lines below. */
export async function csvOf(page: Page, card: string): Promise<SavedCsv> {
  const name = `Options: ${card}`
  await page.getByRole('button', { name, exact: true }).click()
  // The menu of another card may still be closing.
  const menu = page.getByRole('menu', { name, exact: true })
  const item = menu.getByRole('menuitem', { name: 'Download CSV' })
  const [saved] = await Promise.all([page.waitForEvent('download'), item.click()])
  const text = await readFile(await saved.path(), 'utf8')
  // Without `trim`, which takes the byte-order mark away.
  const [head = '', ...lines] = text.replace(/\r\n$/, '').split('\r\n')
  return { name: saved.suggestedFilename(), head, lines }
}

/** Does the whole element stand on the screen of a reader who has not scrolled? */
export async function isOnFirstScreen(page: Page, element: Locator): Promise<boolean> {
  await page.evaluate('scrollTo(0, 0)')
  const [box, screen] = [await element.boundingBox(), page.viewportSize()]
  if (!box || !screen) return false
  return box.y >= 0 && box.y + box.height <= screen.height && box.x + box.width <= screen.width
}

/** What makes the page wider than its screen: elements that reach out of it, and out of no part that scrolls. */
function widerElements(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { clientWidth, scrollWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return []
    const isCut = (element: Element | null): boolean =>
      element !== null &&
      element !== document.body &&
      (getComputedStyle(element).overflowX !== 'visible' || isCut(element.parentElement))
    return [...document.body.querySelectorAll('*')]
      .filter((each) => each.getBoundingClientRect().right > clientWidth + 1)
      .filter((each) => !isCut(each.parentElement))
      .map((each) => each.outerHTML.slice(0, 120))
  })
}

/** Nothing is wider than the screen, from the narrowest phones on. */
export async function expectNarrow(page: Page): Promise<void> {
  for (const width of narrow) {
    await page.setViewportSize({ width, height: 800 })
    // A page on a busy machine needs a moment to fit.
    const fits = (own: number) => document.documentElement.scrollWidth === own
    await page.waitForFunction(fits, width, { timeout: 5000 }).catch(() => undefined)
    const scrolls = await page.evaluate('document.documentElement.scrollWidth')
    expect
      .soft({ scrolls, wider: await widerElements(page) })
      .toEqual({ scrolls: width, wider: [] })
  }
}

/** A shift of the layout, which the types of TypeScript do not know yet. */
interface LayoutShift extends PerformanceEntry {
  readonly value: number
  readonly sources: readonly {
    readonly node: Node | null
    readonly previousRect: DOMRectReadOnly
    readonly currentRect: DOMRectReadOnly
  }[]
}

/**
 * What moved by itself since the page was opened: how much of it in all, and what. What this file moved by its widths
 * does not count.
 */
function layoutShift(page: Page): Promise<{ sum: number; moved: string[] }> {
  return page.evaluate(
    () =>
      new Promise((resolve) => {
        const since = performance.getEntriesByName('widths tried').at(-1)?.startTime ?? 0
        let sum = 0
        const moved: string[] = []
        const named = (node: Node | null) =>
          node instanceof Element
            ? `${node.localName}.${node.classList} ${node.textContent.slice(0, 40)}`
            : `${node?.nodeName} ${node?.textContent?.slice(0, 40)}`
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as LayoutShift[]) {
            if (entry.startTime <= since) continue
            sum += entry.value
            const all = entry.sources.map(
              ({ node, previousRect: { y }, currentRect }) =>
                `${named(node)}: ${y} to ${currentRect.y}`,
            )
            moved.push(`${entry.value.toFixed(3)} ${all.join('; ')}`)
          }
        }).observe({ type: 'layout-shift', buffered: true })
        setTimeout(() => resolve({ sum, moved }), 200)
      }),
  )
}

/** Back to the width of a desk, with the page laid out for it. */
async function widen(page: Page): Promise<void> {
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    await frame()
    await frame()
    // The frame of the page slides to its place for a width.
    const sliding = document.getAnimations().filter((each) => each instanceof CSSTransition)
    await Promise.allSettled(sliding.map(({ finished }) => finished))
    await frame()
    performance.mark('widths tried')
  })
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

/** Words that are for programs, wherever they stand outside of code to copy. */
const codeWords = {
  backtick: /`.*/,
  'path with an index': /\b[a-z]\w*\.\d+\.[a-z]\w*/,
  'name of an argument': /\bthat “?details“? names/,
  command: /\b(?:npx )?sightline [a-z]+(?:-[a-z]+)* .*/,
}

/** What a page says to programs, and not to people. */
async function codeOn(page: Page): Promise<string[]> {
  const text = await page.evaluate(() => {
    const copy = document.body.cloneNode(true) as Element
    for (const code of copy.querySelectorAll('code, pre, script, style')) code.remove()
    return copy.textContent
  })
  return Object.entries(codeWords).flatMap(([kind, words]) => {
    const [found] = words.exec(text) ?? []
    return found ? [`${kind}: ${found.slice(0, 80)}`] : []
  })
}

/** What holds of every page: no error, no barrier, no jump, no word of code, no other host, nothing wider than a narrow screen. */
export async function expectSound({ page, faults, outside }: Tab, name: string): Promise<void> {
  const { sum, moved } = await layoutShift(page)
  // The largest sum at which Chromium calls a page stable.
  expect(sum, moved.join('\n')).toBeLessThan(0.1)
  expect.soft(await seriousFindings(page)).toEqual([])
  expect.soft(await codeOn(page)).toEqual([])
  await picture(page, name)
  await expectNarrow(page)
  await widen(page)
  expect({ faults, outside }).toEqual({ faults: [], outside: [] })
}
