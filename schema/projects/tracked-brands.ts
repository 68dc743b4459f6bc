import DataLoader from 'dataloader'
import { isExact } from '../../core/text/match-modes.ts'
import { loadTrackedCompetitors } from '../../resolvers/competitors/competitors.ts'
import { loadBrandAliases } from '../../resolvers/projects/aliases.ts'
import type { ProjectScope } from '../../resolvers/shared/scope.ts'
import { brandType } from '../brands/brand.ts'
import { wholeSize } from '../kit/args.ts'
import { readOfProject } from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'
import { oncePerRequest } from '../kit/context.ts'
import { connectionOf } from '../kit/lists/connection.ts'
import { connectionField } from '../kit/lists/field.ts'

/** Without a cache: one request may change a project and read it, several times over. */
export const brandLoaders = oncePerRequest(({ services: { db } }) => ({
  competitors: new DataLoader((ids: readonly string[]) => loadTrackedCompetitors(db, ids), {
    cache: false,
  }),
  aliases: new DataLoader((ids: readonly string[]) => loadBrandAliases(db, ids), { cache: false }),
}))

const brandAlias = builder.prismaObject('BrandAlias', {
  description: 'An alias: another name of the own brand.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'UUID of the alias.' }),
    text: t.exposeString('text', { description: 'The alias.' }),
    caseSensitive: t.boolean({
      description: 'Whether the alias counts only in exactly this upper and lower case.',
      resolve: ({ text, caseSensitive }) => isExact(text, caseSensitive),
    }),
    excludedPhrases: t.exposeStringList('excludedPhrases', {
      description: 'Phrases in which the alias does not count.',
    }),
  }),
})

const competitorAlias = builder.prismaObject('CompetitorAlias', {
  description: 'An alias: another name of a competitor.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'UUID of the alias.' }),
    text: t.exposeString('text', { description: 'The alias.' }),
    caseSensitive: t.boolean({
      description: 'Whether the alias counts only in exactly this upper and lower case.',
      resolve: ({ text, caseSensitive }) => isExact(text, caseSensitive),
    }),
    excludedPhrases: t.exposeStringList('excludedPhrases', {
      description: 'Phrases in which the alias does not count.',
    }),
  }),
})

export const competitorType = builder.prismaObject('Competitor', {
  description: 'A tracked competitor of the own brand.',
  // REST calls a row of its report so.
  extensions: { restName: 'TrackedCompetitor' },
  interfaces: [brandType],
  include: { aliases: true },
  fields: (t) => ({
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'Time since when the competitor is tracked.',
    }),
    aliases: t.field({
      type: [competitorAlias],
      description: 'Aliases of the competitor, sorted by text.',
      resolve: (competitor) => competitor.aliases,
    }),
  }),
})

builder.objectField('Project', 'competitors', (t) =>
  t.field(
    connectionField({
      type: connectionOf(competitorType, {
        description: 'Competitors, sorted by name.',
        sortKey: ({ name, id }) => [name, id],
        isWhole: true,
      }),
      size: wholeSize,
      access: readOfProject,
      description: 'Tracked competitors, sorted by name.',
      scope: (scope: ProjectScope) => scope,
      resolve: async ({ project }: ProjectScope, _args, context) => ({
        rows: await brandLoaders(context).competitors.load(project.id),
      }),
    }),
  ),
)

builder.objectField('Project', 'brandAliases', (t) =>
  t.field(
    connectionField({
      type: connectionOf(brandAlias, {
        description: 'Aliases of the own brand, sorted by text.',
        sortKey: ({ text, id }) => [text, id],
        isWhole: true,
      }),
      size: wholeSize,
      access: readOfProject,
      description: 'Aliases of the own brand, sorted by text.',
      scope: (scope: ProjectScope) => scope,
      resolve: async ({ project }: ProjectScope, _args, context) => ({
        rows: await brandLoaders(context).aliases.load(project.id),
      }),
    }),
  ),
)
