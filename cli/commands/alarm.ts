import type { Command } from 'commander'
import type { AlarmKind, MonitorKind } from '../../core/alarms/kinds/kinds.ts'
import { alarmText, monitorTitle, type Worded } from '../../core/alarms/kinds/words.ts'
import type { Estimate } from '../../core/alarms/series/levels.ts'
import { invalid, notFound } from '../../core/errors.ts'
import { storedAs } from '../../core/stored-json.ts'
import type { Alarm } from '../../prisma/generated/client.ts'
import { describeChange } from '../change.ts'
import { commandGroup, example, projectCommand } from '../options.ts'
import { readProject } from '../project-details.ts'
import { type CommandResult, type Context, perform } from '../run.ts'
import { withCatalog, withStores } from '../stores.ts'
import { columns } from '../text.ts'

interface OfProject {
  project: string
}

const changes = () => import('../../resolvers/alarms/change.ts')

const dayOf = (day: Date | null) => day?.toISOString().slice(0, 10) ?? null

export function addAlarm(program: Command): void {
  const group = commandGroup(
    program,
    'alarm',
    'list alarms, and acknowledge them',
    'alarm list --open --fail',
  )
  group
    .command('list')
    .description('list alarms, newest first')
    .option('--project <project>', 'only alarms of this project, by its id, name or domain')
    .option('--open', 'only alarms that are not over')
    .option('--fail', 'exit with 3 if an alarm is listed that nobody acknowledged')
    .addHelpText('after', example('alarm list --open --fail --project 8c1e…'))
    .action(perform(list))
  projectCommand(group, 'acknowledge')
    .argument('<alarm-id>', 'the alarm')
    .description('acknowledge an alarm')
    .option('--note <text>', 'add a note of up to 500 characters')
    .addHelpText('after', example('alarm acknowledge --project 8c1e… 5b07… --note "New pricing"'))
    .action(perform(acknowledge))
}

/** A list longer than this is for GraphQL. */
const most = 500

/** What `--fail` exits with: an error of the command exits with 1, and a wrong use with 2. */
const alarmExitCode = 3

async function list(
  context: Context,
  { project, open, fail }: Partial<OfProject> & { open?: true; fail?: true },
): Promise<CommandResult> {
  const found = await withCatalog(context, (db) =>
    db.alarm.findMany({
      where: {
        ...(project === undefined ? {} : { projectId: project }),
        ...(open ? { closedOn: null } : {}),
      },
      orderBy: [{ openedOn: 'desc' }, { id: 'desc' }],
      take: most,
      include: { project: { select: { name: true } } },
    }),
  )
  const alarms = found.map((alarm) => ({
    id: alarm.id,
    projectId: alarm.projectId,
    project: alarm.project.name,
    kind: alarm.kind,
    level: alarm.level,
    text: textOf(alarm),
    since: dayOf(alarm.since),
    openedOn: dayOf(alarm.openedOn),
    closedOn: dayOf(alarm.closedOn),
    acknowledgedAt: alarm.acknowledgedAt?.toISOString() ?? null,
    note: alarm.note,
  }))
  const isNews = alarms.some(({ acknowledgedAt }) => acknowledgedAt === null)
  const rows = alarms.map((alarm) => [
    alarm.id,
    alarm.openedOn ?? '',
    stateOf(alarm),
    ...(project === undefined ? [alarm.project] : []),
    alarm.text,
  ])
  return {
    json: { alarms },
    text: columns(rows, open ? 'No open alarms.' : 'No alarms.'),
    ...(fail && isNews ? { exitCode: alarmExitCode } : {}),
  }
}

const textOf = ({ kind, estimate, evidence }: Alarm) =>
  alarmText({
    kind: kind as AlarmKind,
    estimate: storedAs<Estimate | null>(estimate),
    evidence: storedAs<Worded['evidence']>(evidence),
  })

function stateOf({
  closedOn,
  acknowledgedAt,
}: {
  closedOn: string | null
  acknowledgedAt: string | null
}) {
  if (closedOn !== null) return 'closed'
  return acknowledgedAt === null ? 'open' : 'acknowledged'
}

