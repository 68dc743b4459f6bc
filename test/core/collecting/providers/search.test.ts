import { describe, expect, test } from 'vitest'
import { faultIn, readReply } from '../../../../core/collecting/providers/read.ts'
import { requestFor } from '../../../../core/collecting/providers/request.ts'
import { joinedBodies } from '../../../../core/collecting/providers/search/serpapi.ts'
import {
  dataForSeo,
  dataForSeoOverview,
  dataForSeoPage,
  dataForSeoTask,
  serpApi,
  serpApiAnswer,
  serpApiLate,
  serpApiPage,
} from '../../../kit/collecting/search-bodies.ts'

const joined = (second: object) =>
  JSON.parse(joinedBodies(JSON.stringify(serpApiLate), JSON.stringify(second)))
const mode = (more: object) => serpApiPage('google_ai_mode', more)
const overview = (more: object) => dataForSeoPage(dataForSeoOverview(more))
const organic = { type: 'organic', url: 'https://rival.com/', title: 'Rival' }

describe('how a search of Google ended', () => {
  test.each([
    ['answered', '', dataForSeo('Acme.')],
    ['answered', '', overview({ items: [{ type: 'ai_overview_element', text: 'Acme.' }] })],
    ['not_shown', '', dataForSeoPage(organic)],
    ['not_shown', '', dataForSeoTask({ status_code: 40102, result: null })],
    ['not_shown', '', dataForSeoTask({ result: [{ items: null }] })],
    ['failed', 'asynchronous_ai_overview', overview({ items: null, markdown: null })],
    ['empty', '', overview({ asynchronous_ai_overview: false, items: [], markdown: '' })],
    ['failed', '40101', dataForSeoTask({ status_code: 40101, result: null })],
    ['answered', '', serpApi('Acme.')],
    [
      'answered',
      '',
      joined(serpApiPage('google_ai_overview', { ai_overview: serpApiAnswer('A.') })),
    ],
    ['answered', '', mode(serpApiAnswer('Acme.'))],
    ['not_shown', '', serpApiPage('google', { organic_results: [] })],
    ['not_shown', 'Not here.', serpApiPage('google', { ai_overview: { error: 'Not here.' } })],
    ['empty', '', serpApiPage('google', { ai_overview: { text_blocks: [] } })],
    ['not_shown', 'No results.', mode({ error: 'No results.' })],
    ['empty', '', mode({ text_blocks: [] })],
    ['failed', 'page_token', serpApiLate],
    ['failed', 'Expired.', joined(serpApiPage('google_ai_overview', { error: 'Expired.' }))],
  ])('%s: %s', (outcome, reason, body) => {
    expect(readReply(body)).toMatchObject({ outcome, reason })
  })

  test('an overview in another shape is no page without an overview', () => {
    expect(readReply(overview({ items: 'Acme.' }))).toBeNull()
    expect(readReply(serpApiPage('google', { ai_overview: { text_blocks: 'Acme.' } }))).toBeNull()
  })
})

describe('errors inside a body', () => {
  test.each([
    [40100, 'key'],
    [40104, 'key'],
    [40200, 'key'],
    [40203, 'key'],
    [40210, 'key'],
    [40202, 'limited'],
    [40209, 'limited'],
    [40101, 'unavailable'],
    [40602, 'unavailable'],
    [50000, 'unavailable'],
    [50401, 'unavailable'],
    [40501, 'request'],
    [40402, 'request'],
  ])('%i of DataForSEO is of the kind %s, of the task or of the request', (code, kind) => {
    const fault = { kind, code: String(code) }
    const task = dataForSeoTask({ status_code: code, result: null })
    expect(faultIn(200, task)).toMatchObject({ ...fault, words: 'Ok.' })
    const request = { status_code: code, status_message: 'No.', tasks: null }
    expect(faultIn(200, request)).toMatchObject({ ...fault, words: 'No.' })
  })

  test.each([
    ['key', { error: 'Invalid API key. Your API key should be here: https://serpapi.com/' }],
    ['key', { error: 'Your account has run out of searches.' }],
    ['unavailable', serpApiPage('google', { error: 'Please try again later.' }, 'Error')],
    ['unavailable', serpApiPage('google', {}, 'Processing')],
  ])('of SerpApi is of the kind %s: %j', (kind, body) => {
    expect(faultIn(200, body)).toMatchObject({ kind })
  })

  test.each([
    [dataForSeo('Acme.')],
    [dataForSeoTask({ status_code: 40102, result: null })],
    [serpApi('Acme.')],
    [mode({ error: "Google hasn't returned any results for this query." })],
    [{ choices: [], error: { message: 'Invalid API key' } }],
    [null],
  ])('is none in %j', (body) => {
    expect(faultIn(200, body)).toBeNull()
  })
})

