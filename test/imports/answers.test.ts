import { describe, expect, test } from 'vitest'
import { questionKey } from '../../core/question.ts'
import { importAnswers } from '../../imports/answers/answers.ts'
import {
  everything,
  makeProject,
  useStores,
  visibleCounts,
  visibleRows,
} from '../kit/imports/imports.ts'

const stores = useStores()

const acmeFirst = {
  prompt: 'best speakers?',
  topic: 'Speakers',
  platform: 'ChatGPT',
  model: 'gpt-5',
  collectedAt: '2025-05-10T23:30:00-01:00',
  country: 'Germany',
  location: 'Berlin, Germany',
  text: 'Acme leads, Bolt follows. Acme again, at [Bolt](https://crest.org/x).',
  citations: [
    { position: 2, url: 'http://www.Bolt.io/a/?utm_source=chatgpt.com#top', title: 'A' },
    { position: 1, url: 'https://bolt.io/b', title: null },
    { position: 4, url: 'ftp://bolt.io/c', title: 'C' },
    { position: 3, url: 'https://www.bolt.io/a' },
    { position: 5, url: 'https://en.wikipedia.org/wiki/Speaker' },
  ],
  searchQueries: ['best speakers 2025', ' speakers test ', ''],
  products: [
    { rank: 2, brand: 'Bolt', name: 'Boom', price: '99.5' },
    { rank: 1, brand: null, name: 'Box', price: null },
    { rank: 3, brand: 'bolt', name: 'BOOM', price: '98' },
  ],
  sentiment: 'positive',
}
const leftOut = [1, 2, 3, 6].map((line) => {
  const reason = '`citations.2.url` is no web address: left out; got `ftp://bolt.io/c`.'
  return { line, reason }
})
const sixLines = [
  acmeFirst,
  { ...acmeFirst, platform: 'perplexity', model: null, sentiment: -0.5, text: 'Bolt, then Acme.' },
  { ...acmeFirst, prompt: 'Is acme.store good?', topic: null, text: 'Nobody here.', run: 2 },
  {
    prompt: '  best speakers? ',
    topic: 'Audio',
    platform: 'chatgpt',
    collectedAt: '2025-06-01',
    text: 'crest.org and Crest.',
  },
  { prompt: 'best speakers?', platform: 'chatgpt', collectedAt: '2025-06-01 00:00:00', text: 'x' },
  { ...acmeFirst, location: { city: 'Berlin', countryCode: 'DE' }, country: null, text: 'later' },
]
const asLines = (lines: readonly object[]) => lines.map((line) => JSON.stringify(line))

