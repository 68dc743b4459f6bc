import type { ObjectRef } from '@pothos/core'
import { type GraphQLResolveInfo, Kind } from 'graphql'
import type { AnswerRow } from '../../resolvers/answers/whole.ts'
import type { InCell } from '../../resolvers/shared/samples/cell.ts'
import { adRow } from '../ads.ts'
import { answerRow } from '../answers/answers.ts'
import { answerLoader } from '../answers/loader.ts'
import { promptCost } from '../collecting/cost.ts'
import { correlated } from '../correlation.ts'
import { promptRow as fanoutPrompt } from '../fanout/fanout.ts'
import { investigationDriver, investigationEvidence } from '../investigate.ts'
import { scopeOf } from '../kit/authorize.ts'
import { builder, type Types } from '../kit/builder.ts'
import { methodPlatform } from '../kit/method/method.ts'
import { locationType } from '../locations/locations.ts'
import { platformEvidence } from '../opportunities/evidence.ts'
import { citingPlatform, referralDay } from '../pages/metrics.ts'
import { promptLoaders, promptOf, promptType } from '../prompts/prompt.ts'
import { mention, productDetail, productRow } from '../shopping.ts'
import { suggestion } from '../suggestions.ts'
import { topicType } from '../topics/topics.ts'
import { attributedSessions } from '../traffic/attribution.ts'
import { platformSessions, platformVisits, referralPoint } from '../traffic/traffic.ts'
import { locationRow, promptRow, topicRow } from '../visibility/breakdowns.ts'
import { visibilityPlatform } from '../visibility/counts.ts'
import { heatmap, heatmapCell, heatmapTopic, rankedPrompt } from '../visibility/prompts.ts'
import { aiReferral } from '../web-analytics.ts'
import { matchSample } from './brand-matches.ts'
import { competitorOf, locationOf, platformById, platformOf, topicOf } from './members.ts'
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
      view: 'graph',
      description: 'The prompt that the row is about.',
      resolve: ({ promptId }, _args, context) => promptOf(context, promptId),
    }),
  )
}

leadToPrompt(promptRow)
leadToPrompt(rankedPrompt)
leadToPrompt(fanoutPrompt)
leadToPrompt(adRow)
leadToPrompt(mention)
leadToPrompt(investigationEvidence)

builder.objectField(promptCost, 'prompt', (t) =>
  t.field({
    type: promptType,
    nullable: true,
    view: 'graph',
    description: 'The prompt that was asked; null when the prompt no longer exists.',
    resolve: ({ promptId }, _args, context) => promptLoaders(context).prompt.load(promptId),
  }),
)

/** Rows by topic and by location are of those that the project has. */
function present<Found>(found: Found | undefined): Found {
  if (found === undefined) throw new Error('A row is about what the project does not have.')
  return found
}

const topic = { type: topicType, view: 'graph' } as const

builder.objectField(topicRow, 'topic', (t) =>
  t.field({
    ...topic,
    description: 'The topic that the row is about.',
    resolve: async ({ counts, topicId }, _args, context) =>
      present(await topicOf(context, projectIn(counts), topicId)),
  }),
)
builder.objectField(promptRow, 'topic', (t) =>
  t.field({
    ...topic,
    nullable: true,
    description: 'The first topic of the prompt; null when the prompt has no topic.',
    resolve: ({ counts, topicId }, _args, context) => topicOf(context, projectIn(counts), topicId),
  }),
)
builder.objectField(heatmapTopic, 'topic', (t) =>
  t.field({
    ...topic,
    description: 'The topic that the row is about.',
    resolve: async ({ projectId, topicId }, _args, context) =>
      present(await topicOf(context, projectId, topicId)),
  }),
)

builder.objectField(locationRow, 'location', (t) =>
  t.field({
    type: locationType,
    view: 'graph',
    description: 'The tracked location.',
    resolve: async ({ counts, locationId }, _args, context) =>
      present(await locationOf(context, projectIn(counts), locationId)),
  }),
)

/** A row that names its project. */
interface OfProject {
  readonly projectId: string
}

/** A row with the id of an AI platform leads to the platform. */
function leadToPlatform<Row extends object>(
  row: ObjectRef<Types, Row>,
  idOf: (row: Row) => string,
  projectOfRow: (row: Row) => string,
): void {
  builder.objectField(row, 'platform', (t) =>
    t.field({
      type: platformType,
      view: 'graph',
      description: 'The AI platform.',
      resolve: (found, _args, context) => platformOf(context, projectOfRow(found), idOf(found)),
    }),
  )
}

/** A row that may have the id of an AI platform. */
function mayLeadToPlatform<Row extends OfProject>(
  row: ObjectRef<Types, Row>,
  idOf: (row: Row) => string | null | undefined,
  description: string,
): void {
  builder.objectField(row, 'platform', (t) =>
    t.field({
      type: platformType,
      nullable: true,
      view: 'graph',
      description,
      resolve: (found, _args, context) => {
        const id = idOf(found)
        return id == null ? null : platformOf(context, found.projectId, id)
      },
    }),
  )
}

const platformIn = ({ platform }: { readonly platform: string }) => platform

