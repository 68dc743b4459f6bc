import type { TopicSummary } from '../../resolvers/topics/topics.ts'
import { builder } from '../kit/builder.ts'
import { connectionOf } from '../kit/lists/connection.ts'

export const topicType = builder.objectRef<TopicSummary>('Topic').implement({
  description: 'A topic: a subject that groups prompts.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'UUID of the topic.' }),
    name: t.exposeString('name', { description: 'Name of the topic, unique within the project.' }),
    promptCount: t.expose('promptCount', {
      type: 'Int',
      description: 'Prompts of the topic.',
    }),
    trackedPromptCount: t.expose('trackedPromptCount', {
      type: 'Int',
      description: 'Tracked prompts of the topic.',
    }),
  }),
})

/** A list of topics that is read whole. */
export const topicList = connectionOf(topicType, {
  description: 'Topics, sorted by name.',
  sortKey: ({ name, id }) => [name, id],
  isWhole: true,
})
