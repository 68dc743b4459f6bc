import {
  type GraphQLField,
  getNamedType,
  isCompositeType,
  isEnumType,
  isNonNullType,
  isObjectType,
} from 'graphql'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeApiKey } from '../../core/access.ts'
import { routes } from '../../rest/routes.ts'
import { publicSchema } from '../../schema/index.ts'
import { run } from '../../warehouse/run.ts'
import { useApi } from '../kit/api.ts'
import { type AuditRows, makeAuditRows } from '../kit/audit-rows.ts'
import { faultIn, type GraphAnswer } from '../kit/changes.ts'
import { type ContentRows, contentUrl, makeContentRows } from '../kit/imports/content-rows.ts'
import { endJobs, type MutationRows, makeMutationRows } from '../kit/mutation-rows.ts'
import { contractOperations } from '../kit/rest/contract.ts'
import { connectSource } from '../kit/tracker/hits.ts'
import { expected, expectedOfWorkspace, type Kind, kinds, type Need, needOf } from './kinds.ts'

/**
 * Every operation and every guarded GraphQL field × every kind of key. What is expected comes from the
 * contract's part "Access", not from the schema's own rules.
 */

const api = useApi()

/** Operations that pitch projects do not have. */
const notOfPitch = [66, 67, 68, 69, 81, 82, 83, 89]
const fieldsNotOfPitch = ['audits', 'audit', 'opportunities']

const keys: Record<string, string | undefined> = {}
let makeKeys = async () => {}
/** A competitor of each project. */
const competitorOf: Record<string, string> = {}
/** An answer of each project, with the product that it shows, and the prompt that it answers with its topic. */
const answerOf: Record<
  string,
  Record<'answerId' | 'productId' | 'promptId' | 'topicId', string>
> = {}
/** A content piece and a page of each project. */
const contentOf: Record<string, ContentRows> = {}
/** An audit of each project, with an issue. */
const auditOf: Record<string, AuditRows> = {}
let workspaceId = ''
let rows: MutationRows = { doomed: '', argumentsOf: {}, bodyOf: {} }
let project = ''
let inactive = ''
let inactivePitch = ''

beforeAll(async () => {
  const workspace = await api.workspace()
  const strangers = await api.workspace()
  workspaceId = workspace.id
  const competitors = [{ name: 'Rival', domain: 'rival.com' }]
  project = await workspace.project({ competitors })
  const elsewhere = await workspace.project()
  inactive = await workspace.project()
  inactivePitch = await workspace.project({ kind: 'pitch', competitors })
  for (const { id, projectId } of await api.db.competitor.findMany({
    where: { projectId: { in: [project, inactivePitch] } },
  })) {
    competitorOf[projectId] = id
  }
  for (const id of [project, inactivePitch]) {
    await workspace.load(id, [{ topic: 'Headphones', products: [{ name: 'Box' }] }])
    await connectSource(api.db, id)
    contentOf[id] = await makeContentRows(api, id)
    auditOf[id] = await makeAuditRows(api, id)
    await api.db.connection.createMany({
      data: [
        { projectId: id, kind: 'webAnalytics' },
        { projectId: id, kind: 'searchConsole', host: 'sc-domain:acme.com' },
      ],
    })
    const [answer] = await run(api.warehouse, {
      id: 'access-test',
      sql: `SELECT answer_id AS id, prompt_id AS prompt, product_id AS product
        FROM product_mentions WHERE project_id = {id:UUID}`,
      params: { id },
      row: ({ id, prompt, product }) => {
        return { answerId: String(id), promptId: String(prompt), productId: String(product) }
      },
    })
    const topic = await api.db.topic.findFirst({ where: { projectId: id, name: 'Headphones' } })
    if (answer && topic) answerOf[id] = { ...answer, topicId: topic.id }
  }
  rows = await makeMutationRows(api, workspace, project)
  await api.db.project.updateMany({
    where: { id: { in: [inactive, inactivePitch] } },
    data: { isActive: false },
  })
  makeKeys = async () => {
    for (const [name, kind] of Object.entries(kinds) as [string, Kind][]) {
      const { bound } = kind
      const made = await (kind.stranger ? strangers : workspace).key({
        scopes: kind.scopes ?? [],
        capabilities:
          name === 'no key' || name === 'unknown key'
            ? ['prompt:draft']
            : (kind.capabilities ?? []),
        ...(bound ? { projectId: bound === 'here' ? project : elsewhere } : {}),
      })
      keys[name] = made.key
      const past = new Date(Date.now() - 1000)
      if (name === 'revoked')
        await api.db.apiKey.update({ where: { id: made.id }, data: { revokedAt: past } })
      if (name === 'expired')
        await api.db.apiKey.update({ where: { id: made.id }, data: { expiresAt: past } })
    }
    keys['no key'] = undefined
    keys['unknown key'] = makeApiKey().key
  }
})

