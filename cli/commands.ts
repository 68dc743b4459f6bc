import type { Command } from 'commander'

type AddCommand = (program: Command) => void

/**
 * The commands by name, in the order of the help. A command is loaded when it is named: all of them take a quarter of a
 * second, and memory that a service would keep.
 */
const commands: Readonly<Record<string, () => Promise<AddCommand>>> = {
  serve: async () => (await import('./commands/serve.ts')).addServe,
  open: async () => (await import('./commands/open.ts')).addOpen,
  workspace: async () => (await import('./commands/workspace.ts')).addWorkspace,
  member: async () => (await import('./commands/people/member.ts')).addMember,
  invitation: async () => (await import('./commands/people/invitation.ts')).addInvitation,
  project: async () => (await import('./commands/project.ts')).addProject,
  name: async () => (await import('./commands/name.ts')).addName,
  alias: async () => (await import('./commands/alias.ts')).addAlias,
  'own-domain': async () => (await import('./commands/own-domain.ts')).addOwnDomain,
  competitor: async () => (await import('./commands/competitor.ts')).addCompetitor,
  topic: async () => (await import('./commands/topic.ts')).addTopic,
  location: async () => (await import('./commands/location.ts')).addLocation,
  prompt: async () => (await import('./commands/prompt.ts')).addPrompt,
  key: async () => (await import('./commands/key.ts')).addKey,
  'ingest-key': async () => (await import('./commands/ingest-key.ts')).addIngestKey,
  'provider-key': async () =>
    (await import('./commands/collecting/provider-key.ts')).addProviderKey,
  'site-token': async () => (await import('./commands/site-token.ts')).addSiteToken,
  site: async () => (await import('./commands/site/site.ts')).addSite,
  audit: async () => (await import('./commands/audit.ts')).addAudit,
  opportunities: async () => (await import('./commands/opportunities.ts')).addOpportunities,
  collect: async () => (await import('./commands/collecting/collect.ts')).addCollect,
  schedule: async () => (await import('./commands/collecting/schedule.ts')).addSchedule,
  plan: async () => (await import('./commands/collecting/plan.ts')).addPlan,
  replay: async () => (await import('./commands/collecting/replay.ts')).addReplay,
  import: async () => (await import('./commands/import/import.ts')).addImport,
  imports: async () => (await import('./commands/import/imports.ts')).addImports,
  pull: async () => (await import('./commands/pull.ts')).addPull,
  unlink: async () => (await import('./commands/unlink.ts')).addUnlink,
  reanalyze: async () => (await import('./commands/analysis/reanalyze.ts')).addReanalyze,
  judge: async () => (await import('./commands/analysis/judge.ts')).addJudge,
  report: async () => (await import('./commands/report/report.ts')).addReport,
  reports: async () => (await import('./commands/reports.ts')).addReports,
  doctor: async () => (await import('./commands/doctor.ts')).addDoctor,
  backup: async () => (await import('./backup/commands.ts')).addBackup,
  restore: async () => (await import('./backup/commands.ts')).addRestore,
  migrate: async () => (await import('./commands/migrate.ts')).addMigrate,
  api: async () => (await import('./commands/api.ts')).addApi,
  warehouse: async () => (await import('./commands/warehouse.ts')).addWarehouse,
  tracker: async () => (await import('./commands/tracker/tracker.ts')).addTracker,
  'tracker-writer': async () => (await import('./commands/tracker/writer.ts')).addTrackerWriter,
  worker: async () => (await import('./commands/worker.ts')).addWorker,
}

const completion = async () => (await import('./commands/completion.ts')).addCompletion

/** Adds the named command, or all of them for the help, the completion of a shell and a name that is none. */
export async function addCommands(program: Command, args: readonly string[]): Promise<void> {
  const name = args.find((arg) => !arg.startsWith('-')) ?? ''
  const named = Object.hasOwn(commands, name) ? commands[name] : undefined
  const wanted = named ? [named] : [...Object.values(commands), completion]
  for (const add of await Promise.all(wanted.map((load) => load()))) add(program)
}
