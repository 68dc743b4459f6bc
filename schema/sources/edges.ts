import { sourceTypes } from '../../core/sites/source-types.ts'
import { batched } from '../../resolvers/shared/batch.ts'
import { type CitedDomain, citedDomains } from '../../resolvers/sources/edges.ts'
import { filterArgs, windowArgs } from '../kit/args.ts'
import { builder } from '../kit/builder.ts'
import { connectionOf } from '../kit/lists/connection.ts'
import { sliceList } from '../kit/slice-fields.ts'
import { sliceParents } from '../kit/slice-parents.ts'
import { sourceType } from './words.ts'

export const citedDomain = builder.objectRef<CitedDomain>('CitedDomain').implement({
  description: 'A registrable domain that the answers of a set cite.',
  fields: (t) => ({
    domain: t.exposeString('domain', {
      description: 'The registrable domain, such as `wikipedia.org`.',
    }),
    type: t.expose('type', {
      type: sourceType,
      description: `Source type of the domain: ${sourceTypes.join(', ')}.`,
    }),
    citationCount: t.expose('citations', {
      type: 'Int',
      description: 'Citations of the domain: one for each URL that an answer of the set cites.',
    }),
    citedIn: t.expose('answers', {
      type: 'Int',
      description: 'Answers of the set that cite the domain.',
    }),
  }),
})

sliceList(Object.values(sliceParents), 'sources', {
  type: connectionOf(citedDomain, {
    description: 'Cited domains, most citations first.',
    isCounted: true,
  }),
  description: (answers) => `Domains cited in ${answers}, most citations first.`,
  size: { default: 10, max: 100 },
  args: { ...windowArgs, ...filterArgs },
  resolve: async (scope, args) => ({
    rows: await batched('sources.of-each', scope, args, citedDomains),
  }),
})