describe('products and ads of an answer', () => {
  const shopping = {
    type: 'ai_overview_shopping',
    items: [
      { title: 'Anvil 9', price: { displayed_price: '$199.99', current: 199.99 }, seller: 'Shop' },
      { title: 'Anvil 7', price: { current: 99.5, currency: 'USD' } },
      { title: null },
    ],
  }
  const paid = {
    type: 'ai_overview_paid',
    items: [
      { title: 'Buy anvils', url: 'https://shop.example/a', website_name: 'Shop', domain: 'shop' },
      { title: 'Rival', url: 'https://rival.com/', website_name: null, domain: 'rival.com' },
    ],
  }

  test('of DataForSEO are read in AI Mode, and those of overviews have no ads', () => {
    const products = [
      { name: 'Anvil 9', price: '$199.99' },
      { name: 'Anvil 7', price: '99.5 USD' },
    ]
    const ads = [
      { advertiser: 'Shop', url: 'https://shop.example/a', title: 'Buy anvils' },
      { advertiser: 'rival.com', url: 'https://rival.com/', title: 'Rival' },
    ]
    const asMode = (...items: object[]) =>
      dataForSeoTask({
        result: [{ type: 'ai_mode', items: [{ type: 'ai_overview', markdown: 'Acme.', items }] }],
      })
    expect(readReply(asMode(shopping, paid))).toMatchObject({ text: 'Acme.', products, ads })
    expect(readReply(asMode({ type: 'else', items: ['x'] }))).toMatchObject({
      products: [],
      ads: [],
    })
    const shown = readReply(overview({ markdown: 'Acme.', items: [shopping] }))
    expect(shown).toMatchObject({ products })
    expect(shown).not.toHaveProperty('ads')
  })

  test('of SerpApi are read in AI Mode; elsewhere they are not of the answer', () => {
    const shopping_results = [{ title: 'Anvil 9', price: '$199.99' }, { title: 'Anvil 7' }]
    expect(readReply(mode({ ...serpApiAnswer('Acme.'), shopping_results }))).toMatchObject({
      products: [
        { name: 'Anvil 9', price: '$199.99' },
        { name: 'Anvil 7', price: '' },
      ],
    })
    const page = serpApiPage('google', { ai_overview: serpApiAnswer('Acme.'), shopping_results })
    expect(readReply(page)).not.toHaveProperty('products')
  })
})

describe('the text of an answer', () => {
  test('of DataForSEO has no pictures, and the parts where there is no whole', () => {
    const picture = '![An anvil](data:image/png;base64,AAAA)'
    expect(
      readReply(dataForSeo(`${picture} Acme.\n\n![](x) Good! [1](https://a.example/)`))?.text,
    ).toBe('Acme.\n\n Good! [1](https://a.example/)')
    const parts = overview({
      markdown: null,
      items: [
        { type: 'ai_overview_element', title: 'Anvils', text: 'Acme.' },
        { type: 'ai_overview_table_element', markdown: '| a |' },
        { type: 'ai_overview_video_element', snippet: 'A video' },
        {
          type: 'ai_overview_expanded_element',
          title: 'Step 1',
          components: [{ type: 'ai_overview_expanded_component', text: 'Lift.' }],
        },
      ],
    })
    expect(readReply(parts)?.text).toBe('Anvils\n\nAcme.\n\n| a |\n\nStep 1\n\nLift.')
  })

  test('of SerpApi is Markdown of its blocks, or the Markdown that it gives', () => {
    const body = mode({
      text_blocks: [
        { type: 'heading', snippet: 'Anvils' },
        { type: 'paragraph', snippet: 'Acme leads.' },
        {
          type: 'list',
          list: [
            { title: 'Acme:', snippet: 'heavy', list: [{ snippet: 'black' }] },
            { snippet: 'Rival', text_blocks: [{ type: 'paragraph', snippet: 'is light' }] },
          ],
        },
        {
          type: 'table',
          table: [
            ['Brand', 'kg'],
            ['Acme', '50'],
          ],
        },
        { type: 'code_block', language: 'sh', code: 'anvil' },
        {
          type: 'comparison',
          product_labels: ['Acme', 'Rival'],
          comparison: [{ feature: 'Weight', values: ['50', '5'] }],
        },
        {
          type: 'expandable',
          title: 'More',
          text_blocks: [{ type: 'paragraph', snippet: 'End.' }],
        },
        { type: 'video', link: 'https://video.example/' },
      ],
    })
    expect(readReply(body)?.text).toBe(
      [
        '## Anvils',
        'Acme leads.',
        '- **Acme:** heavy\n  - black\n- Rival\n  is light',
        '| Brand | kg |\n| --- | --- |\n| Acme | 50 |',
        '```\nanvil\n```',
        '|  | Acme | Rival |\n| --- | --- | --- |\n| Weight | 50 | 5 |',
        '**More**\n\nEnd.',
      ].join('\n\n'),
    )
    const given = mode({ ...serpApiAnswer('Blocks.'), reconstructed_markdown: '# Given' })
    expect(readReply(given)?.text).toBe('# Given')
  })
})

