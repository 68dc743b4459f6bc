import type { Kind } from '../../../core/intervals/intervals.ts'
import type { FactTable, ManyFacts } from '../slices.sql.ts'
import { caseFold } from '../spellings/case-fold.sql.ts'

/**
 * What the answers to a prompt on a platform add to a ratio Σa ⁄ Σb. Rows have the columns of `terms`; `m` counts answers.
 */

/** The columns that a ratio may be divided by. Facts that lack a column are never divided by it. */
const dimensions = {
  window: "''",
  day: 'toString(day)',
  platform: 'toString(platform)',
  prompt: 'toString(prompt_id)',
  location: 'toString(location_id)',
  promptPlatform: "concat(toString(prompt_id), ' ', toString(platform))",
  model: "toString(if(model = '', platform, model))",
} as const

export type Dimension = keyof typeof dimensions

/** Sums over the answers of a row: a, b, a², a·b, b². Each is 0 unless given. */
interface Terms {
  readonly m?: string
  readonly a?: string
  readonly b?: string
  readonly aa?: string
  readonly ab?: string
  readonly bb?: string
}

const termNames = ['m', 'a', 'b', 'aa', 'ab', 'bb'] as const

/** Each answer counts once in the numerator, of a base that it is part of. */
const counts: Terms = { a: 'count()', aa: 'count()', ab: 'count()' }
const answered: Terms = { m: 'count()', b: 'count()', bb: 'count()' }
/** Sums of a quantity of single answers, whose base is one each. */
const summed = (value: string): Terms => ({
  a: `sum(${value})`,
  aa: `sum(${value} * ${value})`,
  ab: `sum(${value})`,
})
const oneEach: Terms = { b: 'count()', bb: 'count()' }

/** Writes the parts of a statement for facts divided by a dimension. */
class Parts {
  readonly facts: ManyFacts
  readonly cell: string

  constructor(facts: ManyFacts, by: Dimension) {
    this.facts = facts
    this.cell = dimensions[by]
  }

  /** A part with a cell of its own for each object: its base differs from that of the others. */
  private cellOf(object: string | null) {
    return object === null ? this.cell : `concat(${this.cell}, ' ', ${object})`
  }

  rows(
    from: string,
    terms: Terms,
    { object = "''", own = null }: { object?: string; own?: string | null } = {},
  ): string {
    const columns = termNames.map((name) => `toFloat64(${terms[name] ?? '0'}) AS ${name}`)
    return `
SELECT ${this.facts.owner}, ${this.cellOf(own)} AS cell, ${object} AS object, prompt_id, platform, ${columns.join(', ')}
  FROM ${from}
 GROUP BY ${this.facts.owner}, cell, object, prompt_id, platform`
  }

  /** The answers of each object that is asked for. They are counted before, once for all objects. */
  answersOfEach(): string {
    const { owner } = this.facts
    const zeros = termNames.slice(1).map((name) => `toFloat64(0) AS ${name}`)
    return `
SELECT ${owner}, concat(divided, ' ', arrayJoin({objects:Array(String)})) AS cell, '' AS object, prompt_id, platform,
       answered AS m, ${zeros.join(', ')}
  FROM (SELECT ${owner}, ${this.cell} AS divided, prompt_id, platform, toFloat64(count()) AS answered
          FROM ${this.of('answers')}
         GROUP BY ${owner}, divided, prompt_id, platform)`
  }

  /** Facts of a table; mentions are those of the current analysis. */
  of(table: FactTable, where = ''): string {
    const current = table === 'mentions' ? this.facts.analysed : ''
    return [this.facts.from(table), current, where].filter(Boolean).join(' AND ')
  }

  /** Facts of a table, one row for each answer: `n` facts, and the columns that are asked for. */
  perAnswer(table: FactTable, where: string, columns: readonly string[], keys = ''): string {
    const shared = `${this.facts.owner}, day, model, location_id, prompt_id, platform, answer_id${keys}`
    return `(SELECT ${[shared, 'toFloat64(count()) AS n', ...columns].join(', ')}
       FROM ${this.of(table, where)} GROUP BY ${shared})`
  }
}

const ownOnly = 'is_own = 1'
const eachBrand = 'brand_id IN {objects:Array(UUID)}'
const brand = 'toString(brand_id)'

/** The rank of a brand, or its tone, in answers that name it. Ratings alone have a base. */
const ofBrand =
  (value: string, where: string) =>
  (isEach: boolean) =>
  (parts: Parts): string[] => [
    isEach ? parts.answersOfEach() : parts.rows(parts.of('answers'), { m: 'count()' }),
    parts.rows(
      parts.of('mentions', `${isEach ? eachBrand : ownOnly}${where}`),
      { ...summed(value), ...oneEach },
      { own: isEach ? brand : null },
    ),
  ]

const isRated = ' AND sentiment IS NOT NULL'
const tones = (positive: string, neutral: string, negative: string) =>
  `multiIf(sentiment >= {tone:Float64}, ${positive}, sentiment > -{tone:Float64}, ${neutral}, ${negative})`
const position = ofBrand('toFloat64(rank)', '')
const tone = ofBrand(tones('1', '0.5', '0'), isRated)
const netTone = ofBrand(tones('1', '0', '-1'), isRated)

/** Answers that hold a fact at most once for each object. */
const holding = (table: FactTable, where: string, object: string) => (parts: Parts) => [
  parts.rows(parts.of('answers'), answered),
  parts.rows(parts.of(table, where), counts, { object }),
]