describe('six lines', () => {
  test('give the answers, citations, mentions, sub-queries and products that one counts by hand', async () => {
    const projectId = await makeProject(stores)
    const result = await importAnswers(stores, { projectId, lines: asLines(sixLines) })
    // The fifth has the identity of the fourth, the sixth that of the first.
    expect(result).toEqual({ leftOut, read: 6, loaded: 4, skipped: 2, rejected: [] })
    expect(await visibleCounts(stores, projectId)).toEqual({
      answers: 4,
      citations: 9,
      mentions: 5,
      fanout_queries: 6,
      product_mentions: 6,
      ad_impressions: 0,
      retrieved_urls: 0,
    })
    const answers = await visibleRows(stores, projectId, 'answers')
    const shown = answers.map(({ day, platform, model, run, country, collected_at, ...rest }) => {
      return [
        day,
        platform,
        model,
        run,
        country,
        collected_at,
        rest.sentiment,
        rest.products_measured,
      ]
    })
    expect(shown.sort()).toEqual([
      ['2025-05-11', 'chatgpt', 'gpt-5', 1, 'DE', '2025-05-11 00:30:00.000', 1, 1],
      ['2025-05-11', 'chatgpt', 'gpt-5', 2, 'DE', '2025-05-11 00:30:00.000', 1, 1],
      ['2025-05-11', 'perplexity', '', 1, 'DE', '2025-05-11 00:30:00.000', -0.5, 1],
      ['2025-06-01', 'chatgpt', '', 1, '', '2025-06-01 00:00:00.000', null, 0],
    ])
  })

  test('count a cited URL once an answer, at its lowest position, and mark the first of a domain and type', async () => {
    const projectId = await makeProject(stores)
    await importAnswers(stores, { projectId, lines: asLines([acmeFirst]) })
    const rows = await visibleRows(stores, projectId, 'citations')
    const shown = rows.map(({ position, url, host, domain, title, first_of_domain }) => {
      return [position, url, host, domain, title, first_of_domain]
    })
    expect(shown.sort()).toEqual([
      [1, 'https://bolt.io/b', 'bolt.io', 'bolt.io', '', 1],
      [2, 'https://www.bolt.io/a', 'www.bolt.io', 'bolt.io', 'A', 0],
      [5, 'https://en.wikipedia.org/wiki/Speaker', 'en.wikipedia.org', 'wikipedia.org', '', 1],
    ])
    const types = new Set(rows.map(({ content_type }) => content_type))
    expect(rows.filter(({ first_of_type }) => first_of_type === 1)).toHaveLength(types.size)
  })

  test('name brands by rank; what the line says of tone is about the own brand, the text about the others', async () => {
    const projectId = await makeProject(stores)
    await importAnswers(stores, { projectId, lines: asLines(sixLines) })
    const competitors = await stores.db.competitor.findMany({ where: { projectId } })
    const names = new Map(competitors.map(({ id, name }) => [id, name])).set(projectId, 'Acme')
    const rows = await visibleRows(stores, projectId, 'mentions')
    const shown = rows.map(({ platform, brand_id, is_own, occurrences, rank, sentiment }) => {
      return [platform, names.get(String(brand_id)), is_own, occurrences, rank, sentiment]
    })
    expect(shown.sort()).toEqual([
      ['chatgpt', 'Acme', 1, 2, 1, 1],
      ['chatgpt', 'Bolt', 0, 2, 2, null],
      ['chatgpt', 'Crest', 0, 2, 1, null],
      ['perplexity', 'Acme', 1, 1, 2, -0.5],
      ['perplexity', 'Bolt', 0, 1, 1, null],
    ])
  })

  test('make each prompt, topic, location and model once', async () => {
    const projectId = await makeProject(stores)
    await importAnswers(stores, { projectId, lines: asLines(sixLines) })
    const { catalog } = await everything(stores, projectId)
    const prompts = catalog.prompts.map(({ text, isBranded, isTracked }) => {
      return { text, isBranded, isTracked }
    })
    expect(prompts).toHaveLength(2)
    expect(prompts).toContainEqual({ text: 'best speakers?', isBranded: false, isTracked: true })
    expect(prompts).toContainEqual({
      text: 'Is acme.store good?',
      isBranded: true,
      isTracked: true,
    })
    expect(catalog.revisions.map(({ revision, change }) => [revision, change])).toEqual([
      [1, 'created'],
      [1, 'created'],
    ])
    const links = catalog.links.map(({ topic, position }) => [position, topic.name])
    expect(links.sort()).toEqual([
      [0, 'Speakers'],
      [1, 'Audio'],
    ])
    expect(catalog.locations.map(({ city, countryCode }) => [city, countryCode])).toEqual([
      ['Berlin', 'DE'],
    ])
    expect(catalog.models.map(({ platform, model }) => [platform, model])).toEqual([
      ['chatgpt', ''],
      ['chatgpt', 'gpt-5'],
      ['perplexity', ''],
    ])
    expect(catalog.project.dataAvailableFrom).toEqual(new Date('2025-05-11'))
  })
})

