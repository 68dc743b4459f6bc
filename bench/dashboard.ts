import { randomUUID } from 'node:crypto'
import { chromium, type Page } from 'playwright-core'
import { executablePath } from '../test/kit/web/browser.ts'
import { ensureDashboard } from '../test/kit/web/dashboard.ts'
import { insert } from '../warehouse/run.ts'
import { fillFacts, fillHits } from './facts.ts'
import { median, say, startBenchService } from './service.ts'

/**
 * node bench/dashboard.ts
 *
 * Measures the pages of the dashboard in Chromium: 10,000 prompts, 50 competitors, 200,000 answers in 365 days, one
 * answer of 1 MB. For each page it prints when it can be clicked on, how long its data takes, and how long after that
 * the page still changes. Then it scrolls the longest list, and prints the frames a second.
 */
const rounds = 5

const service = await startBenchService()
const { warehouse, projectId: project } = service
const { prompts, competitors } = await fillFacts(service, 50, {
  promptCount: 10_000,
  competitorCount: 50,
})
await fillHits(service)
const [large] = prompts
const day = new Date().toISOString().slice(0, 10)
await insert(warehouse, {
  table: 'answers',
  rows: [
    {
      project_id: project,
      id: randomUUID(),
      prompt_id: large?.id,
      day,
      load_seq: 1,
      platform: 'chatgpt',
      model: 'chatgpt-1',
      collected_at: `${day} 12:00:00.000`,
      run: 2,
      text: 'Sony and Bose are named here. '.repeat(35_000).slice(0, 1_000_000),
    },
  ],
  token: 'bench',
})

await ensureDashboard()
if (!executablePath) throw new Error('There is no Chromium on the PATH.')
const browser = await chromium.launch({ executablePath, chromiumSandbox: false })

interface Seen {
  /** From the first byte asked for to the first page that can be clicked on. */
  readonly interactiveMs: number
  readonly dataMs: number
  readonly drawnMs: number
}

/** Notes when the page changed last, from its beginning on. */
const watchChanges = `
  window.lastChange = 0
  new MutationObserver((changes) => {
    // Code of other pages that is loaded ahead changes the head alone.
    if (changes.every(({ target }) => document.head?.contains(target))) return
    window.lastChange = performance.now()
    if (document.querySelector('nav a')) window.firstClick ??= window.lastChange
  })
    .observe(document, { subtree: true, childList: true, characterData: true })`

async function openPage(path: string): Promise<{ page: Page; seen: Seen }> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  await page.addInitScript(watchChanges)
  const key = await service.newKey()
  await page.goto(`${service.url}/projects/${project}/${path}#key=${key}`)
  await page.locator('main h1').first().waitFor({ timeout: 120_000 })
  // Pages ask several questions. What follows is the quiet after the last.
  while ((await page.evaluate<number>('performance.now() - window.lastChange')) < 1500) {
    await page.waitForTimeout(100)
  }
  const seen = await page.evaluate<Seen>(`(() => {
    const asked = performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/graphql'))
    const done = asked.filter(({ responseEnd }) => responseEnd > 0 && responseEnd <= window.lastChange)
    const last = Math.max(...done.map(({ responseEnd }) => responseEnd))
    return {
      interactiveMs: window.firstClick,
      dataMs: last - Math.min(...asked.map(({ startTime }) => startTime)),
      drawnMs: window.lastChange - last,
    }
  })()`)
  return { page, seen }
}

/** Frames a second while the longest list, or the page, moves by 40 pixels each frame, for two seconds. */
function framesOf(page: Page): Promise<number> {
  return page.evaluate<number>(`new Promise((resolve) => {
    const lists = [...document.querySelectorAll('.scroll-x'), document.scrollingElement]
    const room = (each) => each.scrollHeight - each.clientHeight
    const list = lists.reduce((a, b) => (room(b) > room(a) ? b : a))
    const began = performance.now()
    let frames = 0
    const step = () => {
      frames++
      list.scrollTop = (list.scrollTop + 40) % Math.max(1, room(list))
      const elapsed = performance.now() - began
      if (elapsed < 2000) requestAnimationFrame(step)
      else resolve((frames * 1000) / elapsed)
    }
    requestAnimationFrame(step)
  })`)
}

const paths = [
  'overview',
  'prompts',
  `prompts/${large?.id}`,
  'answers',
  'competitors',
  `competitors/${competitors[0]?.id}`,
  'sources',
  'ai-traffic',
  'site-audit',
  'opportunities',
  'reports',
  'data-collection',
  'imports',
  'settings',
]
say('page                     interactive    data ms   drawn ms   frames/s')
for (const path of paths) {
  const all: Seen[] = []
  let frames = 0
  for (let round = 0; round < rounds; round++) {
    const { page, seen } = await openPage(`${path}?days=365`)
    all.push(seen)
    if (round === rounds - 1) frames = await framesOf(page)
    await page.context().close()
  }
  const middle = (of: (seen: Seen) => number) => Math.round(median(all.map(of)))
  const shown = path.replace(/[0-9a-f-]{36}/, '…')
  const figures = [
    middle(({ interactiveMs }) => interactiveMs),
    middle(({ dataMs }) => dataMs),
    middle(({ drawnMs }) => drawnMs),
    Math.round(frames),
  ]
  say(shown.padEnd(24) + figures.map((figure) => String(figure).padStart(11)).join(''))
}
await browser.close()
await service.stop()
