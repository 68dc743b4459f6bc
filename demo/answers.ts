import { openAds } from './ads.ts'
import { type Draw, drawFrom } from './random.ts'
import { openSources } from './sources.ts'
import { answerText, type Named, searchQueries, type Tone } from './text.ts'
import { type DemoTopic, isAboutOwnBrand, topics } from './topics.ts'
import {
  type DemoBrand,
  type DemoPlatform,
  locations,
  ownBrand,
  platforms,
  rivals,
  shortName,
} from './world.ts'

/** The demo project. Its topics, prompts and locations come with the answers. */
export const demoProject = {
  name: ownBrand.name,
  domain: ownBrand.domain,
  industry: 'Consumer audio',
  description: 'An invented maker of headphones and speakers, with 90 days of invented answers.',
  aliases: [ownBrand.alias],
  competitors: rivals.map(({ name, domain, alias }) => ({ name, domain, aliases: [alias] })),
} as const

/** What somebody did for the brand, which helped with the prompts of four topics. */
export const guides = {
  title: 'Published buying guides for running, gaming, travel and calls',
  topics: ['Running and gym', 'Gaming', 'Travel', 'Calls and remote work'] as readonly string[],
  daysAgo: 34,
  gain: 0.25,
} as const

const dayMs = 24 * 60 * 60 * 1000
const everyDays = 8 // each platform answers a prompt every eighth day
const noBrands = 0.12 // the share of answers that name nobody

const smooth = (from: number, to: number, at: number) => {
  const x = Math.min(1, Math.max(0, (at - from) / (to - from)))
  return x * x * (3 - 2 * x)
}

/** How deep in the trough in the middle a moment lies: 1 at the bottom. `at` runs from 0 to 1. */
const trough = (at: number) => Math.exp(-(((at - 0.48) / 0.09) ** 2))

function presence(brand: DemoBrand, at: number): number {
  const [first, last] = brand.presence
  return first + (last - first) * smooth(0.58, 1, at) - brand.dip * trough(at)
}

function toneOf(brand: DemoBrand, at: number, draw: Draw): Tone {
  const gloom = brand === ownBrand ? 0.34 * trough(at) : 0
  const roll = draw.next()
  if (roll < 0.1 + gloom) return 'negative'
  return roll < 0.42 + gloom ? 'neutral' : 'positive'
}

export interface Asked {
  readonly topic: DemoTopic
  readonly by: DemoPlatform
  /** The share by which answers at the place of the question name the own brand more often. */
  readonly home: number
  /** By how much more often than usual its answers name each brand. */
  readonly lean: number
  /** From 0 at the first day to 1 at the last. */
  readonly at: number
  /** By how much its answers name the own brand more often, since a guide was published; 0 unless given. */
  readonly gain?: number
}

function brandsNamed(draw: Draw, { topic, by, home, lean, at, gain = 0 }: Asked): Named[] {
  const aboutOwn = isAboutOwnBrand(topic)
  if (!aboutOwn && draw.chance(noBrands)) return []
  const favour = by.favour * home
  const named = [ownBrand, ...rivals].filter((brand) => {
    if (brand !== ownBrand) return draw.chance(presence(brand, at) * lean * (aboutOwn ? 0.5 : 1))
    return aboutOwn || draw.chance(Math.min(0.95, presence(brand, at) * lean * favour + gain))
  })
  return draw
    .some(named, named.length, (brand) => presence(brand, at) * (brand === ownBrand ? favour : 1))
    .map((brand) => ({ brand, tone: toneOf(brand, at, draw) }))
}

function productsOf(draw: Draw, { topic, by }: Asked, named: readonly Named[]) {
  if (!by.shops) return undefined
  if (draw.chance(0.45)) return []
  return named.map(({ brand }, index) => {
    const [product, price] = brand.products[topic.category]
    return {
      rank: index + 1,
      brand: brand.name,
      name: `${shortName(brand)} ${product}`,
      price: `$${price}.00`,
    }
  })
}

type Sources = ReturnType<typeof openSources>

/** An invented answer, with the brands that it names, the pages that it cites, and its sub-queries. */
export function inventAnswer(draw: Draw, asked: Asked, sources: Sources, year: number) {
  const { topic, by } = asked
  const named = brandsNamed(draw, asked)
  const brands = named.map(({ brand }) => brand)
  const count = draw.chance(by.cites) ? draw.between(...by.citations) : 0
  const pages = sources(count, topic, brands)
  const style = by.platform === 'perplexity' || by.model === '' ? 'prose' : 'list'
  const queries = draw.between(0, by.searches)
  const text = answerText(draw, topic, named, style, pages.length)
  return { named, pages, text, queries: searchQueries(draw, topic, named, queries, year) }
}

/** The choosers of sources and ads. */
interface Stock {
  readonly sources: Sources
  readonly ads: ReturnType<typeof openAds>
}

interface AskedLine extends Asked {
  readonly prompt: string
  readonly location: (typeof locations)[number]
}

function demoLine(
  draw: Draw,
  asked: AskedLine,
  collectedAt: Date,
  { sources, ads }: Stock,
): string {
  const { topic, prompt, by, location } = asked
  const year = collectedAt.getUTCFullYear()
  const { named, pages, text, queries } = inventAnswer(draw, asked, sources, year)
  return JSON.stringify({
    prompt,
    topic: topic.name,
    platform: by.platform,
    model: by.model || undefined,
    run: 1,
    collectedAt: collectedAt.toISOString(),
    country: location.country,
    location: location.label,
    text,
    citations: pages.map((page, index) => ({ position: index + 1, ...page })),
    searchQueries: queries,
    products: productsOf(draw, asked, named),
    ads: ads(by, topic),
    sentiment: named.find(({ brand }) => brand === ownBrand)?.tone,
  })
}

export interface DemoOptions {
  readonly seed: number
  /** The last day, `YYYY-MM-DD`, UTC. */
  readonly endDay: string
  readonly days?: number
}

/**
 * Invented answers as lines of an import, about 37 a day. The same options give the same lines. All are collected in
 * the first hour of a day, so that today's are complete.
 */
export function* demoLines({ seed, endDay, days = 90 }: DemoOptions): Generator<string, void> {
  const draw = drawFrom(seed)
  const stock = { sources: openSources(draw), ads: openAds(seed) }
  const prompts = topics.flatMap((topic) => topic.prompts.map((prompt) => ({ topic, prompt })))
  const lastDayMs = Date.parse(`${endDay}T00:00:00Z`)
  for (let day = 0; day < days; day++) {
    let sinceMidnightMs = 5 * 60 * 1000
    for (const [promptIndex, { topic, prompt }] of prompts.entries()) {
      for (const [platformIndex, by] of platforms.entries()) {
        const turn = promptIndex * 5 + platformIndex * 3 + day
        if (turn % everyDays !== 0) continue
        const location = locations[(promptIndex + Math.floor(turn / everyDays)) % locations.length]
        if (!location) continue
        const at = days > 1 ? day / (days - 1) : 1
        const gain =
          guides.topics.includes(topic.name) && days - 1 - day < guides.daysAgo ? guides.gain : 0
        const asked = { topic, prompt, by, location, home: location.home, lean: 1, at, gain }
        const startOfDayMs = lastDayMs - (days - 1 - day) * dayMs
        yield demoLine(draw, asked, new Date(startOfDayMs + sinceMidnightMs), stock)
        sinceMidnightMs += draw.between(20_000, 70_000)
      }
    }
  }
}
