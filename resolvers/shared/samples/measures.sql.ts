import type { Kind } from '../../../core/intervals/intervals.ts'
import { addressesOf, pageOf, pagesOf } from '../../../warehouse/cited-pages.sql.ts'
import { bucketDay } from '../buckets.sql.ts'
import type { FactTable, ManyFacts } from '../slices.sql.ts'
import { caseFold } from '../spellings/case-fold.sql.ts'

/**
 * What the answers to a prompt on a platform add to a ratio Σa ⁄ Σb. Rows have the columns of `terms`; `m` counts answers.
 */

/**
 * The columns that a ratio may be divided by. Most are no texts, because the engine groups by texts several times as slowly.
 * Facts that lack a column are never divided by it.
 */
const dimensions = {
  window: "''",
  ...bucketDay,
  platform: 'platform',
  prompt: 'prompt_id',
  location: 'location_id',
  promptPlatform: "concat(toString(prompt_id), ' ', toString(platform))",
  model: "if(model = '', platform, model)",
} as const

export type Dimension = keyof typeof dimensions

/** What a fact or an answer adds to the sums of a, b, a², a·b, b²: 0 unless given. `m` is 1 for an answer. */
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
const counts: Terms = { a: '1', aa: '1', ab: '1' }
const anAnswer: Terms = { m: '1' }
const answered: Terms = { ...anAnswer, b: '1', bb: '1' }
/** A quantity of single answers, whose base is one each. */
const summed = (value: string): Terms => ({ a: value, aa: `${value} * ${value}`, ab: value })
const oneEach: Terms = { b: '1', bb: '1' }

/** Writes the parts of a statement for facts divided by a dimension. */
class Parts {
  readonly facts: ManyFacts
  readonly cell: string
  /** A prompt has few answers on one day: sums of them would be as many rows as there are, and take longer. */
  readonly isSummed: boolean

  constructor(facts: ManyFacts, by: Dimension) {
    this.facts = facts
    this.cell = dimensions[by]
    this.isSummed = by !== 'day'
  }

  /** A part with a cell of its own for each object: its base differs from that of the others. */
  private cellOf(object: string | null) {
    return object === null ? this.cell : `concat(toString(${this.cell}), ' ', ${object})`
  }

  /** @param object the place of what is counted in `{objects}`, from 1; 0 for the base */
  rows(
    from: string,
    terms: Terms,
    { object = noObject, own = null }: { object?: string; own?: string | null } = {},
  ): string {
    const keys = `${this.facts.owner}, divided, held, prompt_id, platform`
    const columns = termNames.map((name) => {
      const value = terms[name] ?? '0'
      return `toFloat64(${this.isSummed ? `sum(${value})` : value}) AS ${name}`
    })
    return `
SELECT ${this.facts.owner}, ${this.cellOf(own)} AS divided, ${object} AS held, prompt_id, platform, ${columns.join(', ')}
  FROM ${from}${this.isSummed ? ` GROUP BY ${keys}` : ''}`
  }

  /** The answers of each object that is asked for. They are counted before, once for all objects. */
  answersOfEach(): string {
    const { owner } = this.facts
    const zeros = termNames.slice(1).map((name) => `toFloat64(0) AS ${name}`)
    return `
SELECT ${owner}, concat(toString(shared), ' ', arrayJoin({objects:Array(String)})) AS divided, ${noObject} AS held,
       prompt_id, platform, answered AS m, ${zeros.join(', ')}
  FROM (SELECT ${owner}, ${this.cell} AS shared, prompt_id, platform, toFloat64(count()) AS answered
          FROM ${this.of('answers')}
         GROUP BY ${owner}, shared, prompt_id, platform)`
  }

  /** Facts of a table; mentions are those of the current analysis. */
  of(table: FactTable, where = ''): string {
    const current = table === 'mentions' ? this.facts.analysed : ''
    return [this.facts.from(table), current, where].filter(Boolean).join(' AND ')
  }

  /** Facts of a table, one row for each answer: `n` facts, and the columns that are asked for. */
  perAnswer(table: FactTable, where: string, columns: readonly string[], keys = ''): string {
    const shared = `${this.facts.owner}, answer_id${keys}`
    const ofAnswer = columnsOfAnswer.map((name) => `any(${name}) AS ${name}`)
    return `(SELECT ${[shared, ...ofAnswer, 'toFloat64(count()) AS n', ...columns].join(', ')}
       FROM (SELECT * FROM ${this.of(table, where)}) GROUP BY ${shared})`
  }
}

/** What all facts of an answer have alike, beside its id. */
const columnsOfAnswer = ['day', 'model', 'location_id', 'prompt_id', 'platform']

const noObject = 'toUInt32(0)'
/** The place of a value in an array, from 1; 0 for any other. */
const placeIn = (value: string, objects: string) =>
  `transform(${value}, ${objects}, range(toUInt32(1), toUInt32(1 + length(${objects}))), ${noObject})`
const placeOf = (value: string, type: ObjectType) => placeIn(value, `{objects:Array(${type})}`)

const ownOnly = 'is_own = 1'
const eachBrand = 'brand_id IN {objects:Array(UUID)}'
const brand = 'toString(brand_id)'

