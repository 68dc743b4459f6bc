import type { Command } from 'commander'
import { counted } from '../../core/text/counted.ts'
import { CliError } from '../errors.ts'
import { example } from '../options.ts'
import { type CommandResult, type Context, perform } from '../run.ts'
import { columns } from '../text.ts'
import type { BackupReport } from './backup.ts'
import type { RestoreReport } from './restore.ts'

const secretsNote =
  'A backup holds the secrets of the service, and whoever reads it can read all data.\n' +
  'Keep it as you keep DATA_DIR. With --without-secrets, keep secrets.json and demo.json yourself.'

export function addBackup(program: Command): void {
  program
    .command('backup')
    .argument('[place]', 'new folder, or s3://bucket/prefix; default: a new one below BACKUP_TO')
    .description('back up both stores, the event log and the secrets, while the service runs')
    .option('--without-secrets', 'leave out secrets.json and demo.json')
    .option('--list', 'list the backups below a place, and make none')
    .addHelpText(
      'after',
      example(
        'backup /backups/2026-11-23',
        secretsNote,
        'The backup is of one moment. Imports and writes that end later are not in it.',
        'With BACKUP_TO the service makes one each night, and keeps those of its `keep`.',
      ),
    )
    .action(
      perform<{ withoutSecrets?: true; list?: true }, [string | undefined]>(
        async (context, options, place) => {
          if (options.list) return list(context, place ?? context.settings.BACKUP_TO?.place)
          const [{ backUp }, { backUpByRule }] = await Promise.all([
            import('./backup.ts'),
            import('./scheduled.ts'),
          ])
          const withSecrets = options.withoutSecrets !== true
          if (place !== undefined) {
            const report = await backUp(context, place, { withSecrets })
            return { json: report, text: describeBackup(report) }
          }
          const report = await backUpByRule(context, { withSecrets })
          const removed = report.removed.map(
            (old) => `Removed ${old}, which BACKUP_TO does not keep.`,
          )
          return { json: report, text: [describeBackup(report), ...removed].join('\n') }
        },
      ),
    )
}

async function list(context: Context, place: string | undefined): Promise<CommandResult> {
  if (place === undefined) {
    throw new CliError('usage', 'Give a folder or a bucket, or set BACKUP_TO.', { exitCode: 2 })
  }
  const { listBackups } = await import('./scheduled.ts')
  const backups = await listBackups(context.settings, place)
  const rows = backups.map(({ takenAt, isComplete, place: at }) => [
    takenAt,
    isComplete ? 'complete' : 'incomplete',
    at,
  ])
  return { json: { backups }, text: columns(rows, 'No backups.') }
}

export function addRestore(program: Command): void {
  program
    .command('restore')
    .argument('<place>', 'folder of a backup, or s3://bucket/prefix')
    .description('fill an empty DATA_DIR from a backup')
    .addHelpText(
      'after',
      example(
        'restore /backups/2026-11-23',
        'Stop the service first. The command changes no folder and no store that holds data.\n' +
          'With DATABASE_URL or CLICKHOUSE_URL it fills an empty database of that server.',
      ).replace('$ ', '$ DATA_DIR=/var/lib/sightline '),
    )
    .action(
      perform<object, [string]>(async (context, _options, folder) => {
        const { restore } = await import('./restore.ts')
        const report = await restore(context, folder)
        return { json: report, text: describeRestore(report) }
      }),
    )
}

function describeRows({ catalog, warehouse }: BackupReport['rows']): string {
  return `${counted(catalog, 'row')} of the catalog and ${counted(warehouse, 'row')} of the warehouse`
}

function describeBackup(report: BackupReport): string {
  const megabytes = (report.sizeBytes / 1024 ** 2).toFixed(1)
  return [
    `Backed up ${describeRows(report.rows)} to ${report.dir}, ${megabytes} MB in ${report.seconds} s.`,
    report.hasSecrets
      ? 'It holds the secrets of the service: keep it as you keep DATA_DIR.'
      : 'It holds no secrets: keep secrets.json and demo.json of DATA_DIR too.',
  ].join('\n')
}

function describeRestore(report: RestoreReport): string {
  return [
    `Restored ${describeRows(report.rows)} into ${report.dataDir}, as of ${report.takenAt}, in ${report.seconds} s.`,
    ...(report.hasSecrets
      ? []
      : [
          'The backup holds no secrets. Unless secrets.json was in place, hand out new ingest keys, site tokens and links of reports.',
        ]),
    'Start the service with this DATA_DIR.',
  ].join('\n')
}
