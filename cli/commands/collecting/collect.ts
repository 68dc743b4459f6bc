import type { Command } from 'commander'
import { invalid } from '../../../core/errors.ts'
import { commandGroup, example, projectCommand, repeatable } from '../../options.ts'
import { readProject } from '../../project-details.ts'
import { type CommandResult, type Context, perform } from '../../run.ts'
import { withCatalog, withStores } from '../../stores.ts'
import { columns } from '../../text.ts'
import { dollars, runPlanned, whyNothing } from './follow.ts'

export function addCollect(program: Command): void {
  const group = commandGroup(
    program,
    'collect',
    'ask AI platforms the prompts of a project, with your own keys',
    'collect run --project Acme --dry-run',
  )
  projectCommand(group, 'run')
    .description('ask prompts at providers, and import the answers')
    .option('--prompt <id>', 'a prompt to ask; default: all tracked prompts', repeatable, [])
    .option('--provider <label>', 'a provider key to ask with; default: all', repeatable, [])
    .option('--repetitions <count>', 'ask each prompt so often, 1 to 20', '1')
    .option('--dry-run', 'show the number of questions and the expected cost, and ask nothing')
    .addHelpText(
      'after',
      example(
        'collect run --project Acme --provider openai --repetitions 3',
        'The worker of a running service asks. Without a worker, the command asks itself.\n' +
          'The run goes on in a worker when you stop the command.',
      ),
    )
    .action(perform(collect))
  projectCommand(group, 'list')
    .description('list runs, newest first, with their questions and cost')
    .addHelpText('after', example('collect list --project Acme'))
    .action(perform(list))
}

interface Options {
  readonly project: string
  readonly prompt: readonly string[]
  readonly provider: readonly string[]
  readonly repetitions: string
  readonly dryRun?: true
}

const given = (list: readonly string[]) => (list.length === 0 ? null : list)

function readCount(text: string): number {
  if (/^\d{1,6}$/.test(text)) return Number(text)
  throw invalid('repetitions', 'must be a whole number from 1 to 20', text)
}

async function collect(context: Context, options: Options): Promise<CommandResult> {
  const [{ planRun }, { startRun }, { commandLine }] = await imports()
  const selection = {
    promptIds: given(options.prompt),
    keys: given(options.provider),
    repetitions: readCount(options.repetitions),
  }
  return withStores(context, async (stores) => {
    const project = await readProject(stores.db, options.project)
    const plan = await planRun(stores.db, project, selection)
    const problem = whyNothing(plan, project)
    return runPlanned(context, stores, { ...plan, problem, dryRun: options.dryRun }, () =>
      startRun(stores.db, commandLine, project, selection),
    )
  })
}

/** A list longer than this is for GraphQL. */
const most = 100

async function list(context: Context, { project }: Pick<Options, 'project'>) {
  const [, { listRuns, loadCoverage }] = await imports()
  const found = await withCatalog(context, async (db) => {
    const { id } = await readProject(db, project)
    const { rows } = await listRuns(db, id, { limit: most, offset: 0 })
    const coverage = await loadCoverage(
      db,
      rows.map((row) => row.id),
    )
    return rows.map((row, at) => ({ ...row, coverage: coverage[at] ?? [] }))
  })
  const lines = found.map(({ id, createdAt, status, coverage }) => {
    const cost = coverage.reduce((all, row) => all + row.cost, 0)
    const answered = coverage.reduce((all, row) => all + row.answered, 0)
    return [id, createdAt.toISOString(), status, `${answered} answered`, dollars(cost)]
  })
  return { json: { runs: found }, text: columns(lines, 'No runs.') }
}

// Loaded when a command runs: they load the client of the catalog.
function imports() {
  return Promise.all([
    import('../../../resolvers/collecting/plan.ts'),
    import('../../../resolvers/collecting/runs.ts'),
    import('../../../resolvers/shared/audit-trail.ts'),
  ])
}