const ofCounts = ({ counts }: { readonly counts: InCell }) => projectIn(counts)
const own = ({ projectId }: OfProject) => projectId
leadToPlatform(visibilityPlatform, platformIn, ofCounts)
leadToPlatform(heatmapCell, platformIn, ofCounts)
leadToPlatform(adRow, platformIn, own)
leadToPlatform(mention, platformIn, own)
leadToPlatform(platformVisits, platformIn, own)
leadToPlatform(platformSessions, platformIn, own)
leadToPlatform(aiReferral, platformIn, own)
leadToPlatform(citingPlatform, platformIn, own)
leadToPlatform(referralDay, platformIn, own)
leadToPlatform(referralPoint, platformIn, own)
leadToPlatform(investigationEvidence, platformIn, own)
leadToPlatform(matchSample, platformIn, own)
leadToPlatform(methodPlatform, platformIn, own)
leadToPlatform(platformEvidence, ({ platform = '' }) => platform, own)
mayLeadToPlatform(
  attributedSessions,
  ({ platform }) => platform,
  'The AI platform that sent the sessions; null for rows by landing path alone.',
)
mayLeadToPlatform(
  correlated,
  ({ groupBy, key }) => (groupBy === 'platform' ? key : null),
  'The AI platform of the row. Null unless rows are grouped by platform.',
)

/** A row with the ids of several AI platforms leads to the platforms. */
function leadToPlatforms<Row extends { readonly platforms: readonly string[] }>(
  row: ObjectRef<Types, Row>,
  meaning: string,
  projectOfRow: (row: Row) => string,
): void {
  builder.objectField(row, 'platforms', (t) =>
    t.field({
      type: [platformType],
      view: 'graph',
      description: meaning,
      resolve: (found, _args, context) =>
        Promise.all(found.platforms.map((id) => platformOf(context, projectOfRow(found), id))),
    }),
  )
}

leadToPlatforms(
  heatmap.connection.ref,
  'AI platforms that have answers in the window, in alphabetical order.',
  ({ scope }) => scope.project.id,
)
leadToPlatforms(suggestion, 'AI platforms that searched for the text, most answers first.', own)
const showedProduct = 'AI platforms that showed the product, most answers first.'
leadToPlatforms(productRow, showedProduct, own)
leadToPlatforms(productDetail, showedProduct, own)

builder.objectField(suggestion, 'topic', (t) =>
  t.field({
    ...topic,
    nullable: true,
    description: 'The topic whose prompts led most answers to the sub-query; null without topics.',
    resolve: (found, _args, context) =>
      found.topic ? topicOf(context, found.projectId, found.topic.id) : null,
  }),
)

/** Fields of an answer that a row knows: none of its texts is read for them. */
const keyFields = ['__typename', 'id', 'nodeId']

const asksKeyAlone = ({ fieldNodes }: Pick<GraphQLResolveInfo, 'fieldNodes'>): boolean =>
  fieldNodes.every(({ selectionSet }) =>
    selectionSet?.selections.every(
      (each) => each.kind === Kind.FIELD && keyFields.includes(each.name.value),
    ),
  )

function leadToAnswer<Row extends OfProject & { readonly answerId: string }>(
  row: ObjectRef<Types, Row>,
): void {
  builder.objectField(row, 'answer', (t) =>
    t.field({
      type: answerRow,
      nullable: true,
      view: 'graph',
      description: 'The answer; null when a later import replaced the answer.',
      resolve: async (found, _args, context, info) => {
        const { projectId } = found
        if (asksKeyAlone(info)) return { id: found.answerId, projectId } as AnswerRow
        const scope = await scopeOf(context, projectId)
        return answerLoader(context).load({ scope, id: found.answerId })
      },
    }),
  )
}

leadToAnswer(investigationEvidence)
leadToAnswer(matchSample)

/** The object of a driver, where it is of the dimension. */
const ofDriver = (dimension: string) => ({
  nullable: true as const,
  view: 'graph' as const,
  description: `The ${dimension} of \`key\`. Null of drivers of other dimensions, and of \`none\` and \`other\`.`,
})
const keyIn = (dimension: string, { dimension: own, key }: { dimension: string; key: string }) =>
  own === dimension && key !== 'none' && key !== 'other' ? key : null

builder.objectFields(investigationDriver, (t) => ({
  platform: t.field({
    ...ofDriver('platform'),
    type: platformType,
    resolve: (it, _args, context) => platformById(context, it.projectId, keyIn('platform', it)),
  }),
  topic: t.field({
    ...ofDriver('topic'),
    type: topicType,
    resolve: (it, _args, context) => topicOf(context, it.projectId, keyIn('topic', it)),
  }),
  prompt: t.field({
    ...ofDriver('prompt'),
    type: promptType,
    resolve: (it, _args, context) => {
      const id = keyIn('prompt', it)
      return id === null ? null : promptLoaders(context).prompt.load(id)
    },
  }),
  location: t.field({
    ...ofDriver('location'),
    type: locationType,
    resolve: (it, _args, context) => locationOf(context, it.projectId, keyIn('location', it)),
  }),
  competitor: t.field({
    ...ofDriver('competitor'),
    type: competitorType,
    resolve: (it, _args, context) => competitorOf(context, it.projectId, keyIn('competitor', it)),
  }),
}))
