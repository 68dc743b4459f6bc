import { beforeAll, describe, expect, test } from 'vitest'
import { type AnswerLine, type TestWorkspace, useApi } from './kit/api.ts'
import { asking, faultIn } from './kit/changes.ts'
import { flat } from './kit/graphql/flat.ts'
import { askingRest, outcomeOf } from './kit/prompts.ts'
import { countedStatements } from './kit/statements.ts'

const statements = countedStatements()
const api = useApi({}, statements.log)

const may = 'from=2025-05-01&to=2025-05-31'
const window = 'from: "2025-05-01", to: "2025-05-31"'
const mayRange = { from: '2025-05-01', to: '2025-05-31' }
const unknown = '00000000-0000-4000-8000-000000000000'

/**
 *   day  platform    prompt  shows
 *   10   chatgpt     p1      Sony XM6 ($449.00) · Bose QC (1.299,00 €)
 *   10   perplexity  p1      sony xm6 (£20)
 *   11   chatgpt     p1      nothing
 *   12   chatgpt     p2      Case, of no brand · Sony XM6 (from $99) · Sony XM6 once more
 *   13   perplexity  p2      nobody looked
 *
 *   April 20: chatgpt p1     Old
 */
const xm6 = { brand: 'Sony', name: 'XM6' }
const lines: readonly AnswerLine[] = [
  {
    prompt: 'p1',
    collectedAt: '2025-05-10T08:00:00Z',
    products: [
      { ...xm6, price: '$449.00' },
      { brand: 'Bose', name: 'QC', price: '1.299,00 €' },
    ],
  },
  {
    prompt: 'p1',
    platform: 'perplexity',
    model: 'sonar',
    collectedAt: '2025-05-10T09:00:00Z',
    products: [{ brand: 'sony', name: 'xm6', price: '£20' }],
  },
  { prompt: 'p1', collectedAt: '2025-05-11T08:00:00Z', products: [] },
  {
    prompt: 'p2',
    collectedAt: '2025-05-12T08:00:00Z',
    products: [{ name: 'Case' }, { ...xm6, price: 'from $99' }, xm6],
  },
  { prompt: 'p2', platform: 'perplexity', collectedAt: '2025-05-13T08:00:00Z' },
  { prompt: 'p1', collectedAt: '2025-04-20T08:00:00Z', products: [{ name: 'Old' }] },
]

type Row = Record<string, unknown>

let workspace: TestWorkspace
let key = ''
let project = ''
let ids: Record<string, string> = {}
let prompts: Record<string, string> = {}

const rest = askingRest(
  api,
  () => project,
  () => key,
)
const ask = asking(api, () => key)

/** The ids of products by name, over two months. */
async function productIds(of: string, as: string): Promise<Record<string, string>> {
  const path = `/api/mcp/projects/${of}/shopping?from=2025-04-01&to=2025-05-31`
  const { products } = (await (await api.get(path, as)).json()) as {
    products: { id: string; name: string }[]
  }
  return Object.fromEntries(products.map(({ id, name }) => [name, id]))
}

beforeAll(async () => {
  workspace = await api.workspace('growth')
  project = await workspace.project()
  key = (await workspace.key()).key
  expect(await workspace.load(project, lines)).toMatchObject({ loaded: 6, rejected: [] })
  const rows = await api.db.prompt.findMany({ where: { projectId: project } })
  prompts = Object.fromEntries(rows.map(({ id, text }) => [text, id]))
  ids = await productIds(project, key)
})

const product = (name: string, mentionCount: number, rank: number, platforms: string[]) => ({
  id: ids[name],
  name,
  mentionCount,
  rank,
  platforms,
})
const products = () => [
  product('XM6', 3, 1, ['chatgpt', 'perplexity']),
  product('Case', 1, 2, ['chatgpt']),
  product('QC', 1, 3, ['chatgpt']),
]
const summary = { totalActivationRate: 75, totalResponses: 5, totalProducts: 3 }

