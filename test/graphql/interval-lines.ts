import { type Counted, sampleOf } from '../core/interval-sample.ts'
import type { AnswerLine } from '../kit/api.ts'

/** An answer of an invented project, and what a reader counts in it. */
export interface IntervalLine extends AnswerLine {
  readonly prompt: string
  readonly platform: string
  readonly collectedAt: string
  readonly model: string
  readonly topic: string
  /** Brands in the order in which the text names them. */
  readonly brands: readonly string[]
  /** Of the own brand; null where it is not named, or not rated. */
  readonly tone: 'positive' | 'neutral' | 'negative' | null
  readonly domains: readonly string[]
  readonly shown: readonly string[]
  readonly hasProduct: boolean
  readonly searches: number
}

const orders = [
  [],
  ['Acme'],
  ['Bose', 'Acme'],
  ['JBL', 'Bose', 'Acme'],
  ['JBL'],
  ['Acme', 'JBL'],
  ['Bose'],
] as const
const scores = { positive: 0.8, neutral: 0, negative: -0.8 } as const
const tones = ['positive', 'neutral', 'negative', 'positive'] as const
const day = (i: number) => `2025-05-${String(1 + (i % 9)).padStart(2, '0')}`

/** A number below `below` that follows from `seed` alone, and looks like chance. */
function dice(seed: number, below: number): number {
  const mixed = Math.imul(seed ^ (seed >>> 15), 0x2c1b3c6d)
  return ((mixed ^ (mixed >>> 12)) >>> 0) % below
}

/** @param prompts the number of prompts; each prefers an order of brands */
function lineAt(i: number, prompts: number): IntervalLine {
  const roll = (n: number, below: number) => dice(i * 31 + n * 7919 + 1, below)
  const q = roll(1, prompts)
  const brands = orders[(roll(2, 3) === 0 ? roll(3, orders.length) : q) % orders.length] ?? []
  const tone = brands.some((name) => name === 'Acme') ? (tones[(q + roll(4, 2)) % 4] ?? null) : null
  const domains = ['a.com', 'b.com', 'a.com'].slice(0, roll(5, 4))
  const shown = ['Bolt', 'Nut', 'Bolt'].slice(0, roll(6, 4))
  const searches = roll(7, 3)
  const hasProduct = roll(8, 3) > 0
  const platform = ['chatgpt', 'gemini', 'perplexity'][roll(9, 3)] ?? ''
  return {
    prompt: `question ${q}`,
    topic: `T${q % 2}`,
    platform,
    model: `${platform}-1`,
    brands,
    tone,
    domains,
    shown,
    hasProduct,
    searches,
    collectedAt: `${day(i)}T00:${String(i % 60).padStart(2, '0')}:${String(i % 59).padStart(2, '0')}Z`,
    run: i,
    text: brands.map((name) => `Then comes ${name}.`).join(' ') || 'Nobody.',
    ...(tone === null ? {} : { sentiment: scores[tone] }),
    citations: domains.map((domain, n) => ({ url: `https://${domain}/${n}`, position: n + 1 })),
    ads: shown.map((advertiser) => ({ advertiser, url: 'https://ads.com/' })),
    products: hasProduct ? [{ brand: 'Sony', name: 'XM6' }] : [],
    searchQueries: Array.from({ length: searches }, (_, n) => `search ${n}`),
  }
}

export const linesOf = (count: number, prompts: number): readonly IntervalLine[] =>
  Array.from({ length: count }, (_, i) => lineAt(i, prompts))

/** The fields that an import reads. */
export function importOf(line: IntervalLine): AnswerLine {
  const {
    brands: _b,
    tone: _t,
    domains: _d,
    shown: _s,
    hasProduct: _p,
    searches: _n,
    ...rest
  } = line
  return rest
}

/** What an answer adds to a ratio: a and b; null where it adds nothing. */
export type Pick = (line: IntervalLine) => readonly [a: number, b: number] | null

/** The sample of a ratio, counted answer by answer. */
export function counted(lines: readonly IntervalLine[], pick: Pick) {
  return sampleOf(
    lines.map((line): Counted => {
      const [a, b] = pick(line) ?? [0, 0]
      return { prompt: line.prompt, platform: line.platform, a, b }
    }),
  )
}

const has = (yes: boolean) => (yes ? 1 : 0)
const toneValues = { positive: 1, neutral: 0.5, negative: 0 }

export const named =
  (brand: string): Pick =>
  ({ brands }) => [has(brands.includes(brand)), 1]
export const ranked =
  (brand: string): Pick =>
  ({ brands }) =>
    brands.includes(brand) ? [brands.indexOf(brand) + 1, 1] : null
export const voiced =
  (brand: string): Pick =>
  ({ brands }) => [has(brands.includes(brand)), brands.length]
export const toned: Pick = ({ tone }) => (tone === null ? null : [toneValues[tone], 1])
export const netToned: Pick = ({ tone }) => (tone === null ? null : [2 * toneValues[tone] - 1, 1])
export const cited =
  (domain: string): Pick =>
  ({ domains }) => [has(domains.includes(domain)), 1]
const times = (list: readonly string[], of: string) => list.filter((it) => it === of).length
export const citations =
  (domain: string): Pick =>
  ({ domains }) => [times(domains, domain), 1]
export const citationsWhereCited =
  (domain: string): Pick =>
  ({ domains }) =>
    domains.includes(domain) ? [times(domains, domain), 1] : null
export const withAd: Pick = ({ shown }) => [has(shown.length > 0), 1]
export const advertised =
  (name: string): Pick =>
  ({ shown }) => [times(shown, name), shown.length]
export const withProduct: Pick = ({ hasProduct }) => [has(hasProduct), 1]
export const searching: Pick = ({ searches }) => [has(searches > 0), 1]
export const searched: Pick = ({ searches }) => (searches > 0 ? [searches, 1] : null)
