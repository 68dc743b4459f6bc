import { type Command, CommanderError, Help, type Option } from 'commander'
import { addCommands, withNewNames } from './commands.ts'
import { CliError } from './errors.ts'
import { version } from './package.ts'
import { Program } from './program.ts'
import { printError } from './run.ts'
import { columns } from './text.ts'

const settings = [
  ['HOST, PORT', 'address of the API', '127.0.0.1, 4000'],
  ['TRACKER_PORT', 'port of the tracker', '4001'],
  ['TRACKER_URL', 'URL of the tracker for sites', 'the host of PUBLIC_URL, at TRACKER_PORT'],
  ['TRACKER_PROCESSES', 'processes of the tracker behind its port', '1'],
  ['METRICS_PORT', 'port of the metrics of all parts', 'none'],
  ['DATA_DIR', 'folder of all data', '.sightline beside package.json'],
  ['PUBLIC_URL', 'URL of the API for clients', 'http://HOST:PORT'],
  ['DATABASE_URL', 'your own PostgreSQL', 'a built-in one on DATA_DIR'],
  ['CLICKHOUSE_URL', 'your own ClickHouse', 'a built-in one on DATA_DIR'],
  ['REDIS_URL', 'rate limits of several APIs', 'in memory'],
  ['NATS_URL', 'events on their way to the warehouse', 'files on DATA_DIR'],
  ['SIGHTLINE_DEMO', '0 skips the demo project', '1'],
  ['ALLOW_PRIVATE_HOSTS', 'private hosts that audits may reach', 'none'],
  ['MCP_AUTH', 'keys turns off the sign-in of AI clients', 'embedded'],
  ['CORS_ORIGINS', 'sites whose scripts may read answers, or *', 'none'],
  ['WAREHOUSE_MEMORY_MB', 'memory of all statements of the warehouse', '1400'],
  ['TRUST_PROXY', 'proxies whose X-Forwarded-For counts', 'none'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector of traces, OTLP by HTTP', 'none'],
  ['PERSISTED_DOCUMENTS', 'file of GraphQL documents that run by hash', 'none'],
  ['JUDGE_MODEL', 'model that rates sentiment besides the lexicon', 'none'],
  ['JUDGE_URL', 'API of the model, compatible with that of OpenAI', 'that of OpenAI'],
  ['JUDGE_API_KEY', 'key of that API', 'none'],
  ['OIDC_ISSUER', 'provider of sign-ins to the dashboard', 'none'],
  ['OIDC_CLIENT_ID', 'name of Sightline at that provider', 'none'],
  ['OIDC_CLIENT_SECRET', 'secret of that client', 'none'],
  ['BACKUP_TO', 'folder or bucket of a backup each night', 'none'],
  ['RETENTION_DAYS', 'days that kinds of data are kept', 'forever'],
  ['LOG_LEVEL', 'silent, error, warn, info, debug', 'info'],
].map(([name = '', ...rest]) => [`  ${name}`, ...rest])

const settingsHelp = `
Settings (environment variables, all optional) and their defaults:
${columns(settings, '')}

Example:
  $ npm start`

const [node = '', script = '', ...given] = process.argv
const { args, notice } = withNewNames(given)
const asJson = args.includes('--json')

/** The description of an option in the help. Of commander's own facts, people need the default and the choices. */
function optionDescription(option: Option): string {
  const text = new Help().optionDescription(option)
  return option.mandatory ? `${text} (required)` : text
}

async function makeProgram(): Promise<Command> {
  const program = new Program('sightline')
    .description('measure how a brand appears in the answers of AI platforms')
    .version(version)
    .option('--json', 'print one JSON object on standard output, and nothing else')
    .configureHelp({ showGlobalOptions: true, optionDescription })
    .addHelpText('after', settingsHelp)
    .exitOverride()
    // `printError` prints errors below, as text or JSON.
    .configureOutput({
      outputError: () => undefined,
      writeErr: (text) => asJson || process.stderr.write(text),
    })
  await addCommands(program, args)
  return program
}

function endWithLauncher(): void {
  if (!process.env.SIGHTLINE_HANDED_OVER || !process.channel) return
  delete process.env.SIGHTLINE_HANDED_OVER
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  process.channel.unref()
}

endWithLauncher()
try {
  const program = await makeProgram()
  if (notice !== undefined && !asJson) process.stderr.write(`${notice}\n`)
  await program.parseAsync([node, script, ...args])
} catch (error) {
  if (!(error instanceof CommanderError)) throw error
  // Help and version are no failure. A group without its command shows the help, and fails.
  if (error.exitCode !== 0) {
    const message = error.code === 'commander.help' ? 'A command is missing.' : error.message
    const usage = new CliError('usage', message.replace(/^error: /, ''), { exitCode: 2 })
    printError(usage, asJson)
  }
}