describe('shopping', () => {
  test('has the shape of the contract, with numbers that can be counted by hand, at both doors', async () => {
    const { status, body } = await rest('GET', `/shopping?${may}`)
    const expected = { available: true, products: products(), dateRange: mayRange, summary }
    expect([status, body]).toEqual([200, expected])
    expect(JSON.stringify(body)).toBe(JSON.stringify(expected))
    const selection = `{ available products: nodes { id: productId name mentionCount: shownIn rank platforms { slug } } dateRange { from to }
      summary { totalActivationRate: activationRate totalResponses: answerCount totalProducts: productCount } howToFix }`
    const whole = { ...expected, howToFix: null }
    const { data } = await ask(
      `{ project(id: "${project}") { shopping(window: { ${window} }) ${selection} } }`,
    )
    expect(flat(data)).toEqual({ project: { shopping: whole } })
  })

  test('says in GraphQL what the rate was counted from, and whose products they are', async () => {
    const { data } = await ask(`{ project(id: "${project}") { shopping(window: { ${window} }) {
      products: nodes { brand } summary { metrics { totalActivationRate: activationRate { value numerator denominator low high } } } } } }`)
    expect(data.project?.shopping).toEqual({
      products: [{ brand: 'Sony' }, { brand: null }, { brand: 'Bose' }],
      // Of two prompts, with answers as different as independent ones: 4 answers, t = 12.706
      summary: {
        metrics: {
          totalActivationRate: { value: 75, numerator: 3, denominator: 4, low: 1.36, high: 99.85 },
        },
      },
    })
  })

  test.each([
    ['platform=Perplexity', { totalActivationRate: 100, totalResponses: 2, totalProducts: 1 }],
    ['platform=sonar', { totalActivationRate: 100, totalResponses: 1, totalProducts: 1 }],
    [
      'platform=perplexity,chatgpt',
      { totalActivationRate: 75, totalResponses: 5, totalProducts: 3 },
    ],
  ])('narrowed by %s', async (filter, expected) => {
    expect((await rest('GET', `/shopping?${may}&${filter}`)).body.summary).toEqual(expected)
  })

  test('calls a product as answers in scope most often do', async () => {
    const { body } = await rest('GET', `/shopping?${may}&platform=perplexity`)
    expect(body.products).toMatchObject([{ id: ids.XM6, name: 'xm6', platforms: ['perplexity'] }])
  })

  test('where products were looked for and none found is available, with a rate of 0', async () => {
    const { body } = await rest('GET', '/shopping?from=2025-05-11&to=2025-05-11')
    expect(body).toMatchObject({
      available: true,
      products: [],
      summary: { totalActivationRate: 0, totalResponses: 1, totalProducts: 0 },
    })
  })

  test.each(['growth', 'starter'] as const)(
    'without data is no error, on the plan %s',
    async (plan) => {
      const other = await api.workspace(plan)
      const of = await other.project()
      await other.load(of, [{ collectedAt: '2025-05-10', text: 'Nobody looked.' }])
      const { key: as } = await other.key()
      const response = await api.get(`/api/mcp/projects/${of}/shopping?${may}`, as)
      const body = (await response.json()) as Row
      const empty = { available: false, products: [], dateRange: mayRange, summary: null }
      expect([response.status, body]).toEqual([
        200,
        { ...empty, howToFix: expect.stringContaining('`products`') },
      ])
      expect(Object.keys(body)).toEqual([...Object.keys(empty), 'howToFix'])
      const answer = await ask(
        `{ project(id: "${of}") { shopping(window: { ${window} }) { available howToFix products: nodes { productId } summary { totalProducts: productCount } } } }`,
        as,
      )
      expect(answer.data.project).toEqual({
        shopping: {
          available: false,
          howToFix: body.howToFix,
          products: [],
          summary: null,
        },
      })
    },
  )

  test('pages where a client asks for pages; ranks stay', async () => {
    const second = await rest('GET', `/shopping?${may}&limit=1&offset=1`)
    expect(second.body).toMatchObject({ summary, products: [products()[1]] })
    const behind = await rest('GET', `/shopping?${may}&limit=99999&offset=9007199254740991`)
    expect(behind.body).toMatchObject({ summary, products: [] })
  })
})

