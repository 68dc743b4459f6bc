import { addTopic, removeTopic, renameTopic } from '../../resolvers/topics/topics.ts'
import { builder } from '../kit/builder.ts'
import { projectMutation } from '../kit/project-mutation.ts'

const nameArg = builder.args((t) => ({
  name: t.string({ required: true, description: 'Name of the topic, unique within the project.' }),
}))

const topicId = builder.args((t) => ({
  topicId: t.id({ required: true, description: 'Id of the topic.' }),
}))

projectMutation('addTopic', {
  description: 'Adds a topic. A topic of the same name stays unchanged.',
  args: nameArg,
  change: ({ db, actor, projectId }, { name }) => addTopic(db, actor, projectId, { name }),
})

projectMutation('renameTopic', {
  description: 'Renames a topic. The topic keeps its prompts.',
  args: { ...topicId, ...nameArg },
  change: ({ db, actor, projectId }, args) =>
    renameTopic(db, actor, projectId, String(args.topicId), { name: args.name }),
})

projectMutation('removeTopic', {
  description: 'Removes a topic. Its prompts stay, without the topic.',
  args: topicId,
  change: ({ db, actor, projectId }, args) =>
    removeTopic(db, actor, projectId, String(args.topicId)),
})
