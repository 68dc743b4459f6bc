import { beforeAll, describe, expect, test } from 'vitest'
import { useApi } from '../kit/api.ts'
import { lacksChromium, useBrowser } from '../kit/web/browser.ts'
import { ensureDashboard } from '../kit/web/dashboard.ts'
import { expectSound } from './dashboard-page.ts'

/** Answers as people read them: Markdown, with the marks of brands and sources at their places. */

const api = useApi()
const browser = useBrowser()
const days = 'from=2025-05-01&to=2025-05-31'
let project = ''
let key = ''

/** Names Acme four times, in a list, a table and a quote too, and Bolt once: names in code do not count. */
const text = `# The best anvils

**Acme** leads, then *Bolt*. See [the test](https://a.example/x) and [elsewhere](https://c.example/y).

- first Acme
- second \`Bolt code\`

3. three
4. four

| Brand | Place | Note |
| --- | --- | --- |
| Acme | 1 |  |
|  | 2 | *last* |

> AT&amp;T \\*quoted\\* <b>Acme</b> [x](javascript:alert(1)) ![alt](https://d.example/i.png)
> goes on

Numbers [1], [The B][7], [nothing](x y) and the bare https://a.example/x.

\`\`\`js
Acme = 1

next()
\`\`\`

[7]: https://b.example/y
`

beforeAll(async () => {
  await ensureDashboard()
  const workspace = await api.workspace()
  project = await workspace.project({ competitors: [{ name: 'Bolt', domain: 'bolt.io' }] })
  key = (await workspace.key()).key
  const citations = [{ url: 'https://a.example/x' }, { url: 'https://b.example/y' }]
  await workspace.load(project, [
    { prompt: 'which anvil?', text, citations },
    { prompt: 'a long one?', text: 'Acme is *good*.\n\n'.repeat(60_000) },
    { prompt: 'a deep one?', text: `${'>'.repeat(3000)} Acme` },
  ])
})

async function answerTo(prompt: string) {
  const { id } = await api.db.prompt.findFirstOrThrow({
    where: { projectId: project, text: prompt },
  })
  const tab = await browser.open(`${api.url}/projects/${project}/prompts/${id}?${days}#key=${key}`)
  const words = tab.page.locator('.answer-text')
  await words.waitFor()
  return { tab, words, page: tab.page }
}

describe.skipIf(lacksChromium)('an answer', () => {
  test('is read as it was meant, with its brands in their places', async () => {
    const { tab, words } = await answerTo('which anvil?')
    expect(await words.getByRole('heading', { level: 3 }).allTextContents()).toEqual([
      'The best anvils',
    ])
    expect(await words.locator('mark.own').allTextContents()).toEqual(Array(4).fill('Acme'))
    expect(await words.locator('mark:not(.own)').allTextContents()).toEqual(['Bolt'])
    for (const place of ['strong', 'ul > li', 'td', 'blockquote']) {
      expect(await words.locator(`${place} mark.own`).count()).toBe(1)
    }
    expect(await words.locator('em > mark').textContent()).toBe('Bolt')
    expect(await words.locator('li > p > code').textContent()).toBe('Bolt code')
    expect(await words.locator('ol').getAttribute('start')).toBe('3')
    const cells = await words
      .locator('tr')
      .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)))
    expect(cells).toEqual([
      ['Brand', 'Place', 'Note'],
      ['Acme', '1', ''],
      ['', '2', 'last'],
    ])
    expect(await words.locator('pre').textContent()).toBe('Acme = 1\n\nnext()')
    await expectSound(tab, 'answer')
  })

  test('leads to its sources, and elsewhere in a tab of its own; markup stays text', async () => {
    const { tab, words, page } = await answerTo('which anvil?')
    const links = await words.getByRole('link').evaluateAll((all) =>
      all.map((link) => {
        const { textContent, href, target, rel } = link as HTMLAnchorElement
        return [textContent, href.replace(/.*#source-.*-/, '#'), target, rel]
      }),
    )
    const away = ['_blank', 'noopener noreferrer']
    expect(links).toEqual([
      ['[1]', '#1', '', ''],
      ['elsewhere', 'https://c.example/y', ...away],
      ['alt', 'https://d.example/i.png', ...away],
      ['[7]', '#2', '', ''],
      ['https://a.example/x', '#1', '', ''],
    ])
    const quote = await words.locator('blockquote').textContent()
    expect(quote).toContain('AT&T *quoted* <b>Acme</b> x !alt')
    expect(quote).toContain('goes on')
    expect(await words.textContent()).toContain('See the test [1] and elsewhere.')
    expect(await words.textContent()).toContain('Numbers [1], The B [7], [nothing](x y) and')
    expect(await page.locator('main img, main b, main a[href^="javascript"]').count()).toBe(0)
    expect(tab.outside).toEqual([])
  })

  test('shows its source at a press, each character of it', async () => {
    const { words, page } = await answerTo('which anvil?')
    const button = page.getByRole('button', { name: /^Show (as written|formatted)$/ })
    await button.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Show formatted' }).waitFor()
    expect(await words.textContent()).toBe(text)
    expect(await words.locator('mark').count()).toBe(5)
    await button.click()
    await words.getByRole('heading').waitFor()
  })

  test('of a megabyte shows its start, more at a press, and all of its source', async () => {
    const { words, page } = await answerTo('a long one?')
    expect(await words.locator('p').count()).toBe(1176)
    await page.getByRole('button', { name: /^Show more/ }).click()
    await expect.poll(() => words.locator('p').count()).toBe(4706)
    await page.getByRole('button', { name: /^Show (as written|formatted)$/ }).click()
    expect((await words.textContent())?.length).toBeGreaterThan(1_000_000)
  })

  test('with thousands of quotes within each other is shown, with its brand', async () => {
    const { words, tab } = await answerTo('a deep one?')
    expect(await words.locator('mark.own').textContent()).toBe('Acme')
    expect(tab.faults).toEqual([])
  })
})