describe('one product', () => {
  const mentions = () => [
    { date: '2025-05-12', platform: 'chatgpt', promptId: prompts.p2, rank: 2, ...priced(null) },
    { date: '2025-05-10', platform: 'chatgpt', promptId: prompts.p1, rank: 1, ...priced(449) },
    {
      date: '2025-05-10',
      platform: 'perplexity',
      promptId: prompts.p1,
      rank: 1,
      price: 20,
      currency: 'GBP',
    },
  ]
  const priced = (price: number | null) => ({ price, currency: price === null ? null : 'USD' })

  test('has its place and the answers that show it, newest first, at both doors', async () => {
    const path = `/shopping/products/${ids.XM6?.toUpperCase()}?${may}`
    const { status, body } = await rest('GET', path)
    const expected = {
      available: true,
      product: { ...products()[0], brand: 'Sony' },
      mentions: mentions(),
      dateRange: mayRange,
    }
    expect([status, JSON.stringify(body)]).toEqual([200, JSON.stringify(expected)])
    const { data } = await ask(`{ project(id: "${project}") {
      shoppingProduct(productId: "${ids.XM6}", window: { ${window} }) {
        available product { id: productId name mentionCount: shownIn rank platforms { slug } brand }
        mentions: nodes { date platform { slug } promptId: prompt { id } rank price currency } dateRange { from to } howToFix } } }`)
    expect(flat(data.project)).toEqual({ shoppingProduct: { ...expected, howToFix: null } })
  })

  test('reads the price that the answer showed', async () => {
    const { body } = await rest('GET', `/shopping/products/${ids.QC}?${may}`)
    expect(body.mentions).toMatchObject([{ rank: 2, price: 1299, currency: 'EUR' }])
  })

  test('narrowed by platform keeps its place among what is left; pages', async () => {
    const path = `/shopping/products/${ids.XM6}?${may}`
    expect((await rest('GET', `${path}&platform=perplexity`)).body).toMatchObject({
      product: { name: 'xm6', mentionCount: 1, rank: 1 },
      mentions: [mentions()[2]],
    })
    const paged = await rest('GET', `${path}&limit=1&offset=1`)
    expect(paged.body).toMatchObject({ product: { mentionCount: 3 }, mentions: [mentions()[1]] })
  })

  test('that the window does not have is no error', async () => {
    const { status, body } = await rest('GET', `/shopping/products/${ids.Old}?${may}`)
    expect([status, body]).toEqual([
      200,
      {
        available: false,
        mentions: [],
        dateRange: mayRange,
        product: {
          id: ids.Old,
          name: 'Old',
          mentionCount: 0,
          rank: null,
          platforms: [],
          brand: null,
        },
        howToFix: expect.any(String),
      },
    ])
  })

  test('that is not of the project is not found', async () => {
    const other = await workspace.project()
    await workspace.load(other, lines)
    const foreign = (await productIds(other, key)).XM6
    expect(foreign).not.toBe(ids.XM6)
    for (const id of [foreign, unknown, 'XM6', '%00']) {
      const reply = await rest('GET', `/shopping/products/${id}?${may}`)
      expect(outcomeOf(reply)).toBe('404 not_found')
    }
    const answer = await ask(
      `{ project(id: "${project}") { shoppingProduct(productId: "${foreign}") { available } } }`,
    )
    expect([answer.data.project?.shoppingProduct, faultIn(answer)]).toEqual([
      null,
      'not_found productId',
    ])
  })
})

