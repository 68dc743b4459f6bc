import type { TopicSummary } from '../../resolvers/topics/topics.ts'
import { builder } from '../kit/builder.ts'

export const topicType = builder.objectRef<TopicSummary>('Topic').implement({
  description: 'A subject that prompts are sorted under.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'UUID.' }),
    name: t.exposeString('name', { description: 'Unique within the project.' }),
    promptCount: t.expose('promptCount', { type: 'SafeInt', description: 'Prompts of the topic.' }),
    trackedPromptCount: t.expose('trackedPromptCount', {
      type: 'SafeInt',
      description: 'Those of them that are tracked.',
    }),
  }),
})
