import { idOf } from '../imports/files/ids.ts'
import { addLocation, removeLocation } from '../resolvers/locations.ts'
import { addTopic, removeTopic, renameTopic } from '../resolvers/topics/topics.ts'
import { builder } from './kit/builder.ts'
import { shaping } from './projects/change.ts'

const nameArg = builder.args((t) => ({
  name: t.string({ required: true, description: 'Its name, unique within the project.' }),
}))

const topicId = builder.args((t) => ({
  topicId: t.id({ required: true, description: 'Id of the topic.' }),
}))

shaping('addTopic', {
  description: 'Adds a topic. One of this name stays as it is.',
  args: nameArg,
  change: ({ db, actor, projectId }, { name }) => addTopic(db, actor, projectId, { name }),
})

shaping('renameTopic', {
  description: 'Gives a topic another name; its prompts stay with it.',
  args: { ...topicId, ...nameArg },
  change: ({ db, actor, projectId }, args) =>
    renameTopic(db, actor, projectId, String(args.topicId), { name: args.name }),
})

shaping('removeTopic', {
  description: 'Removes a topic. Its prompts stay, without it.',
  args: topicId,
  change: ({ db, actor, projectId }, args) =>
    removeTopic(db, actor, projectId, String(args.topicId)),
})

shaping('addLocation', {
  description: 'Adds a place that answers are collected at. One that is there stays as it is.',
  args: builder.args((t) => ({
    place: t.string({
      required: true,
      description: 'Such as `Berlin, Germany`, `Austin, Texas, US` or `DE`.',
    }),
    country: t.string({
      description: 'The country of a place that names none: an ISO 3166-1 code or an English name.',
    }),
  })),
  change: ({ db, actor, projectId }, { place, country }) =>
    addLocation(db, actor, projectId, { place, country }, (project, label) =>
      idOf(project, 'location', label),
    ),
})

shaping('removeLocation', {
  description: 'Removes a place. The answers collected there stay.',
  args: builder.args((t) => ({
    locationId: t.id({ required: true, description: 'Id of the place.' }),
  })),
  change: ({ db, actor, projectId }, args) =>
    removeLocation(db, actor, projectId, String(args.locationId)),
})
