import { SingleBar } from 'cli-progress'
import type { Command } from 'commander'
import type { ImportProgress, ImportResult } from '../../imports/answers.ts'
import type { AnswersFile } from '../answers-file.ts'
import { perform } from '../run.ts'
import { onStopSignals } from '../signals.ts'
import { withStores } from '../stores.ts'

const SHOWN_REJECTIONS = 20
const INTERRUPTED = 130

export function addImport(program: Command): void {
  program
    .command('import')
    .description('Brings in what was collected elsewhere')
    .command('answers')
    .argument('<file>', 'JSON lines, also gzipped; - reads standard input')
    .requiredOption('--project <id>', 'the project that the answers belong to')
    .description(
      'Imports answers of AI assistants, one JSON object a line: prompt, platform, text, collectedAt, and where ' +
        'known model, run, topic, country, location, citations, searchQueries, products, sentiment. Prompts, ' +
        'topics and locations that are new are made. Answers that are there already are skipped, so that the same ' +
        'file can be imported twice. A line that cannot be read is rejected, with the reason, and the rest ' +
        'is loaded: the exit code is 0.',
    )
    .addHelpText(
      'after',
      '\nExample:\n  $ npx sightline import answers answers.jsonl --project 8c1e…',
    )
    .action(
      perform<{ project: string }, [string]>(async (context, options, path) => {
        const [{ openAnswersFile }, { importAnswers, linesOf }] = await Promise.all([
          import('../answers-file.ts'),
          import('../../imports/answers.ts'),
        ])
        const file = await openAnswersFile(path)
        const stop = new AbortController()
        const unwatch = onStopSignals(
          () => stop.abort(),
          () => process.exit(INTERRUPTED),
        )
        const progress = context.asJson ? undefined : showProgress(file)
        const summary = await withStores(context, (stores) =>
          importAnswers(stores, {
            projectId: options.project,
            lines: linesOf(file.bytes),
            signal: stop.signal,
            onProgress: (counts) => progress?.update(counts),
          }),
        ).finally(() => {
          progress?.end()
          unwatch()
          file.close()
        })
        const { aborted } = stop.signal
        return {
          json: aborted ? { ...summary, interrupted: true } : summary,
          text: describe(summary, aborted),
          exitCode: aborted ? INTERRUPTED : 0,
        }
      }),
    )
}

function showProgress(file: AnswersFile) {
  if (!process.stderr.isTTY) return undefined
  const started = performance.now()
  const bar = file.sizeBytes === undefined ? '' : '{bar} {percentage}% '
  const single = new SingleBar({
    format: `  ${bar}{read} lines, {loaded} loaded, {skipped} there already, {rate}/s`,
    stream: process.stderr,
    hideCursor: true,
    clearOnComplete: true,
    barsize: 24,
  })
  const zero = { read: 0, loaded: 0, skipped: 0, rate: 0 }
  single.start(file.sizeBytes ?? 1, 0, zero)
  return {
    update: ({ read, loaded, skipped }: ImportProgress) => {
      const rate = Math.round((read / (performance.now() - started)) * 1000)
      single.update(file.readBytes(), { read, loaded, skipped, rate })
    },
    end: () => single.stop(),
  }
}

function describe(
  { read, loaded, skipped, rejected, rejectedTotal = rejected.length }: ImportResult,
  wasStopped: boolean,
): string {
  const head = `${count(loaded)} loaded, ${count(skipped)} there already, ${count(rejectedTotal)} rejected, of ${count(read)} lines`
  const shown = rejected
    .slice(0, SHOWN_REJECTIONS)
    .map(({ line, reason }) => `  line ${line}: ${reason}`)
  const more = rejectedTotal - shown.length
  return [
    wasStopped ? `Stopped: ${head}. Import the file again to go on.` : `${head}.`,
    ...shown,
    ...(more > 0 ? [`  and ${count(more)} more`] : []),
  ].join('\n')
}

function count(value: number): string {
  return value.toLocaleString('en')
}
