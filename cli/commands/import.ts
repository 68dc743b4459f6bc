import type { Command } from 'commander'
import type { ImportResult } from '../../imports/answers/answers.ts'
import { perform } from '../run.ts'
import { withStores } from '../stores.ts'
import { addImportAccessLog } from './import-access-log.ts'
import { addImportSearchConsole, addImportWebAnalytics } from './import-analytics.ts'
import {
  addImportArticles,
  addImportBrandProfile,
  addImportDomainAuthority,
  addImportPageContents,
  addImportPages,
} from './import-content.ts'
import { count, importOutcome } from './import-progress.ts'
import { addImportPrompts } from './import-prompts.ts'
import { rejections } from './import-rejections.ts'

const bar = {
  format: '{read} lines, {loaded} loaded, {skipped} there already, {rate}/s',
  zero: { read: 0, loaded: 0, skipped: 0, rejected: 0 },
}

export function addImport(program: Command): void {
  const parent = program.command('import').description('Brings in what was collected elsewhere')
  addImportAnswers(parent)
  addImportPrompts(parent)
  addImportAccessLog(parent)
  addImportArticles(parent)
  addImportBrandProfile(parent)
  addImportDomainAuthority(parent)
  addImportPageContents(parent)
  addImportPages(parent)
  addImportWebAnalytics(parent)
  addImportSearchConsole(parent)
}

function addImportAnswers(parent: Command): void {
  parent
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
        const [{ openInputFile }, { importAnswers, linesOf }] = await Promise.all([
          import('../input/input-file.ts'),
          import('../../imports/answers/answers.ts'),
        ])
        const file = await openInputFile(path)
        const lines = linesOf(file.open())
        return importOutcome(context, file, { bar, describe }, (watched) =>
          withStores(context, (stores) =>
            importAnswers(stores, { projectId: options.project, lines, ...watched }),
          ),
        )
      }),
    )
}

function describe(
  { read, loaded, skipped, rejected, rejectedTotal = rejected.length }: ImportResult,
  wasStopped: boolean,
): string {
  const head = `${count(loaded)} loaded, ${count(skipped)} there already, ${count(rejectedTotal)} rejected, of ${count(read)} lines`
  return [
    wasStopped ? `Stopped: ${head}. Import the file again to go on.` : `${head}.`,
    ...rejections(rejected, rejectedTotal),
  ].join('\n')
}
