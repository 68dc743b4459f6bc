import { randomUUID } from 'node:crypto'
import type { TestApi, TestWorkspace } from './api.ts'
import { makeOpportunities } from './work/opportunities.ts'

/**
 * The rows that mutations are called on. Nothing else needs these rows, so a mutation may change or remove
 * them.
 */
export interface MutationRows {
  /** The project for `deleteProject`. */
  readonly doomed: string
  /** The arguments of a mutation beside its project or workspace; absent where it takes none of note. */
  readonly argumentsOf: Readonly<Record<string, string>>
  /** The same for mutations that need other arguments each time, such as the id of what they remove. */
  readonly newArgumentsOf: Readonly<Record<string, () => Promise<string>>>
  /** What REST takes as the body of a mutation; absent where it takes none of note. */
  readonly bodyOf: Readonly<Record<string, object>>
}

/** The writes of prompts, which more keys than those with `admin` may do, and each as often as it likes. */
const promptBodies = {
  addPrompts: { prompts: [{ text: 'added?' }] },
  updatePrompt: { isBranded: false },
  setPromptTracking: { action: 'archive' },
  restorePromptWording: { revision: 1 },
}

/** Of reads that take a body. */
const connectorBodies = {
  connectorSchema: { dataset: 'visibility' },
  connectorData: { dataset: 'visibility' },
}

/** A PNG of one pixel, in Base64. */
const onePixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** Ends the jobs of a project, and its pause, so that the next one may start at once. */
export async function endJobs({ db }: Pick<TestApi, 'db'>, projectId: string): Promise<void> {
  const change = {
    where: { projectId, completedAt: null },
    data: { status: 'failed', completedAt: new Date() },
  } as const
  await db.project.update({
    where: { id: projectId },
    data: { sitemapStatus: 'idle', status: 'active' },
  })
  await Promise.all([db.audit.updateMany(change), db.report.updateMany(change)])
}

/** A question of a run that got no answer, without its prompt. */
const failedAsk = {
  prompt: 'first?',
  providerKeyId: '00000000-0000-0000-0000-000000000000',
  provider: 'openai',
  platform: 'chatgpt',
  model: 'm',
  repetition: 1,
  state: 'failed',
} as const

/** The id of nothing: an answer to an invitation is the user's alone. */
const nothing = '00000000-0000-0000-0000-000000000000'

