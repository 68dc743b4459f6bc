import {
  addCompetitor,
  addCompetitorAlias,
  removeCompetitor,
  removeCompetitorAlias,
  updateCompetitor,
} from '../../resolvers/competitors/change.ts'
import { aliasArgs, aliasOf, aliasTextArg } from '../kit/aliases.ts'
import { builder } from '../kit/builder.ts'
import { projectMutation } from '../kit/project-mutation.ts'

const competitorId = builder.args((t) => ({
  competitorId: t.id({ required: true, description: 'Id of the competitor.' }),
}))

const aliasInput = builder.inputType('AliasInput', {
  description: 'Another name of a brand.',
  fields: (t) => ({
    text: t.string({ required: true, description: 'The name.' }),
    caseSensitive: t.boolean({
      defaultValue: false,
      description: 'Whether it counts only when written exactly so.',
    }),
  }),
})

projectMutation('addCompetitor', {
  description:
    'Tracks a competitor. One that is tracked already with this name and domain stays as it is.',
  args: builder.args((t) => ({
    name: t.string({ required: true, description: 'Its name, unique within the project.' }),
    domain: t.string({ required: true, description: 'Its domain, such as example.com.' }),
    aliases: t.field({ type: [aliasInput], description: 'Its other names.' }),
  })),
  change: ({ db, actor, projectId }, { name, domain, aliases }) =>
    addCompetitor(db, actor, projectId, { name, domain, aliases: (aliases ?? []).map(aliasOf) }),
})

projectMutation('updateCompetitor', {
  description: 'Gives a competitor another name, another domain, or both. What is absent stays.',
  args: {
    ...competitorId,
    ...builder.args((t) => ({
      name: t.string({ description: 'Its name, unique within the project.' }),
      domain: t.string({ description: 'Its domain, such as example.com.' }),
    })),
  },
  change: ({ db, actor, projectId }, args) =>
    updateCompetitor(db, actor, projectId, String(args.competitorId), {
      name: args.name ?? undefined,
      domain: args.domain ?? undefined,
    }),
})

projectMutation('removeCompetitor', {
  description: 'Tracks a competitor no longer.',
  args: competitorId,
  change: ({ db, actor, projectId }, args) =>
    removeCompetitor(db, actor, projectId, String(args.competitorId)),
})

projectMutation('addCompetitorAlias', {
  description:
    'Adds another name of a competitor; one that is there already takes the given `caseSensitive`.',
  args: { ...competitorId, ...aliasArgs },
  change: ({ db, actor, projectId }, args) =>
    addCompetitorAlias(db, actor, projectId, String(args.competitorId), aliasOf(args)),
})

projectMutation('removeCompetitorAlias', {
  description: 'Removes another name of a competitor.',
  args: { ...competitorId, ...aliasTextArg },
  change: ({ db, actor, projectId }, { competitorId, text }) =>
    removeCompetitorAlias(db, actor, projectId, String(competitorId), { text }),
})
