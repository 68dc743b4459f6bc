import { mostCharacters } from '../../core/prompt-input.ts'
import {
  type Attached,
  loadAttached,
  loadPrompts,
  loadRevisions,
  type PromptRevision,
  type PromptRow,
} from '../../resolvers/prompts/prompts.ts'
import { loadTopics } from '../../resolvers/topics/topics.ts'
import { freshLoader } from '../kit/batch.ts'
import { builder } from '../kit/builder.ts'
import { type Context, oncePerRequest } from '../kit/context.ts'
import { intentCategory } from '../kit/intent.ts'
import type { FieldsOf } from '../kit/report-fields.ts'
import { locationType } from '../locations/locations.ts'
import { topicType } from '../topics/topics.ts'

/** By prompt id. Without a cache: one request may change a prompt and read it, several times over. */
export const promptLoaders = oncePerRequest(({ services: { db } }) => ({
  prompt: freshLoader((ids) => loadPrompts(db, ids)),
  attached: freshLoader((ids) => loadAttached(db, ids)),
  revisions: freshLoader((ids) => loadRevisions(db, ids)),
  /** By project. */
  topics: freshLoader((ids) => loadTopics(db, ids)),
}))

const attachedOf = new WeakMap<PromptRow, Promise<Attached>>()

/** The prompt that a row is about. The service deletes no prompt but with its project. */
export async function promptOf(context: Context, id: string) {
  const found = await promptLoaders(context).prompt.load(id)
  if (found === null) throw new Error('A row is about a prompt that the catalog does not have.')
  return found
}

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

const revisionChange = builder.enumType('PromptRevisionChange', {
  description: 'The change that one write made to a prompt.',
  values: {
    created: { description: 'The prompt was added.' },
    edited: { description: 'The wording, intent, branded flag or keyword metrics changed.' },
    restored: { description: 'An earlier wording was restored.' },
    archived: { description: 'Tracking of the prompt ended.' },
    unarchived: { description: 'Tracking of the prompt started again.' },
  },
})

export const promptRevision = builder.objectRef<PromptRevision>('PromptRevision').implement({
  description: 'A prompt after one write.',
  fields: (t) => ({
    revision: t.expose('revision', {
      type: 'Int',
      description: 'Number of the revision, from 1.',
    }),
    text: t.exposeString('text', { description: 'Wording of the prompt after the write.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time of the write.' }),
    change: t.expose('change', {
      type: revisionChange,
      description: 'Change that the write made.',
    }),
  }),
})

const promptTopic = builder.objectRef<Attached['topics'][number]>('PromptTopic').implement({
  description: 'A topic that groups a prompt.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'UUID of the topic.' }),
    name: t.exposeString('name', { description: 'Name of the topic.' }),
  }),
})

type Fields = FieldsOf<PromptRow>

/** What the record of a prompt and its place in a list have in common. */
const commonFields = (t: Fields) => ({
  id: () => t.exposeID('id', { description: 'UUID of the prompt.' }),
  projectId: () =>
    t.exposeID('projectId', { description: 'UUID of the project that the prompt belongs to.' }),
  text: () => t.exposeString('text', { description: 'Text that the assistants are asked.' }),
  intentCategory: () =>
    t.expose('intentCategory', {
      type: intentCategory,
      nullable: true,
      description: 'Intent of the person who asks; null until the prompt is classified.',
    }),
  promptType: () =>
    t.exposeString('promptType', {
      nullable: true,
      // Nothing sets it: REST has it by its contract.
      view: 'rest',
      description: 'Kind of prompt; null when unknown.',
    }),
  isBranded: () =>
    t.exposeBoolean('isBranded', { description: 'Whether the prompt names the own brand.' }),
  isTracked: () =>
    t.exposeBoolean('isTracked', {
      description: 'Whether the prompt is tracked; false when the prompt is archived.',
    }),
  keywordSearchVolume: () =>
    t.expose('keywordSearchVolume', {
      type: 'Int',
      nullable: true,
      description: 'Searches per month for the keyword of the prompt; null when unknown.',
    }),
  keywordDifficulty: () =>
    t.expose('keywordDifficulty', {
      type: 'Int',
      nullable: true,
      description:
        'Difficulty to rank for the keyword, from 0; most tools give 0 to 100. Null when unknown.',
    }),
  currentRevision: () =>
    t.expose('currentRevision', {
      type: 'Int',
      description: 'Writes to the prompt, from 1; `expectedRevision` of the next.',
    }),
  createdAt: () =>
    t.expose('createdAt', { type: 'DateTime', description: 'Time when the prompt was created.' }),
  updatedAt: () =>
    t.expose('updatedAt', {
      type: 'DateTime',
      description: 'Time of the last write to the prompt.',
    }),
})

/** What REST answers to a write, and about one prompt. */
export const promptRecord = builder.objectRef<PromptRow>('PromptRecord').implement({
  description: 'A prompt without its topics and locations.',
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
  topicNames: () =>
    t.field({
      type: [promptTopic],
      view: 'rest',
      restName: 'topics',
      description: 'Topics that group the prompt, the main topic first.',
      resolve: async (row, _args, context) => [...(await attached(context, row)).topics],
    }),
  topics: () =>
    t.field({
      type: [topicType],
      view: 'graph',
      description: 'Topics that group the prompt, the main topic first.',
      resolve: async (row, _args, context) => {
        const [own, all] = await Promise.all([
          attached(context, row),
          promptLoaders(context).topics.load(row.projectId),
        ])
        return own.topics.flatMap(({ id }) => all.find((topic) => topic.id === id) ?? [])
      },
    }),
  topicId: () =>
    t.id({
      view: 'rest',
      nullable: true,
      description: 'Id of the main topic of the prompt; null without topics.',
      resolve: async (row, _args, context) => (await attached(context, row)).topics[0]?.id,
    }),
  topicName: () =>
    t.string({
      view: 'rest',
      nullable: true,
      description: 'Name of the main topic of the prompt; null without topics.',
      resolve: async (row, _args, context) => (await attached(context, row)).topics[0]?.name,
    }),
  locations: () =>
    t.field({
      type: [locationType],
      description: 'Locations where the prompt is asked, sorted by country and city.',
      resolve: async (row, _args, context) => [...(await attached(context, row)).locations],
    }),
  usesFallbackLocation: () =>
    t.boolean({
      description: 'Whether the prompt has no location of its own.',
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
      description: 'Whether the wording differs from the first wording of the prompt.',
      resolve: async (row, _args, context) => {
        const { firstText } = await attached(context, row)
        return firstText !== null && firstText !== row.text
      },
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
      topicNames: attachments.topicNames(),
      topics: attachments.topics(),
      lastUpdated: t.expose('textChangedAt', {
        graphName: 'wordingChangedAt',
        type: 'DateTime',
        description: 'Time when the wording of the prompt last changed.',
      }),
      locations: attachments.locations(),
      usesFallbackLocation: attachments.usesFallbackLocation(),
      currentRevision: common.currentRevision(),
      topicId: attachments.topicId(),
      topicName: attachments.topicName(),
      createdAt: common.createdAt(),
      isFromOnboarding: t.exposeBoolean('isFromOnboarding', {
        description: 'Whether the prompt was created with the project.',
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
        description: 'Whether the prompt came with imported answers; it is outside the allowance.',
      }),
    }
  },
})
