import type { Command } from 'commander'
import { invalid } from '../../../core/errors.ts'
import type { Catalog } from '../../../prisma/client.ts'
import type { ScheduleChange, ScheduleInput } from '../../../resolvers/collecting/schedule-input.ts'
import { changeProject, projectChange } from '../../change.ts'
import { idNamed } from '../../names.ts'
import { commandGroup, example, projectCommand, repeatable } from '../../options.ts'
import { readProject } from '../../project-details.ts'
import { type CommandResult, type Context, perform } from '../../run.ts'
import { withCatalog, withStores } from '../../stores.ts'
import { columns, count } from '../../text.ts'
import { expected, runPlanned, whyNothing } from './follow.ts'

const named = 'the schedule, by its name or id'

export function addSchedule(program: Command): void {
  const group = commandGroup(
    program,
    'schedule',
    'ask AI platforms the prompts of a project at set times',
    'schedule create Workdays --project Acme --cron "0 6 * * 1-5" --dry-run',
  )
  withOptions(projectCommand(group, 'create'))
    .argument('<name>', 'a name, unique in the project')
    .description('store a schedule, which starts runs from then on')
    .option(
      '--dry-run',
      'show the questions and the cost of a run and of 30 days, and store nothing',
    )
    .addHelpText(
      'after',
      example(
        'schedule create Workdays --project Acme --cron "0 6 * * 1-5" --time-zone Europe/Berlin',
        'The cron has five fields: minute, hour, day of the month, month, day of the week.\n' +
          'The worker of a running service starts the runs.',
      ),
    )
    .action(perform(create))
  withOptions(projectCommand(group, 'update'))
    .argument('<schedule>', named)
    .description('change what is given of a schedule; a run that goes on does not change')
    .option('--name <name>', 'a new name')
    .option('--on', 'start runs again')
    .option('--off', 'start no more runs')
    .addHelpText('after', example('schedule update Workdays --project Acme --off'))
    .action(perform(update))
  projectCommand(group, 'run')
    .argument('<schedule>', named)
    .description('start a run of a schedule now, and wait for its end')
    .option('--dry-run', 'show the number of questions and the expected cost, and ask nothing')
    .addHelpText('after', example('schedule run Workdays --project Acme'))
    .action(perform(runNow))
  projectCommand(group, 'list')
    .description('list schedules with their next time and the cost of 30 days')
    .addHelpText('after', example('schedule list --project Acme'))
    .action(perform(list))
  projectCommand(group, 'remove')
    .argument('<schedule>', named)
    .description('remove a schedule; its runs and their answers stay')
    .addHelpText('after', example('schedule remove Workdays --project Acme'))
    .action(
      projectChange<object, [string]>('Removed schedule', async (write, _options, text) => {
        const { deleteSchedule } = await schedules()
        const id = await scheduleIdOf(write.db, write.projectId, text)
        return deleteSchedule(write.db, write.actor, write.projectId, id)
      }),
    )
}

function withOptions(command: Command): Command {
  return command
    .option('--cron <cron>', 'times of the runs, such as "0 6 * * 1-5"')
    .option('--time-zone <zone>', 'IANA time zone of the cron; default: UTC')
    .option('--spread-minutes <minutes>', 'begin up to so many minutes later, 0 to 60; default: 60')
    .option('--prompt <id>', 'a prompt to ask; default: all tracked prompts', repeatable, [])
    .option('--topic <id>', 'a topic whose prompts are asked', repeatable, [])
    .option('--provider <label>', 'a provider key to ask with; default: all', repeatable, [])
    .option('--location <id>', 'a location to ask from; default: no place', repeatable, [])
    .option('--language <tag>', 'the language to answer in, such as de')
    .option('--repetitions <count>', 'ask each prompt so often, 1 to 20; default: 1')
    .option('--visibility <when>', 'show the answers of a run: whole or by_answer; default: whole')
}

interface Options {
  readonly project: string
  readonly name?: string
  readonly cron?: string
  readonly timeZone?: string
  readonly spreadMinutes?: string
  readonly prompt: readonly string[]
  readonly topic: readonly string[]
  readonly provider: readonly string[]
  readonly location: readonly string[]
  readonly language?: string
  readonly repetitions?: string
  readonly visibility?: string
  readonly on?: true
  readonly off?: true
  readonly dryRun?: true
}

const given = (list: readonly string[]) => (list.length === 0 ? undefined : [...list])

function readCount(name: string, text: string | undefined): number | undefined {
  if (text === undefined || /^\d{1,6}$/.test(text)) return text === undefined ? text : Number(text)
  throw invalid(name, 'must be a whole number', text)
}

