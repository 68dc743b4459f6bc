import type { Command } from 'commander'
import type { Judge } from '../../../imports/judge/client.ts'
import type { JudgeOptions, JudgePlan, JudgeResult } from '../../../imports/judge/judge.ts'
import { CliError } from '../../errors.ts'
import { commandGroup, example, projectCommand } from '../../options.ts'
import { showProgress } from '../../progress.ts'
import { readProject } from '../../project-details.ts'
import { type CommandResult, type Context, perform } from '../../run.ts'
import { INTERRUPTED, interruptible } from '../../signals.ts'
import { type Stores, withStores } from '../../stores.ts'
import { count } from '../../text.ts'

interface Options {
  readonly project: string
  readonly preview?: true
}

/** Adds what rates the sentiment of mentions. */
export function addSentiment(program: Command): void {
  const parent = commandGroup(
    program,
    'sentiment',
    'rate the sentiment of mentions again',
    'sentiment rerate --project Acme --preview',
  )
  projectCommand(parent, 'rerate')
    .option('--preview', 'show what would be asked, and ask nothing')
    .description('ask the model of the project, or of JUDGE_MODEL, for the sentiment of mentions')
    .addHelpText(
      'after',
      example(
        'sentiment rerate --project 8c1e… --preview',
        'Asks the model that the project chose in Settings › Sentiment, about older answers too and under its cap;\n' +
          'else the model of JUDGE_MODEL. Passages of answers go to its provider.\n' +
          'Mentions that this model has rated are not asked about again.',
      ),
    )
    .action(perform(judgeMentions))
}

/** Who rates the mentions of a project, and how a run is paid for. */
interface Rater {
  readonly judge: Judge
  /** US dollars for what waits; null for a model without a known price, absent where nobody counts it. */
  readonly priceOf?: () => Promise<number | null>
  rate(run: (terms: Partial<JudgeOptions>) => Promise<JudgeResult>): Promise<JudgeResult>
}

/** The model that the project chose, else that of JUDGE_MODEL. @throws {CliError} `judge_off` */
async function raterOf({ settings }: Context, stores: Stores, projectId: string): Promise<Rater> {
  const [{ openJudge }, { keyIsGone, openProjectJudge, underCap }, { estimateSentiment }] =
    await Promise.all([
      import('../../../imports/judge/client.ts'),
      import('../../../worker/judging/project.ts'),
      import('../../../imports/judge/estimate.ts'),
    ])
  const { db } = stores
  const own = await openProjectJudge({ ...stores, settings }, projectId)
  if (own === undefined) throw new CliError('judge_off', keyIsGone, { exitCode: 1 })
  if (own) {
    const { judge, model, provider } = own
    const of = { projectId, provider, model, version: judge.version }
    return {
      judge,
      priceOf: async () => (await estimateSentiment(stores, of)).pendingCost,
      rate: async (run) => {
        let result: JudgeResult | undefined
        await underCap(db, projectId, own, async (terms) => {
          result = await run(terms)
          return result.isComplete
        })
        if (result) return result
        throw new Error('the run has no result')
      },
    }
  }
  const judge = openJudge(settings)
  if (judge) return { judge, rate: (run) => run({}) }
  const message =
    'Rules rate the sentiment of the project. Choose a model in Settings › Sentiment, or set `JUDGE_MODEL`, ' +
    'and `JUDGE_API_KEY` or `JUDGE_URL`.'
  throw new CliError('judge_off', message, { exitCode: 1 })
}

async function judgeMentions(context: Context, options: Options): Promise<CommandResult> {
  const { judgeProject, planJudging } = await import('../../../imports/judge/judge.ts')
  return withStores(context, async (stores) => {
    const { id: projectId } = await readProject(stores.db, options.project.toLowerCase())
    const { judge, priceOf, rate } = await raterOf(context, stores, projectId)
    const plan = await planJudging(stores, projectId, judge.version)
    const cost = await priceOf?.()
    const who = { version: judge.version, host: judge.host }
    const text = planned(judge, plan, cost)
    if (options.preview) {
      return { json: { ...who, ...plan, ...(cost === undefined ? {} : { cost }) }, text }
    }
    if (!context.asJson) process.stderr.write(`${text}\n`)
    const format = '{bar} {percentage}% {value} of {total} calls, {judged} mentions'
    const progress = context.asJson ? undefined : showProgress(format, plan.calls, { judged: 0 })
    const result = await interruptible(
      (signal) =>
        rate(({ onProgress, ...terms }) =>
          judgeProject(stores, {
            projectId,
            judge,
            signal,
            ...terms,
            onProgress: (counts) => {
              onProgress?.(counts)
              const { calls, judged } = counts
              progress?.update(calls, { judged }, Math.max(calls, plan.calls))
            },
          }),
        ),
      interrupted,
    ).finally(() => progress?.end())
    return { json: { ...who, ...result }, text: done(result) }
  })
}

function planned({ version, host }: Judge, plan: JudgePlan, cost?: number | null): string {
  const { calls, passages, mentions, settled, characters } = plan
  return (
    `${version} at ${host}: calls: ${count(calls)}, passages: ${count(passages)} of ` +
    `${count(characters)} characters, mentions: ${count(mentions)}, ` +
    `mentions without a call: ${count(settled)}.${priceText(cost)}`
  )
}

function priceText(cost: number | null | undefined): string {
  if (cost === undefined) return ''
  return cost === null ? ' The price of the model is not known.' : ` About $${cost.toFixed(2)}.`
}

function done({ calls, judged, settled, failed, isComplete }: JudgeResult): string {
  const failures = failed === 0 ? '' : ` ${count(failed)} stay unrated, without a valid verdict.`
  const left = isComplete ? failures : `${failures} The spending cap of the month is reached.`
  return `Judged ${count(judged)} mentions (calls: ${count(calls)}) and ${count(settled)} without a call.${left}`
}

function interrupted(): CliError {
  const message = 'Stopped. The verdicts so far are kept. Run the command again to go on.'
  return new CliError('interrupted', message, { exitCode: INTERRUPTED })
}
