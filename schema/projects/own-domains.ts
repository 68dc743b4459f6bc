import { addOwnDomain, removeOwnDomain } from '../../resolvers/projects/own-domains.ts'
import { builder } from '../kit/builder.ts'
import { projectMutation } from '../kit/project-mutation.ts'

const domainArg = builder.args((t) => ({
  domain: t.string({
    required: true,
    description: 'Domain of the own brand, such as `example.com`.',
  }),
}))

projectMutation('addOwnDomain', {
  description: 'Adds a domain of the own brand, next to the main domain.',
  args: domainArg,
  change: ({ db, actor, projectId }, { domain }) => addOwnDomain(db, actor, projectId, { domain }),
})

projectMutation('removeOwnDomain', {
  description: 'Removes a domain of the own brand. The main domain cannot be removed.',
  args: domainArg,
  change: ({ db, actor, projectId }, { domain }) =>
    removeOwnDomain(db, actor, projectId, { domain }),
})
