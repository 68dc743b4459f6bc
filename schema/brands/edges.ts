import { difference } from '../../core/metrics.ts'
import {
  type BrandNumbers,
  type BrandRanking,
  leaderOf,
  mentionRate,
  ownBrandOf,
  rankingOf,
} from '../../resolvers/brands/brands.ts'
import type { ProjectScope } from '../../resolvers/shared/scope.ts'
import { answerMention } from '../answers/answers.ts'
import { answerPlace } from '../answers/places.ts'
import { filterArgs, wholeSize, windowArgs } from '../kit/args.ts'
import { readOfProject } from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'
import { type Context, loaders } from '../kit/context.ts'
import { flatArgs, graphArgs, withInputNames } from '../kit/inputs.ts'
import { connectionOf } from '../kit/lists/connection.ts'
import { connectionField } from '../kit/lists/field.ts'
import { sliceField, sliceList } from '../kit/slice-fields.ts'
import { sliceParents } from '../kit/slice-parents.ts'
import { nameMatches } from '../projects/brand-matches.ts'
import { previewedBrand } from '../projects/preview.ts'
import { sentimentSummary } from '../sentiment/tones.ts'
import { brandShare } from '../share-of-voice.ts'
import { topicList } from '../topics/topics.ts'
import { rankedBrand } from '../visibility/visibility.ts'
import { brandsBy, brandType, brandVisibility, ownBrand, ratedArgs } from './brand.ts'
import { brandOf } from './by-id.ts'

const standing = builder.objectRef<BrandNumbers>('BrandStanding').implement({
  description: 'How answers name and cite one brand.',
  fields: (t) => ({
    brand: t.field({
      type: brandType,
      nullable: true,
      description: 'The brand; null when the brand is no longer tracked.',
      resolve: ({ brand }, _args, context) => brandOf(context, brand.projectId, brand.id),
    }),
    rank: t.expose('rank', {
      type: 'Int',
      nullable: true,
      description:
        'Place of the brand among all tracked brands by the number of answers that name each, from 1. Brands with as many answers share a place. Null when answers name no tracked brand.',
    }),
    visibility: t.field({
      type: brandVisibility,
      description: 'How often the answers name and cite the brand.',
      resolve: (row) => row,
    }),
    sentiment: t.field({
      type: sentimentSummary,
      description: 'Sentiment of the answers about the brand.',
      resolve: (row) => row,
    }),
  }),
})

const brandOfRow = (row: BrandNumbers | null, context: Context) =>
  row && brandOf(context, row.brand.projectId, row.brand.id)

const ranking = builder.objectRef<BrandRanking>('BrandRanking').implement({
  description:
    'Which tracked brand leads in some answers, and where the own brand is. `brands` has the numbers of each.',
  fields: (t) => ({
    leader: t.field({
      type: brandType,
      nullable: true,
      description:
        'The brand that most answers name; of several, the one with more mentions, then by name. Null when answers name no tracked brand.',
      resolve: ({ leader }, _args, context) => brandOfRow(leader, context),
    }),
    runnerUp: t.field({
      type: brandType,
      nullable: true,
      description: 'The second brand; null when answers name fewer than two tracked brands.',
      resolve: ({ runnerUp }, _args, context) => brandOfRow(runnerUp, context),
    }),
    isTied: t.exposeBoolean('isTied', {
      description: 'Whether as many answers name the second brand as the first.',
    }),
    ownRank: t.int({
      nullable: true,
      description:
        'Place of the own brand among all tracked brands by the number of answers that name each, from 1. Brands with as many answers share a place. Null when answers name no tracked brand.',
      resolve: ({ own }) => own.rank,
    }),
    brandCount: t.expose('brandCount', {
      type: 'Int',
      description: 'Number of tracked brands, the own brand among them.',
    }),
    gap: t.float({
      nullable: true,
      description:
        'Visibility of the own brand minus that of the competitor with the most, in percentage points. Null without answers or competitors.',
      resolve: ({ own, rival }) => rival && difference(mentionRate(own), mentionRate(rival)),
    }),
  }),
})

const mostNamedFirst = 'the brand that most answers name first'

const brands = connectionOf(standing, {
  description: 'Tracked brands, most named first.',
  isWhole: true,
})