/** Answers with at least one of some facts, of the answers in which they were looked for. */
const showing = (table: FactTable, measured: string) => (parts: Parts) => [
  parts.rows(parts.of('answers', measured), answered),
  parts.rows(parts.perAnswer(table, '', []), counts),
]

interface Measure {
  readonly kind: Kind
  /** The column of objects that share a base, such as brands. Its type is that of \`{objects}\`. */
  readonly shared?: true
  /** Objects have bases of their own. */
  readonly own?: true
  readonly rows: (parts: Parts) => readonly string[]
}

const shareOfVoice = (parts: Parts) => {
  const named = parts.perAnswer('mentions', 'brand_id IN {tracked:Array(UUID)}', [
    `groupArray(${brand}) AS brands`,
  ])
  return [
    parts.rows(parts.of('answers'), { m: 'count()' }),
    parts.rows(named, { b: 'sum(n)', bb: 'sum(n * n)' }),
    parts.rows(
      `(SELECT *, named FROM ${named} ARRAY JOIN brands AS named)`,
      { a: 'count()', aa: 'count()', ab: 'sum(n)' },
      { object: 'named' },
    ),
  ]
}

const shareOfAds = (parts: Parts) => {
  const shown = parts.perAnswer('ad_impressions', '', [
    `sumMap(map(${caseFold('advertiser')}, toFloat64(1))) AS times`,
  ])
  return [
    parts.rows(parts.of('answers', 'ads_measured = 1'), { m: 'count()' }),
    parts.rows(shown, { b: 'sum(n)', bb: 'sum(n * n)' }),
    parts.rows(
      `(SELECT *, entry.1 AS advertiser, entry.2 AS own
          FROM ${shown} ARRAY JOIN arrayZip(mapKeys(times), mapValues(times)) AS entry
         WHERE advertiser IN {objects:Array(String)})`,
      { a: 'sum(own)', aa: 'sum(own * own)', ab: 'sum(own * n)' },
      { object: 'advertiser' },
    ),
  ]
}

const domainFacts = 'domain IN {objects:Array(String)}'
const perDomain = (parts: Parts) => parts.perAnswer('citations', domainFacts, [], ', domain')

const measures = {
  named: {
    kind: 'proportion',
    rows: (parts: Parts) => [
      parts.rows(parts.of('answers'), answered),
      parts.rows(parts.of('mentions', ownOnly), counts),
    ],
  },
  brandNamed: { kind: 'proportion', shared: true, rows: holding('mentions', eachBrand, brand) },
  position: { kind: 'rank', rows: position(false) },
  brandPosition: { kind: 'rank', own: true, rows: position(true) },
  tone: { kind: 'share', rows: tone(false) },
  brandTone: { kind: 'share', own: true, rows: tone(true) },
  netTone: { kind: 'balance', rows: netTone(false) },
  brandNetTone: { kind: 'balance', own: true, rows: netTone(true) },
  shareOfVoice: { kind: 'share', shared: true, rows: shareOfVoice },
  domainCited: {
    kind: 'proportion',
    shared: true,
    rows: holding('citations', `${domainFacts} AND first_of_domain = 1`, 'toString(domain)'),
  },
  domainCitations: {
    kind: 'mean',
    shared: true,
    rows: (parts: Parts) => [
      parts.rows(parts.of('answers'), answered),
      parts.rows(perDomain(parts), summed('n'), { object: 'toString(domain)' }),
    ],
  },
  domainCitationsWhereCited: {
    kind: 'rank',
    own: true,
    rows: (parts: Parts) => [
      parts.answersOfEach(),
      parts.rows(perDomain(parts), { ...summed('n'), ...oneEach }, { own: 'toString(domain)' }),
    ],
  },
  urlCited: {
    kind: 'proportion',
    shared: true,
    rows: holding('citations', 'url IN {objects:Array(String)}', 'url'),
  },
  typeCited: {
    kind: 'proportion',
    shared: true,
    rows: holding(
      'citations',
      'content_type IN {objects:Array(String)} AND first_of_type = 1',
      'toString(content_type)',
    ),
  },
  adShown: { kind: 'proportion', rows: showing('ad_impressions', 'ads_measured = 1') },
  shareOfAds: { kind: 'share', shared: true, rows: shareOfAds },
  productShown: { kind: 'proportion', rows: showing('product_mentions', 'products_measured = 1') },
  searched: { kind: 'proportion', rows: showing('fanout_queries', '') },
  searches: {
    kind: 'rank',
    rows: (parts: Parts) => [
      parts.rows(parts.of('answers'), { m: 'count()' }),
      parts.rows(parts.perAnswer('fanout_queries', '', []), { ...summed('n'), ...oneEach }),
    ],
  },
} as const satisfies Record<string, Measure>

export type MeasureName = keyof typeof measures

/** The measures of the own brand alone, and those of each brand. */
const ofEachBrand: Partial<Record<MeasureName, MeasureName>> = {
  named: 'brandNamed',
  position: 'brandPosition',
  tone: 'brandTone',
  netTone: 'brandNetTone',
}

/** The measure for a row of one brand, or of another object. */
export const measureFor = (name: MeasureName, object: string): MeasureName =>
  (object === '' ? undefined : ofEachBrand[name]) ?? name

export const measureOf = (name: MeasureName): Measure => measures[name]

/** The rows that a ratio is summed from, one or more for each cell, object, prompt and platform. */
export function rowsOfMeasure(name: MeasureName, by: Dimension, facts: ManyFacts): string {
  return measures[name].rows(new Parts(facts, by)).join('\n UNION ALL')
}
