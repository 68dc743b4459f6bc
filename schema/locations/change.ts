import { addLocation, removeLocation } from '../../resolvers/locations.ts'
import { builder } from '../kit/builder.ts'
import { projectMutation } from '../kit/project-mutation.ts'

projectMutation('addLocation', {
  description: 'Adds a location where answers are collected. An existing location stays unchanged.',
  args: builder.args((t) => ({
    place: t.string({
      required: true,
      description: 'The place, such as `Berlin, Germany`, `Austin, Texas, US` or `DE`.',
    }),
    country: t.string({
      description: 'Country of a place that names none: an ISO 3166-1 code or an English name.',
    }),
  })),
  change: ({ db, actor, projectId }, { place, country }) =>
    addLocation(db, actor, projectId, { place, country }),
})

projectMutation('removeLocation', {
  description: 'Removes a location. The answers collected there stay.',
  args: builder.args((t) => ({
    locationId: t.id({ required: true, description: 'Id of the location.' }),
  })),
  change: ({ db, actor, projectId }, args) =>
    removeLocation(db, actor, projectId, String(args.locationId)),
})
