import { counted } from '../../../core/text/counted.ts'
import type { ProviderCoverage, RunProblem } from '../../../resolvers/collecting/runs.ts'
import { awaitJob } from '../../await-job.ts'
import { CliError } from '../../errors.ts'
import { showProgress } from '../../progress.ts'
import type { CommandResult, Context } from '../../run.ts'
import { INTERRUPTED, interruptible } from '../../signals.ts'
import type { Stores } from '../../stores.ts'
import { columns, count } from '../../text.ts'

export const dollars = (cost: number) => `$${cost.toFixed(cost < 1 ? 4 : 2)}`
export const expected = (cost: number | null) =>
  cost === null ? 'the cost is unknown' : `expected cost ${dollars(cost)}`

interface Asked {
  readonly prompts: readonly object[]
  readonly targets: readonly object[]
}

/** Why a plan asks nothing, and the command that changes it; null where it asks. */
export function whyNothing(
  { prompts, targets }: Asked,
  { id, workspaceId }: { readonly id: string; readonly workspaceId: string },
): string | null {
  if (targets.length === 0) {
    return `The workspace has no provider key. This stores one: sightline provider-key set openai --workspace ${workspaceId} < key.txt`
  }
  if (prompts.length === 0) {
    return `No prompt is tracked. This adds one: sightline prompt add "best anvils?" --project ${id}`
  }
  return null
}

interface Planned {
  readonly asks: number
  readonly expectedCost: number | null
  readonly assumptions: readonly string[]
  readonly dryRun: true | undefined
  /** Why nothing is asked; null where something is. */
  readonly problem: string | null
}

/** Shows what a run asks and costs. Without `dryRun`, starts it, waits for its end, and says how its questions ended. */
export async function runPlanned(
  context: Context,
  stores: Stores,
  { asks, expectedCost, assumptions, dryRun, problem }: Planned,
  start: () => Promise<{ readonly id: string }>,
): Promise<CommandResult> {
  const planned = {
    questions: asks,
    expectedCost,
    assumptions,
    ...(problem !== null && { problem }),
  }
  const line =
    problem ?? [`${count(asks)} questions, ${expected(expectedCost)}.`, ...assumptions].join(' ')
  if (dryRun) return { json: planned, text: line }
  if (!context.asJson && problem === null) process.stderr.write(`${line}\n`)
  const { id } = await start()
  const { status, coverage, problems } = await follow(context, stores, id, asks)
  const text = [`Run ${id}: ${status}.`, tableOf(coverage), problems.map(problemLine).join('\n')]
  return {
    json: { id, status, ...planned, coverage, problems },
    text: text.filter(Boolean).join('\n\n'),
    exitCode: status === 'completed' ? 0 : 1,
  }
}

/** Waits for the end of a run. */
async function follow(context: Context, stores: Stores, runId: string, asks: number) {
  const { loadCoverage, loadProblems } = await import('../../../resolvers/collecting/runs.ts')
  const format = '{bar} {value} of {total} questions, {answered} answered'
  const progress = context.asJson ? undefined : showProgress(format, asks, { answered: 0 })
  const read = async () => {
    const run = await stores.db.run.findUniqueOrThrow({ where: { id: runId } })
    const [coverage = []] = await loadCoverage(stores.db, [runId])
    return { status: run.status, coverage }
  }
  const sum = (rows: readonly ProviderCoverage[], of: (row: ProviderCoverage) => number) =>
    rows.reduce((all, row) => all + of(row), 0)
  const look = async () => {
    const { status, coverage } = await read()
    const ended = asks - sum(coverage, ({ waiting }) => waiting)
    progress?.update(ended, { answered: sum(coverage, ({ answered }) => answered) })
    if (status === 'queued') return 'waiting'
    return status === 'running' ? 'running' : 'over'
  }
  await interruptible(
    (signal) => awaitJob(context, stores, { queue: 'collect', signal, look }),
    () => {
      const message = `Stopped waiting. A worker goes on with the run ${runId}.`
      return new CliError('interrupted', message, { exitCode: INTERRUPTED })
    },
  ).finally(() => progress?.end())
  const [problems = []] = await loadProblems(stores.db, [runId])
  return { ...(await read()), problems }
}

const problemLine = ({ provider, label, message, questions }: RunProblem) =>
  `${counted(questions, 'question')} to ${provider} failed, with the key ${label ?? 'that was removed'}: ${message}`

const tableOf = (coverage: readonly ProviderCoverage[]) =>
  columns(
    coverage.map(({ provider, answered, absent, failed, waiting, cost }) => [
      provider,
      `${answered} answered`,
      `${absent} absent`,
      `${failed} failed`,
      `${waiting} waiting`,
      dollars(cost),
    ]),
    'No questions.',
  )
