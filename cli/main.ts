import { Command, CommanderError } from 'commander'
import { addDoctor } from './commands/doctor.ts'
import { addImport } from './commands/import.ts'
import { addIngest } from './commands/ingest.ts'
import { addKey } from './commands/key.ts'
import { addMigrate } from './commands/migrate.ts'
import { addParts } from './commands/parts.ts'
import { addProject } from './commands/project.ts'
import { addPull } from './commands/pull.ts'
import { addReanalyze } from './commands/reanalyze.ts'
import { addServe } from './commands/serve.ts'
import { addBrandShaping, addProjectShaping } from './commands/shape.ts'
import { addLists } from './commands/shape-lists.ts'
import { addAudit, addKeyShaping, addMember } from './commands/shape-workspace.ts'
import { addTracker } from './commands/tracker.ts'
import { addUnlink } from './commands/unlink.ts'
import { addWorkspace } from './commands/workspace.ts'
import { CliError } from './errors.ts'
import { printError } from './run.ts'
import { version } from './version.ts'

const settingsHelp = `
Settings (environment variables, all optional):
  HOST, PORT       where the API listens            127.0.0.1, 4000
  TRACKER_PORT     where the tracker takes events   4001
  DATA_DIR         where everything is kept         .sightline beside package.json
  PUBLIC_URL       how others reach the API         http://HOST:PORT
  DATABASE_URL     a PostgreSQL of yours            one of its own, on DATA_DIR
  CLICKHOUSE_URL   a ClickHouse of yours            one of its own, on DATA_DIR
  REDIS_URL        rate limits for several APIs     in memory
  SIGHTLINE_DEMO   0 makes no demo project          1
  LOG_LEVEL        silent, error, warn, info, debug info

Example:
  $ npm start`

const asJson = process.argv.includes('--json')

function makeProgram(): Command {
  const program = new Command('sightline')
    .description('Measures how a brand appears in the answers of AI assistants.')
    .version(version)
    .option('--json', 'print one JSON object, and nothing else, on standard output')
    .configureHelp({ showGlobalOptions: true })
    .addHelpText('after', settingsHelp)
    .exitOverride()
    // Errors are told below, in the form that was asked for.
    .configureOutput({
      outputError: () => undefined,
      writeErr: (text) => asJson || process.stderr.write(text),
    })
  addServe(program)
  addWorkspace(program)
  addMember(program)
  addProjectShaping(addProject(program))
  addBrandShaping(program)
  addLists(program)
  addKeyShaping(addKey(program))
  addIngest(program)
  addAudit(program)
  addImport(program)
  addPull(program)
  addUnlink(program)
  addReanalyze(program)
  addDoctor(program)
  addMigrate(program)
  addParts(program)
  addTracker(program)
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
  await makeProgram().parseAsync()
} catch (error) {
  if (!(error instanceof CommanderError)) throw error
  // Help and version are no failure; a command without its word shows the help.
  const isHelp = error.code === 'commander.helpDisplayed' || error.code === 'commander.version'
  if (!isHelp) {
    const message = error.code === 'commander.help' ? 'Which command?' : error.message
    const usage = new CliError('usage', message.replace(/^error: /, ''), { exitCode: 2 })
    printError(usage, asJson)
  }
}
