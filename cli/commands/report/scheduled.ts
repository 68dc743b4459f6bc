import type { Command } from 'commander'
import { describeChange } from '../../change.ts'
import { projectIdOf } from '../../names.ts'
import { example, projectCommand, workspaceCommand } from '../../options.ts'
import { type CommandResult, type Context, perform } from '../../run.ts'
import { withCatalog } from '../../stores.ts'
import { columns } from '../../text.ts'
import { requireWorkspace } from '../workspace.ts'

/** Adds what sends reports to channels on a schedule. */
export function addScheduledReports(reports: Command): void {
  workspaceCommand(reports, 'schedules')
    .description('list the reports that channels get on a schedule')
    .addHelpText('after', example('report schedules --workspace 5f0c…'))
    .action(perform(list))
  projectCommand(reports, 'schedule')
    .requiredOption('--channel <id>', 'the channel')
    .option('--every <pace>', 'week or month', 'week')
    .option('--day <day>', 'day of the week: 1 is Monday, 7 Sunday; or of the month, 1 to 28', '1')
    .option('--hour <hour>', 'hour of the day, 0 to 23', '7')
    .option('--time-zone <zone>', 'IANA name of the time zone', 'UTC')
    .option('--type <type>', 'choose visibility, sentiment or combined', 'combined')
    .option('--link-days <days>', 'days that each link is open, or "never" for no end', '30')
    .description('create, share and send a report each week or month')
    .addHelpText(
      'after',
      example('report schedule --project acme.com --channel 9b1e… --every month'),
    )
    .action(perform(set))
  workspaceCommand(reports, 'unschedule')
    .argument('<id>', 'the schedule')
    .description('end a report on a schedule')
    .addHelpText('after', example('report unschedule --workspace 5f0c… 7c2a…'))
    .action(perform(remove))
}

interface OfWorkspace {
  readonly workspace: string
}

async function list(context: Context, { workspace }: OfWorkspace): Promise<CommandResult> {
  const [{ loadChannels }, { loadReportSchedules }] = await Promise.all([
    import('../../../resolvers/channels/channels.ts'),
    import('../../../resolvers/reports/schedules.ts'),
  ])
  return withCatalog(context, async (db) => {
    await requireWorkspace(db, workspace)
    const [channels = []] = await loadChannels(db, [workspace.toLowerCase()])
    const found = await loadReportSchedules(
      db,
      channels.map(({ id }) => id),
    )
    const schedules = found.flat()
    const nameOf = new Map(channels.map(({ id, name }) => [id, name]))
    const rows = schedules.map(({ id, project, channelId, every, nextAt, problem }) => [
      id,
      project.name,
      nameOf.get(channelId) ?? '',
      `each ${every}`,
      `next ${nextAt.toISOString()}`,
      problem ?? '',
    ])
    return { json: { schedules }, text: columns(rows, 'No reports on a schedule.') }
  })
}

interface SetOptions {
  readonly project: string
  readonly channel: string
  readonly every: string
  readonly day: string
  readonly hour: string
  readonly timeZone: string
  readonly type: string
  readonly linkDays: string
}

async function set(context: Context, options: SetOptions): Promise<CommandResult> {
  const [{ setReportSchedule }, { commandLine }] = await imports()
  const { channel, every, day, hour, timeZone, type, linkDays } = options
  const {
    subjectId: id,
    changed,
    row,
  } = await withCatalog(context, async (db) => {
    const projectId = await projectIdOf(db, options.project)
    const { workspaceId } = await db.project.findUniqueOrThrow({ where: { id: projectId } })
    return setReportSchedule(db, commandLine, workspaceId, {
      channelId: channel,
      projectId,
      // The resolver names what is not accepted.
      every: every as 'week',
      reportType: type as 'combined',
      day: Number(day),
      hour: Number(hour),
      timeZone,
      linkDays: linkDays === 'never' ? null : Number(linkDays),
    })
  })
  const next = `The next one is sent at ${row.nextAt.toISOString()}.`
  return {
    json: { id, changed, nextAt: row.nextAt },
    text: `${describeChange('Scheduled report', { id, changed })}\n${next}`,
  }
}

async function remove(
  context: Context,
  { workspace }: OfWorkspace,
  scheduleId: string,
): Promise<CommandResult> {
  const [{ removeReportSchedule }, { commandLine }] = await imports()
  const { subjectId: id, changed } = await withCatalog(context, (db) =>
    removeReportSchedule(db, commandLine, workspace, scheduleId),
  )
  return { json: { id, changed }, text: describeChange('Removed schedule', { id, changed }) }
}

// Loaded when a command runs: they load the client of the catalog.
function imports() {
  return Promise.all([
    import('../../../resolvers/reports/schedules.ts'),
    import('../../../resolvers/shared/audit-trail.ts'),
  ])
}
