import type { brandProfile } from '../../resolvers/projects/projects.ts'
import { builder } from '../kit/builder.ts'

export const brandProfileType = builder
  .objectRef<ReturnType<typeof brandProfile>>('BrandProfile')
  .implement({
    description: 'The own brand of a project: names, domains, description and industry.',
    fields: (t) => ({
      name: t.exposeString('name', { description: 'Name of the own brand.' }),
      aliases: t.stringList({
        description: 'Aliases: other names of the own brand.',
        resolve: (profile) => [...profile.aliases],
      }),
      domains: t.exposeStringList('domains', {
        description: 'Registrable domains of the own brand, the main domain first.',
      }),
      description: t.exposeString('description', {
        nullable: true,
        description: 'Description of the own brand, in a sentence. Null until somebody sets it.',
        restDescription: 'Description of the own brand, in a sentence.',
      }),
      industry: t.exposeString('industry', {
        nullable: true,
        description: 'Industry of the own brand. Null until somebody sets it.',
        restDescription: 'Industry of the own brand.',
      }),
      updatedAt: t.expose('updatedAt', {
        type: 'DateTime',
        description: 'Time when the profile last changed.',
      }),
    }),
  })