/** Makes the rows, most of them in `projectId`. */
export async function makeMutationRows(
  { db }: TestApi,
  workspace: TestWorkspace,
  projectId: string,
): Promise<MutationRows> {
  const rival = (name: string) =>
    db.competitor.create({ data: { projectId, name, domain: `${name.toLowerCase()}.org` } })
  const topic = (name: string) => db.topic.create({ data: { projectId, name } })
  const place = { projectId, label: 'bonn, , de', countryCode: 'DE', city: 'Bonn' }
  const member = (email: string) =>
    db.user.create({
      data: { email, name: email, memberships: { create: { workspaceId: workspace.id } } },
    })
  const [kept, removed, old, unused, location] = await Promise.all([
    rival('Kept'),
    rival('Removed'),
    topic('Old'),
    topic('Unused'),
    db.location.create({ data: place }),
  ])
  await db.competitorAlias.create({ data: { competitorId: kept.id, text: 'Keep Ltd' } })
  await db.brandAlias.create({ data: { projectId, text: 'Acme Ltd' } })
  await db.ownDomain.create({ data: { projectId, domain: 'acme.org' } })
  const changing = await member(`changing@${workspace.id}.test`)
  const leaving = await member(`leaving@${workspace.id}.test`)
  const [revoked, rotated, reaching] = [
    await workspace.key(),
    await workspace.key(),
    await workspace.key(),
  ]
  const invitation = await db.invitation.create({
    data: {
      workspaceId: workspace.id,
      email: `asked@${workspace.id}.test`,
      expiresAt: new Date(Date.now() + 3_600_000),
    },
  })
  const sending = await db.ingestKey.create({ data: { workspaceId: workspace.id } })
  const sealed = new Uint8Array(1)
  const providerKey = await db.providerKey.create({
    data: { workspaceId: workspace.id, provider: 'openai', label: 'Removed', sealed },
  })
  await db.providerKey.create({
    data: { workspaceId: workspace.id, provider: 'openai', label: 'Asked', sealed },
  })
  await db.googleClient.create({ data: { workspaceId: workspace.id, clientId: 'anvil', sealed } })
  await db.bingKey.create({ data: { workspaceId: workspace.id, lastFour: 'cdef', sealed } })
  const google = await db.googleAccount.create({
    data: { workspaceId: workspace.id, email: 'ana@example.com', sealed },
  })
  const feed = { projectId, name: '42', firstDay: new Date('2025-06-01'), nextPullAt: null }
  await db.dataFeed.create({ data: { ...feed, kind: 'searchConsole' } })
  await db.dataFeed.create({ data: { ...feed, kind: 'webAnalytics' } })
  const text = { projectId, text: 'first?' }
  const revision = { ...text, revision: 1, questionKey: 'first', change: 'created' } as const
  const prompt = await db.prompt.create({ data: { ...text, revisions: { create: revision } } })
  const [completed, dismissed, reopened] = await makeOpportunities(db, projectId, 3)
  const monitor = (platform: string) =>
    db.monitor.create({
      data: { id: randomUUID(), projectId, kind: 'visibility.fell', platform, isOwn: true },
    })
  const { id: monitorId } = await monitor('chatgpt')
  const alarm = await db.alarm.create({
    data: {
      id: randomUUID(),
      monitorId,
      projectId,
      kind: 'visibility.fell',
      level: 'warn',
      since: new Date('2025-06-01'),
      openedOn: new Date('2025-06-07'),
      evidence: {},
      rulesVersion: 1,
    },
  })
  const named = (name: string, id = '') => `${name}: "${id}"`
  const schedule = async () => {
    const terms = { cron: '0 6 * * *', timeZone: 'UTC', spreadMinutes: 0, keys: ['Asked'] }
    const made = await db.schedule.create({ data: { projectId, name: randomUUID(), ...terms } })
    return made.id
  }
  const channel = (name: string) =>
    db.channel.create({
      data: {
        workspaceId: workspace.id,
        kind: 'webhook',
        name,
        display: 'https://hooks.example',
        sealed: new Uint8Array(1),
      },
    })
  const heard = await channel('Heard')
  const ending = await channel('Ending')
  return {
    doomed: await workspace.project(),
    newArgumentsOf: {
      removeMark: async () => {
        const data = {
          id: randomUUID(),
          projectId,
          kind: 'other',
          title: 'Done',
          day: new Date('2025-06-01'),
        }
        return named('markId', (await db.mark.create({ data })).id)
      },
      deletePrompts: async () => {
        const { id } = await db.prompt.create({ data: { projectId, text: `${randomUUID()}?` } })
        return `promptIds: ["${id}"]`
      },
      proposeSetup: async () => {
        await db.projectSetup.deleteMany({ where: { projectId } })
        return ''
      },
      rateOlderAnswers: async () => {
        const rated = { version: 'a-model@0', model: 'a-model', ratesOlder: false }
        await db.sentimentRater.upsert({
          where: { projectId },
          create: { projectId, ...rated },
          update: rated,
        })
        return ''
      },
      removeMonitor: async () => named('monitorId', (await monitor('gemini')).id),
      createSchedule: async () => `name: "${randomUUID()}", cron: "0 6 * * *", keys: ["Asked"]`,
      updateSchedule: async () => `${named('scheduleId', await schedule())}, repetitions: 2`,
      deleteSchedule: async () => named('scheduleId', await schedule()),
      runSchedule: async () => named('scheduleId', await schedule()),
      retryRun: async () => {
        const run = {
          projectId,
          repetitions: 1,
          status: 'completed',
          deadlineAt: new Date(),
        } as const
        const asks = { create: { ...failedAsk, promptId: prompt.id } }
        return named('runId', (await db.run.create({ data: { ...run, asks } })).id)
      },
    },
    bodyOf: { ...promptBodies, ...connectorBodies, createReport: { reportType: 'visibility' } },
    argumentsOf: {
      addPrompts: 'prompts: [{ text: "added?" }]',
      planChange: 'action: add_topic, input: { name: "Planned" }',
      previewPrompts: String.raw`content: "text\nseen?"`,
      setPromptsTracking: `promptIds: ["${prompt.id}"], action: archive`,
      changePromptTopics: `promptIds: ["${prompt.id}"], addTopicIds: ["${old.id}"]`,
      setLogo: `image: "${onePixel}"`,
      importPrompts: String.raw`content: "text\nimported?"`,
      updatePrompt: `${named('promptId', prompt.id)}, isBranded: false`,
      setPromptTracking: `${named('promptId', prompt.id)}, action: archive`,
      restorePromptWording: `${named('promptId', prompt.id)}, revision: 1`,
      importArticles: 'content: ""',
      importUpload: String.raw`kind: pages, content: "url\nhttps://acme.com/uploaded"`,
      previewUpload: String.raw`content: "url\nhttps://acme.com/seen"`,
      importDomainAuthority: 'content: "date,score,backlinks,rd"',
      importPageContents: 'content: ""',
      importPages: 'content: "url"',
      importBrandProfile: 'content: "{}"',
      updateProject: 'industry: "Anvils"',
      addBrandAlias: 'text: "Acme Inc"',
      removeBrandAlias: 'text: "Acme Ltd"',
      addOwnDomain: 'domain: "acme.net"',
      removeOwnDomain: 'domain: "acme.org"',
      addCompetitor: 'name: "Added", domain: "added.org"',
      updateCompetitor: `${named('competitorId', kept.id)}, name: "Kept still"`,
      removeCompetitor: named('competitorId', removed.id),
      addCompetitorAlias: `${named('competitorId', kept.id)}, text: "Keep Inc"`,
      removeCompetitorAlias: `${named('competitorId', kept.id)}, text: "Keep Ltd"`,
      addTopic: 'name: "Added"',
      renameTopic: `${named('topicId', old.id)}, name: "New"`,
      removeTopic: named('topicId', unused.id),
      addLocation: 'place: "Berlin, Germany"',
      removeLocation: named('locationId', location.id),
      addMember: `email: "added@${workspace.id}.test"`,
      revokeInvitation: named('invitationId', invitation.id),
      acceptInvitation: named('invitationId', nothing),
      declineInvitation: named('invitationId', nothing),
      leaveWorkspace: named('workspaceId', nothing),
      endSession: named('sessionId', nothing),
      removePasskey: named('passkeyId', nothing),
      disconnectClient: named('clientId', nothing),
      changeMemberRole: `${named('userId', changing.id)}, role: editor`,
      removeMember: named('userId', leaving.id),
      revokeKey: named('keyId', revoked.id),
      blockKey: named('keyId', reaching.id),
      unblockKey: named('keyId', reaching.id),
      rotateKey: named('keyId', rotated.id),
      importSearchConsole: 'content: "{}"',
      importWebAnalytics: String.raw`content: "date,landingPage,sessionSource,sessions,totalUsers,bounceRate,averageSessionDuration\n"`,
      createProject: 'name: "Anvil", domain: "anvil.org"',
      createKey: 'scopes: [read]',
      createIngestKey: 'name: "Edge"',
      revokeIngestKey: named('keyId', sending.id),
      setProviderKey: 'provider: openai, secret: "two words"',
      removeProviderKey: named('keyId', providerKey.id),
      testProviderKey: named('keyId', nothing),
      listProviderModels: 'provider: perplexity',
      setGoogleClient: 'clientId: "1.apps.googleusercontent.com", secret: "two words"',
      removeGoogleClient: '',
      beginGoogleSignIn: '',
      removeGoogleAccount: named('accountId', nothing),
      listGoogleProperties: named('accountId', nothing),
      setBingKey: 'key: "two words"',
      removeBingKey: '',
      listBingSites: '',
      addDataFeed: `${named('accountId', google.id)}, kind: web_analytics, name: "42"`,
      pullDataFeed: 'kind: web_analytics',
      removeDataFeed: 'kind: search_console',
      setRetention: 'auditTrail: 3000',
      addChannel: 'kind: slack, address: "https://hooks.example/added"',
      changeChannel: `${named('channelId', heard.id)}, name: "Heard still"`,
      testChannel: named('channelId', nothing),
      rotateChannelSecret: named('channelId', heard.id),
      pauseChannel: named('channelId', heard.id),
      enableChannel: named('channelId', heard.id),
      removeChannel: named('channelId', ending.id),
      setDigest: `${named('channelId', heard.id)}, projectId: "${projectId}"`,
      removeDigest: named('digestId', nothing),
      setReportSchedule: `${named('channelId', heard.id)}, projectId: "${projectId}"`,
      removeReportSchedule: named('scheduleId', nothing),
      sendAgain: `${named('channelId', nothing)}, since: "2026-01-01T00:00:00Z"`,
      runPrompts: 'keys: ["Asked"]',
      completeOpportunity: named('opportunityId', completed),
      dismissOpportunity: `${named('opportunityId', dismissed)}, reason: "Not ours."`,
      reopenOpportunity: named('opportunityId', reopened),
      assignOpportunity: `${named('opportunityId', reopened)}, userId: null`,
      refreshOpportunities: '',
      dismissSuggestedPrompt: 'text: "quiet earbuds"',
      restoreSuggestedPrompt: 'text: "quiet earbuds"',
      acknowledgeAlarm: named('alarmId', alarm.id),
      addMonitor: `kind: visibility_fell, ${named('topicId', old.id)}`,
      updateMonitor: `${named('monitorId', monitorId)}, isEnabled: true`,
      muteMonitor: `${named('monitorId', monitorId)}, until: "${new Date(Date.now() + 3_600_000).toISOString()}"`,
      unmuteMonitor: named('monitorId', monitorId),
      addMark: 'kind: other, title: "Spring campaign", date: "2025-06-01"',
      setSetupStep: 'step: prompts',
    },
  }
}
