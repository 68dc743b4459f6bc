import { dataDays } from '../../resolvers/projects/data-days.ts'
import {
  brandDomains,
  brandProfile,
  reachableProjectIds,
} from '../../resolvers/projects/projects.ts'
import { batched } from '../../resolvers/shared/batch.ts'
import type { ProjectScope } from '../../resolvers/shared/scope.ts'
import { pageArgs } from '../kit/args.ts'
import {
  listedOfProject,
  listedScopes,
  readAny,
  readOfProject,
  readProject,
  scopeOf,
} from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'
import { loaders, sourcesOf } from '../kit/context.ts'
import { connectionOf } from '../kit/lists/connection.ts'
import { connectionField } from '../kit/lists/field.ts'
import { dateRangeBlock } from '../kit/report-fields.ts'
import { workspaceType } from '../workspaces/workspaces.ts'
import { brandProfileType } from './brand-profile.ts'
import { integrationsBlock, projectKind, projectStatus, sitemapBlock } from './state.ts'

export const projectType = builder.objectType('Project', {
  description: 'A tracked brand, with its settings and its state.',
  fields: (t) => ({
    id: t.id({
      access: listedOfProject,
      description: 'UUID of the project.',
      resolve: (scope) => scope.project.id,
    }),
    name: t.string({
      access: listedOfProject,
      description: 'Name of the own brand.',
      resolve: (scope) => scope.project.name,
    }),
    domain: t.string({
      access: listedOfProject,
      description: 'Main domain of the own brand.',
      resolve: (scope) => scope.project.domain,
    }),
    kind: t.field({
      type: projectKind,
      access: listedOfProject,
      description: 'Kind of project: regular or pitch.',
      resolve: (scope) => scope.project.kind,
    }),
    status: t.field({
      type: projectStatus,
      access: listedOfProject,
      description: 'Status of the project: active, paused or archived.',
      resolve: (scope) => scope.project.status,
    }),
    isActive: t.boolean({
      access: listedOfProject,
      description: 'False when the project is switched off.',
      resolve: (scope) => scope.project.isActive,
    }),
    dataAvailable: t.field({
      type: dateRangeBlock,
      nullable: true,
      access: readOfProject,
      description:
        'UTC days of the oldest and the newest answer; null while the project has no answer.',
      resolve: (scope, _args) => batched('dataDays', scope, { of: 'answers' as const }, dataDays),
    }),
    dataAvailableFrom: t.field({
      type: 'Date',
      nullable: true,
      access: listedOfProject,
      description: 'UTC day of the oldest answer; null while the project has no answer.',
      resolve: (scope) => scope.project.dataAvailableFrom,
    }),
    createdAt: t.field({
      type: 'DateTime',
      access: readOfProject,
      description: 'Time when the project was created.',
      resolve: (scope) => scope.project.createdAt,
    }),
    integrations: t.field({
      type: integrationsBlock,
      access: readOfProject,
      description: 'Data sources that are connected to the project.',
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
      description: 'Aliases: other names of the own brand.',
      resolve: (scope) => [...scope.project.aliases],
    }),
    ownDomains: t.stringList({
      access: readOfProject,
      description: 'Registrable domains of the own brand, the main domain first.',
      resolve: (scope) => brandDomains(scope.project),
    }),
    brandProfile: t.field({
      type: brandProfileType,
      access: readOfProject,
      description: 'The own brand: names, domains, description and industry.',
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
    description: 'One project, by its id.',
    args: { id: t.arg.id({ required: true, description: 'Id of the project.' }) },
    resolve: (_root, { id }, context) => scopeOf(context, String(id)),
  }),
)

const projects = connectionOf<ProjectScope>(projectType, {
  description: 'A page of the projects that the key reaches.',
  sortKey: ({ project: { name, id } }) => [name, id],
})

builder.queryField('projects', (t) =>
  t.field(
    connectionField({
      type: projects,
      nullable: false,
      access: readAny,
      description:
        'Projects that the key reaches, sorted by name. A bound key reaches one project.',
      size: { default: 50, max: 1000 },
      idOf: () => '',
      scope: (_root: object, context) => sourcesOf(context),
      resolve: async (_root: object, page, context) => {
        const { db } = context.services
        const { ids, pagination } = await reachableProjectIds(db, context.principal, page)
        const rows = await listedScopes(context, ids)
        return { rows, total: pagination.totalCount ?? 0 }
      },
    }),
  ),
)
