import { readOfProject } from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'
import { loaders } from '../kit/context.ts'
import { locationType } from '../locations/locations.ts'
import { topicType } from '../topics/topics.ts'
import { platformType } from './platforms.ts'
import { brandLoaders, trackedCompetitor } from './tracked-brands.ts'

/** One object of a project by its id, out of the list that the project has of its kind. */
const shared = { nullable: true, view: 'graph', access: readOfProject } as const

const withId = (wanted: string | number) => (row: { readonly id: string }) =>
  row.id === String(wanted).toLowerCase()

builder.objectFields('Project', (t) => ({
  topic: t.field({
    type: topicType,
    ...shared,
    description: 'One topic; null when the project has no such topic.',
    args: { topicId: t.arg.id({ required: true, description: 'Id of the topic.' }) },
    resolve: async ({ project }, { topicId }, context) =>
      (await loaders(context).topics.load(project.id)).find(withId(topicId)),
  }),
  platform: t.field({
    type: platformType,
    ...shared,
    description: 'One AI platform; null when no answer of the project is of such a platform.',
    args: {
      platformId: t.arg.id({
        required: true,
        description: 'Id of the AI platform, such as `chatgpt`.',
      }),
    },
    resolve: async ({ project }, { platformId }, context) =>
      (await loaders(context).platforms.load(project.id)).find(withId(platformId)),
  }),
  location: t.field({
    type: locationType,
    ...shared,
    description: 'One tracked location; null when the project has no such location.',
    args: { locationId: t.arg.id({ required: true, description: 'Id of the location.' }) },
    resolve: async ({ project }, { locationId }, context) =>
      (await loaders(context).locations.load(project.id)).find(withId(locationId)),
  }),
  trackedCompetitor: t.field({
    type: trackedCompetitor,
    ...shared,
    description: 'One tracked competitor; null when the project has no such competitor.',
    args: { competitorId: t.arg.id({ required: true, description: 'Id of the competitor.' }) },
    resolve: async ({ project }, { competitorId }, context) =>
      (await brandLoaders(context).competitors.load(project.id)).find(withId(competitorId)),
  }),
}))
