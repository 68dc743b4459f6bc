import type { brandProfile } from '../../resolvers/projects/projects.ts'
import { builder } from '../kit/builder.ts'

export const brandProfileType = builder
  .objectRef<ReturnType<typeof brandProfile>>('BrandProfile')
  .implement({
    description: 'What the project says of its brand.',
    fields: (t) => ({
      name: t.exposeString('name', { description: 'The brand.' }),
      aliases: t.stringList({
        description: 'Other names of the brand.',
        resolve: (profile) => [...profile.aliases],
      }),
      domains: t.exposeStringList('domains', {
        description: "The brand's own registrable domains, the main one first.",
      }),
      description: t.exposeString('description', { nullable: true, description: 'In a sentence.' }),
      industry: t.exposeString('industry', { nullable: true, description: 'Its industry.' }),
      updatedAt: t.expose('updatedAt', {
        type: 'DateTime',
        description: 'When the profile last changed.',
      }),
    }),
  })
