import type { Command } from 'commander'
import type { AnswersResult } from '../../../imports/answers/answers.ts'
import { example } from '../../options.ts'
import { perform } from '../../run.ts'
import { withStores } from '../../stores.ts'
import { describeLeftOut, describeRecords, fileName, runImport } from './output.ts'

const display = {
  progress: '{read} lines, {loaded} loaded, {skipped} there already, {rate}/s',
  zero: { read: 0, loaded: 0, skipped: 0, rejected: 0 },
  describe: (result: AnswersResult, wasStopped: boolean) =>
    [describeRecords('lines')(result, wasStopped), ...describeLeftOut(result)].join('\n'),
}

const notes = [
  'The file is JSON lines, a JSON array, CSV, or JSON of Peec, Profound or Promptfoo.',
  'Fields: prompt, platform, text, collectedAt; optional: model, run, topic, country, location, citations,\n' +
    'searchQueries, products, ads, sentiment.',
  'New prompts, topics and locations are created. Answers that are stored already are skipped.\n' +
    'A line that cannot be read is rejected with a reason, and the exit code stays 0.',
]

export function addImportAnswers(parent: Command): void {
  parent
    .command('answers')
    .argument('<file>', 'JSON lines, a JSON array or CSV, also gzipped; - reads standard input')
    .requiredOption('--project <project>', 'select the project, by its id, name or domain')
    .description('import answers of AI platforms')
    .addHelpText('after', example('import answers answers.jsonl --project 8c1e…', ...notes))
    .action(
      perform<{ project: string }, [string]>(async (context, options, path) => {
        const [{ openInputFile }, { importAnswersFile }] = await Promise.all([
          import('../../input/input-file.ts'),
          import('../../../imports/answers/answers.ts'),
        ])
        const file = await openInputFile(path)
        const bytes = file.open()
        return runImport(context, file, display, (run) =>
          withStores(context, (stores) =>
            importAnswersFile(stores, {
              projectId: options.project,
              bytes,
              file: fileName(path),
              ...run,
            }),
          ),
        )
      }),
    )
}
