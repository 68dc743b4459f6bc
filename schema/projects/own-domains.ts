import { addOwnDomain, removeOwnDomain } from '../../resolvers/projects/own-domains.ts'
import { builder } from '../kit/builder.ts'
import { projectMutation } from '../kit/project-mutation.ts'

const domainArg = builder.args((t) => ({
  domain: t.string({ required: true, description: 'The domain, such as example.com.' }),
}))

projectMutation('addOwnDomain', {
  description: "Adds a domain of the brand's own beside its main one.",
  args: domainArg,
  change: ({ db, actor, projectId }, { domain }) => addOwnDomain(db, actor, projectId, { domain }),
})

projectMutation('removeOwnDomain', {
  description: "Removes a domain of the brand's own, other than its main one.",
  args: domainArg,
  change: ({ db, actor, projectId }, { domain }) =>
    removeOwnDomain(db, actor, projectId, { domain }),
})
