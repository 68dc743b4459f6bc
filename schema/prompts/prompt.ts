import DataLoader from 'dataloader'
import { intentCategories, mostCharacters } from '../../core/prompt-input.ts'
import {
  type Attached,
  loadAttached,
  loadPrompts,
  loadRevisions,
  type PromptRevision,
  type PromptRow,
} from '../../resolvers/prompts/prompts.ts'
import { builder } from '../kit/builder.ts'
import { type Context, oncePerRequest } from '../kit/context.ts'
import type { FieldsOf } from '../kit/report-fields.ts'
import { locationType } from '../locations/locations.ts'

/** By prompt id. Without a cache: one request may change a prompt and read it, several times over. */
export const promptLoaders = oncePerRequest(({ services: { db } }) => ({
  prompt: new DataLoader((ids: readonly string[]) => loadPrompts(db, ids), { cache: false }),
  attached: new DataLoader((ids: readonly string[]) => loadAttached(db, ids), { cache: false }),
  revisions: new DataLoader((ids: readonly string[]) => loadRevisions(db, ids), { cache: false }),
}))

const attachedOf = new WeakMap<PromptRow, Promise<Attached>>()

/** Topics, locations and first wording of a prompt, read once for all fields of one row. */
function attached(context: Context, row: PromptRow): Promise<Attached> {
  const known = attachedOf.get(row)
  if (known) return known
  const loading = promptLoaders(context).attached.load(row.id)
  attachedOf.set(row, loading)
  return loading
}

/** What the text of a prompt may hold. */
export const textRule = `1 to ${mostCharacters} Unicode characters after trimming.`

const intentMeanings = {
  informational: 'To learn something.',
  commercial: 'To compare what could be bought.',
  transactional: 'To buy or to do something.',
  navigational: 'To get to a certain site.',
}

export const intentCategory = builder.enumType('IntentCategory', {
  description: 'What the person who asks a prompt is after.',
  values: Object.fromEntries(
    intentCategories.map((name) => [name, { description: intentMeanings[name] }]),
  ) as Record<keyof typeof intentMeanings, { description: string }>,
})

const revisionChange = builder.enumType('PromptRevisionChange', {
  description: 'What a write did to a prompt.',
  values: {
    created: { description: 'Made it.' },
    edited: { description: 'Changed its wording, intent, branded flag or keyword metrics.' },
    restored: { description: 'Gave it an earlier wording back.' },
    archived: { description: 'Ended its tracking.' },
    unarchived: { description: 'Tracked it again.' },
  },
})

export const promptRevision = builder.objectRef<PromptRevision>('PromptRevision').implement({
  description: 'A prompt as one write left it.',
  fields: (t) => ({
    revision: t.expose('revision', { type: 'SafeInt', description: 'Its number, from 1.' }),
    text: t.exposeString('text', { description: 'The wording then.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was written.' }),
    change: t.expose('change', { type: revisionChange, description: 'What the write did.' }),
  }),
})

const promptTopic = builder.objectRef<Attached['topics'][number]>('PromptTopic').implement({
  description: 'A topic that a prompt is sorted under.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'UUID.' }),
    name: t.exposeString('name', { description: 'Its name.' }),
  }),
})

type Fields = FieldsOf<PromptRow>

/** What the record of a prompt and its place in a list have in common. */
const commonFields = (t: Fields) => ({
  id: () => t.exposeID('id', { description: 'UUID.' }),
  projectId: () => t.exposeID('projectId', { description: 'The project that it belongs to.' }),
  text: () => t.exposeString('text', { description: 'What the assistants are asked.' }),
  intentCategory: () =>
    t.expose('intentCategory', {
      type: intentCategory,
      nullable: true,
      description: 'What the person who asks is after; null while it is not classified.',
    }),
  promptType: () =>
    t.exposeString('promptType', { nullable: true, description: 'Its kind; null when unknown.' }),
  isBranded: () =>
    t.exposeBoolean('isBranded', { description: "Whether it names the project's own brand." }),
  isTracked: () =>
    t.exposeBoolean('isTracked', {
      description: 'Whether assistants are asked it. False: it is archived.',
    }),
  keywordSearchVolume: () =>
    t.expose('keywordSearchVolume', {
      type: 'SafeInt',
      nullable: true,
      description: 'Searches a month for its keyword; null when unknown.',
    }),
  keywordDifficulty: () =>
    t.expose('keywordDifficulty', {
      type: 'SafeInt',
      nullable: true,
      description: 'How hard it is to rank for its keyword, 0 to 100; null when unknown.',
    }),
  currentRevision: () =>
    t.expose('currentRevision', {
      type: 'SafeInt',
      description:
        'How often it was written, from 1. Pass it as `expectedRevision`, or `If-Match`, of the next write.',
    }),
  createdAt: () => t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
  updatedAt: () =>
    t.expose('updatedAt', { type: 'DateTime', description: 'When it was last written.' }),
})

