import { readOfProject } from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'
import { locationType } from '../locations/locations.ts'
import { topicType } from '../topics/topics.ts'
import { competitorOf, locationOf, platformById, topicOf } from './members.ts'
import { platformType } from './platforms.ts'
import { competitorType } from './tracked-brands.ts'

/** One object of a project by its id, out of the list that the project has of its kind. */
const shared = { nullable: true, view: 'graph', access: readOfProject } as const

const inLowerCase = (id: string | number) => String(id).toLowerCase()

builder.objectFields('Project', (t) => ({
  topic: t.field({
    type: topicType,
    ...shared,
    description: 'One topic; null when the project has no such topic.',
    args: { id: t.arg.id({ required: true, description: 'Id of the topic.' }) },
    resolve: ({ project }, { id }, context) => topicOf(context, project.id, inLowerCase(id)),
  }),
  platform: t.field({
    type: platformType,
    ...shared,
    description: 'One AI platform; null when no answer of the project is of such a platform.',
    args: {
      slug: t.arg.string({
        required: true,
        description: 'Slug of the AI platform, such as `chatgpt`.',
      }),
    },
    resolve: ({ project }, { slug }, context) =>
      platformById(context, project.id, inLowerCase(slug)),
  }),
  location: t.field({
    type: locationType,
    ...shared,
    description: 'One tracked location; null when the project has no such location.',
    args: { id: t.arg.id({ required: true, description: 'Id of the location.' }) },
    resolve: ({ project }, { id }, context) => locationOf(context, project.id, inLowerCase(id)),
  }),
  competitor: t.field({
    type: competitorType,
    ...shared,
    description: 'One competitor; null when the project has no such competitor.',
    args: { id: t.arg.id({ required: true, description: 'Id of the competitor.' }) },
    resolve: ({ project }, { id }, context) => competitorOf(context, project.id, inLowerCase(id)),
  }),
}))
