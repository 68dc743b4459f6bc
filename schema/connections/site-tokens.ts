import { createSiteToken, type SiteToken } from '../../resolvers/connections/site-tokens.ts'
import { keyedArgs, projectArgs } from '../kit/args.ts'
import { adminProject } from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'
import { actorOf } from '../kit/context.ts'

const siteToken = builder.objectRef<SiteToken>('SiteToken').implement({
  description: 'A site token, which links traffic events to a project.',
  fields: (t) => ({
    siteToken: t.exposeString('siteToken', {
      description:
        'The site token for `site_token` of events. It stays until the signing secrets change.',
    }),
    trackerUrl: t.string({
      description: 'Address of the tracker, to which servers send their events.',
      resolve: (_token, _args, context) => context.services.trackerUrl,
    }),
  }),
})

builder.mutationField('createSiteToken', (t) =>
  t.field({
    type: siteToken,
    access: adminProject,
    hasSecret: true,
    view: 'graph',
    description: 'Connects the tracker to a project and returns the site token.',
    args: {
      ...projectArgs,
      host: t.arg.string({ description: 'Host that the events come from.' }),
      ...keyedArgs,
    },
    resolve: (_root, { projectId, host }, context) => {
      const { db, signingSecrets } = context.services
      const id = String(projectId).toLowerCase()
      return createSiteToken(db, actorOf(context), id, { host }, signingSecrets[0])
    },
  }),
)
