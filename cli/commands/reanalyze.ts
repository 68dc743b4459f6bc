import { SingleBar } from 'cli-progress'
import type { Command } from 'commander'
import type { ReanalyzeProgress } from '../../imports/answers/reanalyze.ts'
import { CliError } from '../errors.ts'
import { perform } from '../run.ts'
import { onStopSignals } from '../signals.ts'
import { withStores } from '../stores.ts'

const INTERRUPTED = 130

export function addReanalyze(program: Command): void {
  program
    .command('reanalyze')
    .requiredOption('--project <id>', 'the project whose answers are counted')
    .description(
      'Counts the mentions and their sentiment in all answers of a project anew, by the brand, its aliases and ' +
        'its competitors as they are now: for use after these have changed. Reports show the old counts until ' +
        'the end, and then the new ones, all at once. A run that is cut off changes nothing.',
    )
    .addHelpText('after', '\nExample:\n  $ npx sightline reanalyze --project 8c1e…')
    .action(
      perform<{ project: string }>(async (context, options) => {
        const { reanalyze } = await import('../../imports/answers/reanalyze.ts')
        const stop = new AbortController()
        const unwatch = onStopSignals(
          () => stop.abort(stopped()),
          () => process.exit(INTERRUPTED),
        )
        const progress = context.asJson ? undefined : showProgress()
        const result = await withStores(context, (stores) =>
          reanalyze(stores, {
            projectId: options.project,
            signal: stop.signal,
            ...(progress ? { onProgress: progress.update } : {}),
          }),
        ).finally(() => {
          progress?.end()
          unwatch()
        })
        const { answers, mentions } = result
        const text = `${count(mentions)} mentions counted in ${count(answers)} answers.`
        return { json: result, text }
      }),
    )
}

function stopped(): CliError {
  const message = 'Stopped: reports show what they showed before. Run it again to begin anew.'
  return new CliError('interrupted', message, { exitCode: INTERRUPTED })
}

function showProgress() {
  if (!process.stderr.isTTY) return undefined
  const started = performance.now()
  const single = new SingleBar({
    format: '  {bar} {percentage}% {value} of {total} answers, {rate}/s',
    stream: process.stderr,
    hideCursor: true,
    clearOnComplete: true,
    barsize: 24,
  })
  single.start(1, 0, { rate: 0 })
  return {
    update: ({ answers, total }: ReanalyzeProgress) => {
      const rate = Math.round((answers / (performance.now() - started)) * 1000)
      single.setTotal(total)
      single.update(answers, { rate })
    },
    end: () => single.stop(),
  }
}

function count(value: number): string {
  return value.toLocaleString('en')
}
