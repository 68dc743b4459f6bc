import type { Command } from 'commander'
import type { RowsProgress, RowsResult } from '../../imports/analytics/dated-rows.ts'
import { type Context, type Outcome, perform } from '../run.ts'
import { type Stores, withStores } from '../stores.ts'
import { example } from './change.ts'
import { count, importOutcome, type Watched } from './import-progress.ts'
import { rejections } from './import-rejections.ts'

const bar = {
  format: '{read} rows, {loaded} loaded, {rate}/s',
  zero: { read: 0, loaded: 0, rejected: 0 },
}

export function addImportWebAnalytics(parent: Command): void {
  parent
    .command('web-analytics')
    .argument('<file>', 'JSON or CSV, also gzipped; - reads standard input')
    .requiredOption('--project <id>', 'the project whose site the report is of')
    .option('--property <number>', 'the property; the project is linked to one')
    .description(
      'Imports sessions out of Google Analytics 4: an answer of its API (runReport), or an export of its web page as ' +
        'CSV. The report needs the dimensions date, landingPage (or pagePath) and sessionSource, the metrics ' +
        'sessions, totalUsers (or activeUsers), bounceRate and averageSessionDuration, and may have sessionMedium, ' +
        'hostName and keyEvents. Rows that are there already are replaced. A wrong row is told, and the rest is ' +
        'loaded: the exit code is 0.',
    )
    .addHelpText('after', example('import web-analytics report.json --project 8c1e…'))
    .action(
      perform<{ project: string; property?: string }, [string]>(
        (context, { project, property }, path) =>
          importFile(context, path, async (stores, bytes, watched) => {
            const { importWebAnalytics } = await import('../../imports/analytics/web-analytics.ts')
            const projectId = project.toLowerCase()
            const begin = () => link(stores, projectId, 'webAnalytics', property)
            return importWebAnalytics(stores, { projectId, bytes, begin, ...watched })
          }),
      ),
    )
}

export function addImportSearchConsole(parent: Command): void {
  parent
    .command('search-console')
    .argument('<file>', 'JSON or JSON lines, also gzipped; - reads standard input')
    .requiredOption('--project <id>', 'the project whose site the report is of')
    .option(
      '--site <site>',
      'the site, such as sc-domain:example.com; the project is linked to one',
    )
    .option(
      '--dimensions <names>',
      'by what the API was asked, in that order',
      'date,query,page,country,device',
    )
    .description(
      'Imports clicks and impressions out of Google Search Console: an answer of its Search Analytics API, or the ' +
        'bulk export as JSON lines. The tables that its web page exports hold no rows by date and query, and are ' +
        'refused. Rows that are there already are replaced. A wrong row is told, and the rest is loaded: the exit ' +
        'code is 0.',
    )
    .addHelpText('after', example('import search-console rows.json --project 8c1e…'))
    .action(
      perform<{ project: string; site?: string; dimensions: string }, [string]>(
        (context, { project, site, dimensions }, path) =>
          importFile(context, path, async (stores, bytes, watched) => {
            const { importSearchConsole } = await import(
              '../../imports/analytics/search-console.ts'
            )
            const projectId = project.toLowerCase()
            const begin = (name: string | null) => link(stores, projectId, 'searchConsole', name)
            const options = { projectId, bytes, site, dimensions: dimensions.split(',') }
            return importSearchConsole(stores, { ...options, begin, ...watched })
          }),
      ),
    )
}

type Kind = 'searchConsole' | 'webAnalytics'

async function link(
  { db }: Stores,
  projectId: string,
  kind: Kind,
  name: string | null | undefined,
) {
  const [{ linkAnalytics }, { commandLine }] = await Promise.all([
    import('../../resolvers/connections/analytics.ts'),
    import('../../resolvers/shared/audit-trail.ts'),
  ])
  return linkAnalytics(db, commandLine, projectId, kind, name)
}

type Load = (
  stores: Stores,
  bytes: AsyncIterable<Uint8Array>,
  watched: Watched<RowsProgress>,
) => Promise<RowsResult>

async function importFile(context: Context, path: string, load: Load): Promise<Outcome> {
  const { openInputFile } = await import('../input/input-file.ts')
  const file = await openInputFile(path)
  return importOutcome(context, file, { bar, describe: describeRows }, (watched) =>
    withStores(context, (stores) => load(stores, file.open(), watched)),
  )
}

/** What became of the rows, for people. */
export function describeRows(
  { read, loaded, rejected, rejectedTotal = rejected.length }: RowsResult,
  wasStopped = false,
): string {
  const head = `${count(loaded)} loaded, ${count(rejectedTotal)} rejected, of ${count(read)} rows`
  return [
    wasStopped ? `Stopped: ${head}. Import the file again to go on.` : `${head}.`,
    ...rejections(rejected, rejectedTotal),
  ].join('\n')
}
