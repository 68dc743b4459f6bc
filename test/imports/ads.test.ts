import { describe, expect, test } from 'vitest'
import { importAnswers } from '../../imports/answers/answers.ts'
import { reanalyze } from '../../imports/answers/reanalyze.ts'
import { everything, makeProject, useStores, visibleRows } from '../kit/imports/imports.ts'

const stores = useStores()

const answer = {
  prompt: 'best speakers?',
  platform: 'chatgpt',
  collectedAt: '2025-05-10T12:00:00Z',
  text: 'Acme.',
}
const asLines = (...lines: readonly object[]) => lines.map((line) => JSON.stringify(line))

async function loaded(...lines: readonly object[]): Promise<string> {
  const projectId = await makeProject(stores)
  const result = await importAnswers(stores, { projectId, lines: asLines(...lines) })
  expect(result).toMatchObject({ loaded: lines.length, rejected: [] })
  return projectId
}

const bolt = {
  position: 2,
  advertiser: ' Bolt ',
  domain: 'bolt.io',
  url: 'https://www.bolt.io/boom',
  title: 'Boom!',
}

describe('the ads of an answer', () => {
  test('are kept with the answer, where and when it was collected', async () => {
    const projectId = await loaded({ ...answer, country: 'DE', model: 'gpt-5', ads: [bolt] })
    const [row, ...others] = await visibleRows(stores, projectId, 'ad_impressions')
    const [of] = await visibleRows(stores, projectId, 'answers')
    expect(others).toEqual([])
    expect(row).toMatchObject({
      day: '2025-05-10',
      platform: 'chatgpt',
      model: 'gpt-5',
      country: 'DE',
      position: 2,
      advertiser: 'Bolt',
      domain: 'bolt.io',
      title: 'Boom!',
      url: 'https://www.bolt.io/boom',
      collected_at: '2025-05-10 12:00:00.000',
      answer_id: of?.id,
      prompt_id: of?.prompt_id,
    })
    expect(of).toMatchObject({ ads_measured: 1, extra: '' })
  })

  test('need an advertiser alone: the place is that in the list, the domain that of the URL', async () => {
    const projectId = await loaded({
      ...answer,
      ads: [
        { advertiser: 'A', url: 'http://Shop.Example.co.uk:80/x/?utm_source=ads&gclid=1#top' },
        { advertiser: 'B', domain: 'https://www.B.com/de', url: 'https://ads.net/click' },
        { advertiser: 'C', title: null },
      ],
    })
    const rows = await visibleRows(stores, projectId, 'ad_impressions')
    const shown = rows.map(({ position, advertiser, domain, url, title }) => {
      return [position, advertiser, domain, url, title]
    })
    expect(shown.sort()).toEqual([
      [1, 'A', 'example.co.uk', 'https://shop.example.co.uk/x', ''],
      [2, 'B', 'b.com', 'https://ads.net/click', ''],
      [3, 'C', '', '', ''],
    ])
  })

  test('that have no web address count all the same, and what they told is kept beside', async () => {
    const odd = [
      { advertiser: 'A', url: '/click?id=1' },
      { advertiser: 'B', domain: 'no domain', price: 3 },
    ]
    const projectId = await loaded({ ...answer, ads: [bolt, ...odd] })
    const rows = await visibleRows(stores, projectId, 'ad_impressions')
    expect(rows.map(({ domain, url }) => [domain, url]).sort()).toEqual([
      ['', ''],
      ['', ''],
      ['bolt.io', 'https://www.bolt.io/boom'],
    ])
    const [row] = await visibleRows(stores, projectId, 'answers')
    expect(JSON.parse(String(row?.extra))).toEqual({ ads: odd })
  })

  test('tell by their absence that nobody looked, by an empty list that there were none', async () => {
    const projectId = await loaded(
      { ...answer, run: 1 },
      { ...answer, run: 2, ads: null },
      { ...answer, run: 3, ads: [] },
    )
    const rows = await visibleRows(stores, projectId, 'answers')
    expect(rows.map(({ run, ads_measured }) => [run, ads_measured]).sort()).toEqual([
      [1, 0],
      [2, 0],
      [3, 1],
    ])
    expect(await visibleRows(stores, projectId, 'ad_impressions')).toEqual([])
  })

  test('have the same id on the same prompt and platform, and another where anything differs', async () => {
    const ads = [bolt]
    const projectId = await loaded(
      { ...answer, run: 1, ads },
      { ...answer, run: 2, ads: [{ ...bolt, position: 5, url: `${bolt.url}/?utm_source=x#y` }] },
      { ...answer, platform: 'perplexity', ads },
      { ...answer, prompt: 'worst speakers?', ads },
      { ...answer, run: 3, ads: [{ ...bolt, title: 'Boom' }] },
    )
    const rows = await visibleRows(stores, projectId, 'ad_impressions')
    expect(new Set(rows.map(({ ad_id }) => ad_id)).size).toBe(4)
  })

  test('hold odd characters without harm', async () => {
    const odd = 'a\ud800\0b'
    const ad = { advertiser: odd, domain: odd, url: `https://a.com/${odd}`, title: odd }
    const projectId = await loaded({ ...answer, ads: [ad] })
    const rows = await visibleRows(stores, projectId, 'ad_impressions')
    expect(rows).toMatchObject([{ advertiser: 'a\ufffd\ufffdb', domain: 'a.com' }])
  })
})

test('ads that cannot be read are named with their line, and the rest is loaded', async () => {
  const wrong: readonly (readonly [ads: unknown, why: RegExp])[] = [
    [{ advertiser: 'A' }, /^`ads` /],
    [['A'], /^`ads\.0` /],
    [[bolt, { title: 'x' }], /^`ads\.1\.advertiser` is required\.$/],
    [[{ advertiser: ' ' }], /^`ads\.0\.advertiser` is empty\.$/],
    [[{ advertiser: 'x'.repeat(501) }], /^`ads\.0\.advertiser` /],
    [[{ ...bolt, position: 'top' }], /^`ads\.0\.position` /],
    [[{ ...bolt, position: -1 }], /^`ads\.0\.position` /],
    [[{ ...bolt, domain: 7 }], /^`ads\.0\.domain` /],
    [[{ ...bolt, url: {} }], /^`ads\.0\.url` /],
    [[{ ...bolt, title: [] }], /^`ads\.0\.title` /],
  ]
  const projectId = await makeProject(stores)
  const lines = asLines(
    { ...answer, ads: [bolt] },
    ...wrong.map(([ads], at) => ({ ...answer, run: at + 2, ads })),
    { ...answer, run: 99 },
  )
  expect(await importAnswers(stores, { projectId, lines })).toEqual({
    read: 12,
    loaded: 2,
    skipped: 0,
    rejected: wrong.map(([, why], at) => ({ line: at + 2, reason: expect.stringMatching(why) })),
  })
  expect(await visibleRows(stores, projectId, 'ad_impressions')).toHaveLength(1)
})

test('ads are the same after the same lines again, and after an analysis', async () => {
  const line = { ...answer, ads: [bolt, { advertiser: 'A' }] }
  const projectId = await loaded(line)
  const before = await everything(stores, projectId)
  const result = await importAnswers(stores, { projectId, lines: asLines(line) })
  expect(result).toMatchObject({ loaded: 0, skipped: 1 })
  expect(await everything(stores, projectId)).toEqual(before)
  const rows = await visibleRows(stores, projectId, 'ad_impressions')
  expect(rows).toHaveLength(2)
  await reanalyze(stores, { projectId })
  expect(await visibleRows(stores, projectId, 'ad_impressions')).toEqual(rows)
})
