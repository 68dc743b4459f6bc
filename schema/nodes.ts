import { Fault, invalid } from '../core/errors.ts'
import { nodeIdOf, readNodeId } from '../core/node-id.ts'
import { isUuid } from '../core/uuid.ts'
import { articlesById } from '../resolvers/articles/edges.ts'
import { ownBrandOf } from '../resolvers/brands/brands.ts'
import type { FanoutQuery } from '../resolvers/fanout/fanout.ts'
import type { ProjectScope } from '../resolvers/shared/scope.ts'
import type { DomainRow } from '../resolvers/sources/sources.ts'
import type { UrlRow } from '../resolvers/sources/urls.ts'
import { alarmLoader, alarmType } from './alarms/alarm.ts'
import { monitorIn, monitorType } from './alarms/monitor.ts'
import { answerRow } from './answers/answers.ts'
import { answerLoader } from './answers/loader.ts'
import { articleRow } from './articles/articles.ts'
import { auditLoaders, auditType } from './audits/audit.ts'
import { ownBrand } from './brands/brand.ts'
import { queryBy } from './fanout/edges.ts'
import { topQuery } from './fanout/fanout.ts'
import { issueType } from './issues/issue.ts'
import { findAsked, keyAsked } from './kit/asked.ts'
import { listedScope, readAny, scopeOf } from './kit/authorize.ts'
import { together } from './kit/batch.ts'
import { builder } from './kit/builder.ts'
import type { Context } from './kit/context.ts'
import { locationType } from './locations/locations.ts'
import { markLoader, markType } from './marks/mark.ts'
import { issueLoader } from './opportunities/issue-loader.ts'
import { opportunityLoader } from './opportunities/loader.ts'
import { opportunityType } from './opportunities/opportunity.ts'
import { pageLoaders } from './pages/loaders.ts'
import { pageType } from './pages/pages.ts'
import { competitorOf, locationOf, platformById, topicOf } from './projects/members.ts'
import { platformType } from './projects/platforms.ts'
import { projectType } from './projects/projects.ts'
import { competitorType } from './projects/tracked-brands.ts'
import { promptLoaders, promptType } from './prompts/prompt.ts'
import { domainBy, urlBy } from './sources/objects.ts'
import { sourceDomain } from './sources/sources.ts'
import { sourceUrl } from './sources/urls.ts'
import { topicType } from './topics/topics.ts'

interface Owned {
  readonly projectId: string
  /** Absent where `keyOf` of the type identifies an object. */
  readonly id?: string
}

type Found = ProjectScope | Owned | null | undefined

interface NodeType {
  readonly ref: { addInterfaces(interfaces: never): void }
  /** Identifies an object within its project; its `id` unless given. */
  readonly keyOf?: (row: never) => string
  /** The object of a project by its key. All objects of the type take one statement. */
  readonly find: (scope: ProjectScope, id: string, context: Context) => Promise<Found> | Found
}

/** The row where it belongs to the project. */
const ofProject = async ({ project }: ProjectScope, row: Promise<Owned | null>) => {
  const found = await row
  return found?.projectId === project.id ? found : null
}

const nodeTypes: Readonly<Record<string, NodeType>> = {
  Project: { ref: projectType, find: (scope) => scope },
  Topic: {
    ref: topicType,
    find: ({ project }, id, context) => topicOf(context, project.id, id),
  },
  Prompt: {
    ref: promptType,
    find: (scope, id, context) => ofProject(scope, promptLoaders(context).prompt.load(id)),
  },
  Platform: {
    ref: platformType,
    find: ({ project }, id, context) => platformById(context, project.id, id),
  },
  Location: {
    ref: locationType,
    find: ({ project }, id, context) => locationOf(context, project.id, id),
  },
  OwnBrand: {
    ref: ownBrand,
    find: ({ project }, id) => (id === project.id ? ownBrandOf(project) : null),
  },
  Competitor: {
    ref: competitorType,
    find: ({ project }, id, context) => competitorOf(context, project.id, id),
  },
  Answer: {
    ref: answerRow,
    find: (scope, id, context) => answerLoader(context).load({ scope, id }),
  },
  Page: {
    ref: pageType,
    find: (scope, id, context) => ofProject(scope, pageLoaders(context).page.load(id)),
  },
  Audit: {
    ref: auditType,
    find: (scope, id, context) => ofProject(scope, auditLoaders(context).audit.load(id)),
  },
  Article: {
    ref: articleRow,
    find: (scope, id, context) =>
      together(context, 'node.article', { scope, id }, {}, articlesById),
  },
  Issue: {
    ref: issueType,
    find: (scope, id, context) =>
      isUuid(id) ? ofProject(scope, issueLoader(context).load(id)) : null,
  },
  Opportunity: {
    ref: opportunityType,
    find: (scope, id, context) => ofProject(scope, opportunityLoader(context).load(id)),
  },
  Mark: {
    ref: markType,
    find: (scope, id, context) => ofProject(scope, markLoader(context).load(id)),
  },
  Alarm: {
    ref: alarmType,
    find: (scope, id, context) => ofProject(scope, alarmLoader(context).load(id)),
  },
  Monitor: {
    ref: monitorType,
    find: ({ project }, id, context) => monitorIn(context, project.id, id),
  },
  SourceUrl: {
    ref: sourceUrl,
    keyOf: ({ url, asked }: UrlRow) => keyAsked(url, asked),
    find: (scope, key, context) =>
      findAsked(key, (url, asked) => urlBy(context, scope, url, asked)),
  },
  SourceDomain: {
    ref: sourceDomain,
    keyOf: ({ domain, asked }: DomainRow) => keyAsked(domain, asked),
    find: (scope, key, context) =>
      findAsked(key, (domain, asked) => domainBy(context, scope, domain, asked)),
  },
  FanoutQuery: {
    ref: topQuery,
    keyOf: ({ query, asked }: FanoutQuery) => keyAsked(query, asked),
    find: (scope, key, context) =>
      findAsked(key, async (query, asked) => {
        const found = await queryBy(context, scope, query, asked)
        return found.repeats > 0 ? found : null
      }),
  },
}