describe('pages, time and cost', () => {
  test('of DataForSEO: sources of the parts and of the whole, each once', () => {
    const source = (name: string) => ({ url: `https://${name}.example/`, title: name })
    const body = overview({
      markdown: 'Acme.',
      items: [
        { type: 'ai_overview_element', references: [source('b')] },
        { type: 'ai_overview_expanded_element', components: [{ references: [source('c')] }] },
      ],
      references: [source('a'), source('b')],
    })
    const reply = readReply(body)
    expect(reply?.pages).toEqual(['b', 'c', 'a'].map((name) => ({ ...source(name), cited: true })))
    expect(reply).toMatchObject({
      createdAt: Date.UTC(2025, 5, 24, 14, 36, 54) / 1000,
      model: '',
      searchQueries: [],
      usage: { cost: 0.004, searches: null },
    })
  })

  test('of SerpApi: its references, and no cost', () => {
    expect(readReply(serpApi('Acme.'))).toMatchObject({
      pages: [{ url: 'https://acme.com/cited', title: 'Cited', cited: true }],
      createdAt: Date.UTC(2025, 5, 24, 14, 36, 54) / 1000,
      usage: { cost: null },
    })
  })
})

describe('a request', () => {
  const from = (countryCode: string, city: string | null = null, region: string | null = null) => ({
    countryCode,
    city,
    region,
  })
  const sent = (
    provider: 'dataforseo' | 'serpapi',
    place: ReturnType<typeof from> | null,
    { language = null, model = 'ai_overviews', prompt = 'q' }: Record<string, string | null> = {},
  ) => {
    const access = { provider, secret: 'me:pw', baseUrl: 'https://a.example', model: model ?? '' }
    const { url, body } = requestFor(access, prompt ?? '', { from: { place, language } })
    const { pathname, searchParams } = new URL(url)
    return { path: pathname, query: Object.fromEntries(searchParams), body }
  }

  test.each([
    [null, null, { location_code: 2840, language_code: 'en' }],
    [from('DE'), 'de', { location_code: 2276, language_code: 'de' }],
    [
      from('DE', 'Berlin', 'Berlin'),
      'de-AT',
      { location_name: 'Berlin,Berlin,Germany', language_code: 'de' },
    ],
    [
      from('BR', 'São Paulo', 'State of São Paulo'),
      'pt-BR',
      { location_name: 'Sao Paulo,State of Sao Paulo,Brazil', language_code: 'pt-BR' },
    ],
    [from('TW'), 'zh-Hant', { location_code: 2158, language_code: 'zh-TW' }],
    [from('NO'), 'nb', { location_code: 2578, language_code: 'no' }],
    [from('XK'), 'sq', { location_name: 'Kosovo', language_code: 'sq' }],
  ] as const)('to DataForSEO has the place %j and the language %s', (place, language, params) => {
    const asked = { keyword: 'q', ...params, load_async_ai_overview: true }
    expect(sent('dataforseo', place, { language }).body).toEqual([asked])
  })

  test('to DataForSEO for Perplexity has the country, and the language as a hint', () => {
    const berlin = from('DE', 'Berlin', 'Berlin')
    expect(sent('dataforseo', berlin, { model: 'perplexity', language: 'de' })).toMatchObject({
      path: '/ai_optimization/perplexity/llm_responses/live',
      body: [
        {
          user_prompt: 'q',
          model_name: 'sonar',
          system_message: 'Answer in German.',
          web_search_country_iso_code: 'DE',
        },
      ],
    })
  })

  test('to DataForSEO keeps signs that the vendor would decode', () => {
    const { body, path } = sent('dataforseo', null, { model: 'ai_mode', prompt: 'C++ at 50%?' })
    expect(path).toBe('/serp/google/ai_mode/live/advanced')
    const asked = { keyword: 'C%2B%2B at 50%25?', location_code: 2840, language_code: 'en' }
    expect(body).toEqual([asked])
  })

  test.each([
    [null, null, {}],
    [from('DE'), 'de', { location: 'Germany', gl: 'de', hl: 'de' }],
    [
      from('GB', 'London', 'England'),
      'en-GB',
      { location: 'London,England,United Kingdom', gl: 'uk', hl: 'en' },
    ],
    [from('HK'), 'zh-HK', { location: 'Hong Kong', gl: 'hk', hl: 'zh-tw' }],
  ] as const)('to SerpApi has the place %j and the language %s', (place, language, params) => {
    const asked = { engine: 'google', q: 'q', ...params, no_cache: 'true', api_key: 'me:pw' }
    expect(sent('serpapi', place, { language }).query).toEqual(asked)
  })

  test('to SerpApi for AI Mode names its engine', () => {
    expect(sent('serpapi', null, { model: 'ai_mode' }).query.engine).toBe('google_ai_mode')
  })
})
