import { beforeAll, describe, expect, test } from 'vitest'
import { useApi } from '../kit/api.ts'
import { realData } from '../kit/real-data.ts'

/** The products of 528 real answers, counted twice: by the service, and below by lines that share nothing with it. */
const api = useApi()
const real = realData('data/answers-product-bench.jsonl')

interface Told {
  prompt: string
  platform: string
  products: { rank: number; brand: string | null; name: string; price: string | null }[]
}

interface Counted {
  answers: number
  names: Set<string>
  platforms: Set<string>
  prices: (string | null)[]
}

const told = real.lines.map((line) => JSON.parse(line) as Told)
const platformIds: Record<string, string> = { chatgpt: 'chatgpt', google: 'google_ai_mode' }
const platformOf = ({ platform }: Told) =>
  platformIds[platform.toLowerCase().startsWith('chat') ? 'chatgpt' : 'google'] ?? ''

/** By brand and name in lower case; in one answer the best-ranked entry counts. */
function count(answers: readonly Told[]): Map<string, Counted> {
  const counted = new Map<string, Counted>()
  for (const answer of answers) {
    const met = new Map<string, Told['products'][number]>()
    for (const product of answer.products.toSorted((a, b) => a.rank - b.rank)) {
      const key = `${product.brand ?? ''}|${product.name}`.toLowerCase()
      if (!met.has(key)) met.set(key, product)
    }
    for (const [key, { name, price }] of met) {
      const entry = counted.get(key) ?? {
        answers: 0,
        names: new Set(),
        platforms: new Set(),
        prices: [],
      }
      counted.set(key, entry)
      entry.answers += 1
      entry.names.add(name.trim())
      entry.platforms.add(platformOf(answer))
      entry.prices.push(price)
    }
  }
  return counted
}

type Row = Record<string, unknown>

const may = 'from=2025-05-20&to=2025-05-30'
let key = ''
let project = ''

beforeAll(async () => {
  const workspace = await api.workspace('growth')
  project = await workspace.project({ name: 'Sony', domain: 'sony.com' })
  key = (await workspace.key()).key
  const { importAnswers } = await import('../../imports/answers/answers.ts')
  const result = await importAnswers(api, { projectId: project, lines: real.lines })
  expect(result).toMatchObject({ read: 528, loaded: 528, rejected: [] })
})

async function get(path: string): Promise<Row> {
  const response = await api.get(`/api/mcp/projects/${project}${path}`, key)
  expect(response.status).toBe(200)
  return (await response.json()) as Row
}

const percent = (n: number, d: number) => Math.round((n / d) * 10_000) / 100

describe.skipIf(real.isAbsent)('528 real answers', () => {
  test.each([
    ['', told],
    ['&platform=chatgpt', told.filter((answer) => platformOf(answer) === 'chatgpt')],
    ['&platform=google_ai_mode', told.filter((answer) => platformOf(answer) !== 'chatgpt')],
  ])('%s show the products, as often as an independent script counts', async (filter, answers) => {
    const mine = count(answers)
    const showing = answers.filter(({ products }) => products.length > 0).length
    const { available, products, summary } = await get(`/shopping?${may}${filter}`)
    expect({ available, summary }).toEqual({
      available: true,
      summary: {
        totalActivationRate: percent(showing, answers.length),
        totalResponses: answers.length,
        totalProducts: mine.size,
      },
    })
    const rows = products as Row[]
    expect(rows).toHaveLength(mine.size)
    const shown = rows.map(({ mentionCount, platforms }) => {
      return `${mentionCount} ${(platforms as string[]).toSorted()}`
    })
    const expected = [...mine.values()].map(({ answers, platforms }) => {
      return `${answers} ${[...platforms].sort()}`
    })
    expect(shown.toSorted()).toEqual(expected.toSorted())
    expect(rows.map(({ rank }) => rank)).toEqual(rows.map((_, i) => i + 1))
    const counts = rows.map(({ mentionCount }) => Number(mentionCount))
    expect(counts).toEqual(counts.toSorted((a, b) => b - a))
    const names = new Set([...mine.values()].flatMap((entry) => [...entry.names]))
    expect(rows.filter(({ name }) => !names.has(String(name)))).toEqual([])
  })

  test('tell the prices of the products that are shown most', async () => {
    const mine = count(told)
    const { products } = await get(`/shopping?${may}`)
    for (const { id, name, mentionCount } of (products as Row[]).slice(0, 5)) {
      const { product, mentions } = await get(`/shopping/products/${id}?${may}`)
      expect(product).toMatchObject({ id, name, mentionCount })
      const brand = (product as Row).brand ?? ''
      const prices = mine.get(`${brand}|${name}`.toLowerCase())?.prices ?? []
      const amounts = (mentions as Row[]).map(({ price }) => price)
      expect(amounts.map(String).sort()).toEqual(
        prices.map((price) => String(price === null ? null : Number(price))).sort(),
      )
      expect(amounts).toHaveLength(Number(mentionCount))
    }
  })
})