/** The parts of a schedule that options name. The check of a schedule reads the visibility. */
function inputOf(options: Options): ScheduleChange {
  const { name, cron, timeZone, language, on, off } = options
  if (on && off) throw invalid('on', 'contradicts `--off`')
  const visibility = options.visibility as ScheduleChange['visibility']
  return {
    name,
    cron,
    timeZone,
    language,
    visibility,
    ...(on || off ? { enabled: on === true } : {}),
    spreadMinutes: readCount('spreadMinutes', options.spreadMinutes),
    repetitions: readCount('repetitions', options.repetitions),
    promptIds: given(options.prompt),
    topicIds: given(options.topic),
    keys: given(options.provider),
    locationIds: given(options.location),
  }
}

const scheduleIdOf = (db: Catalog, projectId: string, text: string) =>
  idNamed(db, projectId, 'scheduleId', text)

type Plan = Awaited<
  ReturnType<typeof import('../../../resolvers/collecting/schedules.ts').planSchedule>
>

const factsOf = ({ asks, expectedCost, runsPerMonth, expectedMonthlyCost }: Plan) => ({
  questions: asks,
  expectedCost,
  runsPerMonth,
  expectedMonthlyCost,
})
const wordsOf = (plan: Plan) =>
  `${count(plan.asks)} questions a run, ${expected(plan.expectedCost)}. ` +
  `${count(plan.runsPerMonth)} runs in 30 days, ${expected(plan.expectedMonthlyCost)}.`

async function create(context: Context, options: Options, name: string): Promise<CommandResult> {
  const { createSchedule, planSchedule } = await schedules()
  // The check of a schedule names a cron that is missing.
  const input = { ...inputOf(options), name } as ScheduleInput
  if (!options.dryRun) {
    return changeProject(context, options.project, 'Stored schedule', async (write) => {
      const { row, ...change } = await createSchedule(write.db, write.actor, write.projectId, input)
      return change
    })
  }
  return withCatalog(context, async (db) => {
    const project = await readProject(db, options.project)
    const plan = await planSchedule(db, project, input)
    const problem = whyNothing(plan, project)
    const json = { ...factsOf(plan), ...(problem !== null && { problem }) }
    return { json, text: problem ?? wordsOf(plan) }
  })
}

async function update(context: Context, options: Options, text: string): Promise<CommandResult> {
  const input = inputOf(options)
  return changeProject(context, options.project, 'Changed schedule', async (write) => {
    const { updateSchedule } = await schedules()
    const id = await scheduleIdOf(write.db, write.projectId, text)
    return updateSchedule(write.db, write.actor, write.projectId, id, input)
  })
}

async function runNow(
  context: Context,
  { project: name, dryRun }: Pick<Options, 'project' | 'dryRun'>,
  text: string,
): Promise<CommandResult> {
  const [{ planStored, requireSchedule }, { runSchedule }, { commandLine }] = await Promise.all([
    schedules(),
    import('../../../resolvers/collecting/start.ts'),
    import('../../../resolvers/shared/audit-trail.ts'),
  ])
  return withStores(context, async (stores) => {
    const { db } = stores
    const project = await readProject(db, name)
    const id = await scheduleIdOf(db, project.id, text)
    const schedule = await requireSchedule(db, project.id, id)
    const plan = await planStored(db, project, schedule)
    const { asks, expectedCost, assumptions } = plan ?? {
      asks: 0,
      expectedCost: 0,
      assumptions: [],
    }
    const problem = plan && whyNothing(plan, project)
    return runPlanned(context, stores, { asks, expectedCost, assumptions, problem, dryRun }, () =>
      runSchedule(db, commandLine, project, schedule.id),
    )
  })
}

async function list(context: Context, options: Pick<Options, 'project'>): Promise<CommandResult> {
  const [{ planStored }, { loadSchedules }] = await Promise.all([
    schedules(),
    import('../../../resolvers/collecting/edges.ts'),
  ])
  const found = await withCatalog(context, async (db) => {
    const project = await readProject(db, options.project)
    const [rows = []] = await loadSchedules(db, [project.id])
    const plans = rows.map(async (row) => {
      const plan = await planStored(db, project, row)
      const problem = row.problem ?? (plan && whyNothing(plan, project))
      return { ...row, problem, plan: plan && factsOf(plan) }
    })
    return Promise.all(plans)
  })
  const lines = found.map(({ name, cron, timeZone, nextRunAt, plan, problem }) => [
    name,
    `${cron} ${timeZone}`,
    nextRunAt?.toISOString() ?? 'off',
    plan ? `${expected(plan.expectedMonthlyCost)} in 30 days` : 'asks nothing',
    problem ?? '',
  ])
  return { json: { schedules: found }, text: columns(lines, 'No schedules.') }
}

// Loaded when a command runs: it loads the client of the catalog.
const schedules = () => import('../../../resolvers/collecting/schedules.ts')
