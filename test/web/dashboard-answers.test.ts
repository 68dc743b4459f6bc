import { describe, expect, test } from 'vitest'
import {
  OverviewBelowDocument,
  OverviewDetailsDocument,
  PromptDocument,
  PromptsDocument,
  SearchDocument,
  SearchesDocument,
} from '../../dashboard/documents.ts'
import { count, shown } from '../../web/share/numbers.ts'
import { useApi } from '../kit/api.ts'
import { lacksChromium, useBrowser } from '../kit/web/browser.ts'
import { cellsOf, csvOf, expectSound } from './dashboard-page.ts'
import { percent, useDemoPages } from './demo-pages.ts'

const api = useApi()
const browser = useBrowser()
const { demo, open, asked } = useDemoPages(api, browser)

const points = (value: number) => `${shown(value, 'points')} pts`

/** What the overview asks for beside the project and its days. */
const detailsOf = {
  lost: { results: ['lost'] },
  isCompared: true,
  previous: { from: '2025-05-02', to: '2025-05-31' },
  compare: 'previous_period',
  interval: 'day',
  weeks: 'week',
  praising: { sentiment: { is: ['positive'] } },
  criticizing: { sentiment: { is: ['negative'] } },
}

describe.skipIf(lacksChromium)('the overview', () => {
  test('says what moved visibility, who leads where, and what is lost, as the graph does', async () => {
    const tab = await open('overview')
    const { page } = tab
    const { project } = await asked(OverviewDetailsDocument, detailsOf)
    const { change = 0, drivers = [] } = project?.investigate ?? {}
    const [largest] = drivers
      .filter(({ dimension }) => dimension === 'platform')
      .toSorted((a, b) => Math.abs(b.contribution) - Math.abs(a.contribution))
    const moved = page.getByRole('region', { name: 'What moved visibility' })
    await moved.getByText('AI platform', { exact: true }).click()
    const first = moved.getByRole('listitem').first()
    await first.getByText(largest?.label ?? '', { exact: true }).waitFor()
    await first.getByText(points(largest?.contribution ?? 0), { exact: true }).waitFor()
    await moved.getByText(`Contributions add up to ${points(change ?? 0)}.`).waitFor()

    const platforms = (project?.visibilityByPlatform?.platforms ?? []).toSorted(
      (a, b) => b.answerCount - a.answerCount,
    )
    expect(platforms.length).toBeGreaterThan(3)
    const [own] = await cellsOf(page, 'Who leads where')
    expect(own?.slice(1)).toEqual(
      platforms.slice(0, 6).map(({ platform }) => {
        const found = platform.brands?.nodes.find(({ brand }) => brand?.id === demo)
        return percent(found?.visibility.metrics.visibilityScore.value)
      }),
    )

    const lost = page.getByRole('region', { name: 'Prompts you lose' })
    const links = lost.getByRole('link')
    expect(await links.allTextContents()).toEqual([
      `All ${count(project?.promptResults?.totalCount ?? 0)}`,
      ...(project?.promptResults?.nodes ?? []).map(({ prompt }) => prompt?.text),
    ])
    await expectSound(tab, 'overview')
  })

  test('has topics by AI platform, and how answers speak of the brand, as the graph does', async () => {
    const { page, faults } = await open('overview')
    // They are asked when a reader comes near.
    await page.getByRole('region', { name: 'Brands' }).waitFor()
    await page.evaluate('scrollTo(0, document.body.scrollHeight)')
    const { project } = await asked(OverviewBelowDocument, detailsOf)
    const topics = (project?.topics?.nodes ?? []).filter((each) => each.visibility)
    const scoreOf = (topic: (typeof topics)[number]) =>
      topic.visibility?.summary.metrics.visibilityScore.value ?? 0
    const sorted = topics.toSorted((a, b) => scoreOf(a) - scoreOf(b))
    const table = 'Visibility by topic and AI platform'
    const cells = await cellsOf(page, table)
    const [chatgpt] = project?.visibilityByPlatform?.platforms ?? []
    expect(chatgpt).toBeDefined()
    expect(cells.map(([name, all]) => [name, all])).toEqual(
      sorted.slice(0, 10).map((topic) => {
        const { change } = topic.visibility?.summary.changes?.visibilityScore ?? {}
        return [
          topic.name,
          percent(scoreOf(topic)) + (change == null ? '' : shown(change, 'points')),
        ]
      }),
    )
    const csv = await csvOf(page, table)
    expect(csv.lines).toHaveLength(sorted.length)

    const said = page.getByRole('region', { name: 'What answers say about you' })
    await said.getByText('Negative', { exact: true }).click()
    await said.getByText(`All ${count(project?.criticism?.totalCount ?? 0)}`).waitFor()
    const [first] = project?.criticism?.nodes ?? []
    const sentence = first?.opinions.find(({ sentiment }) => sentiment === 'negative')?.text
    expect(sentence).toBeTruthy()
    await said
      .getByText(sentence ?? '', { exact: true })
      .first()
      .waitFor()
    const tones = await csvOf(page, 'Sentiment over time')
    expect(tones.lines).toEqual(
      (project?.sentimentOverTime?.history ?? []).map(
        ({ from, positive, neutral, negative }) => `${from},${positive},${neutral},${negative}`,
      ),
    )
    const trend = await csvOf(page, 'Over time')
    // Five brands, the previous period, and the date of each of 30 days.
    expect(trend.head.split(',')).toHaveLength(7)
    expect(trend.lines).toHaveLength(30)
    expect(faults).toEqual([])
  })
})

