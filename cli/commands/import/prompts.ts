import type { Command } from 'commander'
import type { PromptsCsvResult } from '../../../imports/prompts/prompts.ts'
import { example } from '../../options.ts'
import { type CommandResult, type Context, perform } from '../../run.ts'
import { withCatalog } from '../../stores.ts'
import { count } from '../../text.ts'
import { describeCounts, describeRejections, fileName, runImport } from './output.ts'

const display = {
  progress: '{read} lines, {rejected} rejected, {rate}/s',
  zero: { read: 0, created: 0, updated: 0, unchanged: 0, repeated: 0, rejected: 0 },
  describe,
}

const notes = [
  'The first line names the columns: text; optional: topic, intent, branded, volume, difficulty, tracked.',
  'A prompt that asks the same question is updated. A new prompt counts toward the allowance of the plan.\n' +
    'A line that cannot be read is rejected with a reason, and the exit code stays 0.',
]

export function addImportPrompts(parent: Command): void {
  parent
    .command('prompts')
    .argument('<file>', 'CSV, also gzipped; - reads standard input')
    .requiredOption('--project <project>', 'select the project, by its id, name or domain')
    .description('import prompts from a CSV file')
    .addHelpText('after', example('import prompts prompts.csv --project 8c1e…', ...notes))
    .action(perform<{ project: string }, [string]>(importFile))
}

async function importFile(
  context: Context,
  { project }: { project: string },
  path: string,
): Promise<CommandResult> {
  // Loaded when the command runs: they load the client of the catalog.
  const [{ openInputFile }, { importPromptsCsv }, { commandLine }] = await Promise.all([
    import('../../input/input-file.ts'),
    import('../../../imports/prompts/prompts.ts'),
    import('../../../resolvers/shared/audit-trail.ts'),
  ])
  const file = await openInputFile(path)
  const projectId = project.toLowerCase()
  return runImport(context, file, display, (run) =>
    withCatalog(context, (db, _secrets, databaseUrl) =>
      importPromptsCsv({ db, databaseUrl }, commandLine, {
        projectId,
        csv: file.open(),
        file: fileName(path),
        ...run,
      }),
    ),
  )
}

function describe(result: PromptsCsvResult, wasStopped: boolean): string {
  const { read, created, updated, unchanged, repeated, rejected, ignoredColumns } = result
  const { rejectedTotal = rejected.length } = result
  const counts = [
    `${count(created)} created`,
    `${count(updated)} updated`,
    `${count(unchanged)} unchanged`,
    ...(repeated > 0 ? [`${count(repeated)} repeated`] : []),
    `${count(rejectedTotal)} rejected`,
    `of ${count(read)} lines`,
  ].join(', ')
  return [
    describeCounts(counts, wasStopped),
    ...describeRejections(result),
    ...(ignoredColumns.length > 0 ? [`  Ignored columns: ${ignoredColumns.join(', ')}`] : []),
  ].join('\n')
}
