import { isObjectType } from 'graphql'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeApiKey, type Role } from '../../core/access.ts'
import { addMember } from '../../resolvers/members/members.ts'
import { commandLine } from '../../resolvers/shared/audit-trail.ts'
import { routes } from '../../rest/routes.ts'
import { publicSchema } from '../../schema/index.ts'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { faultIn, type GraphAnswer } from '../kit/changes.ts'
import { credentials } from '../kit/credentials.ts'
import { endJobs, type MutationRows, makeMutationRows } from '../kit/mutation-rows.ts'
import { contractOperations } from '../kit/rest/contract.ts'
import { sized } from '../kit/soak.ts'
import { callOf, makeProjectRows, type ProjectRows, pathOf, selection } from './calls.ts'
import {
  expected,
  expectedOfWorkspace,
  type Kind,
  kinds,
  type Need,
  needOf,
  type State,
  statesOfRun,
} from './kinds.ts'

/**
 * Every operation and every guarded GraphQL field × every kind of key. What is expected comes from the
 * contract's part "Access", not from the schema's own rules.
 */

const api = useApi()

/** Operations that pitch projects do not have. */
const notOfPitch = [66, 67, 68, 69, 81, 82, 83, 89]
const fieldsNotOfPitch = ['audits', 'audit', 'opportunities']

/** What the free plan lacks. */
const ofPlan = ['getQueryFanout', 'getPromptFanout', 'getConnectorSchema', 'getConnectorData']
const fieldsOfPlan = ['queryFanout', 'connectorSchema', 'connectorData']

const keys: Record<string, string | undefined> = {}
let makeKeys = async () => {}
const emailOf = (role: Role) => `${role}@access.test`
let workspaceId = ''
let mutations: MutationRows = { doomed: '', argumentsOf: {}, newArgumentsOf: {}, bodyOf: {} }
let rows: ProjectRows = { projectId: '' }
let project = ''
const ofState = new Map<State, { readonly rows: ProjectRows; readonly key?: string }>()

/** A project in a state, and the key of its workspace's admin. */
async function makeState(state: State, workspace: TestWorkspace) {
  const isFree = state === 'free plan'
  const home = isFree ? await api.workspace() : workspace
  const made = await makeProjectRows(api, home, state === 'inactive pitch' ? 'pitch' : 'regular')
  if (state === 'paused' || state === 'archived') {
    await api.db.project.update({ where: { id: made.projectId }, data: { status: state } })
  }
  if (state.startsWith('inactive')) {
    await api.db.project.update({ where: { id: made.projectId }, data: { isActive: false } })
  }
  if (!isFree) return { rows: made }
  await api.db.workspace.update({ where: { id: home.id }, data: { plan: 'free' } })
  // API keys are refused on this plan.
  return { rows: made, key: await home.session() }
}

/** What an admin gets of a project in a state. */
function expectedIn(state: State, { isOfPitch, isOfPlan }: About) {
  if (state === 'inactive') return 'forbidden'
  if (state === 'free plan' && isOfPlan) return 'plan_upgrade_required'
  return state === 'inactive pitch' && !isOfPitch ? 'pitch_not_supported' : 'ok'
}

interface About {
  readonly isOfPitch: boolean
  readonly isOfPlan: boolean
}

let turn = 0

/** The states of a run, with what an admin gets there. In the normal run one of those that refuse it, in turn. */
function inStates(about: About) {
  const all = [...ofState].map(([state, made]) => ({
    state,
    wanted: expectedIn(state, about),
    ...made,
  }))
  const refusing = all.filter(({ wanted }) => wanted !== 'ok')
  const first = turn % Math.max(1, refusing.length)
  return sized({ normal: refusing.slice(first, first + 1), soak: all })
}

/**
 * The kinds whose key is asked with: those that are refused come first, since what the others remove they would not find.
 * The normal run asks with one of each refusal, in turn, and with the weakest that may. Of keys that lack a scope it asks
 * with those of `read` and of `write`: a right that is too low lets one of them in. Each role that lacks the right is asked. Who is nobody is refused before any
 * operation is known: with one test in four.
 */
