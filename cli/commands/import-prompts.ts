import type { Command } from 'commander'
import type { PromptsCsvResult } from '../../imports/prompts/prompts.ts'
import type { PromptsWritten } from '../../resolvers/prompts/import.ts'
import { type Context, type Outcome, perform } from '../run.ts'
import { withCatalog } from '../stores.ts'
import { example } from './change.ts'
import { count, importOutcome } from './import-progress.ts'
import { rejections } from './import-rejections.ts'

const bar = {
  format: '{read} lines, {rejected} rejected, {rate}/s',
  zero: { read: 0, rejected: 0 },
}

export function addImportPrompts(parent: Command): void {
  parent
    .command('prompts')
    .argument('<file>', 'CSV, also gzipped; - reads standard input')
    .requiredOption('--project <id>', 'the project that the prompts belong to')
    .description(
      'Imports prompts of a CSV file, such as another tool exports. Its first line names the columns: text, and where ' +
        'known topic, intent, branded, volume, difficulty, tracked. A prompt whose wording is there is changed where ' +
        'the file says otherwise; the others are made, and count toward the allowance of the plan. A line that ' +
        'cannot be read is rejected, with the reason, and the rest is imported, all at once: the exit code is 0. ' +
        'The same file twice changes nothing.',
    )
    .addHelpText('after', example('import prompts prompts.csv --project 8c1e…'))
    .action(perform<{ project: string }, [string]>(importFile))
}

async function importFile(
  context: Context,
  { project }: { project: string },
  path: string,
): Promise<Outcome> {
  // Only when the command runs: they load the client of the catalog.
  const [{ openInputFile }, { importPromptsCsv }, { importPrompts }, { commandLine }] =
    await Promise.all([
      import('../input/input-file.ts'),
      import('../../imports/prompts/prompts.ts'),
      import('../../resolvers/prompts/import.ts'),
      import('../../resolvers/shared/audit-trail.ts'),
    ])
  const file = await openInputFile(path)
  const projectId = project.toLowerCase()
  return importOutcome(context, file, { bar, describe }, (watched) =>
    withCatalog(context, (db, _secrets, databaseUrl) =>
      importPromptsCsv(databaseUrl, { projectId, csv: file.open(), ...watched }, (batches) =>
        importPrompts(db, commandLine, projectId, batches),
      ),
    ),
  )
}

function describe(result: PromptsCsvResult<PromptsWritten>, wasStopped: boolean): string {
  const { read, created, updated, unchanged, repeated, rejected, ignoredColumns } = result
  const { rejectedTotal = rejected.length } = result
  const parts = [
    `${count(created)} created`,
    `${count(updated)} updated`,
    `${count(unchanged)} unchanged`,
    ...(repeated > 0 ? [`${count(repeated)} repeated`] : []),
    `${count(rejectedTotal)} rejected`,
  ]
  const head = `${parts.join(', ')}, of ${count(read)} lines`
  return [
    wasStopped ? `Stopped: ${head}. Import the file again to go on.` : `${head}.`,
    ...rejections(rejected, rejectedTotal),
    ...(ignoredColumns.length > 0
      ? [`  Columns that say nothing here: ${ignoredColumns.join(', ')}`]
      : []),
  ].join('\n')
}