sliceList(Object.values(sliceParents), 'brands', {
  type: brands,
  size: wholeSize,
  description: (answers) => `Tracked brands named in ${answers}, ${mostNamedFirst}.`,
  args: ratedArgs,
  resolve: async (scope, given) => {
    const all = await brandsBy(scope, given)
    return { rows: all.filter(({ named }) => named > 0) }
  },
})

/** Pothos cannot compute the shape of merged arguments. */
const noArgs = {}

const { brand: _brand, ...ranked } = sliceParents

sliceField(Object.values(ranked), 'ranking', {
  type: ranking,
  description: (answers) =>
    `Which tracked brand leads in ${answers}, which comes second, and where the own brand is.`,
  args: ratedArgs,
  resolve: async (scope, given) => rankingOf(await brandsBy(scope, given)),
})

builder.objectFields('Project', (t) => ({
  ranking: t.field({
    type: ranking,
    nullable: true,
    view: 'graph',
    access: readOfProject,
    description:
      'Which tracked brand leads in the answers of the project, which comes second, and where the own brand is: #2 of 5.',
    args: graphArgs(ratedArgs) as typeof noArgs,
    resolve: (scope: ProjectScope, given: object) =>
      withInputNames(
        async () => rankingOf(await brandsBy(scope, flatArgs(ratedArgs, given))),
        ratedArgs,
        given,
      ),
  }),
  ownBrand: t.field({
    type: ownBrand,
    view: 'graph',
    access: readOfProject,
    description: 'The own brand of the project.',
    resolve: ({ project }) => ownBrandOf(project),
  }),
  brands: t.field(
    connectionField({
      type: brands,
      size: wholeSize,
      access: readOfProject,
      description: `Tracked brands, the own brand and competitors alike, ${mostNamedFirst}.`,
      args: ratedArgs,
      scope: (scope: ProjectScope) => scope,
      resolve: async (_project: ProjectScope, given, _context, scope) => ({
        rows: await brandsBy(scope, given),
      }),
    }),
  ),
}))

/** A row that names a brand as long as the brand is tracked. */
const ofTracked = { type: brandType, view: 'graph' } as const

async function trackedBrand(context: Context, projectId: string, brandId: string) {
  const found = await brandOf(context, projectId, brandId)
  if (found === null) throw new Error('A row names a brand that the project does not track.')
  return found
}

builder.objectField(answerMention, 'brand', (t) =>
  t.field({
    ...ofTracked,
    description: 'The brand that the answer names.',
    resolve: ({ projectId, brandId }, _args, context) => trackedBrand(context, projectId, brandId),
  }),
)

builder.objectField(answerPlace, 'brand', (t) =>
  t.field({
    ...ofTracked,
    description: 'The brand that the text names.',
    resolve: (found, _args, context) => trackedBrand(context, found.projectId, found.brandId),
  }),
)

builder.objectField(rankedBrand, 'brand', (t) =>
  t.field({
    ...ofTracked,
    description: 'The ranked brand.',
    resolve: ({ id, cell }, _args, context) => trackedBrand(context, cell.projectId, id),
  }),
)

builder.objectField(brandShare, 'brand', (t) =>
  t.field({
    ...ofTracked,
    description: 'The brand that the row is about.',
    resolve: ({ id, cell }, _args, context) => trackedBrand(context, cell.projectId, id),
  }),
)

builder.objectField(nameMatches, 'brand', (t) =>
  t.field({
    ...ofTracked,
    description: 'The brand of the name.',
    resolve: (found, _args, context) => trackedBrand(context, found.projectId, found.brandId),
  }),
)

builder.objectField(previewedBrand, 'brand', (t) =>
  t.field({
    ...ofTracked,
    nullable: true,
    description: 'The tracked brand; null for a competitor that is only tried.',
    resolve: (found, _args, context) => brandOf(context, found.projectId, found.brandId),
  }),
)

sliceList([sliceParents.brand], 'leadingTopics', {
  type: topicList,
  size: wholeSize,
  description: () => 'Topics where more answers mention the brand than any other, by name.',
  args: { ...windowArgs, ...filterArgs },
  resolve: async ({ slice, ...scope }, given, context) => {
    const topics = await loaders(context).topics.load(scope.project.id)
    const leaders = await Promise.all(
      topics.map(async ({ id }) => {
        const ofTopic = { ...scope, slice: { by: 'topic', id } } as const
        return leaderOf(await brandsBy(ofTopic, given))
      }),
    )
    return { rows: topics.filter((_topic, i) => leaders[i] === slice?.id) }
  },
})
