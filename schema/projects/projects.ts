import {
  brandDomains,
  brandProfile,
  reachableProjectIds,
} from '../../resolvers/projects/projects.ts'
import { pageArgs, projectArgs } from '../kit/args.ts'
import {
  listedOfProject,
  listedScope,
  readAny,
  readOfProject,
  readProject,
  scopeOf,
} from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'
import { loaders } from '../kit/context.ts'
import { locationType } from '../locations/locations.ts'
import { topicType } from '../topics/topics.ts'
import { workspaceType } from '../workspaces/workspaces.ts'
import { brandProfileType } from './brand-profile.ts'
import { platformType } from './platforms.ts'
import { integrationsBlock, projectKind, projectStatus, sitemapBlock } from './state.ts'

builder.objectType('Project', {
  description: 'A brand that is tracked, and every report on it.',
  fields: (t) => ({
    id: t.id({
      access: listedOfProject,
      description: 'UUID.',
      resolve: (scope) => scope.project.id,
    }),
    name: t.string({
      access: listedOfProject,
      description: 'The brand.',
      resolve: (scope) => scope.project.name,
    }),
    domain: t.string({
      access: listedOfProject,
      description: "The brand's main domain.",
      resolve: (scope) => scope.project.domain,
    }),
    kind: t.field({
      type: projectKind,
      access: listedOfProject,
      description: 'Regular or pitch.',
      resolve: (scope) => scope.project.kind,
    }),
    status: t.field({
      type: projectStatus,
      access: listedOfProject,
      description: 'Active, paused or archived.',
      resolve: (scope) => scope.project.status,
    }),
    isActive: t.boolean({
      access: listedOfProject,
      description: 'False: switched off. Of an inactive pitch project reads still work.',
      resolve: (scope) => scope.project.isActive,
    }),
    dataAvailableFrom: t.field({
      type: 'Date',
      nullable: true,
      access: listedOfProject,
      description: 'Day of the oldest answer; null while there is none.',
      resolve: (scope) => scope.project.dataAvailableFrom,
    }),
    createdAt: t.field({
      type: 'DateTime',
      access: readOfProject,
      description: 'When the project was made.',
      resolve: (scope) => scope.project.createdAt,
    }),
    integrations: t.field({
      type: integrationsBlock,
      access: readOfProject,
      description: 'Which sources of data are connected.',
      resolve: (scope) => scope.project,
    }),
    sitemap: t.field({
      type: sitemapBlock,
      access: readOfProject,
      description: 'State of the sitemap sync.',
      resolve: (scope) => scope.project,
    }),
    aliases: t.stringList({
      access: readOfProject,
      description: 'Other names of the brand.',
      resolve: (scope) => [...scope.project.aliases],
    }),
    ownDomains: t.stringList({
      access: readOfProject,
      description: "The brand's own registrable domains, the main one first.",
      resolve: (scope) => brandDomains(scope.project),
    }),
    topics: t.field({
      type: [topicType],
      access: readOfProject,
      description: 'Topics that prompts are sorted under, by name.',
      resolve: (scope, _args, context) => loaders(context).topics.load(scope.project.id),
    }),
    locations: t.field({
      type: [locationType],
      access: readOfProject,
      description: 'Places that answers are collected at, by country and city.',
      resolve: (scope, _args, context) => loaders(context).locations.load(scope.project.id),
    }),
    platforms: t.field({
      type: [platformType],
      access: readOfProject,
      description: 'AI platforms, with the models seen in the answers.',
      resolve: (scope, _args, context) => loaders(context).platforms.load(scope.project.id),
    }),
    brandProfile: t.field({
      type: brandProfileType,
      access: readOfProject,
      description: 'What the project says of its brand.',
      resolve: (scope) => brandProfile(scope.project),
    }),
    workspace: t.field({
      type: workspaceType,
      access: readOfProject,
      description: 'The workspace that the project belongs to.',
      resolve: (scope, _args, context) =>
        loaders(context).workspace.load(scope.project.workspaceId),
    }),
  }),
})

export const projectPage = pageArgs({ default: 50, max: 1000 })

builder.queryField('project', (t) =>
  t.field({
    type: 'Project',
    nullable: true,
    access: readProject,
    view: 'graph',
    description: 'One project, and through it every report.',
    args: projectArgs,
    resolve: (_root, args, context) => scopeOf(context, String(args.projectId)),
  }),
)

builder.queryField('projects', (t) =>
  t.field({
    type: ['Project'],
    access: readAny,
    view: 'graph',
    description: 'The projects that the key reaches, by name; a bound key reaches its own.',
    args: projectPage,
    resolve: async (_root, args, context) => {
      const { ids } = await reachableProjectIds(
        context.services.db,
        context.principal,
        args as { limit: number; offset: number },
      )
      return Promise.all(ids.map((id) => listedScope(context, id)))
    },
  }),
)