function kindsToAsk(wanted: (name: string, kind: Kind) => string): [string, Kind][] {
  const refused = kinds.filter(([name, kind]) => wanted(name, kind) !== 'ok')
  const allowed = kinds.filter(([name, kind]) => wanted(name, kind) === 'ok')
  turn++
  const oneOfEach = [...Map.groupBy(refused, ([name, kind]) => wanted(name, kind))].flatMap(
    ([refusal, of]) => {
      if (refusal === 'unauthorized' && turn % 4 !== 0) return []
      if (refusal === 'missing_scope') return of.filter(([name]) => /^(read|write)$/.test(name))
      const byRole = of.filter(([, { role }]) => role)
      if (byRole.length > 0) return byRole
      return of.slice(turn % of.length).slice(0, 1)
    },
  )
  return sized({ normal: [...oneOfEach, ...allowed.slice(0, 1)], soak: [...refused, ...allowed] })
}

beforeAll(async () => {
  const workspace = await api.workspace()
  const strangers = await api.workspace()
  const invited = await api.workspace()
  workspaceId = workspace.id
  rows = await makeProjectRows(api, workspace)
  project = rows.projectId
  const elsewhere = await workspace.project()
  for (const state of statesOfRun) ofState.set(state, await makeState(state, workspace))
  mutations = await makeMutationRows(api, workspace, project)
  const owner = await api.db.membership.findFirstOrThrow({
    where: { workspaceId: invited.id },
    select: { user: true },
  })
  const expiresAt = new Date(Date.now() + 3_600_000)
  await api.db.invitation.create({ data: { workspaceId, email: owner.user.email, expiresAt } })
  for (const role of ['viewer', 'editor'] as const) {
    await addMember(api.db, commandLine, workspaceId, { email: emailOf(role), role })
  }
  makeKeys = async () => {
    for (const [name, kind] of kinds) {
      const { bound } = kind
      const home = kind.isInvited ? invited : kind.stranger ? strangers : workspace
      const made = await home.key({
        scopes: kind.scopes ?? [],
        capabilities: kind.isNobody ? ['prompt:draft'] : (kind.capabilities ?? []),
        ...(bound ? { projectId: bound === 'here' ? project : elsewhere } : {}),
        ...(kind.role && { userEmail: emailOf(kind.role) }),
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
    keys.malformed = `${makeApiKey().key.slice(0, -6)}000000`
  }
})

/** A test asks up to six times with one key. A key has 600 requests a minute, and some fields cost more than one. */
const testsPerKey = 40
let testsBegun = 0

beforeEach(async () => {
  if (testsBegun++ % testsPerKey === 0) await makeKeys()
})

describe('REST', () => {
  const byId = new Map(contractOperations.map((operation) => [operation.operationId, operation]))

  test.each(routes)('$operationId', async (route) => {
    const operation = byId.get(route.operationId)
    expect(operation).toBeDefined()
    const aboutProject = route.path.includes('{projectId}')
    const ask = async (of: ProjectRows, key: string | undefined) => {
      const response = await fetch(api.url + pathOf(route, of), {
        method: route.method,
        headers: {
          ...credentials(key),
          'content-type': 'application/json',
        },
        ...(route.method === 'GET'
          ? {}
          : { body: JSON.stringify(mutations.bodyOf[route.field] ?? {}) }),
      })
      const { code = 'ok' } = (await response.json()) as { code?: string }
      return code
    }
    const need = needOf(operation ?? { number: 0, method: 'GET' })
    const wantedOf = (name: string, kind: Kind) => expected(name, kind, need, aboutProject)
    for (const [name, kind] of kindsToAsk(wantedOf)) {
      if (route.status === 202) await endJobs(api, project)
      const outcome = await ask(rows, keys[name])
      expect(`${name}: ${outcome}`).toBe(`${name}: ${wantedOf(name, kind)}`)
    }
    if (aboutProject && route.method === 'GET') {
      const isOfPitch = !notOfPitch.includes(operation?.number ?? 0)
      const of = { isOfPitch, isOfPlan: ofPlan.includes(route.operationId) }
      for (const { state, wanted, rows: inState, key = keys.admin } of inStates(of)) {
        const outcome = await ask(inState, key)
        expect(`${state}: ${outcome}`).toBe(`${state}: ${wanted}`)
      }
    }
  })
})

async function codeOf(response: Response): Promise<string> {
  const fault = faultIn((await response.json()) as GraphAnswer)
  return fault === 'none' ? 'ok' : fault
}

describe('GraphQL', () => {
  const known = () => ({ ...rows, workspaceId })
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
    ...needing('admin', 'importPageContents importPages importBrandProfile undoImport'),
    ...needing('admin', 'importUpload reanalyze updateProject activateProject'),
    ...needing('admin', 'pauseProject archiveProject deactivateProject addBrandAlias'),
    ...needing('admin', 'setNameMatch removeBrandAlias addOwnDomain removeOwnDomain'),
    ...needing('admin', 'addCompetitor updateCompetitor removeCompetitor'),
    ...needing('admin', 'dismissSuggestedCompetitor restoreSuggestedCompetitor'),
    ...needing('admin', 'addCompetitorAlias removeCompetitorAlias addTopic renameTopic'),
    ...needing('admin', 'removeTopic addLocation removeLocation'),
    ...needing('own', 'addMember changeMemberRole removeMember revokeInvitation deleteProject'),
    ...needing('own', 'createKey revokeKey rotateKey blockKey unblockKey'),
    ...needing('admin', 'importWebAnalytics importSearchConsole createIngestKey'),
    ...needing('admin', 'revokeIngestKey createSiteToken'),
    ...needing(
      'admin',
      'setProviderKey removeProviderKey setCollectingCaps setSentimentMethod rateOlderAnswers',
    ),
    ...needing('admin', 'testProviderKey listProviderModels'),
    ...needing('admin', 'setGoogleClient removeGoogleClient beginGoogleSignIn'),
    ...needing('admin', 'removeGoogleAccount listGoogleProperties'),
    ...needing('admin', 'setBingKey removeBingKey listBingSites'),
    ...needing('admin', 'addDataFeed pullDataFeed removeDataFeed'),
    ...needing('admin', 'addChannel changeChannel testChannel rotateChannelSecret'),
    ...needing('admin', 'pauseChannel enableChannel removeChannel sendAgain'),
    ...needing('admin', 'setDigest removeDigest setReportSchedule removeReportSchedule'),
    ...needing('admin', 'createProject setLogo removeLogo deletePrompts'),
    ...needing('admin', 'proposeSetup setSetupStep'),
    ...needing('prompt:draft', 'addPrompts updatePrompt setPromptTracking restorePromptWording'),
    ...needing('prompt:draft', 'previewPrompts setPromptsTracking changePromptTopics'),
    ...needing('prompt:draft', 'importPrompts previewUpload'),
    ...needing('write', 'refreshSitemap createAudit cancelAudit ignoreIssue reopenIssue'),
    ...needing('write', 'createReport shareReport revokeReportShare setReportBranding'),
    ...needing('write', 'createSchedule updateSchedule deleteSchedule runSchedule'),
    ...needing('write', 'completeOpportunity dismissOpportunity reopenOpportunity'),
    ...needing('write', 'dismissSuggestedPrompt restoreSuggestedPrompt'),
    ...needing('write', 'acknowledgeAlarm addMonitor updateMonitor removeMonitor'),
    ...needing('write', 'muteMonitor unmuteMonitor addMark removeMark'),
    assignOpportunity: 'write',
    refreshOpportunities: 'write',
    runPrompts: 'write',
    retryRun: 'write',
    // The right is that of the planned change, here of adding a topic.
    planChange: 'admin',
    setRetention: 'own',
    ...needing('read', 'approveChange refuseChange applyChange'),
  }

  /** Mutations of the key's own user, which are called for an id of nothing. */
  const ofUser = [
    'acceptInvitation',
    'declineInvitation',
    'leaveWorkspace',
    'endSession',
    'removePasskey',
    'disconnectClient',
  ]

  /** What a mutation answers to a key that may call it: no provider is there to test a key. */
  const afterAccess: Record<string, string> = {
    setProviderKey: 'invalid_argument secret',
    removeReportSchedule: 'not_found',
    testProviderKey: 'not_found',
    testChannel: 'not_found',
    sendAgain: 'not_found',
    removeDigest: 'not_found',
    setGoogleClient: 'invalid_argument secret',
    beginGoogleSignIn: 'invalid_argument workspaceId',
    removeGoogleAccount: 'not_found',
    listGoogleProperties: 'not_found',
    setBingKey: 'invalid_argument key',
    listBingSites: 'invalid_argument workspaceId',
    approveChange: 'not_found',
    refuseChange: 'not_found',
    applyChange: 'not_found',
  }

  /** Fields of a workspace that need a key of its own, and what they need. Its name and plan do not. */
  const workspaceNeeds: Record<string, Need> = {
    members: 'read',
    apiKeys: 'own',
    reachingKeys: 'own',
    connectedClients: 'read',
    invitations: 'own',
    ingestKeys: 'admin',
    bingKey: 'admin',
    google: 'admin',
    googleAccounts: 'admin',
    auditTrail: 'own',
    providerKeys: 'admin',
    channels: 'admin',
    deliveries: 'admin',
    retentionPreview: 'own',
  }

  test('there is something to check', () => {
    expect(query.length).toBeGreaterThan(4)
    expect(ofProject.length).toBeGreaterThan(10)
    expect(subscription.map((field) => field.name)).toEqual(['projectUpdated'])
    const ofWorkspace = publicSchema.getType('Workspace')
    expect(isObjectType(ofWorkspace) ? Object.keys(ofWorkspace.getFields()) : []).toEqual([
      'id',
      'name',
      'plan',
      'createdAt',
      'retention',
      'serviceRetention',
      ...Object.keys(workspaceNeeds),
    ])
    const names = mutation.map((field) => field.name)
    expect([...Object.keys(mutationNeeds), ...ofUser].sort()).toEqual(names.sort())
  })

  test.each(query.map((field) => [field.name, field] as const))(
    'Query.%s',
    async (_name, field) => {
      const aboutProject = field.name === 'project'
      const wantedOf = (name: string, kind: Kind) =>
        field.name === 'workspace'
          ? expectedOfWorkspace(name, kind, 'read')
          : expected(name, kind, 'read', aboutProject)
      for (const [name, kind] of kindsToAsk(wantedOf)) {
        const outcome = await codeOf(await api.graphql(`{ ${callOf(field, known())} }`, keys[name]))
        expect(`${name}: ${outcome}`).toBe(`${name}: ${wantedOf(name, kind)}`)
      }
      if (aboutProject) {
        expect(
          await codeOf(
            await api.graphql(
              `{ ${callOf(field, ofState.get('inactive')?.rows ?? {})} }`,
              keys.admin,
            ),
          ),
        ).toBe('forbidden')
      }
    },
  )

  test.each(subscription.map((field) => [field.name, field] as const))(
    'Subscription.%s',
    async (_name, field) => {
      // Whoever may read is refused last, for the media type: so the stream does not open.
      const outcomeOf = async (of: Partial<ProjectRows>, key: string | undefined) => {
        const text = `subscription { ${callOf(field, of as ProjectRows)} }`
        const code = await codeOf(await api.graphql(text, key))
        return code === 'invalid_argument' ? 'ok' : code
      }
      for (const [name, kind] of kinds) {
        const outcome = await outcomeOf(rows, keys[name])
        expect(`${name}: ${outcome}`).toBe(`${name}: ${expected(name, kind, 'read', true)}`)
      }
      const of = { isOfPitch: true, isOfPlan: false }
      for (const { state, wanted, rows: inState, key = keys.admin } of inStates(of)) {
        const outcome = await outcomeOf(inState, key)
        expect(`${state}: ${outcome}`).toBe(`${state}: ${wanted}`)
      }
    },
  )

  test.each(mutation.map((field) => [field.name, field] as const))(
    'Mutation.%s',
    async (name, field) => {
      const need = mutationNeeds[name] ?? 'own'
      const ends = ['deleteProject', 'deactivateProject'].includes(name)
      const aboutWorkspace = field.args.some((arg) => arg.name === 'workspaceId')
      const place = aboutWorkspace ? `workspaceId: "${workspaceId}"` : `projectId: "${project}"`
      const callNow = async () => {
        const given = (await mutations.newArgumentsOf[name]?.()) ?? mutations.argumentsOf[name]
        if (given === undefined) {
          return callOf(field, { ...known(), ...(ends && { projectId: mutations.doomed }) })
        }
        return `${name}(${ofUser.includes(name) ? '' : `${place}, `}${given})${selection(field)}`
      }
      const wanted = (kindName: string, kind: Kind) => {
        if (ofUser.includes(name)) {
          const outcome = expected(kindName, kind, 'admin', false)
          return outcome === 'ok' ? 'not_found' : outcome
        }
        if (aboutWorkspace) {
          const outcome = expectedOfWorkspace(kindName, kind, need)
          return outcome === 'ok' ? (afterAccess[name] ?? outcome) : outcome
        }
        // Nobody's key is bound to the project that goes.
        const known: Kind = ends && kind.bound ? { ...kind, bound: 'elsewhere' } : kind
        const outcome = expected(kindName, known, need, true)
        return outcome === 'ok' ? (afterAccess[name] ?? outcome) : outcome
      }
      // What is removed is there for one of those who may.
      const isLast = need === 'admin' || need === 'own'
      let isDone = false
      for (const [kindName, kind] of kindsToAsk(wanted)) {
        if (isLast && isDone) continue
        isDone = !['unauthorized', 'not_found', 'forbidden', 'missing_scope'].includes(
          wanted(kindName, kind),
        )
        if (need === 'write') await endJobs(api, project)
        const text = `mutation { ${await callNow()} }`
        const outcome = await codeOf(await api.graphql(text, keys[kindName]))
        expect(`${kindName}: ${outcome}`).toBe(`${kindName}: ${wanted(kindName, kind)}`)
      }
    },
  )

  test.each(ofProject.map((field) => [field.name, field] as const))(
    'Project.%s',
    async (_name, field) => {
      const wantedOf = (name: string, kind: Kind) => expected(name, kind, 'read', true)
      for (const [name, kind] of kindsToAsk(wantedOf)) {
        const text = `{ project(id: "${project}") { ${callOf(field, known())} } }`
        const outcome = await codeOf(await api.graphql(text, keys[name]))
        expect(`${name}: ${outcome}`).toBe(`${name}: ${wantedOf(name, kind)}`)
      }
      const { name: fieldName } = field
      const isOfPitch = !fieldsNotOfPitch.includes(fieldName)
      const of = { isOfPitch, isOfPlan: fieldsOfPlan.includes(fieldName) }
      for (const { state, wanted, rows: inState, key = keys.admin } of inStates(of)) {
        const text = `{ project(id: "${inState.projectId}") { ${callOf(field, inState)} } }`
        const outcome = await codeOf(await api.graphql(text, key))
        expect(`${state}: ${outcome}`).toBe(`${state}: ${wanted}`)
      }
    },
  )

  test.each(Object.entries(workspaceNeeds))('Workspace.%s', async (field, need) => {
    for (const [name, kind] of kinds) {
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
    // The second document costs a third of what a key may spend in a minute.
    await makeKeys()
    const names = await api.graphql(
      '{ projects(first: 1000) { nodes { id name isActive } } }',
      keys.admin,
    )
    const { data } = (await names.json()) as {
      data: { projects: { nodes: { id: string; isActive: boolean }[] } }
    }
    const inactive = ofState.get('inactive')?.rows.projectId
    expect(data.projects.nodes.find(({ id }) => id === inactive)?.isActive).toBe(false)
    const reports = await api.graphql(
      '{ projects(first: 200) { nodes { topics { nodes { id } } } } }',
      keys.admin,
    )
    expect(await codeOf(reports)).toBe('forbidden')
  })
})
