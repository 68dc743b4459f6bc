import type { Command } from 'commander'
import type { Judge } from '../../../imports/judge/client.ts'
import type { JudgePlan, JudgeResult } from '../../../imports/judge/judge.ts'
import { CliError } from '../../errors.ts'
import { commandGroup, example, projectCommand } from '../../options.ts'
import { showProgress } from '../../progress.ts'
import { readProject } from '../../project-details.ts'
import { type CommandResult, type Context, perform } from '../../run.ts'
import { INTERRUPTED, interruptible } from '../../signals.ts'
import { withStores } from '../../stores.ts'
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
    .description('ask the model of JUDGE_MODEL for the sentiment of mentions')
    .addHelpText(
      'after',
      example(
        'sentiment rerate --project 8c1e… --preview',
        'Passages of answers go to the provider of JUDGE_URL, OpenAI unless set.\n' +
          'Mentions that this model has rated are not asked about again.',
      ),
    )
    .action(perform(judgeMentions))
}

async function judgeMentions(context: Context, options: Options): Promise<CommandResult> {
  const [{ openJudge }, { judgeProject, planJudging }] = await Promise.all([
    import('../../../imports/judge/client.ts'),
    import('../../../imports/judge/judge.ts'),
  ])
  const judge = openJudge(context.settings)
  if (judge === null) {
    const message = 'No judge is set. Set `JUDGE_MODEL`, and `JUDGE_API_KEY` or `JUDGE_URL`.'
    throw new CliError('judge_off', message, { exitCode: 1 })
  }
  return withStores(context, async (stores) => {
    const { id: projectId } = await readProject(stores.db, options.project.toLowerCase())
    const plan = await planJudging(stores, projectId, judge.version)
    if (options.preview) {
      return {
        json: { version: judge.version, host: judge.host, ...plan },
        text: planned(judge, plan),
      }
    }
    if (!context.asJson) process.stderr.write(`${planned(judge, plan)}\n`)
    const format = '{bar} {percentage}% {value} of {total} calls, {judged} mentions'
    const progress = context.asJson ? undefined : showProgress(format, plan.calls, { judged: 0 })
    const result = await interruptible(
      (signal) =>
        judgeProject(stores, {
          projectId,
          judge,
          signal,
          onProgress: ({ calls, judged }) =>
            progress?.update(calls, { judged }, Math.max(calls, plan.calls)),
        }),
      interrupted,
    ).finally(() => progress?.end())
    return { json: { version: judge.version, host: judge.host, ...result }, text: done(result) }
  })
}

function planned({ version, host }: Judge, plan: JudgePlan): string {
  const { calls, passages, mentions, settled, characters } = plan
  return (
    `${version} at ${host}: calls: ${count(calls)}, passages: ${count(passages)} of ` +
    `${count(characters)} characters, mentions: ${count(mentions)}, ` +
    `mentions without a call: ${count(settled)}.`
  )
}

function done({ calls, judged, settled, failed }: JudgeResult): string {
  const left = failed === 0 ? '' : ` ${count(failed)} stay unrated, without a valid verdict.`
  return `Judged ${count(judged)} mentions (calls: ${count(calls)}) and ${count(settled)} without a call.${left}`
}

function interrupted(): CliError {
  const message = 'Stopped. The verdicts so far are kept. Run the command again to go on.'
  return new CliError('interrupted', message, { exitCode: INTERRUPTED })
}
