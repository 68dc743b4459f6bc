import type { Command } from 'commander'
import { counted } from '../../core/text/counted.ts'
import { example } from '../options.ts'
import { perform } from '../run.ts'
import type { BackupReport } from './backup.ts'
import type { RestoreReport } from './restore.ts'

const secretsNote =
  'A backup holds the secrets of the service, and whoever reads it can read all data.\n' +
  'Keep it as you keep DATA_DIR. With --without-secrets, keep secrets.json and demo.json yourself.'

export function addBackup(program: Command): void {
  program
    .command('backup')
    .argument('<folder>', 'new folder for the backup')
    .description('back up both stores, the event log and the secrets, while the service runs')
    .option('--without-secrets', 'leave out secrets.json and demo.json')
    .addHelpText(
      'after',
      example(
        'backup /backups/2026-11-23',
        secretsNote,
        'The backup is of one moment. Imports and writes that end later are not in it.',
      ),
    )
    .action(
      perform<{ withoutSecrets?: true }, [string]>(async (context, options, folder) => {
        const { backUp } = await import('./backup.ts')
        const withSecrets = options.withoutSecrets !== true
        const report = await backUp(context, folder, { withSecrets })
        return { json: report, text: describeBackup(report) }
      }),
    )
}

export function addRestore(program: Command): void {
  program
    .command('restore')
    .argument('<folder>', 'folder of a backup')
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
