import { expect, test } from 'vitest'
import { demoLines } from '../../demo/answers.ts'
import { importAnswers } from '../../imports/answers/answers.ts'
import { useApi } from '../kit/api.ts'

/** The ads of the demonstration, counted twice: by the service, and below by lines that share nothing with it. */
const api = useApi()

interface Told {
  prompt: string
  platform: string
  collectedAt: string
  ads?: { advertiser: string; title: string; domain: string; url: string }[]
}

const lines = [...demoLines({ seed: 3, endDay: '2026-03-01', days: 40 })]
const told = lines.map((line) => JSON.parse(line) as Told)

function counted<Key extends string>(keys: readonly Key[]): Map<Key, number> {
  const counts = new Map<Key, number>()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  return counts
}

const percent = (n: number, d: number) => Math.round((n / d) * 10_000) / 100

type Row = Record<string, unknown>

test('the ads of the demonstration are those that an independent script counts, on pages of 50', async () => {
  const workspace = await api.workspace()
  const projectId = await workspace.project()
  const { key } = await workspace.key()
  await importAnswers(api, { projectId, lines })
  const prompts = await api.db.prompt.findMany({ where: { projectId } })
  const textOf = new Map(prompts.map(({ id, text }) => [id, text]))
  const get = async (path: string, offset = 0) => {
    const query = `?from=2026-01-01&to=2026-03-01&offset=${offset}`
    const response = await api.get(`/api/mcp/projects/${projectId}${path}${query}`, key)
    expect(response.status).toBe(200)
    return (await response.json()) as Row
  }

  const rows: Row[] = []
  for (let hasMore = true; hasMore; ) {
    const { ads, pagination } = await get('/ads', rows.length)
    rows.push(...(ads as Row[]))
    hasMore = (pagination as { hasMore: boolean }).hasMore
  }
  const measured = told.filter(({ ads }) => ads !== undefined)
  const impressions = measured.flatMap(({ ads = [], ...answer }) =>
    ads.map((ad) => ({ ...answer, ...ad })),
  )
  const mine = counted(
    impressions.map(({ prompt, platform, advertiser, title, domain, url }) =>
      [platform, prompt, advertiser, title, domain, url.replace(/\?.*/, '')].join('|'),
    ),
  )
  const theirs = rows.map(({ platform, promptId, advertiser, title, domain, url, impressions }) => {
    const parts = [platform, textOf.get(String(promptId)), advertiser, title, domain, url]
    return [parts.join('|'), impressions]
  })
  expect(theirs.toSorted()).toEqual([...mine].sort())
  const times = rows.flatMap(({ firstSeen, lastSeen }) => [String(firstSeen), String(lastSeen)])
  const seen = impressions.map(({ collectedAt }) => collectedAt)
  expect([times.toSorted()[0], times.toSorted().at(-1)]).toEqual([
    seen.toSorted()[0],
    seen.toSorted().at(-1),
  ])

  const withAds = measured.filter(({ ads = [] }) => ads.length > 0).length
  expect((await get('/ads')).summary).toEqual({
    measuredResponses: measured.length,
    responsesWithAds: withAds,
    adRate: percent(withAds, measured.length),
  })
  const expected = [...counted(impressions.map(({ advertiser }) => advertiser))]
    .map(([advertiser, count]) => ({
      advertiser,
      impressions: count,
      responses: measured.filter(({ ads = [] }) => ads.some((ad) => ad.advertiser === advertiser))
        .length,
      shareOfAds: percent(count, impressions.length),
    }))
    .sort((a, b) => b.impressions - a.impressions || (a.advertiser < b.advertiser ? -1 : 1))
  expect((await get('/ads/advertisers')).advertisers).toMatchObject(expected)
})