describe('what a line holds beyond the columns', () => {
  async function extraOf(line: object): Promise<unknown> {
    const projectId = await makeProject(stores)
    await importAnswers(stores, { projectId, lines: asLines([{ ...acmeFirst, ...line }]) })
    const [answer] = await visibleRows(stores, projectId, 'answers')
    return answer?.extra === '' ? '' : JSON.parse(String(answer?.extra))
  }

  test('is kept: fields without a column, links that are no web addresses, tracking parameters', async () => {
    expect(await extraOf({ citations: [], products: [], latencyMs: 12, nothing: null })).toEqual({
      latencyMs: 12,
    })
    const [a, , c, again] = acmeFirst.citations
    const [, , boom] = acmeFirst.products
    expect(await extraOf({})).toEqual({ citations: [a, c, again], products: [boom] })
    expect(await extraOf({ citations: [{ url: 'https://a.com/x/' }], products: null })).toBe('')
  })

  test('keeps every digit of a long number', async () => {
    const projectId = await makeProject(stores)
    const line = JSON.stringify({ ...acmeFirst, citations: [], products: [], traceId: 0 })
    const lines = [line.replace('"traceId":0', '"traceId":12345678901234567890')]
    await importAnswers(stores, { projectId, lines })
    const [answer] = await visibleRows(stores, projectId, 'answers')
    expect(answer?.extra).toBe('{"traceId":12345678901234567890}')
  })
})

describe('a bad line', () => {
  const { text: _, ...withoutText } = acmeFirst
  test.each([
    ['is not JSON', '{"prompt": ', /^The line is not valid JSON: /],
    ['is no object', '[1]', /^The line is not a JSON object\.$/],
    ['lacks a field', withoutText, /^`text` is required\.$/],
    ['has an empty prompt', { ...acmeFirst, prompt: ' ' }, /^`prompt` is empty\.$/],
    [
      'has a prompt that is too long',
      { ...acmeFirst, prompt: 'x'.repeat(2001) },
      /^`prompt` must have at most 2000/,
    ],
    ['has a platform without a letter', { ...acmeFirst, platform: '?' }, /^`platform` /],
    [
      'has no date',
      { ...acmeFirst, collectedAt: 'yesterday' },
      /^`collectedAt` must be an ISO 8601/,
    ],
    ['has a day that is none', { ...acmeFirst, collectedAt: '2025-02-30' }, /^`collectedAt` /],
    ['comes from the future', { ...acmeFirst, collectedAt: '2099-01-01' }, /future\.$/],
    [
      'names no country',
      { ...acmeFirst, country: 'Atlantis' },
      /^`country` must be .*; got `Atlantis`\.$/,
    ],
    ['lies nowhere', { ...acmeFirst, country: null, location: 'Nowhere' }, /^`location` /],
    ['has a run below zero', { ...acmeFirst, run: -1 }, /^`run` /],
    ['has an unknown tone', { ...acmeFirst, sentiment: 'great' }, /^`sentiment` must be positive/],
    ['has a sentiment beyond 1', { ...acmeFirst, sentiment: 1.5 }, /^`sentiment` /],
    [
      'has a citation without URL',
      { ...acmeFirst, citations: [{}] },
      /^`citations\.0\.url` is required\.$/,
    ],
    [
      'has a product without name',
      { ...acmeFirst, products: [{ rank: 1 }] },
      /^`products\.0\.name` /,
    ],
    ['is nested too deeply', `{"deep":${'['.repeat(50_000)}`, /^The line is not valid JSON/],
  ])(
    'that %s is told with its number and reason, and the rest is loaded',
    async (_name, bad, why) => {
      const projectId = await makeProject(stores)
      const line = typeof bad === 'string' ? bad : JSON.stringify(bad)
      const lines = [`\ufeff${asLines([acmeFirst])[0]}\r`, '', line]
      const result = await importAnswers(stores, { projectId, lines })
      expect(result).toMatchObject({ read: 2, loaded: 1, skipped: 0 })
      expect(result.rejected).toEqual([{ line: 3, reason: expect.stringMatching(why) }])
    },
  )

  test('with a field of fifty thousand levels is rejected, not fatal', async () => {
    const projectId = await makeProject(stores)
    const deep = '['.repeat(50_000) + ']'.repeat(50_000)
    const line = JSON.stringify({ ...acmeFirst, deep: 0 }).replace('"deep":0', `"deep":${deep}`)
    const { rejected } = await importAnswers(stores, { projectId, lines: [line] })
    expect(rejected).toEqual([{ line: 1, reason: 'The line is nested too deeply.' }])
  })

  test('is one of 10,000 that are kept, and all are counted', async () => {
    const projectId = await makeProject(stores)
    const lines = Array.from({ length: 10_001 }, () => '{}')
    const result = await importAnswers(stores, { projectId, lines })
    expect(result).toMatchObject({ read: 10_001, loaded: 0, rejectedTotal: 10_001 })
    expect(result.rejected).toHaveLength(10_000)
  })
})

