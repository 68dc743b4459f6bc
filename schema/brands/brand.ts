import { rounded, share } from '../../core/metrics.ts'
import {
  averageRank,
  type BrandNumbers,
  type BrandReference,
  brandsOfMany,
  type ComparedBrandsArgs,
  mentionRate,
  shareOfVoice,
} from '../../resolvers/brands/brands.ts'
import { type BrandPoint, brandHistories } from '../../resolvers/brands/trend.ts'
import { batched } from '../../resolvers/shared/batch.ts'
import type { ProjectScope } from '../../resolvers/shared/scope.ts'
import { compareInGraph, filterArgs, windowArgs } from '../kit/args.ts'
import { readOfOwner, scopeOf } from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'
import { changesMeaning, changesType } from '../kit/change.ts'
import type { Context } from '../kit/context.ts'
import { answeredBuckets, bucketFields, intervalArgs } from '../kit/history.ts'
import { flatArgs, graphArgs, withInputNames } from '../kit/inputs.ts'
import { metricsField, metricsType } from '../kit/metric.ts'
import { raterArgs, sentimentSummary } from '../sentiment/tones.ts'

const meaning = {
  rate: 'Percent of answers in the window that name the brand.',
  share:
    'Percent: answers in the window that mention the brand, of the sum over tracked brands. Null without mentions.',
  position:
    'Mean rank of the brand in answers that mention it, by their lists and tables, else by first mention.',
}

const shareOfPoint = ({ named, responses }: BrandPoint) => share(named, responses)

const metrics = metricsType<BrandNumbers>(
  'BrandMetrics',
  'The ratios of one brand, each with its numerator and denominator.',
  {
    visibilityScore: { description: meaning.rate, measure: 'named', resolve: mentionRate },
    averagePosition: {
      description: meaning.position,
      measure: 'position',
      resolve: averageRank,
    },
    shareOfVoice: {
      description: meaning.share,
      measure: 'shareOfVoice',
      resolve: shareOfVoice,
    },
  },
)

const changes = changesType<BrandNumbers>(
  'BrandChanges',
  {
    visibilityScore: {
      description: 'Change of the visibility score in percentage points.',
      measure: 'named',
      resolve: mentionRate,
    },
    averagePosition: {
      description: 'Change of the mean rank; above 0 the brand is named later than before.',
      measure: 'position',
      resolve: averageRank,
    },
    shareOfVoice: {
      description: 'Change of the share of voice in percentage points.',
      measure: 'shareOfVoice',
      resolve: shareOfVoice,
    },
  },
  {
    mentionedIn: {
      what: 'the number of answers that mention the brand',
      resolve: ({ named }) => named,
    },
    mentionCount: {
      what: 'the number of mentions of the brand',
      resolve: ({ mentions }) => mentions,
    },
    citationCount: {
      what: 'the number of citations of the domains of the brand',
      resolve: ({ citations }) => citations,
    },
  },
)

const pointRate = 'Percent of answers from `from` to `to` that name the brand.'

const pointMetrics = metricsType<BrandPoint>(
  'BrandPointMetrics',
  'The ratios of one brand in one day, week or month.',
  {
    visibilityScore: { description: pointRate, measure: 'named', resolve: shareOfPoint },
    shareOfVoice: {
      description:
        'Percent: answers from `from` to `to` that mention the brand, of the sum over tracked brands. Null without mentions.',
      measure: 'shareOfVoice',
      resolve: ({ named, namedOfAll }) => share(named, namedOfAll),
    },
  },
)

const brandPoint = builder.objectRef<BrandPoint>('BrandPoint').implement({
  description: 'How often the answers of one day, or of one week or month, name a brand.',
  fields: (t) => ({
    ...bucketFields(t),
    visibilityScore: t.float({
      description: pointRate,
      resolve: (point) => rounded(shareOfPoint(point)) ?? 0,
    }),
    answerCount: t.expose('responses', {
      type: 'Int',
      description: 'Answers from `from` to `to`.',
    }),
    mentionedIn: t.expose('named', {
      type: 'Int',
      description: 'Answers from `from` to `to` that name the brand.',
    }),
    metrics: metricsField(t, pointMetrics, (point) => point),
  }),
})

