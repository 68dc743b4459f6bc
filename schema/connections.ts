import { createSiteToken, type SiteToken } from '../resolvers/connections/site-tokens.ts'
import { projectArgs } from './kit/args.ts'
import { adminProject } from './kit/authorize.ts'
import { builder } from './kit/builder.ts'
import { actorOf } from './kit/context.ts'

const siteToken = builder.objectRef<SiteToken>('SiteToken').implement({
  description: 'What tells which project an event is about.',
  fields: (t) => ({
    siteToken: t.exposeString('siteToken', {
      description:
        'The token, for the field `site_token` of events. The same project has the same one, until the secrets change.',
    }),
  }),
})

builder.mutationField('createSiteToken', (t) =>
  t.field({
    type: siteToken,
    access: adminProject,
    view: 'graph',
    description: "Links the tracker to the project, and gives its site's token.",
    args: {
      ...projectArgs,
      host: t.arg.string({ description: 'The host that the events come from.' }),
    },
    resolve: (_root, { projectId, host }, context) => {
      const { db, signingSecrets } = context.services
      const id = String(projectId).toLowerCase()
      return createSiteToken(db, actorOf(context), id, { host }, signingSecrets[0])
    },
  }),
)
