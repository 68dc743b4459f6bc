import type { Command } from 'commander'

type AddCommand = (program: Command) => void

type Load = () => Promise<AddCommand>

/**
 * The commands by name, in the groups and the order of the help. A command is loaded when it is named: all of them take a
 * quarter of a second, and memory that a service would keep.
 */
const groups: Readonly<Record<string, Readonly<Record<string, Load>>>> = {
  'Set up:': {
    open: async () => (await import('./commands/open.ts')).addOpen,
    mcp: async () => (await import('./commands/mcp/mcp.ts')).addMcp,
    project: async () => (await import('./commands/project.ts')).addProject,
    competitor: async () => (await import('./commands/competitor.ts')).addCompetitor,
    alias: async () => (await import('./commands/alias.ts')).addAlias,
    name: async () => (await import('./commands/name.ts')).addName,
    'own-domain': async () => (await import('./commands/own-domain.ts')).addOwnDomain,
    topic: async () => (await import('./commands/topic.ts')).addTopic,
    location: async () => (await import('./commands/location.ts')).addLocation,
    prompt: async () => (await import('./commands/prompt.ts')).addPrompt,
    plan: async () => (await import('./apply/commands.ts')).addPlan,
    apply: async () => (await import('./apply/commands.ts')).addApply,
  },
  'Data:': {
    'provider-key': async () =>
      (await import('./commands/collecting/provider-key.ts')).addProviderKey,
    schedule: async () => (await import('./commands/collecting/schedule.ts')).addSchedule,
    estimate: async () => (await import('./commands/collecting/estimate.ts')).addEstimate,
    collect: async () => (await import('./commands/collecting/collect.ts')).addCollect,
    import: async () => (await import('./commands/import/import.ts')).addImport,
    feed: async () => (await import('./commands/feed.ts')).addFeed,
    pull: async () => (await import('./commands/pull.ts')).addPull,
    disconnect: async () => (await import('./commands/disconnect.ts')).addDisconnect,
    recount: async () => (await import('./commands/analysis/recount.ts')).addRecount,
    reparse: async () => (await import('./commands/collecting/reparse.ts')).addReparse,
    sentiment: async () => (await import('./commands/analysis/sentiment.ts')).addSentiment,
  },
  'Reports:': {
    report: async () => (await import('./commands/report/report.ts')).addReport,
    export: async () => (await import('./commands/export/export.ts')).addExport,
    verify: async () => (await import('./commands/verify.ts')).addVerify,
    opportunities: async () => (await import('./commands/opportunities.ts')).addOpportunities,
    mark: async () => (await import('./commands/mark.ts')).addMarkCommands,
    alarm: async () => (await import('./commands/alarm.ts')).addAlarm,
    monitor: async () => (await import('./commands/alarm.ts')).addMonitor,
  },
  'Site:': {
    site: async () => (await import('./commands/site/site.ts')).addSite,
    'ingest-key': async () => (await import('./commands/ingest-key.ts')).addIngestKey,
    'site-token': async () => (await import('./commands/site-token.ts')).addSiteToken,
  },
  'Notifications:': {
    channel: async () => (await import('./commands/channels/channel.ts')).addChannelCommands,
    digest: async () => (await import('./commands/channels/digest.ts')).addDigest,
    delivery: async () => (await import('./commands/channels/delivery.ts')).addDelivery,
  },
  'Admin:': {
    workspace: async () => (await import('./commands/workspace.ts')).addWorkspace,
    member: async () => (await import('./commands/people/member.ts')).addMember,
    user: async () => (await import('./commands/people/user.ts')).addUser,
    invitation: async () => (await import('./commands/people/invitation.ts')).addInvitation,
    key: async () => (await import('./commands/key.ts')).addKey,
    activity: async () => (await import('./commands/activity.ts')).addActivity,
  },
  'Service:': {
    serve: async () => (await import('./commands/serve.ts')).addServe,
    doctor: async () => (await import('./commands/doctor.ts')).addDoctor,
    backup: async () => (await import('./backup/commands.ts')).addBackup,
    restore: async () => (await import('./backup/commands.ts')).addRestore,
    migrate: async () => (await import('./commands/migrate.ts')).addMigrate,
    api: async () => (await import('./commands/api.ts')).addApi,
    warehouse: async () => (await import('./commands/warehouse.ts')).addWarehouse,
    tracker: async () => (await import('./commands/tracker/tracker.ts')).addTracker,
    'tracker-writer': async () => (await import('./commands/tracker/writer.ts')).addTrackerWriter,
    worker: async () => (await import('./commands/worker.ts')).addWorker,
    completion: async () => (await import('./commands/completion.ts')).addCompletion,
  },
}

/** Names of commands before 0.3, which go on until 0.4. */
const formerNames: Readonly<Record<string, readonly string[]>> = {
  audit: ['activity'],
  imports: ['import'],
  judge: ['sentiment', 'rerate'],
  plan: ['estimate'],
  reanalyze: ['recount'],
  replay: ['reparse'],
  reports: ['report'],
  unlink: ['disconnect'],
}

/** The arguments with the name that a command has now, and the sentence that says so. */
export function withNewNames(args: readonly string[]): {
  readonly args: readonly string[]
  readonly notice?: string
} {
  const at = args.findIndex((arg) => !arg.startsWith('-'))
  // `plan` shows what a file would change now. Only its former options are of `estimate`.
  if (args[at] === 'plan' && !args.some((arg) => arg.startsWith('--project'))) return { args }
  const former = args[at] ?? ''
  const name = Object.hasOwn(formerNames, former) ? formerNames[former] : undefined
  if (!name) return { args }
  return {
    args: args.toSpliced(at, 1, ...name),
    notice: `\`${former}\` is now \`${name.join(' ')}\`. The old name goes with 0.4.`,
  }
}

/** Adds the named command, or all of them for the help, the completion of a shell and a name that is none. */
export async function addCommands(program: Command, args: readonly string[]): Promise<void> {
  const name = args.find((arg) => !arg.startsWith('-')) ?? ''
  const commands: Readonly<Record<string, Load>> = Object.assign({}, ...Object.values(groups))
  const named = Object.hasOwn(commands, name) && name !== 'completion' ? commands[name] : undefined
  if (named) {
    const add = await named()
    add(program)
    return
  }
  for (const [heading, ofGroup] of Object.entries(groups)) {
    program.commandsGroup(heading)
    for (const load of Object.values(ofGroup)) {
      const add = await load()
      add(program)
    }
  }
}
