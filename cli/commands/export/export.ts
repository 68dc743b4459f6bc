import { type Command, Option } from 'commander'
import { invalid, notFound } from '../../../core/errors.ts'
import { counted } from '../../../core/text/counted.ts'
import { CliError } from '../../errors.ts'
import { readDay } from '../../input/day.ts'
import { example } from '../../options.ts'
import { readProject } from '../../project-details.ts'
import { type CommandResult, type Context, perform } from '../../run.ts'
import { openStorage } from '../../storage/open.ts'
import { withCatalog, withStores } from '../../stores.ts'
import { columns } from '../../text.ts'
import { requireWorkspace } from '../workspace.ts'
import type { ExportReport } from './write.ts'

interface Options {
  readonly project?: string
  readonly workspace?: string
  readonly file?: string
  readonly format: 'parquet' | 'csv' | 'jsonl'
  readonly tables?: string
  readonly from?: string
  readonly to?: string
}

/** The days that the warehouse can hold. */
const firstDay = '1980-01-01'
const lastDay = '2147-12-31'

export function addExport(program: Command): void {
  program
    .command('export')
    .argument('[place]', 'a folder, or a bucket as s3://bucket/prefix')
    .option('--project <project>', 'select the project, by its id, name or domain')
    .option('-f, --file <file>', 'write the settings as a file for `apply` in place of the tables')
    .option('--workspace <workspace>', 'with --file, write all projects and channels of it')
    .description(
      'export the tables of a project as daily files; a repeated export writes only what changed',
    )
    .addOption(
      new Option('--format <format>', 'choose the format of the files')
        .choices(['parquet', 'csv', 'jsonl'])
        .default('parquet'),
    )
    .option('--tables <names>', 'write only these tables, separated by commas')
    .option('--from <day>', 'begin with this UTC day; by default the first with data')
    .option('--to <day>', 'end with this UTC day; by default the last with data')
    .addHelpText(
      'after',
      example(
        'export --project Sony s3://acme-data/sightline',
        'A bucket needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, and S3_ENDPOINT unless it is at Amazon.',
        '`export -f acme.yaml --workspace Acme` writes projects, prompts, schedules, monitors and channels for `apply`.',
      ),
    )
    .action(perform<Options, [string | undefined]>(exportTo))
}

const wrongUse = (message: string) => new CliError('usage', message, { exitCode: 2 })

/** Writes what `apply` reads. */
async function exportFile(
  context: Context,
  file: string,
  { project, workspace }: Options,
): Promise<CommandResult> {
  if ((project === undefined) === (workspace === undefined)) {
    throw wrongUse('Give `--workspace`, or `--project` for one project of it.')
  }
  const { writeProjectFile } = await import('../../apply/write.ts')
  const files = await withCatalog(context, async (db) => {
    if (workspace !== undefined) await requireWorkspace(db, workspace)
    const workspaceId = workspace ?? (await readProject(db, project ?? '')).workspaceId
    return writeProjectFile(db, { workspaceId, projectId: project }, file)
  })
  return { json: { files }, text: `Wrote ${files.join(' and ')}.` }
}

async function exportTo(
  context: Context,
  options: Options,
  place: string | undefined,
): Promise<CommandResult> {
  const { project, file } = options
  if ((place === undefined) === (file === undefined)) {
    throw wrongUse('Give a place for the tables, or `--file` for the settings.')
  }
  if (file !== undefined) return exportFile(context, file, options)
  if (place === undefined || project === undefined) {
    throw wrongUse("required option '--project <project>' not specified")
  }
  const from = readDay('from', options.from) ?? firstDay
  const to = readDay('to', options.to) ?? lastDay
  if (from > to) throw invalid('from', 'must not be after `to`', options.from)
  const { tableNames, writeExport } = await import('./write.ts')
  const tables = options.tables?.split(',').map((name) => name.trim()) ?? tableNames
  const unknown = tables.find((name) => !tableNames.includes(name))
  if (unknown !== undefined) {
    throw invalid('tables', `must be of: ${tableNames.join(', ')}`, unknown)
  }
  const storage = await openStorage(context.settings, place)
  const { jobScope } = await import('../../../resolvers/shared/job-scope.ts')
  const report = await withStores(context, async (stores) => {
    const scope = await jobScope(stores, project, new Date())
    if (!scope) throw notFound()
    return writeExport(scope, storage, { format: options.format, tables, range: { from, to } })
  })
  return { json: report, text: describe(report) }
}

function describe({ place, format, sizeBytes, seconds, tables }: ExportReport): string {
  const rows = tables.map(({ table, rows, days, written, removed }) => [
    table,
    counted(rows, 'row'),
    counted(days, 'day'),
    `${written} written`,
    removed === 0 ? '' : `${removed} removed`,
  ])
  const megabytes = (sizeBytes / 1024 ** 2).toFixed(1)
  return `${columns(rows, 'No tables.')}\nWrote ${megabytes} MB as ${format} to ${place} in ${seconds} s.`
}
