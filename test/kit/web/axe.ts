import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/**
 * Barriers that axe finds on a page as it is shown now: one line for each finding of serious or worse.
 * @param part a CSS selector of the part to judge, where the rest was judged before; by default the whole page
 */
export async function seriousFindings(page: Page, part = 'html'): Promise<string[]> {
  await page.evaluate(source)
  const { violations } = (await page.evaluate(`axe.run(${JSON.stringify(part)})`)) as AxeResults
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, any }) => `${id}: ${any[0]?.message ?? ''} ${html.slice(0, 200)}`),
    )
}
