import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { count, shown } from '../../web/share/numbers.ts'
import { useApi } from '../kit/api.ts'
import { makeTestDemo } from '../kit/demo.ts'
import { lacksChromium, useBrowser } from '../kit/web/browser.ts'
import { ensureDashboard } from '../kit/web/dashboard.ts'
import { cellsOf, expectSound } from '../kit/web/dashboard-page.ts'

const api = useApi()
const browser = useBrowser()
const days = 'from=2025-06-01&to=2025-06-30'
const window = '{ from: "2025-06-01", to: "2025-06-30" }'
const demo = randomUUID()
let key = ''
let empty = ''
let emptyKey = ''

beforeAll(async () => {
  await ensureDashboard()
  key = (await makeTestDemo(api, { projectId: demo, endDay: '2025-06-30' })).key
  const workspace = await api.workspace('growth')
  empty = await workspace.project()
  emptyKey = (await workspace.key({ scopes: ['read', 'write', 'admin'] })).key
}, 300_000)

/** The fields of the demonstration's project. */
async function asked(fields: string) {
  const answer = await api.graphql(`{ project(id: "${demo}") { ${fields} } }`, key)
  const { data, errors } = await answer.json()
  expect(errors).toBeUndefined()
  return data.project
}

const open = (page: string) =>
  browser.open(`${api.url}/projects/${demo}/${page}?${days}#key=${key}`)
const openEmpty = (page: string) =>
  browser.open(`${api.url}/projects/${empty}/${page}#key=${emptyKey}`)

const percent = (value: number | null) => shown(value, 'percent')

describe.skipIf(lacksChromium)('who else is named', () => {
  test('shows each tracked brand with the numbers of the graph, and leads to one of them', async () => {
    const tab = await open('named')
    const cells = await cellsOf(tab.page, 'Tracked brands')
    const { brands, shareOfVoice } = await asked(`
      brands(window: ${window}) { nodes { brand { id name isOwn leadingTopics(window: ${window}) { nodes { name } } }
        visibility { responsesWithMention metrics { visibilityScore { value } averagePosition { value } } trend { date visibilityScore } }
        sentiment { metrics { score { value } } } } }
      shareOfVoice(window: ${window}) { brand { sov } nodes { competitorId sov } }`)
    expect(brands.nodes.length).toBe(5)
    for (const { brand, visibility, sentiment } of brands.nodes) {
      const row = cells.find(([name]) => name === brand.name) ?? []
      const voices: { competitorId: string; sov: number }[] = shareOfVoice.nodes
      const { sov } = brand.isOwn
        ? shareOfVoice.brand
        : voices.find(({ competitorId }) => competitorId === brand.id)
      expect(row[1]).toBe(percent(sov))
      expect(row.slice(4)).toEqual([
        percent(visibility.metrics.visibilityScore.value),
        shown(visibility.metrics.averagePosition.value, 'position'),
        shown(sentiment.metrics.score.value, 'score'),
        count(visibility.responsesWithMention),
        brand.leadingTopics.nodes.map(({ name }: { name: string }) => name).join(', '),
      ])
    }
    const byDay = await cellsOf(tab.page, 'Answers that name each brand, by day')
    expect(byDay.length).toBe(30)
    const last = brands.nodes.map(
      ({ visibility }: { visibility: { trend: { visibilityScore: number }[] } }) =>
        percent(visibility.trend.at(-1)?.visibilityScore ?? null),
    )
    expect(byDay[0]?.slice(1).toSorted()).toEqual(last.toSorted())
    await expectSound(tab, 'named')
  })

  test('one brand has its answers beside ours, as many as the graph counts', async () => {
    const { brands } =
      await asked(`brands(window: ${window}, first: 5) { nodes { brand { id name isOwn
      answers(window: ${window}, filter: { mentioned: true }) { totalCount }
      visibility(window: ${window}) { metrics { visibilityScore { value } } } } } }`)
    const rows: {
      brand: {
        id: string
        isOwn: boolean
        name: string
        answers: { totalCount: number }
        visibility: { metrics: { visibilityScore: { value: number } } }
      }
    }[] = brands.nodes
    const other = rows.find(({ brand }) => !brand.isOwn)?.brand
    if (!other) throw new Error('The demonstration has competitors.')
    const tab = await open(`named/${other.id}`)
    await tab.page.getByRole('heading', { level: 2, name: other.name, exact: true }).waitFor()
    await tab.page.getByText(`${count(other.answers.totalCount)} answers in this window`).waitFor()
    const tile = tab.page
      .getByRole('listitem')
      .filter({ has: tab.page.getByRole('heading', { name: 'Visibility', exact: true }) })
    expect(await tile.textContent()).toContain(
      percent(other.visibility.metrics.visibilityScore.value),
    )
    expect(await tab.page.locator('article').count()).toBe(10)
    const marked = await tab.page
      .locator('article')
      .evaluateAll((articles) =>
        articles.map((article) => article.querySelectorAll('li.own').length),
      )
    expect(marked).toEqual(Array(10).fill(1))
    await expectSound(tab, 'named-brand')
  })

  test('an empty project says that it has no answers', async () => {
    const tab = await openEmpty('named')
    await tab.page.getByText('This project has no answers yet.').waitFor()
    await expectSound(tab, 'named-empty')
  })
})