/** A test asks at most three times with one key, and a key has 600 requests a minute. */
const testsPerKey = 150
let testsBegun = 0

beforeEach(async () => {
  if (testsBegun++ % testsPerKey === 0) await makeKeys()
})

/** What a GET cannot do without. */
const requiredOf: Record<string, (projectId: string) => string> = {
  getSourceContent: () => `?url=${contentUrl}`,
  getPageMetrics: () => `?url=${contentUrl}`,
  getPromptRankings: (id) => `?topicId=${answerOf[id]?.topicId}`,
  investigate: () => '?metric=visibility',
  getConnectorSchema: () => '?dataset=visibility',
  getConnectorData: () => '?dataset=visibility',
}

const kindNames = Object.entries(kinds) as [string, Kind][]

describe('REST', () => {
  const byId = new Map(contractOperations.map((operation) => [operation.operationId, operation]))

  test.each(routes)('$operationId', async (route) => {
    const operation = byId.get(route.operationId)
    expect(operation).toBeDefined()
    const aboutProject = route.path.includes('{projectId}')
    const ask = async (id: string, key: string | undefined) => {
      const path = route.path
        .replace('{projectId}', id)
        .replace('{domain}', 'acme.com')
        .replace('{competitorId}', competitorOf[id] ?? 'none')
        .replace('{answerId}', answerOf[id]?.answerId ?? 'none')
        .replace('{productId}', answerOf[id]?.productId ?? 'none')
        .replace('{articleId}', contentOf[id]?.articleId ?? 'none')
        .replace('{pageId}', contentOf[id]?.pageId ?? 'none')
        .replace('{auditId}', auditOf[id]?.auditId ?? 'none')
        .replace('{issueId}', auditOf[id]?.issueId ?? 'none')
        .replace('{reportId}', contentOf[id]?.reportId ?? 'none')
        .replace('{promptId}', answerOf[id]?.promptId ?? 'none')
      const query = requiredOf[route.operationId]?.(id) ?? ''
      const response = await fetch(api.url + path + query, {
        method: route.method,
        headers: {
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
          'content-type': 'application/json',
        },
        ...(route.method === 'GET' ? {} : { body: JSON.stringify(rows.bodyOf[route.field] ?? {}) }),
      })
      const { code = 'ok' } = (await response.json()) as { code?: string }
      return code
    }
    const need = needOf(operation ?? { number: 0, method: 'GET' })
    for (const [name, kind] of kindNames) {
      if (route.status === 202) await endJobs(api, project)
      const outcome = await ask(project, keys[name])
      expect(`${name}: ${outcome}`).toBe(`${name}: ${expected(name, kind, need, aboutProject)}`)
    }
    if (aboutProject && route.method === 'GET') {
      expect(await ask(inactive, keys.admin)).toBe('forbidden')
      const ofPitch = notOfPitch.includes(operation?.number ?? 0) ? 'pitch_not_supported' : 'ok'
      expect(await ask(inactivePitch, keys.admin)).toBe(ofPitch)
    }
  })
})

/** The least selection that a type takes. */
function selection(field: GraphQLField<unknown, unknown>): string {
  const type = getNamedType(field.type)
  return isCompositeType(type) ? ' { __typename }' : ''
}

/** What `id` is the id of: `project(id:)` takes the id of a project. */
const idOf = (field: string) => `${field}Id`

function callOf(field: GraphQLField<unknown, unknown>, projectId: string): string {
  const args = field.args
    .filter((arg) => isNonNullType(arg.type))
    .map((arg) => {
      const known = {
        projectId,
        workspaceId,
        lines: '',
        competitorId: competitorOf[projectId] ?? 'none',
        ...answerOf[projectId],
        ...contentOf[projectId],
        ...auditOf[projectId],
        url: contentUrl,
      }
      const choices = getNamedType(arg.type)
      if (isEnumType(choices)) return `${arg.name}: ${choices.getValues()[0]?.name}`
      const name = arg.name === 'id' ? idOf(field.name) : arg.name
      const value = known[name as keyof typeof known] ?? 'acme.com'
      return `${arg.name}: ${JSON.stringify(value)}`
    })
  return `${field.name}${args.length > 0 ? `(${args.join(', ')})` : ''}${selection(field)}`
}