describe.skipIf(lacksChromium)('prompts', () => {
  test('are listed with the numbers of the graph, and lead down to their answers', async () => {
    const tab = await open('prompts')
    const cells = await cellsOf(tab.page, 'Prompts')
    const variables = { weeks: { days: 84 }, sort: 'gap_asc', compare: 'previous_period' }
    const { project } = await asked(PromptsDocument, variables)
    const prompts = project?.promptResults?.nodes ?? []
    expect(prompts.length).toBeGreaterThan(10)
    expect(cells.map(([text, , visibility, , ...rest]) => [text, visibility, ...rest])).toEqual(
      prompts.map(({ prompt, answerCount, visibility, change, topCompetitor, ...rest }) => [
        prompt?.text,
        answerCount === 0
          ? ''
          : percent(visibility.value) +
            (change?.change == null ? '' : shown(change.change, 'points')),
        topCompetitor ? `${topCompetitor.name} ${percent(rest.topCompetitorVisibility.value)}` : '',
        rest.gap === null ? '' : points(rest.gap),
        count(answerCount),
      ]),
    )
    await expectSound(tab, 'prompts')

    const prompt = prompts[0]?.prompt?.id ?? ''
    const below = (await asked(PromptDocument, { prompt, interval: 'day' })).project?.prompt
    const { page, ...rest } = await open(`prompts/${prompt}`)
    const summary = below?.visibility?.summary
    const all = summary?.answerCount ?? 0
    await page.getByText(`${count(all)} answers`, { exact: true }).waitFor()
    const figure = page.getByRole('listitem', { name: 'Visibility', exact: true })
    const value = percent(summary?.metrics.visibilityScore.value)
    expect(await figure.textContent()).toContain(value)
    const list = page.getByRole('region', { name: 'Answers', exact: true })
    expect(await list.getByRole('link').count()).toBe(Math.min(25, all))
    await page.getByRole('region', { name: 'Open answer' }).getByRole('article').waitFor()
    await expectSound({ page, ...rest }, 'prompt')
    await page.getByRole('tab', { name: /^Sources/ }).click()
    expect((await cellsOf(page, 'Sources')).map(([domain]) => domain)).toEqual(
      below?.sources?.nodes.slice(0, 10).map(({ domain }) => domain),
    )
    await page.getByRole('tab', { name: 'History' }).click()
    expect(await cellsOf(page, 'Wordings')).toHaveLength(below?.revisions?.nodes.length ?? 0)
  })

  test('have the searches behind their answers, which one button tracks', async () => {
    const { page, faults } = await open('prompts')
    await page.getByRole('tab', { name: 'Searches' }).click()
    const fanout = (await asked(SearchesDocument)).project?.queryFanout
    const cells = await cellsOf(page, 'Searches behind the answers')
    expect(cells.map(([query, times, prompts]) => [query, times, prompts])).toEqual(
      fanout?.topQueries
        .slice(0, 20)
        .map((row) => [row.query, count(row.count), count(row.promptCount)]),
    )
    const [first] = fanout?.topQueries ?? []
    await page.getByRole('button', { name: `Track as prompt: ${first?.query}` }).click()
    await page.getByRole('status').getByText('Tracked').waitFor()
    const prompts = (await asked(SearchDocument, { search: first?.query })).project?.prompts?.nodes
    expect(prompts?.map(({ text }) => text)).toContain(first?.query)
    // Suggestions are of the last 90 days, in which this demo has no answers.
    await page.getByRole('tab', { name: 'Suggested' }).click()
    await page.getByText('Your prompts track every search that several answers share.').waitFor()
    expect(faults).toEqual([])
  })

  test('are found by their words, and added by the line', async () => {
    const { page, faults } = await open('prompts')
    await page.getByRole('button', { name: 'Add prompts' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add prompts' })
    await dialog
      .getByRole('textbox', { name: 'Prompts' })
      .fill('Which zyzzyva flies?\n\n  Which zyzzyva swims? ')
    await dialog.getByRole('button', { name: 'Check' }).click()
    await dialog.getByRole('button', { name: 'Add 2 prompts' }).click()
    await page.getByText('2 prompts added').waitFor()
    await page.getByLabel('Search prompts').fill('zyzzyva')
    await page.getByText('2 of 2 prompts').waitFor()
    const found = (await cellsOf(page, 'Prompts')).map(([text]) => text)
    expect(found.toSorted()).toEqual(['Which zyzzyva flies?', 'Which zyzzyva swims?'])
    expect(faults).toEqual([])
  })
})

describe.skipIf(lacksChromium)('an empty project', () => {
  const steps = 'Get your first numbers'
  test.each([
    ['overview', steps],
    ['prompts', steps],
    ['answers', 'No answer matches these filters.'],
    ['competitors', steps],
    ['sources', steps],
    ['ai-traffic', 'See which AI crawlers read your site'],
    ['site-audit', 'Find what keeps AI crawlers from reading your site'],
    ['opportunities', 'No open opportunity. New ones are looked for every day.'],
    ['alerts', /^No open alert[.]/],
    ['reports', /^No report yet\./],
    ['data-collection', /^No schedule yet\./],
    ['imports', 'Nothing was imported yet.'],
    ['settings', 'Names and what they find'],
  ])('has a page %s without a fault, a barrier or a jump', async (page, text) => {
    const workspace = await api.workspace('growth')
    const project = await workspace.project()
    const { key } = await workspace.key({ scopes: ['read', 'write', 'admin'] })
    const tab = await browser.open(`${api.url}/projects/${project}/${page}#key=${key}`)
    await tab.page.getByText(text, { exact: true }).first().waitFor()
    await expectSound(tab, `${page}-empty`)
  })
})
