import type { Command } from 'commander'
import type { RowsProgress, RowsResult } from '../../../imports/analytics/dated-rows.ts'
import type { ZippedFile } from '../../../imports/files/zip.ts'
import { commandLine } from '../../../resolvers/shared/audit-trail.ts'
import { example } from '../../options.ts'
import { type CommandResult, type Context, perform } from '../../run.ts'
import { type Stores, withStores } from '../../stores.ts'
import { describeRows, fileName, type ImportRun, runImport } from './output.ts'

const display = {
  progress: '{read} rows, {loaded} loaded, {rate}/s',
  zero: { read: 0, loaded: 0, rejected: 0 },
  describe: describeRows,
}

const replaced =
  'Rows that are stored already are replaced.\n' +
  'A row that cannot be read is rejected with a reason, and the exit code stays 0.'

export function addImportWebAnalytics(parent: Command): void {
  parent
    .command('web-analytics')
    .argument('<file>', 'JSON, CSV or ZIP, also gzipped; - reads standard input')
    .requiredOption('--project <project>', 'select the project, by its id, name or domain')
    .option('--property <number>', 'import this property; a project is linked to one')
    .description('import sessions from Google Analytics 4, Plausible, Umami or Matomo')
    .addHelpText(
      'after',
      example(
        'import web-analytics report.json --project 8c1e…',
        'The file is a `runReport` response of the API, or a CSV export of the web page.\n' +
          'Dimensions: date, landingPage or pagePath, sessionSource; optional: sessionMedium, hostName.\n' +
          'Metrics: sessions, totalUsers or activeUsers, bounceRate, averageSessionDuration; optional: keyEvents.\n' +
          'Or it is an export of Plausible (ZIP), Umami (ZIP or CSV) or Matomo (by day, JSON or CSV).',
        replaced,
      ),
    )
    .action(
      perform<{ project: string; property?: string }, [string]>(
        (context, { project, property }, path) =>
          importFile(context, path, async (stores, bytes, run) => {
            const { importWebAnalytics } = await import(
              '../../../imports/analytics/web-analytics.ts'
            )
            const source = { projectId: project.toLowerCase(), file: fileName(path) }
            const options = { ...source, bytes, property, ...run }
            return importWebAnalytics(stores, commandLine, options)
          }),
      ),
    )
}

export function addImportSearchConsole(parent: Command): void {
  parent
    .command('search-console')
    .argument(
      '<file>',
      'JSON, JSON lines, ZIP or CSV, also gzipped, or a folder; - reads standard input',
    )
    .requiredOption('--project <project>', 'select the project, by its id, name or domain')
    .option(
      '--site <site>',
      'import this site, such as sc-domain:example.com; a project is linked to one',
    )
    .option(
      '--dimensions <names>',
      'name the dimensions of the API request, in their order',
      'date,query,page,country,device',
    )
    .description('import clicks and impressions from Google Search Console')
    .addHelpText(
      'after',
      example(
        'import search-console rows.json --project 8c1e…',
        'The file is a response of the Search Analytics API, or the bulk export as JSON lines.\n' +
          'Or the file is the ZIP that the web page exports, the folder of its tables, or its Chart.csv.',
        replaced,
      ),
    )
    .action(
      perform<{ project: string; site?: string; dimensions: string }, [string]>(
        async (context, { project, site, dimensions }, path) => {
          const { tablesIn } = await import('../../input/table-files.ts')
          const tables = await tablesIn(path)
          if (tables) return importTables(context, { project, site, path, tables })
          return importFile(context, path, async (stores, bytes, run) => {
            const { importSearchConsole } = await import(
              '../../../imports/analytics/search-console.ts'
            )
            const source = { projectId: project.toLowerCase(), file: fileName(path) }
            const options = { ...source, bytes, site, ...run }
            return importSearchConsole(stores, commandLine, {
              ...options,
              dimensions: dimensions.split(','),
            })
          })
        },
      ),
    )
}

interface FolderOfTables {
  readonly project: string
  readonly site: string | undefined
  readonly path: string
  readonly tables: readonly ZippedFile[]
}

/** The tables of an export of Search Console that was unpacked: some browsers unpack what they download. */
async function importTables(
  context: Context,
  { project, site, path, tables }: FolderOfTables,
): Promise<CommandResult> {
  const { importSearchTables } = await import('../../../imports/analytics/search-console.ts')
  const folder = { sizeBytes: undefined, readBytes: () => 0, close: () => undefined }
  const source = { projectId: project.toLowerCase(), file: fileName(path), site, tables }
  return runImport(context, folder, display, (run) =>
    withStores(context, (stores) => importSearchTables(stores, commandLine, { ...source, ...run })),
  )
}

type Load = (
  stores: Stores,
  bytes: AsyncIterable<Uint8Array>,
  run: ImportRun<RowsProgress>,
) => Promise<RowsResult>

async function importFile(context: Context, path: string, load: Load): Promise<CommandResult> {
  const { openInputFile } = await import('../../input/input-file.ts')
  const file = await openInputFile(path)
  return runImport(context, file, display, (run) =>
    withStores(context, (stores) => load(stores, file.open(), run)),
  )
}
