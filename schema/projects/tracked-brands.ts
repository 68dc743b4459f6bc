import DataLoader from 'dataloader'
import { loadTrackedCompetitors } from '../../resolvers/competitors/competitors.ts'
import { loadBrandAliases } from '../../resolvers/projects/aliases.ts'
import { readOfProject } from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'
import { oncePerRequest } from '../kit/context.ts'

/** Without a cache: one request may change a project and read it, several times over. */
const brands = oncePerRequest(({ services: { db } }) => ({
  competitors: new DataLoader((ids: readonly string[]) => loadTrackedCompetitors(db, ids), {
    cache: false,
  }),
  aliases: new DataLoader((ids: readonly string[]) => loadBrandAliases(db, ids), { cache: false }),
}))

const brandAlias = builder.prismaObject('BrandAlias', {
  description: "Another name of the project's brand.",
  fields: (t) => ({
    id: t.exposeID('id', { description: 'UUID.' }),
    text: t.exposeString('text', { description: 'The name.' }),
    caseSensitive: t.exposeBoolean('caseSensitive', {
      description: 'Whether it counts only when written exactly so.',
    }),
  }),
})

const competitorAlias = builder.prismaObject('CompetitorAlias', {
  description: 'Another name of a competitor.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'UUID.' }),
    text: t.exposeString('text', { description: 'The name.' }),
    caseSensitive: t.exposeBoolean('caseSensitive', {
      description: 'Whether it counts only when written exactly so.',
    }),
  }),
})

const trackedCompetitor = builder.prismaObject('Competitor', {
  name: 'TrackedCompetitor',
  description: 'A competitor as it is tracked: by which names and which domain.',
  include: { aliases: true },
  fields: (t) => ({
    id: t.exposeID('id', { description: 'UUID.' }),
    name: t.exposeString('name', { description: 'Its name.' }),
    domain: t.exposeString('domain', { description: 'Its registrable domain.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Tracked since.' }),
    aliases: t.field({
      type: [competitorAlias],
      description: 'Its other names, by text.',
      resolve: (competitor) => competitor.aliases,
    }),
  }),
})

builder.objectField('Project', 'trackedCompetitors', (t) =>
  t.field({
    type: [trackedCompetitor],
    access: readOfProject,
    view: 'graph',
    description: 'The competitors, by name.',
    resolve: ({ project }, _args, context) => brands(context).competitors.load(project.id),
  }),
)

builder.objectField('Project', 'brandAliases', (t) =>
  t.field({
    type: [brandAlias],
    access: readOfProject,
    view: 'graph',
    description: "Other names of the project's brand, by text.",
    resolve: ({ project }, _args, context) => brands(context).aliases.load(project.id),
  }),
)