/** What REST answers to a write, and about one prompt. */
export const promptRecord = builder.objectRef<PromptRow>('PromptRecord').implement({
  description: 'A prompt, without what hangs on it.',
  fields: (t) => {
    const common = commonFields(t)
    return {
      id: common.id(),
      projectId: common.projectId(),
      text: common.text(),
      intentCategory: common.intentCategory(),
      promptType: common.promptType(),
      isBranded: common.isBranded(),
      isTracked: common.isTracked(),
      keywordSearchVolume: common.keywordSearchVolume(),
      keywordDifficulty: common.keywordDifficulty(),
      currentRevision: common.currentRevision(),
      createdAt: common.createdAt(),
      updatedAt: common.updatedAt(),
    }
  },
})

/** Fields that need what is attached to a prompt. */
const attachedFields = (t: Fields) => ({
  topics: () =>
    t.field({
      type: [promptTopic],
      description: 'The topics that it is sorted under, in its order.',
      resolve: async (row, _args, context) => [...(await attached(context, row)).topics],
    }),
  topicId: () =>
    t.id({
      nullable: true,
      description: 'Its first topic; null without any.',
      resolve: async (row, _args, context) => (await attached(context, row)).topics[0]?.id,
    }),
  topicName: () =>
    t.string({
      nullable: true,
      description: 'The name of its first topic; null without any.',
      resolve: async (row, _args, context) => (await attached(context, row)).topics[0]?.name,
    }),
  locations: () =>
    t.field({
      type: [locationType],
      description: 'The places that it is asked at, by country and city.',
      resolve: async (row, _args, context) => [...(await attached(context, row)).locations],
    }),
  usesFallbackLocation: () =>
    t.boolean({
      description: 'Whether it has no location of its own.',
      resolve: async (row, _args, context) => (await attached(context, row)).locations.length === 0,
    }),
  fallbackLocation: () =>
    t.field({
      type: locationType,
      nullable: true,
      view: 'rest',
      description: 'Always null; kept for old clients.',
      resolve: () => null,
    }),
  isCustomized: () =>
    t.boolean({
      description: 'Whether its wording differs from the one that it began with.',
      resolve: async (row, _args, context) => {
        const { firstText } = await attached(context, row)
        return firstText !== null && firstText !== row.text
      },
    }),
  revisions: () =>
    t.field({
      type: [promptRevision],
      view: 'graph',
      description: 'What was done to it, newest first.',
      resolve: ({ id }, _args, context) => promptLoaders(context).revisions.load(id),
    }),
})

/** A prompt in GraphQL, and in the lists of REST. The order is that of the columns of the CSV export. */
export const promptType = builder.objectRef<PromptRow>('Prompt').implement({
  description: 'A question that AI assistants are asked.',
  fields: (t) => {
    const common = commonFields(t)
    const attachments = attachedFields(t)
    return {
      id: common.id(),
      text: common.text(),
      topics: attachments.topics(),
      lastUpdated: t.expose('textChangedAt', {
        type: 'DateTime',
        description: 'When its wording last changed.',
      }),
      locations: attachments.locations(),
      usesFallbackLocation: attachments.usesFallbackLocation(),
      currentRevision: common.currentRevision(),
      topicId: attachments.topicId(),
      topicName: attachments.topicName(),
      createdAt: common.createdAt(),
      isFromOnboarding: t.exposeBoolean('isFromOnboarding', {
        description: 'Whether it was made when the project was set up.',
      }),
      isCustomized: attachments.isCustomized(),
      isTracked: common.isTracked(),
      fallbackLocation: attachments.fallbackLocation(),
      projectId: common.projectId(),
      intentCategory: common.intentCategory(),
      promptType: common.promptType(),
      isBranded: common.isBranded(),
      keywordSearchVolume: common.keywordSearchVolume(),
      keywordDifficulty: common.keywordDifficulty(),
      updatedAt: common.updatedAt(),
      isImported: t.exposeBoolean('isImported', {
        view: 'graph',
        description:
          'Whether it came with imported answers. Such a prompt does not count toward the allowance.',
      }),
      revisions: attachments.revisions(),
    }
  },
})