/** The rank of a brand, or its tone, in answers that name it. Ratings alone have a base. */
const ofBrand =
  (value: string, where: string) =>
  (isEach: boolean) =>
  (parts: Parts): string[] => [
    isEach ? parts.answersOfEach() : parts.rows(parts.of('answers'), anAnswer),
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
const holding =
  (table: FactTable, where: string, object: string, type: ObjectType = 'String') =>
  (parts: Parts) => [
    parts.rows(parts.of('answers'), answered),
    parts.rows(parts.of(table, where), counts, { object: placeOf(object, type) }),
  ]

/** Answers with at least one of some facts, of the answers in which they were looked for. */
const showing = (table: FactTable, measured: string) => (parts: Parts) => [
  parts.rows(parts.of('answers', measured), answered),
  parts.rows(parts.perAnswer(table, '', []), counts),
]

type ObjectType = 'UUID' | 'String'

interface Measure {
  readonly kind: Kind
  /** Objects share a base, such as brands. It is the type of \`{objects}\`. */
  readonly shared?: ObjectType
  /** Objects have bases of their own. */
  readonly own?: true
  readonly rows: (parts: Parts) => readonly string[]
}

const shareOfVoice = (parts: Parts) => {
  const named = parts.perAnswer('mentions', 'brand_id IN {tracked:Array(UUID)}', [
    `groupArrayIf(${placeOf('brand_id', 'UUID')} AS place, place != 0) AS places`,
  ])
  return [
    parts.rows(parts.of('answers'), anAnswer),
    // The base of an answer and each brand that it names, from one reading.
    parts.rows(
      `(SELECT *, arrayJoin(arrayPushFront(places, ${noObject})) AS named FROM ${named})`,
      {
        a: 'named != 0',
        b: 'if(named = 0, n, 0)',
        aa: 'named != 0',
        ab: 'if(named = 0, 0, n)',
        bb: 'if(named = 0, n * n, 0)',
      },
      { object: 'named' },
    ),
  ]
}

const shareOfAds = (parts: Parts) => {
  const shown = parts.perAnswer('ad_impressions', '', [
    `sumMap(map(${caseFold('advertiser')}, toFloat64(1))) AS times`,
  ])
  return [
    parts.rows(parts.of('answers', 'ads_measured = 1'), anAnswer),
    parts.rows(shown, { b: 'n', bb: 'n * n' }),
    parts.rows(
      `(SELECT *, entry.1 AS advertiser, entry.2 AS own
          FROM ${shown} ARRAY JOIN arrayZip(mapKeys(times), mapValues(times)) AS entry
         WHERE advertiser IN {objects:Array(String)})`,
      { a: 'own', aa: 'own * own', ab: 'own * n' },
      { object: placeOf('advertiser', 'String') },
    ),
  ]
}

const domainFacts = 'domain IN {objects:Array(String)}'
const perDomain = (parts: Parts) => parts.perAnswer('citations', domainFacts, [], ', domain')

const urls = '{objects:Array(String)}'

const measures = {
  named: {
    kind: 'proportion',
    rows: (parts: Parts) => [
      parts.rows(parts.of('answers'), answered),
      parts.rows(parts.of('mentions', ownOnly), counts),
    ],
  },
  brandNamed: {
    kind: 'proportion',
    shared: 'UUID',
    rows: holding('mentions', eachBrand, 'brand_id', 'UUID'),
  },
  position: { kind: 'rank', rows: position(false) },
  brandPosition: { kind: 'rank', own: true, rows: position(true) },
  tone: { kind: 'share', rows: tone(false) },
  brandTone: { kind: 'share', own: true, rows: tone(true) },
  netTone: { kind: 'balance', rows: netTone(false) },
  brandNetTone: { kind: 'balance', own: true, rows: netTone(true) },
  shareOfVoice: { kind: 'share', shared: 'UUID', rows: shareOfVoice },
  domainCited: {
    kind: 'proportion',
    shared: 'String',
    rows: holding('citations', `${domainFacts} AND first_of_domain = 1`, 'domain'),
  },
  domainCitations: {
    kind: 'mean',
    shared: 'String',
    rows: (parts: Parts) => [
      parts.rows(parts.of('answers'), answered),
      parts.rows(perDomain(parts), summed('n'), { object: placeOf('domain', 'String') }),
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
    shared: 'String',
    rows: (parts: Parts) => [
      parts.rows(parts.of('answers'), answered),
      parts.rows(parts.of('citations', `url IN ${addressesOf(urls)}`), counts, {
        object: placeIn(pageOf('url'), pagesOf(urls)),
      }),
    ],
  },
  typeCited: {
    kind: 'proportion',
    shared: 'String',
    rows: holding(
      'citations',
      'content_type IN {objects:Array(String)} AND first_of_type = 1',
      'content_type',
    ),
  },
  adShown: { kind: 'proportion', rows: showing('ad_impressions', 'ads_measured = 1') },
  shareOfAds: { kind: 'share', shared: 'String', rows: shareOfAds },
  productShown: { kind: 'proportion', rows: showing('product_mentions', 'products_measured = 1') },
  searched: { kind: 'proportion', rows: showing('fanout_queries', '') },
  searches: {
    kind: 'rank',
    rows: (parts: Parts) => [
      parts.rows(parts.of('answers'), anAnswer),
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

/** The object that rows of a measure hold, as a text; empty for the base. */
export function heldObject(name: MeasureName): string {
  const { shared }: Measure = measures[name]
  return shared ? `if(held = 0, '', toString({objects:Array(${shared})}[held]))` : "''"
}

/**
 * The rows that a ratio is summed from, any number for each cell, object, prompt and platform. `divided` is the cell, and
 * `held` the place of the object in `{objects}`.
 */
export function rowsOfMeasure(name: MeasureName, by: Dimension, facts: ManyFacts): string {
  return measures[name].rows(new Parts(facts, by)).join('\n UNION ALL')
}
