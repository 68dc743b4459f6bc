import {
  addCompetitor,
  addCompetitorAlias,
  dismissSuggestedCompetitor,
  removeCompetitor,
  removeCompetitorAlias,
  restoreSuggestedCompetitor,
  updateCompetitor,
} from '../../resolvers/competitors/change.ts'
import { aliasArgs, aliasOf, aliasTextArg } from '../brands/alias-args.ts'
import { builder } from '../kit/builder.ts'
import { projectMutation } from '../kit/project-mutation.ts'

const competitorId = builder.args((t) => ({
  competitorId: t.id({ required: true, description: 'Id of the competitor.' }),
}))

const aliasInput = builder.inputType('AliasInput', {
  description: 'An alias: another name of a brand.',
  fields: (t) => ({
    text: t.string({ required: true, description: 'The alias.' }),
    caseSensitive: t.boolean({
      description: 'Whether the alias counts only in exactly this case.',
    }),
  }),
})

projectMutation('addCompetitor', {
  description: 'Tracks a competitor. A competitor of the same name and domain stays unchanged.',
  args: builder.args((t) => ({
    name: t.string({
      required: true,
      description: 'Name of the competitor, unique within the project.',
    }),
    domain: t.string({
      required: true,
      description: 'Domain of the competitor, such as `example.com`.',
    }),
    aliases: t.field({ type: [aliasInput], description: 'Aliases of the competitor.' }),
  })),
  change: ({ db, actor, projectId }, { name, domain, aliases }) =>
    addCompetitor(db, actor, projectId, { name, domain, aliases: (aliases ?? []).map(aliasOf) }),
})

projectMutation('updateCompetitor', {
  description: 'Changes the name or the domain of a competitor. Absent arguments change nothing.',
  args: {
    ...competitorId,
    ...builder.args((t) => ({
      name: t.string({ description: 'Name of the competitor, unique within the project.' }),
      domain: t.string({ description: 'Domain of the competitor, such as `example.com`.' }),
    })),
  },
  change: ({ db, actor, projectId }, args) =>
    updateCompetitor(db, actor, projectId, String(args.competitorId), {
      name: args.name ?? undefined,
      domain: args.domain ?? undefined,
    }),
})

projectMutation('removeCompetitor', {
  description: 'Stops tracking a competitor.',
  args: competitorId,
  change: ({ db, actor, projectId }, args) =>
    removeCompetitor(db, actor, projectId, String(args.competitorId)),
})

projectMutation('addCompetitorAlias', {
  description: 'Adds an alias of a competitor. An existing alias takes the given `caseSensitive`.',
  args: { ...competitorId, ...aliasArgs },
  change: ({ db, actor, projectId }, args) =>
    addCompetitorAlias(db, actor, projectId, String(args.competitorId), aliasOf(args)),
})

projectMutation('removeCompetitorAlias', {
  description: 'Removes an alias of a competitor.',
  args: { ...competitorId, ...aliasTextArg },
  change: ({ db, actor, projectId }, { competitorId, text }) =>
    removeCompetitorAlias(db, actor, projectId, String(competitorId), { text }),
})

const seenName = builder.args((t) => ({
  name: t.string({ required: true, description: 'Name of the brand, in any of its spellings.' }),
}))

projectMutation('dismissSuggestedCompetitor', {
  description:
    'Leaves a brand out of the suggested competitors, in all spellings of its name. The `subjectId` is that of the project.',
  args: seenName,
  change: ({ db, actor, projectId }, { name }) =>
    dismissSuggestedCompetitor(db, actor, projectId, { name }),
})

projectMutation('restoreSuggestedCompetitor', {
  description: 'Suggests a dismissed brand again. The `subjectId` is that of the project.',
  args: seenName,
  change: ({ db, actor, projectId }, { name }) =>
    restoreSuggestedCompetitor(db, actor, projectId, { name }),
})
