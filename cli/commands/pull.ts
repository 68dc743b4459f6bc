import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { invalid } from '../../core/errors.ts'
import { wholeNumberRule } from '../../core/rule-text.ts'
import { CliError } from '../errors.ts'
import { commandGroup, example, projectCommand } from '../options.ts'
import { type Context, perform } from '../run.ts'
import { interruptible } from '../signals.ts'
import { withStores } from '../stores.ts'
import { describeRows } from './import/output.ts'

interface Options {
  readonly project: string
  readonly credentials: string
  readonly days: string
  readonly site?: string
  readonly property?: string
}

const notes =
  'Share the site or the property with the service account first.\n' +
  'Run the command daily: rows that are stored already are replaced.'

/** Imports reports from Google's APIs. */
export function addPull(program: Command): void {
  const parent = commandGroup(
    program,
    'pull',
    "import reports from Google's APIs",
    'pull search-console --project 8c1e… --credentials key.json',
  )
  const pullCommand = (name: string) =>
    projectCommand(parent, name)
      .requiredOption('--credentials <file>', 'read the JSON key of a service account')
      .option('--days <number>', 'import this many days, ending today', '28')
  pullCommand('search-console')
    .option(
      '--site <site>',
      'select a site, such as sc-domain:example.com (default: the linked one)',
    )
    .description('import clicks and impressions from Google Search Console')
    .addHelpText(
      'after',
      example('pull search-console --project 8c1e… --credentials key.json', notes),
    )
    .action(perform<Options>((context, options) => run(context, 'searchConsole', options)))
  pullCommand('web-analytics')
    .option('--property <number>', 'select a property (default: the linked one)')
    .description('import sessions from Google Analytics 4')
    .addHelpText(
      'after',
      example(
        'pull web-analytics --project 8c1e… --credentials key.json --property 123456789',
        notes,
      ),
    )
    .action(perform<Options>((context, options) => run(context, 'webAnalytics', options)))
}

async function run(
  context: Context,
  kind: 'searchConsole' | 'webAnalytics',
  { project, credentials, days, site, property }: Options,
) {
  if (!/^[1-9]\d{0,3}$/.test(days)) {
    throw invalid('days', wholeNumberRule(1, 9999), days)
  }
  const [{ pull }, { commandLine }, key] = await Promise.all([
    import('../../imports/analytics/pull.ts'),
    import('../../resolvers/shared/audit-trail.ts'),
    readCredentials(credentials),
  ])
  const result = await interruptible((signal) =>
    withStores(context, (stores) =>
      pull(stores, commandLine, {
        kind,
        projectId: project.toLowerCase(),
        credentials: key,
        name: site ?? property,
        days: Number(days),
        signal,
      }),
    ),
  )
  return { json: result, text: describeRows(result, false) }
}

async function readCredentials(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    const message = `${path} cannot be read: ${(cause as Error).message}`
    throw new CliError('file_not_readable', message, { cause })
  }
}
