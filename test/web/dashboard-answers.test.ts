import { describe, expect, test } from 'vitest'
import { AskedDocument, StandingDocument } from '../../dashboard/documents.ts'
import { count, shown } from '../../web/share/numbers.ts'
import { useApi } from '../kit/api.ts'
import { lacksChromium, useBrowser } from '../kit/web/browser.ts'
import { cellsOf, expectSound } from './dashboard-page.ts'
import { percent, useDemoPages } from './demo-pages.ts'

const api = useApi()
const browser = useBrowser()
const { open, asked } = useDemoPages(api, browser)

describe.skipIf(lacksChromium)('how we stand', () => {
  test('says in words what changed most, and why, as the graph does', async () => {
    const tab = await open('standing')
    const { project } = await asked(StandingDocument)
    const { metrics, drivers = [], evidence = [] } = project?.investigate ?? {}
    const part = tab.page.locator('section.part').filter({ hasText: 'What changed most' })
    const [before, now] = [metrics?.previous?.value, metrics?.current?.value].map(percent)
    expect(await part.locator('.lead').textContent()).toContain(
      `Visibility went from ${before} to ${now}. `,
    )
    const rows = await cellsOf(tab.page, 'What changed most')
    expect(rows.length).toBe(8)
    const [largest] = drivers.toSorted(
      (a, b) => Math.abs(b.contribution) - Math.abs(a.contribution),
    )
    const { label, contribution = 0, previous, current } = largest ?? {}
    expect(rows[0]).toEqual([
      label,
      expect.any(String),
      `${shown(contribution, 'points')} points`,
      percent(previous),
      percent(current),
    ])
    expect(await part.getByRole('listitem').count()).toBe(Math.min(3, evidence.length))
    await expectSound(tab, 'standing')
  })
})

describe.skipIf(lacksChromium)('what is asked', () => {
  test('shows each prompt with the numbers of the graph, and leads down to its answers', async () => {
    const tab = await open('asked')
    const cells = await cellsOf(tab.page, 'Prompts with answers')
    const { project } = await asked(AskedDocument)
    const prompts = project?.visibilityByPrompt?.nodes ?? []
    expect(prompts.length).toBeGreaterThan(10)
    expect(
      cells.map(([text, days, visibility, , ...rest]) => [text, days, visibility, ...rest]),
    ).toEqual(
      prompts.map(({ metrics, prompt, totalResponses }) => [
        prompt.text,
        expect.stringMatching(/^From .*% to .*%$/),
        percent(metrics.visibilityScore.value),
        shown(metrics.averagePosition.value, 'position'),
        count(totalResponses),
        count(prompt.currentRevision),
      ]),
    )
    await expectSound(tab, 'asked')
    const [first] = prompts
    const link = tab.page.getByRole('link', { name: first?.prompt.text ?? '', exact: true })
    expect(await link.getAttribute('href')).toContain(`/asked/${first?.prompt.id}`)
    const below = await open(`asked/${first?.prompt.id}`)
    await below.page.getByText(`${first?.totalResponses} answers in this window`).waitFor()
    expect(await below.page.getByRole('article').count()).toBe(10)
    expect(await below.page.locator('mark.positive').count()).toBeGreaterThan(0)
    await expectSound(below, 'asked-prompt')
  })
})

describe.skipIf(lacksChromium)('an empty project', () => {
  test.each([
    ['standing', 'This project has no answers yet.'],
    ['asked', 'This project has no answers yet.'],
    ['collecting', 'Schedules'],
    ['imports', 'Imports'],
    ['settings', 'Keys for server logs'],
  ])('has a page %s without a fault, a barrier or a jump', async (page, text) => {
    const workspace = await api.workspace('growth')
    const project = await workspace.project()
    const { key } = await workspace.key({ scopes: ['read', 'write', 'admin'] })
    const tab = await browser.open(`${api.url}/projects/${project}/${page}#key=${key}`)
    await tab.page.getByText(text, { exact: true }).first().waitFor()
    await expectSound(tab, `${page}-empty`)
  })
})
