import { rounded, roundedOrZero, share } from '../../core/metrics.ts'
import { score, type Tally } from '../../resolvers/visibility/tallies.ts'
import { flatScore, type PlatformRow, position } from '../../resolvers/visibility/visibility.ts'
import { builder, type Types } from '../kit/builder.ts'

/** What the reports on visibility say of any row in the same words. */

export const meaning = {
  score: 'Percent of the answers in scope that name the brand.',
  mentionRate: 'Alias of `responseMentionRate`, kept for old clients.',
  position:
    'Mean place of the brand among the tracked brands, by first occurrence, in the answers that name it; null when none does.',
  responses: 'Answers in scope.',
  named: 'Those that name the brand.',
  mentions: "How often the brand's name stands in them; one answer may name it several times.",
} as const

export const visibilityMetrics = builder.objectRef<Tally>('VisibilityMetrics').implement({
  description: 'The ratios of a row with their numerators and denominators.',
  fields: (t) => ({
    visibilityScore: t.field({ type: 'Metric', description: meaning.score, resolve: score }),
    responseMentionRate: t.field({ type: 'Metric', description: meaning.score, resolve: score }),
    averagePosition: t.field({ type: 'Metric', description: meaning.position, resolve: position }),
  }),
})

type Row = { tally: Tally }
type RowFields<Shape extends object> = PothosSchemaTypes.ObjectFieldBuilder<Types, Shape>

/** Fields of a row that exists because there are answers behind it. */
export const rowParts = <Shape extends Row>(t: RowFields<Shape>) => ({
  score: () =>
    t.float({ description: meaning.score, resolve: ({ tally }) => roundedOrZero(score(tally)) }),
  mentionRate: () =>
    t.float({
      view: 'rest',
      description: meaning.mentionRate,
      resolve: ({ tally }) => roundedOrZero(score(tally)),
    }),
  position: () =>
    t.float({
      nullable: true,
      description: meaning.position,
      resolve: ({ tally }) => rounded(position(tally)),
    }),
  responses: () =>
    t.field({
      type: 'SafeInt',
      description: meaning.responses,
      resolve: ({ tally }) => tally.responses,
    }),
  named: () =>
    t.field({ type: 'SafeInt', description: meaning.named, resolve: ({ tally }) => tally.named }),
  mentions: () =>
    t.field({
      type: 'SafeInt',
      description: meaning.mentions,
      resolve: ({ tally }) => tally.mentions,
    }),
  metrics: () =>
    t.field({
      type: visibilityMetrics,
      view: 'graph',
      description: 'The ratios with their numerators, denominators and intervals.',
      resolve: ({ tally }) => tally,
    }),
})

/** The score of all answers in scope, beside a list of rows; null when there are none. */
export const overall = (t: RowFields<{ total: Tally }>) => ({
  score: (options: { view?: 'rest'; description: string }) =>
    t.float({ ...options, nullable: true, resolve: ({ total }) => flatScore(total) }),
  metrics: () =>
    t.field({
      type: visibilityMetrics,
      view: 'graph',
      description: 'The ratios of all answers in scope.',
      resolve: ({ total }) => total,
    }),
})

const platformMetrics = builder.objectRef<Tally>('VisibilityPlatformMetrics').implement({
  description: 'The ratios of a platform with their numerators and denominators.',
  fields: (t) => ({
    visibilityRate: t.field({ type: 'Metric', description: meaning.score, resolve: score }),
    averagePosition: t.field({ type: 'Metric', description: meaning.position, resolve: position }),
  }),
})

export const visibilityPlatform = builder.objectRef<PlatformRow>('VisibilityPlatform').implement({
  description: 'How visible the brand is in the answers of one AI platform.',
  fields: (t) => {
    const parts = rowParts(t)
    const count = (name: keyof Tally, description: string) =>
      t.field({ type: 'SafeInt', description, resolve: ({ tally }) => tally[name] })
    return {
      platform: t.exposeString('platform', { description: 'Its id, such as `chatgpt`.' }),
      displayName: t.exposeString('displayName', { description: 'Its name, such as `ChatGPT`.' }),
      visibilityRate: parts.score(),
      responses: parts.responses(),
      responsesWithBrand: parts.named(),
      mentions: parts.mentions(),
      citations: count('citations', 'Citations: one for each URL that an answer cites.'),
      brandCitations: count('ownCitations', "Citations of the brand's own domains."),
      sources: count('sources', 'Distinct cited domains.'),
      averagePosition: parts.position(),
      metrics: t.field({
        type: platformMetrics,
        view: 'graph',
        description: 'The ratios with their numerators, denominators and intervals.',
        resolve: ({ tally }) => tally,
      }),
    }
  },
})

/** Mentions per 100 answers: no share, since an answer may hold several. */
export const mentionsPerResponse = ({ mentions, responses }: Tally) => ({
  ...share(mentions, responses),
  subset: false,
})
