import { join } from 'node:path'
import { type Command, Option } from 'commander'
import { CliError } from '../../errors.ts'
import { example } from '../../options.ts'
import { packageRoot } from '../../package.ts'
import { type CommandResult, type Context, perform } from '../../run.ts'
import { type ClientName, clientFile, clientNames, type Launch } from './clients.ts'
import { connectionOf, type Reach } from './connect.ts'
import { type Connection, relay } from './relay.ts'

interface ForClient extends Reach {
  readonly client: ClientName
  readonly dryRun?: true
}

export function addMcp(program: Command): void {
  const mcp = program
    .command('mcp')
    .description('connect an AI client: pass its calls to the tools of the service')
    .addHelpText(
      'after',
      example(
        'mcp install --client claude-desktop',
        'Clients start `sightline mcp` themselves. It calls SIGHTLINE_URL with SIGHTLINE_KEY, or the service of DATA_DIR with a key of its own that can only read, and ends after 12 hours.',
      ),
    )
  withReach(mcp).action(perform<Reach>(serve))
  const add = (name: string, description: string) =>
    withReach(mcp.command(name))
      .description(description)
      .addOption(
        new Option('--client <client>', 'the client').choices(clientNames).makeOptionMandatory(),
      )
  add('install', "add the tools to a client's file, and keep the file as it was beside it")
    .option('--dry-run', 'show what would be written, and write nothing')
    .addHelpText('after', example('mcp install --client cursor --dry-run'))
    .action(perform<ForClient>(installIn))
  add('config', 'print what a client needs in its file')
    .addHelpText('after', example('mcp config --client vscode'))
    .action(perform<ForClient>(printConfig))
}

const withReach = (command: Command) =>
  command.option('--project <project>', 'reach one project only')

/** Passes messages until standard input ends. Everything that is no message goes to standard error. */
async function serve(context: Context, reach: Reach): Promise<undefined> {
  let connection: Connection | undefined
  await relay({
    input: process.stdin,
    output: process.stdout,
    whenDown:
      'Sightline does not answer. Start it with `npm start` in its folder, or set SIGHTLINE_URL.',
    connect: async () => {
      connection ??= await connectionOf(context, reach)
      return connection
    },
  })
}

/** How a client starts `sightline mcp`: by whole paths, since it may know none of a shell. */
function launchOf({ project, write }: Reach): Launch {
  const { SIGHTLINE_URL, SIGHTLINE_KEY, DATA_DIR } = process.env
  const env = Object.fromEntries(
    Object.entries({ SIGHTLINE_URL, SIGHTLINE_KEY, DATA_DIR }).flatMap(([name, value]) =>
      value ? [[name, value]] : [],
    ),
  )
  return {
    command: process.execPath,
    args: [
      join(packageRoot, 'cli', 'sightline.js'),
      'mcp',
      ...(project === undefined ? [] : ['--project', project]),
      ...(write ? ['--write'] : []),
    ],
    ...(Object.keys(env).length > 0 && { env }),
  }
}

async function installIn(_context: Context, options: ForClient): Promise<CommandResult> {
  const { install, planned } = await import('./install.ts')
  const file = clientFile(options.client)
  const wanted = { file, launch: launchOf(options) }
  if (options.dryRun) {
    const { after, isChanged } = await planned(wanted)
    const text = isChanged ? `${file.path} would be:\n\n${after}` : `${file.path} has it already.`
    return { json: { path: file.path, changed: isChanged, content: after }, text }
  }
  const { changed, backup } = await install(wanted).catch((error: NodeJS.ErrnoException) => {
    if (error instanceof CliError) throw error
    throw new CliError(
      'client_file_unwritable',
      `${file.path} cannot be written: ${error.message}.`,
    )
  })
  const kept = backup ? ` The file as it was is ${backup}.` : ''
  const text = changed
    ? `${file.title} has the tools of Sightline now, in ${file.path}.${kept} ${file.next}`
    : `${file.title} has them already, in ${file.path}.`
  return { json: { path: file.path, changed, ...(backup && { backup }) }, text }
}

async function printConfig(_context: Context, options: ForClient): Promise<CommandResult> {
  const { snippetOf } = await import('./install.ts')
  const file = clientFile(options.client)
  const content = snippetOf({ file, launch: launchOf(options) })
  return { json: { path: file.path, content }, text: `In ${file.path}:\n\n${content}` }
}
