import { type BrandNumbers, leaderOf, ownBrandOf } from '../../resolvers/brands/brands.ts'
import type { ProjectScope } from '../../resolvers/shared/scope.ts'
import { answerMention } from '../answers/answers.ts'
import { answerPlace } from '../answers/places.ts'
import { filterArgs, wholeSize, windowArgs } from '../kit/args.ts'
import { readOfProject } from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'
import { type Context, loaders } from '../kit/context.ts'
import { edgeList, sliceParents } from '../kit/edge.ts'
import { connectionOf } from '../kit/lists/connection.ts'
import { connectionField } from '../kit/lists/field.ts'
import { projectOf } from '../kit/lists/owner.ts'
import { nameMatches } from '../projects/brand-matches.ts'
import { previewedBrand } from '../projects/preview.ts'
import { sentimentSummary } from '../sentiment/tones.ts'
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

const mostNamedFirst = 'the brand that most answers name first'

const brands = connectionOf(standing, {
  description: 'Tracked brands, most named first.',
  isWhole: true,
})

edgeList(Object.values(sliceParents), 'brands', {
  type: brands,
  size: wholeSize,
  description: (answers) => `Tracked brands named in ${answers}, ${mostNamedFirst}.`,
  args: ratedArgs,
  resolve: async (scope, given, context) => {
    const all = await brandsBy(context, scope, given)
    return { rows: all.filter(({ named }) => named > 0) }
  },
})

builder.objectFields('Project', (t) => ({
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
      resolve: async (_project: ProjectScope, given, context, scope) => ({
        rows: await brandsBy(context, scope, given),
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
    resolve: (found, _args, context) => trackedBrand(context, projectOf(found), found.brandId),
  }),
)

builder.objectField(rankedBrand, 'brand', (t) =>
  t.field({
    ...ofTracked,
    description: 'The ranked brand.',
    resolve: ({ id, cell }, _args, context) => trackedBrand(context, cell.projectId, id),
  }),
)

builder.objectField(nameMatches, 'brand', (t) =>
  t.field({
    ...ofTracked,
    description: 'The brand of the name.',
    resolve: (found, _args, context) => trackedBrand(context, projectOf(found), found.brandId),
  }),
)

builder.objectField(previewedBrand, 'brand', (t) =>
  t.field({
    ...ofTracked,
    nullable: true,
    description: 'The tracked brand; null for a competitor that is only tried.',
    resolve: (found, _args, context) => brandOf(context, projectOf(found), found.brandId),
  }),
)

edgeList([sliceParents.brand], 'leadingTopics', {
  type: topicList,
  size: wholeSize,
  description: () =>
    'Topics where more answers name the brand than any other tracked brand, sorted by name.',
  args: { ...windowArgs, ...filterArgs },
  resolve: async ({ slice, ...scope }, given, context) => {
    const topics = await loaders(context).topics.load(scope.project.id)
    const leaders = await Promise.all(
      topics.map(async ({ id }) => {
        const ofTopic = { ...scope, slice: { by: 'topic', id } } as const
        return leaderOf(await brandsBy(context, ofTopic, given))
      }),
    )
    return { rows: topics.filter((_topic, i) => leaders[i] === slice?.id) }
  },
})
