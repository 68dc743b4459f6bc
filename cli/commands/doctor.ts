import { styleText } from 'node:util'
import type { Command } from 'commander'
import type { Diagnosis } from '../doctor/doctor.ts'
import type { KeepingReport } from '../doctor/keeping.ts'
import type { Check } from '../doctor/problem.ts'
import type { StoreReport } from '../doctor/stores.ts'
import type { TrackerReport } from '../doctor/tracker.ts'
import type { WorkerReport } from '../doctor/worker.ts'
import { example } from '../options.ts'
import { perform } from '../run.ts'

export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .description('check what runs, and report problems with their fixes')
    .addHelpText(
      'after',
      example(
        'doctor',
        'Engines that do not run are started for the check. The exit code is 1 when a check fails. With --json, `checks` has each check with name, state and what to do.',
      ),
    )
    .action(
      perform(async (context) => {
        const { diagnose } = await import('../doctor/doctor.ts')
        const found = await diagnose(context)
        return { json: found, text: describe(found), exitCode: found.ok ? 0 : 1 }
      }),
    )
}

/** Checks without a line of their own above. */
const shownAlone = [
  'crawlers',
  'addresses',
  'google',
  'redis',
  'nats',
  'judge',
  'traces',
  'tls',
  'metrics',
]

const capital = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)

function describe(found: Diagnosis): string {
  const { running, dataDir } = found
  const row = (name: string, value: string) => `${name.padEnd(11)} ${value}`
  const free = dataDir.freeBytes === null ? '' : `, ${gigabytes(dataDir.freeBytes)} free`
  const here = dataDir.exists ? '' : ', which `npm start` will create'
  const service = running
    ? `\`${running.command}\`, process ${running.pid}, since ${running.since}${running.url ? `, at ${running.url}` : ''}`
    : 'not running'
  const settings = Object.entries(found.settings).map(([name, value]) => `  ${name}=${value}`)
  const faults = (state: Check['state'], color: 'red' | 'yellow', sign: string) =>
    found.checks.flatMap((check) =>
      check.state === state ? [style(color, `${sign} ${check.found}`), `  ${check.mend}`] : [],
    )
  const asked = found.checks.filter(
    ({ name, state }) => state === 'ok' && shownAlone.includes(name),
  )
  return [
    row('Sightline', `${found.version}, ${service}`),
    row('Node.js', `${found.node.version}, ${found.node.path}`),
    row('Catalog', describeStore(found.catalog)),
    row('Warehouse', describeStore(found.warehouse)),
    row('Worker', describeWorker(found.worker)),
    row('Tracker', describeTracker(found.tracker, running?.trackerUrl)),
    row('Data', `${dataDir.path}${here}${free}`),
    row('Backup', describeBackup(found.keeping)),
    row('Kept', describeRetention(found.keeping)),
    ...asked.map(({ name, found: text }) => row(capital(name), text)),
    'Settings',
    ...settings,
    '',
    ...faults('warning', 'yellow', '!'),
    ...(found.ok ? [style('green', '✓ Nothing is wrong.')] : faults('failed', 'red', '✗')),
  ].join('\n')
}

function describeStore(store: StoreReport | null): string {
  if (!store) return 'not there'
  const { applied, pending } = store.migrations
  const tables =
    pending.length > 0
      ? `migrations pending: ${pending.length}`
      : `migrations applied: ${applied.length}`
  return `${store.version} at ${store.address}, ${tables}`
}

function describeWorker(worker: WorkerReport | null): string {
  const place = worker?.pid ? `process ${worker.pid}` : 'not running'
  return `${place}, jobs waiting: ${worker?.waiting ?? 0}, running: ${worker?.running ?? 0}`
}

function describeTracker(tracker: TrackerReport | null, url: string | undefined): string {
  const waiting = tracker ? tracker.backlog.bytes : 0
  const backlog = waiting === 0 ? 'nothing waits' : `${Math.ceil(waiting / 1024)} kB wait`
  return `${url ? `takes events at ${url}` : 'not running'}, ${backlog} for the warehouse`
}

function describeBackup({ backup }: KeepingReport): string {
  if (!backup) return 'none yet: `npx sightline backup <folder>`, or set BACKUP_TO'
  return `${backup.ageDays} days old, of ${backup.takenAt}, in ${backup.dir}`
}

function describeRetention({ retentionDays }: KeepingReport): string {
  const limits = Object.entries(retentionDays).map(([name, days]) => {
    const kind = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    return `${kind} for ${days} days`
  })
  return limits.length === 0 ? 'everything, for ever' : `${limits.join(', ')}; all else for ever`
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1024 ** 3).toFixed(1)} GB`
}

function style(format: 'red' | 'yellow' | 'green', text: string): string {
  return styleText(format, text, { stream: process.stdout })
}