/** The type of each object that `node` found. */
const typeOf = new WeakMap<object, string>()

const keyOf = (type: string, row: ProjectScope | Owned) => {
  if ('project' in row) return [row.project.id, row.project.id]
  const ofType = nodeTypes[type]?.keyOf ?? (({ id = '' }: Owned) => id)
  // The row is of this type, whose `find` has made it: the table has no type for both.
  return [row.projectId, ofType(row as never)]
}

const encode = (type: string, row: ProjectScope | Owned) => {
  const [projectId = '', key = ''] = keyOf(type, row)
  return nodeIdOf(type, projectId, key)
}

export const node = builder.interfaceRef<ProjectScope | Owned>('Node').implement({
  description: 'An object with an id that is unique in the service.',
  resolveType: (row) => typeOf.get(row),
  fields: (t) => ({
    nodeId: t.id({
      view: 'graph',
      // The place of an inactive project in a list has its id too.
      access: readAny,
      description: 'Key of the object, unique in the service; for `node`.',
      resolve: (row, _args, _context, { parentType }) => encode(parentType.name, row),
    }),
  }),
})

// Pothos compares the shape of a ref with that of the interface, and here are refs of all shapes.
for (const { ref } of Object.values(nodeTypes)) ref.addInterfaces([node] as never)

export async function findNode(context: Context, nodeId: string, place: string): Promise<Found> {
  if (isUuid(nodeId)) {
    throw invalid(
      place,
      'must be a `nodeId`, not an `id`: fields such as `prompt(id:)` of a project take an `id`',
      nodeId,
    )
  }
  const { type, projectId, key } = readNodeId(nodeId)
  const known = Object.hasOwn(nodeTypes, type) ? nodeTypes[type] : undefined
  if (known === undefined) return null
  try {
    const scope = await (type === 'Project' ? listedScope : scopeOf)(context, projectId)
    const found = await known.find(scope, key, context)
    if (found) typeOf.set(found, type)
    return found
  } catch (cause) {
    // What the key does not reach is as what does not exist.
    if (cause instanceof Fault && ['not_found', 'forbidden'].includes(cause.code)) return null
    throw cause
  }
}

const mostNodes = 100

builder.queryFields((t) => ({
  node: t.field({
    type: node,
    nullable: true,
    access: readAny,
    view: 'graph',
    description:
      'An object by its `nodeId`; null when it does not exist, or the key cannot reach it.',
    args: { id: t.arg.id({ required: true, description: 'The `nodeId` of the object.' }) },
    resolve: (_root, { id }, context) => findNode(context, String(id), 'id'),
  }),
  nodes: t.field({
    type: [node],
    nullable: { list: false, items: true },
    access: readAny,
    view: 'graph',
    description: 'Objects by `nodeId`, in order; null where the key reaches none.',
    args: {
      ids: t.arg.idList({
        required: true,
        description: 'The `nodeId` of each object; at most 100 ids.',
      }),
    },
    resolve: (_root, { ids }, context) => {
      if (ids.length > mostNodes) throw invalid('ids', `must have at most ${mostNodes} entries`)
      return Promise.all(ids.map((id, i) => findNode(context, String(id), `ids.${i}`)))
    },
  }),
}))
