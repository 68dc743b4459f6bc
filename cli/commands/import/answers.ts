import type { Command } from 'commander'
import { example } from '../../options.ts'
import { perform } from '../../run.ts'
import { withStores } from '../../stores.ts'
import { describeRecords, runImport } from './output.ts'

const display = {
  progress: '{read} lines, {loaded} loaded, {skipped} there already, {rate}/s',
  zero: { read: 0, loaded: 0, skipped: 0, rejected: 0 },
  describe: describeRecords('lines'),
}

const notes = [
  'Fields: prompt, platform, text, collectedAt; optional: model, run, topic, country, location, citations,\n' +
    'searchQueries, products, ads, sentiment.',
  'New prompts, topics and locations are created. Answers that are stored already are skipped.\n' +
    'A line that cannot be read is rejected with a reason, and the exit code stays 0.',
]

export function addImportAnswers(parent: Command): void {
  parent
    .command('answers')
    .argument('<file>', 'JSON lines, also gzipped; - reads standard input')
    .requiredOption('--project <id>', 'select the project')
    .description('import answers of AI assistants, one JSON object a line')
    .addHelpText('after', example('import answers answers.jsonl --project 8c1e…', ...notes))
    .action(
      perform<{ project: string }, [string]>(async (context, options, path) => {
        const [{ openInputFile }, { importAnswers }, { linesOf }] = await Promise.all([
          import('../../input/input-file.ts'),
          import('../../../imports/answers/answers.ts'),
          import('../../../imports/files/lines.ts'),
        ])
        const file = await openInputFile(path)
        const lines = linesOf(file.open())
        return runImport(context, file, display, (run) =>
          withStores(context, (stores) =>
            importAnswers(stores, { projectId: options.project, lines, ...run }),
          ),
        )
      }),
    )
}