async function acknowledge(
  context: Context,
  { project, note }: OfProject & { note?: string },
  alarmId: string,
): Promise<CommandResult> {
  const { commandLine } = await import('../../resolvers/shared/audit-trail.ts')
  const { acknowledgeAlarm } = await changes()
  const { changed } = await withCatalog(context, (db) =>
    acknowledgeAlarm(db, commandLine, { projectId: project, alarmId }, { note: note ?? null }),
  )
  const json = { id: alarmId, changed }
  return { json, text: describeChange('Acknowledged alarm', json) }
}

export function addMonitor(program: Command): void {
  const group = commandGroup(
    program,
    'monitor',
    'list monitors, which look for alarms, and mute them',
    'monitor list --project 8c1e…',
  )
  projectCommand(group, 'list')
    .description('list monitors with their share of the false alarms, and how close an alarm is')
    .addHelpText('after', example('monitor list --project 8c1e…'))
    .action(perform(listMonitors))
  projectCommand(group, 'mute')
    .argument('<monitor-id>', 'the monitor')
    .description('mute the alarms of a monitor for some days; 0 unmutes it')
    .option('--days <days>', 'days, 0 to 366', '7')
    .addHelpText('after', example('monitor mute --project 8c1e… 5b07… --days 14'))
    .action(perform(mute))
}

async function listMonitors(context: Context, { project }: OfProject): Promise<CommandResult> {
  const { jobScope } = await import('../../resolvers/shared/job-scope.ts')
  const { monitorsOf } = await import('../../resolvers/alarms/monitors.ts')
  const { found, names } = await withStores(context, async (stores) => {
    const { id, competitors, topics } = await readProject(stores.db, project)
    const now = new Date()
    const scope = await jobScope(stores, id, now)
    if (!scope) throw notFound()
    const named = [...competitors, ...topics].map((it) => [it.id, it.name] as const)
    return { found: await monitorsOf(scope, now), names: new Map(named) }
  })
  const monitors = found.map((it) => ({
    id: it.id,
    kind: it.kind,
    title: titleOf(it, names),
    status: it.status,
    falseAlarmsPerYear: it.budget,
    evidence: it.looks.at(-1)?.evidence ?? null,
    threshold: it.threshold,
    mutedUntil: it.mutedUntil?.toISOString() ?? null,
  }))
  const round = (value: number) => value.toPrecision(2)
  const rows = monitors.map((it) => [
    it.id,
    it.title,
    statuses[it.status],
    it.falseAlarmsPerYear === null ? '' : `${round(it.falseAlarmsPerYear)} a year`,
    it.threshold === null
      ? ''
      : `evidence ${round(it.evidence ?? 0)} of ${Math.round(it.threshold)}`,
    it.mutedUntil === null ? '' : `muted until ${it.mutedUntil.slice(0, 10)}`,
  ])
  return { json: { monitors }, text: columns(rows, 'No monitors.') }
}

const statuses = {
  watching: 'watching',
  fewDays: 'few days',
  tooSeldom: 'too seldom',
  noData: 'no data',
  disabled: 'off',
} as const

interface Titled {
  readonly kind: MonitorKind
  readonly competitorId: string | null
  readonly topicId: string | null
  readonly platform: string | null
}

const titleOf = (
  { kind, competitorId, topicId, platform }: Titled,
  names: ReadonlyMap<string, string>,
) => monitorTitle(kind, names.get(competitorId ?? topicId ?? '') ?? platform)

const dayMs = 86_400_000

async function mute(
  context: Context,
  { project, days: given }: OfProject & { days: string },
  monitorId: string,
): Promise<CommandResult> {
  const days = Number(given)
  if (!Number.isInteger(days) || days < 0) throw invalid('days', 'must be a whole number from 0')
  const { commandLine } = await import('../../resolvers/shared/audit-trail.ts')
  const { muteMonitor, unmuteMonitor } = await changes()
  const target = { projectId: project, monitorId }
  const { changed } = await withCatalog(context, (db) =>
    days === 0
      ? unmuteMonitor(db, commandLine, target)
      : muteMonitor(db, commandLine, target, { until: new Date(Date.now() + days * dayMs) }),
  )
  const json = { id: monitorId, changed }
  return { json, text: describeChange(days === 0 ? 'Unmuted monitor' : 'Muted monitor', json) }
}
