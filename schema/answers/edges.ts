import { answerCitation, answerRow } from '../answers.ts'
import { builder } from '../kit/builder.ts'
import { loaders } from '../kit/context.ts'
import { locationType } from '../locations/locations.ts'
import { pageLoaders } from '../pages/loaders.ts'
import { pageType } from '../pages/pages.ts'
import { platformType } from '../projects/platforms.ts'

builder.objectFields(answerRow, (t) => ({
  aiPlatform: t.field({
    type: platformType,
    nullable: true,
    view: 'graph',
    description: 'The AI platform that answered; `platform` is its id.',
    resolve: async ({ projectId, platform }, _args, context) => {
      const platforms = await loaders(context).platforms.load(projectId)
      return platforms.find(({ id }) => id === platform)
    },
  }),
  location: t.field({
    type: locationType,
    nullable: true,
    view: 'graph',
    description:
      'The tracked location where the answer was collected; null when not at a tracked location.',
    resolve: async ({ projectId, locationId }, _args, context) => {
      const locations = await loaders(context).locations.load(projectId)
      return locations.find(({ id }) => id === locationId)
    },
  }),
}))

builder.objectField(answerCitation, 'page', (t) =>
  t.field({
    type: pageType,
    nullable: true,
    view: 'graph',
    description: 'The page of the own site at the cited URL; null for other sites.',
    resolve: ({ projectId, url }, _args, context) =>
      pageLoaders(context).byUrl.load({ projectId, url }),
  }),
)
