import {
  addCompetitor,
  addCompetitorAlias,
  removeCompetitor,
  removeCompetitorAlias,
  updateCompetitor,
} from '../../resolvers/competitors/change.ts'
import { addBrandAlias, removeBrandAlias } from '../../resolvers/projects/aliases.ts'
import { addOwnDomain, removeOwnDomain } from '../../resolvers/projects/own-domains.ts'
import { builder } from '../kit/builder.ts'
import { shaping } from '../projects/change.ts'

const textArg = builder.args((t) => ({
  text: t.string({ required: true, description: 'The name.' }),
}))

const aliasArgs = builder.args((t) => ({
  text: t.string({ required: true, description: 'The name.' }),
  caseSensitive: t.boolean({
    defaultValue: false,
    description: 'Whether it counts only when written exactly so.',
  }),
}))

const domainArg = builder.args((t) => ({
  domain: t.string({ required: true, description: 'The domain, such as example.com.' }),
}))

const competitorId = builder.args((t) => ({
  competitorId: t.id({ required: true, description: 'Id of the competitor.' }),
}))

/** GraphQL's null is an absent flag. */
const aliasOf = (args: { text: string; caseSensitive?: boolean | null | undefined }) => ({
  text: args.text,
  caseSensitive: args.caseSensitive ?? false,
})

shaping('addBrandAlias', {
  description:
    'Adds another name of the brand; one that is there already takes the given `caseSensitive`.',
  args: aliasArgs,
  change: ({ db, actor, projectId }, args) => addBrandAlias(db, actor, projectId, aliasOf(args)),
})

shaping('removeBrandAlias', {
  description: 'Removes another name of the brand.',
  args: textArg,
  change: ({ db, actor, projectId }, { text }) => removeBrandAlias(db, actor, projectId, { text }),
})

shaping('addOwnDomain', {
  description: "Adds a domain of the brand's own beside its main one.",
  args: domainArg,
  change: ({ db, actor, projectId }, { domain }) => addOwnDomain(db, actor, projectId, { domain }),
})

shaping('removeOwnDomain', {
  description: "Removes a domain of the brand's own, other than its main one.",
  args: domainArg,
  change: ({ db, actor, projectId }, { domain }) =>
    removeOwnDomain(db, actor, projectId, { domain }),
})

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

shaping('addCompetitor', {
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

shaping('updateCompetitor', {
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

shaping('removeCompetitor', {
  description: 'Tracks a competitor no longer.',
  args: competitorId,
  change: ({ db, actor, projectId }, args) =>
    removeCompetitor(db, actor, projectId, String(args.competitorId)),
})

shaping('addCompetitorAlias', {
  description:
    'Adds another name of a competitor; one that is there already takes the given `caseSensitive`.',
  args: { ...competitorId, ...aliasArgs },
  change: ({ db, actor, projectId }, args) =>
    addCompetitorAlias(db, actor, projectId, String(args.competitorId), aliasOf(args)),
})

shaping('removeCompetitorAlias', {
  description: 'Removes another name of a competitor.',
  args: { ...competitorId, ...textArg },
  change: ({ db, actor, projectId }, { competitorId, text }) =>
    removeCompetitorAlias(db, actor, projectId, String(competitorId), { text }),
})