test('lone surrogates and NUL break nothing, wherever they stand', async () => {
  const projectId = await makeProject(stores)
  const odd = 'a\ud800\0b'
  const line = {
    ...acmeFirst,
    prompt: odd,
    topic: odd,
    model: odd,
    location: { city: odd, countryCode: 'DE' },
    text: `Acme ${odd}`,
    citations: [{ position: 1, url: `https://a.com/${odd}`, title: odd }],
    searchQueries: [odd],
    products: [{ rank: 1, brand: odd, name: odd, price: odd }],
    [odd]: odd,
  }
  const result = await importAnswers(stores, { projectId, lines: asLines([line, line]) })
  expect(result).toEqual({ read: 2, loaded: 1, skipped: 1, rejected: [] })
  const [answer] = await visibleRows(stores, projectId, 'answers')
  expect(answer?.text).toBe('Acme a\ufffd\0b')
  expect(JSON.parse(String(answer?.extra))).toMatchObject({ [odd]: odd })
  const [prompt] = await stores.db.prompt.findMany({ where: { projectId } })
  expect(prompt?.text).toBe('a\ufffd\ufffdb')
})

test('the same lines a second time change nothing', async () => {
  const projectId = await makeProject(stores)
  await importAnswers(stores, { projectId, lines: asLines(sixLines) })
  const before = await everything(stores, projectId)
  const result = await importAnswers(stores, { projectId, lines: asLines(sixLines) })
  expect(result).toEqual({ leftOut, read: 6, loaded: 0, skipped: 6, rejected: [] })
  expect(await everything(stores, projectId)).toEqual(before)
})

test('an answer finds its prompt by any wording that the prompt ever had', async () => {
  const projectId = await makeProject(stores)
  await importAnswers(stores, { projectId, lines: asLines([acmeFirst]) })
  const prompt = await stores.db.prompt.findFirstOrThrow({ where: { projectId } })
  await stores.db.prompt.update({
    where: { id: prompt.id },
    data: {
      text: 'good speakers?',
      currentRevision: 2,
      revisions: {
        create: {
          revision: 2,
          projectId,
          text: 'good speakers?',
          questionKey: questionKey('good speakers?'),
          change: 'edited',
        },
      },
    },
  })
  const lines = asLines([acmeFirst, { ...acmeFirst, prompt: 'good speakers?', run: 5 }])
  expect(await importAnswers(stores, { projectId, lines })).toMatchObject({ loaded: 1, skipped: 1 })
  expect(await stores.db.prompt.count({ where: { projectId } })).toBe(1)
})

test('a project that is not there is told', async () => {
  const projectId = '00000000-0000-4000-8000-000000000000'
  await expect(importAnswers(stores, { projectId, lines: [] })).rejects.toThrow(
    'There is no project',
  )
  await expect(importAnswers(stores, { projectId: 'x', lines: [] })).rejects.toThrow('no project')
})
