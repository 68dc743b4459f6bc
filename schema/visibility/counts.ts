import { rounded, roundedOrZero, share } from '../../core/metrics.ts'
import { type BrandCounts, type CellCounts, score } from '../../resolvers/visibility/counts.ts'
import { flatScore, type PlatformRow, position } from '../../resolvers/visibility/visibility.ts'
import { builder, type Types } from '../kit/builder.ts'
import { changeField } from '../kit/change.ts'
import { metricsField, metricsType } from '../kit/metric.ts'

/** Descriptions of counts. `answers` names its base, such as "answers in the window". */
export const meaningOf = (answers: string) => ({
  score: `Percent of ${answers} that name the brand.`,
  /** The score under the name that other reports have for it. */
  rate: `Percent of ${answers} that name the brand. Always equal to \`visibilityScore\`.`,
  position: `Mean rank of the brand in ${answers} that mention it; 1 is first. Null without any.`,
  responses: `Number of ${answers}.`,
  named: `Number of ${answers} that name the brand.`,
  mentions: `Occurrences of the brand's name in ${answers}; an answer may have several.`,
  citations: `Citations in ${answers}: one for each URL that an answer cites.`,
  sources: `Distinct domains that ${answers} cite.`,
})

type Meanings = ReturnType<typeof meaningOf>

/** Each description with that of REST. */
function textsOf(inGraph: Meanings, inRest: Meanings) {
  const names = Object.keys(inGraph) as (keyof Meanings)[]
  return Object.fromEntries(
    names.map((name) => [name, { description: inGraph[name], restDescription: inRest[name] }]),
  ) as Record<keyof Meanings, { description: string; restDescription: string }>
}

/** Counts as the graph names them. */
export const graphNames = {
  responses: 'answerCount',
  named: 'mentionedIn',
  mentions: 'mentionCount',
  citations: 'citationCount',
  ownCitations: 'ownCitationCount',
  sources: 'domainCount',
} as const

/** Kept for clients that know the score under this name. */
export const scoreAlias = 'Alias of `visibilityScore`, kept for old clients.'

const counted = meaningOf("the row's answers")

export const visibilityMetrics = metricsType<BrandCounts>(
  'VisibilityMetrics',
  'Visibility ratios with their numerators and denominators.',
  {
    visibilityScore: { description: counted.score, measure: 'named', resolve: score },
    averagePosition: { description: counted.position, measure: 'position', resolve: position },
  },
)

type Row = { counts: BrandCounts }
type RowFields<Shape extends object> = PothosSchemaTypes.ObjectFieldBuilder<Types, Shape>

/**
 * Fields of a row that exists because it has answers. `answers` is as in `meaningOf`, and `inRest` the same where REST
 * counts others.
 */
export const rowParts = <Shape extends Row>(
  t: RowFields<Shape>,
  answers: string,
  inRest = answers,
) => {
  const meaning = textsOf(meaningOf(answers), meaningOf(inRest))
  const count = (name: keyof typeof graphNames, texts: object) => () =>
    t.field({
      type: 'Int',
      graphName: graphNames[name],
      ...texts,
      resolve: ({ counts }) => counts[name],
    })
  return {
    score: (options: { view?: 'rest' | 'graph' } = {}) =>
      t.float({
        ...options,
        ...meaning.score,
        resolve: ({ counts }) => roundedOrZero(score(counts)),
      }),
    rate: () =>
      t.float({
        view: 'rest',
        ...meaning.rate,
        resolve: ({ counts }) => roundedOrZero(score(counts)),
      }),
    mentionRate: () =>
      t.float({
        view: 'rest',
        description: scoreAlias,
        resolve: ({ counts }) => roundedOrZero(score(counts)),
      }),
    position: (options: { view?: 'graph' } = {}) =>
      t.float({
        ...options,
        nullable: true,
        ...meaning.position,
        resolve: ({ counts }) => rounded(position(counts)),
      }),
    responses: count('responses', meaning.responses),
    named: count('named', meaning.named),
    mentions: count('mentions', meaning.mentions),
    citations: count('citations', meaning.citations),
    ownCitations: count('ownCitations', {
      description: `Citations of the brand's own domains in ${answers}.`,
    }),
    sources: count('sources', meaning.sources),
    metrics: () => metricsField(t, visibilityMetrics, ({ counts }) => counts),
  }
}

/** A row, and what reads the same row in the compared window; null without a comparison. */
interface ComparedRow {
  readonly counts: CellCounts
  readonly previous: () => Promise<CellCounts | null>
}

/** The change of the score of a row. */
export const scoreChange = <Shape extends ComparedRow>(t: RowFields<Shape>) =>
  changeField(
    t,
    'named',
    'Change of `visibilityScore` in percentage points. Null without `compare`.',
    async ({ counts, previous }: ComparedRow) => {
      const before = await previous()
      return {
        now: score(counts),
        before: before && score(before),
        cell: counts.cell,
        previousCell: before?.cell,
      }
    },
  )

/** The score of all answers, beside a list of rows; null without answers. */
export const overall = (t: RowFields<{ total: BrandCounts }>) => ({
  score: (options: { view?: 'rest'; graphName?: string; description: string }) =>
    t.float({ ...options, nullable: true, resolve: ({ total }) => flatScore(total) }),
  metrics: () => metricsField(t, visibilityMetrics, ({ total }) => total),
})

const ofPlatform = "the platform's answers in the window"
const platformMeaning = meaningOf(ofPlatform)

const platformMetrics = metricsType<BrandCounts>(
  'VisibilityPlatformMetrics',
  'Visibility ratios of an AI platform with their numerators and denominators.',
  {
    visibilityScore: {
      description: platformMeaning.score,
      measure: 'named',
      resolve: score,
    },
    averagePosition: {
      description: platformMeaning.position,
      measure: 'position',
      resolve: position,
    },
  },
)

export const visibilityPlatform = builder.objectRef<PlatformRow>('VisibilityPlatform').implement({
  description: 'Visibility of the brand in the answers of one AI platform.',
  fields: (t) => {
    const parts = rowParts(t, ofPlatform)
    return {
      platformId: t.exposeString('platform', {
        view: 'rest',
        restName: 'platform',
        description: 'Id of the AI platform, such as `chatgpt`.',
      }),
      displayName: t.string({
        view: 'rest',
        description: 'Name of the AI platform, such as `ChatGPT`.',
        resolve: (row) => row.displayName(),
      }),
      visibilityRate: parts.score({ view: 'rest' }),
      visibilityScore: parts.score({ view: 'graph' }),
      responses: parts.responses(),
      responsesWithBrand: parts.named(),
      mentions: parts.mentions(),
      citations: parts.citations(),
      brandCitations: parts.ownCitations(),
      sources: parts.sources(),
      averagePosition: parts.position(),
      change: scoreChange(t),
      metrics: metricsField(t, platformMetrics, ({ counts }) => counts),
    }
  },
})

/** Mentions per 100 answers: not a share, since one answer may hold several mentions. */
export const mentionsPerResponse = ({ mentions, responses }: BrandCounts) => ({
  ...share(mentions, responses),
  subset: false,
})