async function codeOf(response: Response): Promise<string> {
  const fault = faultIn((await response.json()) as GraphAnswer)
  return fault === 'none' ? 'ok' : fault
}

describe('GraphQL', () => {
  const query = Object.values(publicSchema.getQueryType()?.getFields() ?? {})
  const mutation = Object.values(publicSchema.getMutationType()?.getFields() ?? {})
  const subscription = Object.values(publicSchema.getSubscriptionType()?.getFields() ?? {})
  const projectType = publicSchema.getType('Project')
  const ofProject = isObjectType(projectType) ? Object.values(projectType.getFields()) : []

  const needing = (need: Need, names: string) =>
    Object.fromEntries(names.split(' ').map((name) => [name, need]))
  /** Mutations that need more than `read`, by the design of each. A new one must be added here. */
  const mutationNeeds: Record<string, Need> = {
    ...needing('admin', 'importAnswers importArticles importDomainAuthority'),
    ...needing('admin', 'importPageContents importPages importBrandProfile'),
    ...needing('admin', 'importPrompts reanalyze updateProject activateProject'),
    ...needing('admin', 'pauseProject archiveProject deleteProject addBrandAlias'),
    ...needing('admin', 'setNameMatch removeBrandAlias addOwnDomain removeOwnDomain'),
    ...needing('admin', 'addCompetitor updateCompetitor removeCompetitor'),
    ...needing('admin', 'addCompetitorAlias removeCompetitorAlias addTopic renameTopic'),
    ...needing('admin', 'removeTopic addLocation removeLocation addMember'),
    ...needing('admin', 'changeMemberRole removeMember revokeKey rotateKey'),
    ...needing('admin', 'blockKey unblockKey revokeInvitation'),
    ...needing('admin', 'importWebAnalytics importSearchConsole createIngestKey'),
    ...needing('admin', 'revokeIngestKey createSiteToken'),
    ...needing('prompt:draft', 'addPrompts updatePrompt setPromptTracking restorePromptWording'),
    ...needing('write', 'refreshSitemap createAudit cancelAudit ignoreIssue reopenIssue'),
    ...needing('write', 'createReport shareReport revokeReportShare setReportBranding'),
    ...needing('write', 'completeOpportunity dismissOpportunity reopenOpportunity'),
    refreshOpportunities: 'write',
  }

  /** Mutations of the key's own user, which are called for an id of nothing. */
  const ofUser = ['acceptInvitation', 'declineInvitation', 'leaveWorkspace']

  /** Fields of a workspace that need a key of its own, and what they need. Its name and plan do not. */
  const workspaceNeeds: Record<string, Need> = {
    members: 'read',
    apiKeys: 'admin',
    reachingKeys: 'admin',
    invitations: 'admin',
    ingestKeys: 'admin',
    auditTrail: 'admin',
  }

  test('there is something to check', () => {
    expect(query.length).toBeGreaterThan(4)
    expect(ofProject.length).toBeGreaterThan(10)
    expect(subscription.map((field) => field.name)).toEqual(['projectUpdated'])
    const ofWorkspace = publicSchema.getType('Workspace')
    expect(isObjectType(ofWorkspace) ? Object.keys(ofWorkspace.getFields()) : []).toEqual([
      ...['id', 'name', 'plan', 'createdAt'],
      ...Object.keys(workspaceNeeds),
    ])
    const names = mutation.map((field) => field.name)
    expect([...Object.keys(mutationNeeds), ...ofUser].sort()).toEqual(names.sort())
  })

  test.each(query.map((field) => [field.name, field] as const))(
    'Query.%s',
    async (_name, field) => {
      const aboutProject = field.name === 'project'
      for (const [name, kind] of kindNames) {
        const outcome = await codeOf(await api.graphql(`{ ${callOf(field, project)} }`, keys[name]))
        const wanted =
          field.name === 'workspace'
            ? expectedOfWorkspace(name, kind, 'read')
            : expected(name, kind, 'read', aboutProject)
        expect(`${name}: ${outcome}`).toBe(`${name}: ${wanted}`)
      }
      if (aboutProject) {
        expect(await codeOf(await api.graphql(`{ ${callOf(field, inactive)} }`, keys.admin))).toBe(
          'forbidden',
        )
      }
    },
  )

  test.each(subscription.map((field) => [field.name, field] as const))(
    'Subscription.%s',
    async (_name, field) => {
      // Whoever may read is refused last, for the media type: so the stream does not open.
      const outcomeOf = async (id: string, key: string | undefined) => {
        const code = await codeOf(await api.graphql(`subscription { ${callOf(field, id)} }`, key))
        return code === 'invalid_argument' ? 'ok' : code
      }
      for (const [name, kind] of kindNames) {
        const outcome = await outcomeOf(project, keys[name])
        expect(`${name}: ${outcome}`).toBe(`${name}: ${expected(name, kind, 'read', true)}`)
      }
      expect(await outcomeOf(inactive, keys.admin)).toBe('forbidden')
      expect(await outcomeOf(inactivePitch, keys.admin)).toBe('ok')
    },
  )

  test.each(mutation.map((field) => [field.name, field] as const))(
    'Mutation.%s',
    async (name, field) => {
      const need = mutationNeeds[name] ?? 'admin'
      const deletes = name === 'deleteProject'
      const aboutWorkspace = field.args.some((arg) => arg.name === 'workspaceId')
      const place = aboutWorkspace ? `workspaceId: "${workspaceId}"` : `projectId: "${project}"`
      const given = rows.argumentsOf[name]
      const call =
        given === undefined
          ? callOf(field, deletes ? rows.doomed : project)
          : `${name}(${ofUser.includes(name) ? '' : `${place}, `}${given})${selection(field)}`
      const wanted = (kindName: string, kind: Kind) => {
        if (ofUser.includes(name)) {
          const outcome = expected(kindName, kind, 'admin', false)
          return outcome === 'ok' ? 'not_found' : outcome
        }
        if (aboutWorkspace) return expectedOfWorkspace(kindName, kind, need)
        // Nobody's key is bound to the project that goes.
        const known: Kind = deletes && kind.bound ? { ...kind, bound: 'elsewhere' } : kind
        return expected(kindName, known, need, true)
      }
      // Those that succeed come last: what they remove the others would not find.
      const succeeds = ([kindName, kind]: [string, Kind]) => wanted(kindName, kind) === 'ok'
      const inOrder = kindNames.toSorted((a, b) => Number(succeeds(a)) - Number(succeeds(b)))
      for (const [kindName, kind] of inOrder) {
        if (need === 'write') await endJobs(api, project)
        const outcome = await codeOf(await api.graphql(`mutation { ${call} }`, keys[kindName]))
        expect(`${kindName}: ${outcome}`).toBe(`${kindName}: ${wanted(kindName, kind)}`)
      }
    },
  )

  test.each(ofProject.map((field) => [field.name, field] as const))(
    'Project.%s',
    async (_name, field) => {
      for (const [name, kind] of kindNames) {
        const text = `{ project(id: "${project}") { ${callOf(field, project)} } }`
        const outcome = await codeOf(await api.graphql(text, keys[name]))
        expect(`${name}: ${outcome}`).toBe(`${name}: ${expected(name, kind, 'read', true)}`)
      }
      const text = `{ project(id: "${inactivePitch}") { ${callOf(field, inactivePitch)} } }`
      const wanted = fieldsNotOfPitch.includes(field.name) ? 'pitch_not_supported' : 'ok'
      expect(await codeOf(await api.graphql(text, keys.admin))).toBe(wanted)
    },
  )

  test.each(Object.entries(workspaceNeeds))('Workspace.%s', async (field, need) => {
    for (const [name, kind] of kindNames) {
      const inside = `${field} { __typename }`
      const direct = `{ workspace(id: "${workspaceId}") { ${inside} } }`
      const outcome = await codeOf(await api.graphql(direct, keys[name]))
      expect(`${name}: ${outcome}`).toBe(`${name}: ${expectedOfWorkspace(name, kind, need)}`)
      if (kind.bound !== 'here') continue
      // A bound key sees the workspace of its project, but not into it.
      const around = `{ project(id: "${project}") { workspace { name ${inside} } } }`
      expect(await codeOf(await api.graphql(around, keys[name]))).toBe('not_found')
    }
  })

  test('a list of projects names an inactive one, and its reports are forbidden', async () => {
    const names = await api.graphql(
      '{ projects(first: 1000) { nodes { id name isActive } } }',
      keys.admin,
    )
    const { data } = (await names.json()) as {
      data: { projects: { nodes: { id: string; isActive: boolean }[] } }
    }
    expect(data.projects.nodes.find(({ id }) => id === inactive)?.isActive).toBe(false)
    const reports = await api.graphql(
      '{ projects(first: 1000) { nodes { topics { nodes { id } } } } }',
      keys.admin,
    )
    expect(await codeOf(reports)).toBe('forbidden')
  })
})