export const brandVisibility = builder.objectRef<BrandNumbers>('BrandVisibility').implement({
  description: 'How often answers in a window name and cite one brand.',
  fields: (t) => ({
    visibilityScore: t.float({
      nullable: true,
      description: `${meaning.rate} Null without answers.`,
      resolve: (row) => rounded(mentionRate(row)),
    }),
    answerCount: t.expose('responses', {
      type: 'Int',
      description: 'Answers in the window.',
    }),
    mentionedIn: t.expose('named', {
      type: 'Int',
      description: 'Answers in the window that name the brand.',
    }),
    mentionCount: t.expose('mentions', {
      type: 'Int',
      description: 'Mentions of the brand in answers in the window; one answer may have several.',
    }),
    averagePosition: t.float({
      nullable: true,
      description: `${meaning.position} Null when no answer names the brand.`,
      resolve: (row) => rounded(averageRank(row)),
    }),
    citationCount: t.expose('citations', {
      type: 'Int',
      description: 'Citations of the domains of the brand in answers in the window.',
    }),
    trend: t.field({
      type: [brandPoint],
      description: answeredBuckets.description,
      args: intervalArgs,
      resolve: async ({ brand, scope, args: same }, { interval }) => {
        const asked = { ...same, interval: interval ?? 'day' }
        return (await batched('brandHistory', scope, asked, brandHistories))(brand.id)
      },
    }),
    changes: t.field({
      type: changes,
      nullable: true,
      description: `${changesMeaning} Null without \`compare\`.`,
      resolve: (row) => row.previous && { now: row, before: row.previous },
    }),
    metrics: metricsField(t, metrics, (row) => row),
  }),
})

/** Pothos cannot compute the shape of merged arguments. */
const noArgs = {}

const comparedArgs = { ...windowArgs, ...filterArgs, ...compareInGraph }
export const ratedArgs = { ...comparedArgs, ...raterArgs }

/** One statement answers all that ask for the same raters, those that show no sentiment among them. */
export const brandsBy = (scope: ProjectScope, given: ComparedBrandsArgs) =>
  batched('brands', scope, { ...given, method: given.method ?? null }, brandsOfMany)

/** The numbers of one brand in its whole project. All brands of all projects take one statement. */
async function numbersOf(
  brand: BrandReference,
  given: object,
  context: Context,
): Promise<BrandNumbers | null> {
  const scope = await scopeOf(context, brand.projectId)
  const all = await withInputNames(
    async () => brandsBy(scope, flatArgs(ratedArgs, given)),
    ratedArgs,
    given,
  )
  return all.find((row) => row.brand.id === brand.id) ?? null
}

/** The own brand of a project and its competitors alike. */
export const brandType = builder.interfaceRef<BrandReference>('Brand').implement({
  description: 'A tracked brand: the own brand of a project, or a competitor.',
  // Competitors come from the catalog with the time since when they are tracked.
  resolveType: (brand) => ('createdAt' in brand ? 'Competitor' : 'OwnBrand'),
  fields: (t) => ({
    id: t.exposeID('id', {
      description: 'UUID of the competitor, or of the project for its own brand.',
    }),
    name: t.exposeString('name', { description: 'Name of the brand.' }),
    domain: t.exposeString('domain', { description: 'Main registrable domain of the brand.' }),
    isOwn: t.boolean({
      view: 'graph',
      description: 'Whether the brand is the own brand of the project.',
      resolve: ({ id, projectId }) => id === projectId,
    }),
    visibility: t.field({
      type: brandVisibility,
      nullable: true,
      view: 'graph',
      access: readOfOwner,
      description:
        'How often answers name and cite the brand; null when the brand is no longer tracked.',
      args: graphArgs(comparedArgs) as typeof noArgs,
      resolve: numbersOf,
    }),
    sentiment: t.field({
      type: sentimentSummary,
      nullable: true,
      view: 'graph',
      access: readOfOwner,
      description: 'Sentiment of answers that mention the brand; null when no longer tracked.',
      args: graphArgs(ratedArgs) as typeof noArgs,
      resolve: numbersOf,
    }),
  }),
})

export const ownBrand = builder.objectRef<BrandReference>('OwnBrand').implement({
  description: 'The own brand of a project.',
  interfaces: [brandType],
})
