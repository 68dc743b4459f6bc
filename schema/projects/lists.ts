import { platformRank } from '../../resolvers/projects/projects.ts'
import type { ProjectScope } from '../../resolvers/shared/scope.ts'
import { inGraph, wholeSize } from '../kit/args.ts'
import { readOfProject } from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'
import { loaders } from '../kit/context.ts'
import { filterInput } from '../kit/inputs.ts'
import { connectionOf } from '../kit/lists/connection.ts'
import { connectionField } from '../kit/lists/field.ts'
import { locationType } from '../locations/locations.ts'
import { topicList } from '../topics/topics.ts'
import { platformType } from './platforms.ts'

/** What the catalog has of a project, as lists of the graph. One statement reads a list of all projects. */

const locations = connectionOf(locationType, {
  description: 'Tracked locations, sorted by country and city.',
  // Countries as a whole follow their cities, as NULL does in PostgreSQL.
  sortKey: ({ countryCode, city, id }) => [countryCode, city === null ? 1 : 0, city ?? '', id],
  isWhole: true,
})

const platforms = connectionOf(platformType, {
  description: 'AI platforms: known platforms, then other platforms that answers came from.',
  sortKey: ({ id }) => [platformRank(id), id],
  isWhole: true,
})

const ofAnswered =
  'True keeps only AI platforms that answers of the project came from, false only the others.'
const withAnswers = inGraph(
  builder.args((t) => ({ hasAnswers: t.boolean({ description: ofAnswered }) })),
  { filter: 'hasAnswers' },
)
filterInput('PlatformListFilter', {
  rows: 'AI platforms',
  own: { hasAnswers: (t) => t.boolean({ description: ofAnswered }) },
})

const shared = {
  size: wholeSize,
  access: readOfProject,
  scope: (scope: ProjectScope) => scope,
  idOf: ({ project }: ProjectScope) => project.id,
}

builder.objectFields('Project', (t) => ({
  topics: t.field(
    connectionField({
      ...shared,
      type: topicList,
      description: 'Topics that group the prompts of the project, sorted by name.',
      resolve: async ({ project }: ProjectScope, _args, context) => ({
        rows: await loaders(context).topics.load(project.id),
      }),
    }),
  ),
  locations: t.field(
    connectionField({
      ...shared,
      type: locations,
      description: 'Tracked locations where answers are collected, sorted by country and city.',
      resolve: async ({ project }: ProjectScope, _args, context) => ({
        rows: await loaders(context).locations.load(project.id),
      }),
    }),
  ),
  platforms: t.field(
    connectionField({
      ...shared,
      type: platforms,
      description:
        "AI platforms, with the models seen in the project's answers; known platforms first.",
      args: withAnswers,
      resolve: async ({ project }: ProjectScope, { hasAnswers = null }, context) => {
        const all = await loaders(context).platforms.load(project.id)
        return { rows: all.filter((it) => hasAnswers === null || it.hasAnswers === hasAnswers) }
      },
    }),
  ),
}))
