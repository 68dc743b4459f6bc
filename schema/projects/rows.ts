import type { ObjectRef } from '@pothos/core'
import type { InCell } from '../../resolvers/shared/samples/cell.ts'
import { adRow } from '../ads.ts'
import { promptRow as fanoutPrompt } from '../fanout.ts'
import { builder, type Types } from '../kit/builder.ts'
import { locationType } from '../locations/locations.ts'
import { promptLoaders, promptType } from '../prompts/prompt.ts'
import { competitorTones } from '../sentiment/sentiment.ts'
import { competitorShare } from '../share-of-voice.ts'
import { mention } from '../shopping.ts'
import { topicType } from '../topics/topics.ts'
import { locationRow, promptRow, topicRow } from '../visibility/breakdowns.ts'
import { visibilityPlatform } from '../visibility/counts.ts'
import { heatmapCell, heatmapTopic, rankedPrompt } from '../visibility/prompts.ts'
import { competitorOf, locationOf, platformOf, topicOf } from './members.ts'
import { platformType } from './platforms.ts'
import { competitorType } from './tracked-brands.ts'

/** Rows of reports lead to the objects that they are about. */

/** The project of a row that knows its answers. */
const projectIn = ({ cell }: InCell): string => {
  if (cell === undefined) throw new Error('The row does not know its answers.')
  return cell.projectId
}

function leadToPrompt<Row extends { readonly promptId: string }>(row: ObjectRef<Types, Row>): void {
  builder.objectField(row, 'prompt', (t) =>
    t.field({
      type: promptType,
      nullable: true,
      view: 'graph',
      description: 'The prompt; null when the prompt no longer exists.',
      resolve: ({ promptId }, _args, context) => promptLoaders(context).prompt.load(promptId),
    }),
  )
}

leadToPrompt(promptRow)
leadToPrompt(rankedPrompt)
leadToPrompt(fanoutPrompt)
leadToPrompt(adRow)
leadToPrompt(mention)

const topic = {
  type: topicType,
  nullable: true,
  view: 'graph',
  description: 'The topic; null when the topic no longer exists.',
} as const

builder.objectField(topicRow, 'topic', (t) =>
  t.field({
    ...topic,
    resolve: ({ counts, topicId }, _args, context) => topicOf(context, projectIn(counts), topicId),
  }),
)
builder.objectField(heatmapTopic, 'topic', (t) =>
  t.field({
    ...topic,
    resolve: ({ projectId, topicId }, _args, context) => topicOf(context, projectId, topicId),
  }),
)

builder.objectField(locationRow, 'location', (t) =>
  t.field({
    type: locationType,
    nullable: true,
    view: 'graph',
    description: 'The tracked location; null when the location no longer exists.',
    resolve: ({ counts, locationId }, _args, context) =>
      locationOf(context, projectIn(counts), locationId),
  }),
)

function leadToPlatform<Row extends { readonly platform: string; readonly counts: InCell }>(
  row: ObjectRef<Types, Row>,
): void {
  builder.objectField(row, 'aiPlatform', (t) =>
    t.field({
      type: platformType,
      nullable: true,
      view: 'graph',
      description: 'The AI platform; `platform` is its id.',
      resolve: ({ counts, platform }, _args, context) =>
        platformOf(context, projectIn(counts), platform),
    }),
  )
}

leadToPlatform(visibilityPlatform)
leadToPlatform(heatmapCell)

function leadToCompetitor<Row extends InCell & { readonly id: string }>(
  row: ObjectRef<Types, Row>,
): void {
  builder.objectField(row, 'competitor', (t) =>
    t.field({
      type: competitorType,
      nullable: true,
      view: 'graph',
      description: 'The competitor; null when the competitor is no longer tracked.',
      resolve: (share, _args, context) => competitorOf(context, projectIn(share), share.id),
    }),
  )
}

leadToCompetitor(competitorShare)
leadToCompetitor(competitorTones)
