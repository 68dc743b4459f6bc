import type { Pagination } from '../../core/pagination.ts'
import { brandProfile, reachableProjectIds } from '../../resolvers/projects/projects.ts'
import type { ProjectScope } from '../../resolvers/shared/scope.ts'
import { projectArgs } from '../kit/args.ts'
import { listedScopes, readAny, readProject, scopeOf } from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'
import { loaders } from '../kit/context.ts'
import { type FieldsOf, projectReference, reportFields } from '../kit/report-fields.ts'
import { locationType } from '../locations/locations.ts'
import { topicType } from '../topics/topics.ts'
import { brandProfileType } from './brand-profile.ts'
import { platformType } from './platforms.ts'
import { projectPage } from './projects.ts'
import { integrationsBlock, projectKind, projectStatus, sitemapBlock } from './state.ts'

/** The project operations in the shapes of REST; GraphQL serves the same as fields of `Project`. */

const summaryFields = builder.interfaceRef<ProjectScope>('ProjectFields').implement({
  description: 'Fields of a project that a list of projects shows too.',
  fields: (t) => ({
    id: t.id({ description: 'UUID of the project.', resolve: ({ project }) => project.id }),
    name: t.string({
      description: 'Name of the own brand.',
      resolve: ({ project }) => project.name,
    }),
    domain: t.string({
      description: 'Main domain of the own brand.',
      resolve: ({ project }) => project.domain,
    }),
    kind: t.field({
      type: projectKind,
      description: 'Kind of project: regular or pitch.',
      resolve: ({ project }) => project.kind,
    }),
    status: t.field({
      type: projectStatus,
      description: 'Status of the project: active, paused or archived.',
      resolve: ({ project }) => project.status,
    }),
    isActive: t.boolean({
      description: 'False when the project is switched off.',
      resolve: ({ project }) => project.isActive,
    }),
    dataAvailableFrom: t.field({
      type: 'Date',
      nullable: true,
      description: 'UTC day of the oldest answer; null while the project has no answer.',
      resolve: ({ project }) => project.dataAvailableFrom,
    }),
  }),
})

const projectSummary = builder.objectRef<ProjectScope>('ProjectSummary').implement({
  description: 'A project in a list.',
  interfaces: [summaryFields],
})

const projectDetail = builder.objectRef<ProjectScope>('ProjectDetail').implement({
  description: 'A project with its integrations and the state of its sitemap.',
  interfaces: [summaryFields],
  fields: (t) => ({
    createdAt: t.field({
      type: 'DateTime',
      description: 'Time when the project was created.',
      resolve: ({ project }) => project.createdAt,
    }),
    integrations: t.field({
      type: integrationsBlock,
      description: 'Data sources that are connected to the project.',
      resolve: ({ project }) => project,
    }),
    sitemap: t.field({
      type: sitemapBlock,
      description: 'State of the sitemap sync.',
      resolve: ({ project }) => project,
    }),
  }),
})

const projectList = builder
  .objectRef<{ projects: ProjectScope[]; pagination: Pagination }>('ProjectList')
  .implement({
    description: 'A page of projects.',
    fields: (t) => ({
      projects: t.field({
        type: [projectSummary],
        description: 'Projects of this page, sorted by name.',
        resolve: (list) => list.projects,
      }),
      pagination: reportFields.pagination(t),
    }),
  })

builder.queryField('listProjects', (t) =>
  t.field({
    type: projectList,
    access: readAny,
    view: 'rest',
    description: 'Projects that the key reaches, sorted by name. A bound key lists one project.',
    args: projectPage,
    resolve: async (_root, args, context) => {
      const { ids, pagination } = await reachableProjectIds(
        context.services.db,
        context.principal,
        args as { limit: number; offset: number },
      )
      const projects = await listedScopes(context, ids)
      return { projects, pagination }
    },
  }),
)

builder.queryField('getProject', (t) =>
  t.field({
    type: builder.objectRef<ProjectScope>('ProjectReply').implement({
      description: 'One project.',
      fields: (f) => ({
        project: f.field({
          type: projectDetail,
          description: 'The project with its integrations and the state of its sitemap.',
          resolve: (scope) => scope,
        }),
      }),
    }),
    access: readProject,
    view: 'rest',
    description: 'One project with its integrations and the state of its sitemap.',
    args: projectArgs,
    resolve: (_root, args, context) => scopeOf(context, String(args.projectId)),
  }),
)

interface PartOfProject {
  readonly description: string
  readonly type: { readonly name: string; readonly description: string }
  readonly fields: (t: FieldsOf<ProjectScope>) => object
}

/** A REST operation that answers one part of a project, next to the project. */
function partOfProject(field: string, { description, type, fields }: PartOfProject): void {
  builder.queryField(field, (t) =>
    t.field({
      type: builder.objectRef<ProjectScope>(type.name).implement({
        description: type.description,
        fields: (f) => ({
          project: f.field({
            type: projectReference,
            description: 'The project that the response is about.',
            resolve: (scope) => scope,
          }),
          ...fields(f),
        }),
      }),
      access: readProject,
      view: 'rest',
      description,
      args: projectArgs,
      resolve: (_root, args, context) => scopeOf(context, String(args.projectId)),
    }),
  )
}

partOfProject('listTopics', {
  description: 'Topics that group the prompts of the project.',
  type: { name: 'TopicList', description: 'The topics of a project.' },
  fields: (t) => ({
    topics: t.field({
      type: [topicType],
      description: 'Topics, sorted by name.',
      resolve: (scope, _args, context) => loaders(context).topics.load(scope.project.id),
    }),
  }),
})

partOfProject('listLocations', {
  description: 'Tracked locations where answers are collected.',
  type: { name: 'LocationList', description: 'The tracked locations of a project.' },
  fields: (t) => ({
    locations: t.field({
      type: [locationType],
      description: 'Tracked locations, sorted by country and city.',
      resolve: (scope, _args, context) => loaders(context).locations.load(scope.project.id),
    }),
  }),
})

partOfProject('listPlatforms', {
  description: 'AI platforms, with the models seen in the answers of the project.',
  type: { name: 'PlatformList', description: 'The AI platforms of a project.' },
  fields: (t) => ({
    platforms: t.field({
      type: [platformType],
      description: 'Known platforms, then other platforms that answers came from.',
      resolve: (scope, _args, context) => loaders(context).platforms.load(scope.project.id),
    }),
  }),
})

partOfProject('getBrandProfile', {
  description: 'The brand profile of a project: names, domains, description and industry.',
  type: { name: 'BrandProfileReply', description: 'The brand profile of a project.' },
  fields: (t) => ({
    brandProfile: t.field({
      type: brandProfileType,
      description: 'The brand profile: names, domains, description and industry.',
      resolve: (scope) => brandProfile(scope.project),
    }),
  }),
})
