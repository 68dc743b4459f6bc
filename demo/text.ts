import type { Draw } from './random.ts'
import { type DemoTopic, wordsOf } from './topics.ts'
import { type DemoBrand, shortName } from './world.ts'

export type Tone = 'positive' | 'neutral' | 'negative'

/** A brand that an answer names, and how it speaks of it. */
export interface Named {
  readonly brand: DemoBrand
  readonly tone: Tone
}

const verdicts = {
  positive: [
    'testers praise it for {criterion}, and owners say that it keeps its promise.',
    'the one most reviews come back to: {criterion} is excellent, and nothing else is weak.',
    'easy to recommend. Its {criterion} is among the best that you can buy at {price}.',
    'a favourite of many owners, above all because of {criterion}.',
    'great {criterion} and a fair price make it the safest choice here.',
  ],
  neutral: [
    'a solid option. {Criterion} is about average for {price}.',
    'worth a look if it is on sale; {criterion} is decent, but not a reason to switch.',
    'does most things well enough. Reviews of {criterion} are mixed.',
    'a reasonable alternative at {price}, without a clear strength in {criterion}.',
  ],
  negative: [
    'hard to recommend at the moment: owners complain about {criterion} since the last update.',
    'disappoints in {criterion}, and at {price} there are better choices.',
    'several reviews mention faults after a few months; {criterion} suffers most.',
    'overpriced at {price}. {Criterion} is behind the competition.',
  ],
} as const satisfies Record<Tone, readonly string[]>

const openings = [
  'It depends on what you value most, but a few names come up again and again for {topic}.',
  'For {topic}, {criterion} matters more than the data sheet. These stand out at the moment:',
  'Here is what recent tests and owners say about {topic}.',
  'Short answer: start with {criterion}, then look at {second} and {third}.',
] as const

const withoutNames =
  'For {topic} it matters less whose name is on the box than how it fits your use.'

const advice = [
  '**{Criterion}:** compare it in your own surroundings, since tests measure it in a quiet room.',
  '**{Second}:** the differences between good models are smaller than the advertising says.',
  '**{Third}:** check the return policy, and try it for a week.',
  '**Price:** last year’s models are often a third cheaper and nearly as good.',
  '**Repair:** ask whether battery and cushions can be replaced.',
] as const

const generic = [
  'Look at {criterion} first. Most buyers underestimate it, and it is what they complain about later.',
  '{Second} comes next: read long-term reviews rather than first impressions.',
  'Do not pay for features that you will not use. {Third} is worth more than a long list of modes.',
  'A model with replaceable parts costs more at first, and less over five years.',
] as const

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

function filler(topic: DemoTopic, draw: Draw): (template: string, price?: number) => string {
  const [criterion = '', second = '', third = ''] = draw.some(topic.criteria, 3, () => 1)
  const values: Record<string, string> = {
    topic: wordsOf(topic),
    criterion,
    second,
    third,
    Criterion: capital(criterion),
    Second: capital(second),
    Third: capital(third),
  }
  return (template, price) =>
    template.replaceAll(/\{(\w+)\}/g, (_, key: string) =>
      key === 'price' ? `$${price}` : (values[key] ?? ''),
    )
}

/** "Lumora Halo 3": most answers use the short name, some the full one. */
function productName(brand: DemoBrand, topic: DemoTopic, draw: Draw): string {
  const name = draw.chance(0.25) ? brand.name : shortName(brand)
  return `${name} ${brand.products[topic.category][0]}`
}

function asList(draw: Draw, topic: DemoTopic, named: readonly Named[], citations: number): string {
  const parts = [filler(topic, draw)(draw.pick(openings))]
  named.forEach(({ brand, tone }, index) => {
    const fill = filler(topic, draw)
    const price = brand.products[topic.category][1]
    const note = index < citations && draw.chance(0.5) ? ` [${index + 1}]` : ''
    parts.push(
      `### ${index + 1}. ${productName(brand, topic, draw)} – $${price}`,
      `${capital(fill(draw.pick(verdicts[tone]), price))}${note}`,
    )
    if (draw.chance(0.4)) parts.push(bullets(draw, fill, 2))
  })
  if (draw.chance(0.35) && named.length > 1) parts.push(table(topic, named))
  parts.push('### How to choose', checklist(draw, topic))
  return parts.join('\n\n')
}

function table(topic: DemoTopic, named: readonly Named[]): string {
  const verdict = { positive: 'recommended', neutral: 'fine', negative: 'better wait' } as const
  const rows = named.map(({ brand, tone }) => {
    const [product, price] = brand.products[topic.category]
    return `| ${shortName(brand)} ${product} | $${price} | ${verdict[tone]} |`
  })
  return ['| Model | Price | Verdict |', '|---|---|---|', ...rows].join('\n')
}

function bullets(draw: Draw, fill: (template: string) => string, count: number): string {
  const lines = draw.some(advice, count, () => 1)
  return lines.map((line) => `* ${fill(line)}`).join('\n')
}

function checklist(draw: Draw, topic: DemoTopic): string {
  return bullets(draw, filler(topic, draw), draw.between(2, advice.length))
}

function asProse(draw: Draw, topic: DemoTopic, named: readonly Named[], citations: number): string {
  const sentences = named.map(({ brand, tone }, index) => {
    const price = brand.products[topic.category][1]
    const verdict = filler(topic, draw)(draw.pick(verdicts[tone]), price)
    const note = index < citations ? `[${index + 1}]` : ''
    return `**${productName(brand, topic, draw)}**: ${verdict}${note}`
  })
  const fill = filler(topic, draw)
  return [fill(draw.pick(openings)), sentences.join(' '), fill(draw.pick(advice))].join('\n\n')
}

function withoutBrands(draw: Draw, topic: DemoTopic): string {
  const fill = filler(topic, draw)
  const points = draw.some(generic, draw.between(2, generic.length), () => 1).map((it) => fill(it))
  return [fill(withoutNames), ...points, checklist(draw, topic)].join('\n\n')
}

/** The Markdown of an answer that names these brands, in this order. */
export function answerText(
  draw: Draw,
  topic: DemoTopic,
  named: readonly Named[],
  style: 'list' | 'prose',
  citations: number,
): string {
  if (named.length === 0) return withoutBrands(draw, topic)
  return (style === 'list' ? asList : asProse)(draw, topic, named, citations)
}

/** The sub-queries that an assistant searched for before it answered. */
export function searchQueries(
  draw: Draw,
  topic: DemoTopic,
  named: readonly Named[],
  count: number,
  year: number,
): string[] {
  const about = wordsOf(topic)
  const [first = about] = topic.criteria
  const names = named.map(({ brand }) => `${shortName(brand)} ${brand.products[topic.category][0]}`)
  const pool = [
    `best ${about} ${year}`,
    `${about} review`,
    `${about} ${first} test`,
    `${about} reddit`,
    ...names.slice(0, 2).map((name) => `${name} review`),
    ...(names.length > 1 ? [`${names[0]} vs ${names[1]}`] : []),
  ]
  return draw.some(pool, count, () => 1)
}
