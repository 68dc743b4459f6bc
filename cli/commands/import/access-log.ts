import { type Command, Option } from 'commander'
import type {
  AccessLogCounts,
  AccessLogFormat,
  AccessLogOptions,
  AccessLogResult,
} from '../../../imports/access-log/access-log.ts'
import { example } from '../../options.ts'
import { type CommandResult, type Context, perform } from '../../run.ts'
import { type Stores, withStores } from '../../stores.ts'
import { count } from '../../text.ts'
import { fileName, type ImportRun, runImport } from './output.ts'

/** The kind of source that each format comes from. */
const formats: Readonly<Record<AccessLogFormat, 'log' | 'cdn'>> = {
  combined: 'log',
  cloudflare: 'cdn',
  cloudfront: 'cdn',
  caddy: 'log',
  alb: 'log',
  fastly: 'cdn',
  iis: 'log',
}

interface Options {
  readonly project: string
  readonly format: AccessLogFormat
  readonly host?: string
}

const display = {
  progress: '{read} lines, {kept} of AI crawlers, {rate}/s',
  zero: { read: 0, kept: 0, dropped: {} },
  describe,
}

const notes = [
  'Formats: combined is the format of Apache and nginx, cloudflare is Logpush of HTTP requests as JSON lines,\n' +
    'cloudfront is the standard log of CloudFront, caddy is JSON of Caddy, alb is the log of an AWS Application\n' +
    'Load Balancer, fastly is JSON in a format that Fastly proposes, iis is the W3C format of IIS.',
  'Lines of other clients are dropped and counted, and so are hits older than 400 days.\n' +
    'A log that was imported before adds its new lines only, however the earlier import ended.',
]

export function addImportAccessLog(parent: Command): void {
  const format = new Option('--format <format>', 'read lines in this format')
  parent
    .command('access-log')
    .argument('<file>', 'the log, also gzipped; - reads standard input to its end')
    .requiredOption('--project <project>', 'select the project whose site wrote the log')
    .addOption(format.choices(Object.keys(formats)).makeOptionMandatory())
    .option('--host <host>', "set the host of lines without one (default: the project's domain)")
    .description('import hits of AI crawlers from an access log')
    .addHelpText(
      'after',
      example(
        'import access-log /var/log/nginx/access.log --project 8c1e… --format combined',
        ...notes,
      ),
    )
    .action(perform(importLog))
}

async function importLog(
  context: Context,
  { project, format, host }: Options,
  path: string,
): Promise<CommandResult> {
  // Loaded when the command runs: they load the clients of both stores.
  const [{ openInputFile }, { importAccessLog }, { connectLogs }, { commandLine }] =
    await Promise.all([
      import('../../input/input-file.ts'),
      import('../../../imports/access-log/access-log.ts'),
      import('../../../resolvers/connections/logs.ts'),
      import('../../../resolvers/shared/audit-trail.ts'),
    ])
  const file = await openInputFile(path)
  const known = await knownBots(context)
  const projectId = project.toLowerCase()
  const load = async (stores: Stores, run: ImportRun<AccessLogCounts>) => {
    const source = { kind: formats[format], host }
    const connect = () => connectLogs(stores.db, commandLine, projectId, source)
    const log = {
      projectId,
      format,
      host: connect,
      ...known,
      file: fileName(path),
      open: file.open,
    }
    return importAccessLog(stores, { ...log, ...run })
  }
  return runImport(context, file, display, (run) =>
    withStores(context, (stores) => load(stores, run)),
  )
}

/** The crawlers and their address ranges that the tracker of DATA_DIR knows, else the built-in ones. */
async function knownBots({
  settings: { CRAWLERS_SOURCE: source },
  dataDir: { tracker },
}: Context): Promise<Pick<AccessLogOptions, 'bots' | 'verify'>> {
  const [{ createBotMatcher }, { createVerifier }, { knownCrawlers, knownRanges }] =
    await Promise.all([
      import('../../../core/bots/bots.ts'),
      import('../../../core/bots/crawler-ranges.ts'),
      import('../../../ingest/bots/known.ts'),
    ])
  return {
    bots: createBotMatcher(await knownCrawlers(tracker, source)),
    verify: createVerifier(await knownRanges(tracker, source)),
  }
}

const reasons: Readonly<Record<string, string>> = {
  not_a_crawler: 'not from an AI crawler',
  malformed: 'not readable as a request',
  timestamp_out_of_range: 'older than 400 days, or in the future',
}

function describe(result: AccessLogResult, wasStopped: boolean): string {
  const { read, kept, dropped, readBefore, isUnfinished } = result
  const head = `${count(kept)} kept, ${count(read - kept)} dropped, of ${count(read)} lines.`
  const before = readBefore > 0 ? ` An earlier import read ${count(readBefore)} lines.` : ''
  return [
    wasStopped ? `Stopped: ${head}${before} Import the log again to continue.` : head + before,
    ...Object.entries(dropped).map(
      ([reason, lines]) => `  ${count(lines)} ${reasons[reason] ?? reason}`,
    ),
    ...(isUnfinished ? ['  The last line is incomplete: the next import will read it.'] : []),
  ].join('\n')
}
