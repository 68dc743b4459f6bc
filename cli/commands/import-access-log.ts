import { type Command, Option } from 'commander'
import type {
  AccessLogCounts,
  AccessLogFormat,
  AccessLogResult,
} from '../../imports/access-log/access-log.ts'
import { type Context, type Outcome, perform } from '../run.ts'
import { type Stores, withStores } from '../stores.ts'
import { example } from './change.ts'
import { count, importOutcome, type Watched } from './import-progress.ts'

/** The kind of source that each format comes from. */
const formats: Readonly<Record<AccessLogFormat, 'log' | 'cdn'>> = {
  combined: 'log',
  cloudflare: 'cdn',
  cloudfront: 'cdn',
}

interface Options {
  readonly project: string
  readonly format: AccessLogFormat
  readonly host?: string
}

const bar = {
  format: '{read} lines, {kept} of AI crawlers, {rate}/s',
  zero: { read: 0, kept: 0, dropped: {} },
}

export function addImportAccessLog(parent: Command): void {
  const format = new Option('--format <format>', 'how a line is written')
  parent
    .command('access-log')
    .argument('<file>', 'the log, also gzipped; - reads standard input to its end')
    .requiredOption('--project <id>', 'the project whose site the log is of')
    .addOption(format.choices(Object.keys(formats)).makeOptionMandatory())
    .option('--host <host>', "the host of lines that name none; by default the project's domain")
    .description(
      'Imports the visits of AI crawlers out of an access log: combined is that of Apache and nginx, cloudflare ' +
        'Logpush of HTTP requests as JSON lines, cloudfront the standard logs of CloudFront. All other lines are ' +
        'dropped and counted. A log that was imported before gives what was added to it since, and nothing twice, ' +
        'however an earlier import ended. Visits older than 400 days are dropped.',
    )
    .addHelpText(
      'after',
      example('import access-log /var/log/nginx/access.log --project 8c1e… --format combined'),
    )
    .action(perform(importLog))
}

async function importLog(
  context: Context,
  { project, format, host }: Options,
  path: string,
): Promise<Outcome> {
  const [{ openInputFile }, { knownBots }, { importAccessLog }, { connectLogs }, { commandLine }] =
    await imports()
  const file = await openInputFile(path)
  const bots = await knownBots(context.dataDir, context.settings.CRAWLERS_SOURCE)
  const projectId = project.toLowerCase()
  const load = async (stores: Stores, watched: Watched<AccessLogCounts>) => {
    const source = { kind: formats[format], host }
    const connected = await connectLogs(stores.db, commandLine, projectId, source)
    const log = { projectId, format, host: connected.host, bots, open: file.open }
    return importAccessLog(stores, { ...log, ...watched })
  }
  return importOutcome(context, file, { bar, describe }, (watched) =>
    withStores(context, (stores) => load(stores, watched)),
  )
}

// Only when the command runs: they load the clients of both stores.
function imports() {
  return Promise.all([
    import('../input/input-file.ts'),
    import('../service/known-bots.ts'),
    import('../../imports/access-log/access-log.ts'),
    import('../../resolvers/connections/logs.ts'),
    import('../../resolvers/shared/audit-trail.ts'),
  ])
}

const reasons: Readonly<Record<string, string>> = {
  not_a_crawler: 'not of an AI crawler',
  malformed: 'not readable as a request',
  timestamp_out_of_range: 'older than 400 days, or in the future',
}

function describe(result: AccessLogResult, wasStopped: boolean): string {
  const { read, kept, dropped, readBefore, isUnfinished } = result
  const head = `${count(kept)} kept, ${count(read - kept)} dropped, of ${count(read)} lines`
  const before = readBefore > 0 ? ` Before them, ${count(readBefore)} were read already.` : ''
  return [
    wasStopped ? `Stopped: ${head}.${before} Import the log again to go on.` : `${head}.${before}`,
    ...Object.entries(dropped).map(
      ([reason, lines]) => `  ${count(lines)} ${reasons[reason] ?? reason}`,
    ),
    ...(isUnfinished ? ['  The last line is not whole yet: it is left for the next import.'] : []),
  ].join('\n')
}