describe('a plan without shopping analytics', () => {
  test('refuses what there is to see, says that an upgrade helps, and after what else is wrong', async () => {
    const starter = await api.workspace('starter')
    const of = await starter.project()
    await starter.load(of, lines)
    const { key: as } = await starter.key()
    await api.db.workspace.update({ where: { id: starter.id }, data: { plan: 'growth' } })
    const found = await productIds(of, as)
    await api.db.workspace.update({ where: { id: starter.id }, data: { plan: 'starter' } })
    const get = askingRest(
      api,
      () => of,
      () => as,
    )
    for (const path of ['/shopping', `/shopping/products/${found.XM6}`]) {
      const refused = await get('GET', `${path}?${may}`)
      expect(outcomeOf(refused)).toBe('403 plan_upgrade_required')
      expect(refused.body).toMatchObject({ requiresUpgrade: true })
      expect(outcomeOf(await get('GET', `${path}?${may}&platform=altavista`))).toBe(
        '400 invalid_argument platform',
      )
      // Nothing in the last 30 days: nothing to pay for.
      expect((await get('GET', path)).body).toMatchObject({ available: false })
    }
    expect(outcomeOf(await get('GET', `/shopping/products/${unknown}?${may}`))).toBe(
      '404 not_found',
    )
    const answer = await ask(
      `{ project(id: "${of}") { name shopping(window: { ${window} }) { available } } }`,
      as,
    )
    expect(answer.data.project).toEqual({ name: 'Acme', shopping: null })
    expect(answer.errors?.[0]?.extensions).toMatchObject({
      code: 'plan_upgrade_required',
      requiresUpgrade: true,
    })
  })
})

test.each(['/shopping', `/shopping/products/${unknown}`])(
  '%s checks its arguments',
  async (path) => {
    for (const [query, outcome] of [
      ['days=0', '400 invalid_argument days'],
      ['days=7&from=2025-05-01&to=2025-05-02', '400 invalid_argument days'],
      ['from=2025-05-01', '400 invalid_argument to'],
      ['from=2024-05-01&to=2025-05-01', '400 invalid_argument from'],
      ['limit=0', '400 invalid_argument limit'],
      ['offset=-1', '400 invalid_argument offset'],
      ['platform=altavista', '400 invalid_argument platform'],
      ['format=csv', '400 invalid_argument format'],
    ]) {
      expect(`${query}: ${outcomeOf(await rest('GET', `${path}?${query}`))}`).toBe(
        `${query}: ${outcome}`,
      )
    }
  },
)

test.each(['shopping(', `shoppingProduct(productId: "${unknown}", `])(
  '%s checks them in GraphQL too',
  async (field) => {
    for (const [given, fault] of [
      ['window: { days: 0 }', 'invalid_argument window.days'],
      ['window: { from: "2024-05-01", to: "2025-05-01" }', 'invalid_argument window.from'],
      ['first: 0', 'invalid_argument first'],
      ['filter: { platforms: ["altavista"] }', 'invalid_argument filter.platforms'],
    ]) {
      const answer = await ask(`{ project(id: "${project}") { ${field}${given}) { available } } }`)
      expect([given, faultIn(answer)]).toEqual([given, fault])
    }
  },
)

test('of several projects is one statement a part', async () => {
  const many = await api.workspace('growth')
  const { key: as } = await many.key()
  for (let i = 0; i < 3; i++) {
    const id = await many.project({ name: `P${i}` })
    if (i < 2) await many.load(id, lines.slice(0, i + 1))
  }
  statements.taken()
  const { data } = await ask(
    `{ projects(first: 3) { nodes { shopping(window: { ${window} }) { products: nodes { name mentionCount: shownIn } summary { totalResponses: answerCount } } } } }`,
    as,
  )
  expect(statements.taken().sort()).toEqual(['shopping.products', 'shopping.summary'])
  const shown = (name: string, mentionCount: number) => ({ name, mentionCount })
  expect(data.projects?.nodes).toEqual([
    { shopping: { products: [shown('QC', 1), shown('XM6', 1)], summary: { totalResponses: 1 } } },
    // Of two spellings that are found as often the last one in the alphabet.
    { shopping: { products: [shown('xm6', 2), shown('QC', 1)], summary: { totalResponses: 2 } } },
    { shopping: { products: [], summary: null } },
  ])
})
