import { stat } from 'node:fs/promises'
import type { Command } from 'commander'
import { baseUrlOf } from '../../core/settings.ts'
import { CliError } from '../errors.ts'
import { readSecrets } from '../folder/data-dir.ts'
import { askOwner } from '../folder/data-dir-lock.ts'
import { example } from '../options.ts'
import { type CommandResult, type Context, perform } from '../run.ts'
import { withCatalog } from '../stores.ts'

interface Options {
  readonly graphiql?: true
  readonly docs?: true
  /** False with `--no-browser`. */
  readonly browser: boolean
}

export function addOpen(program: Command): void {
  program
    .command('open')
    .description('sign in to the dashboard or another page by a new link that works once')
    .option('--graphiql', 'open GraphiQL')
    .option('--docs', 'open the REST reference')
    .option('--no-browser', 'print the address only')
    .addHelpText(
      'after',
      example(
        'open --graphiql',
        'The link works once, within ten minutes. With --json the address is printed only.',
      ),
    )
    .action(perform(openPage))
}

async function openPage(context: Context, options: Options): Promise<CommandResult> {
  const page = options.graphiql ? 'graphql' : options.docs ? 'docs' : ''
  const url = await serviceUrl(context)
  const address = `${url}/${page}#code=${await newCode(context, page !== '')}`
  if (options.browser && !context.asJson) await showInBrowser(address)
  return { json: { url: address }, text: `${address}\n\nThe link works once, within ten minutes.` }
}

/**
 * The address of the service of the data folder.
 * @throws {CliError} `service_not_running`
 */
export async function serviceUrl({ settings, dataDir }: Context): Promise<string> {
  const isStarted = await stat(dataDir.secrets).then(
    () => true,
    () => false,
  )
  const connection = isStarted && (await askOwner(dataDir, await readSecrets(dataDir)))
  if (connection) connection.leave()
  if (connection && connection.owner.url !== undefined) return connection.owner.url
  // The API of such stores may run on another machine.
  if (settings.DATABASE_URL !== undefined) return baseUrlOf(settings)
  throw new CliError(
    'service_not_running',
    `No service runs on ${dataDir.path}. Start it with \`npm start\`.`,
  )
}

async function newCode({ settings, dataDir, ...rest }: Context, isTrial: boolean) {
  const [{ DemoDamaged, readDemo }, { pageSubjects }, { makePageCode }] = await Promise.all([
    import('../../demo/file.ts'),
    import('../service/page-subjects.ts'),
    import('../../resolvers/keys/page-codes.ts'),
  ])
  const wantsDemo = settings.SIGHTLINE_DEMO === '1'
  const demo = await (wantsDemo ? readDemo(dataDir) : undefined)?.catch((error: unknown) => {
    // The start has warned, and other pages do without a demo.
    if (error instanceof DemoDamaged) return undefined
    throw error
  })
  return withCatalog({ settings, dataDir, ...rest }, async (db) => {
    const subjects = await pageSubjects(db, demo?.key)
    const subject = isTrial ? subjects.trial : subjects.page
    if (subject !== undefined) return makePageCode(db, subject)
    throw new CliError(
      'nobody_to_sign_in',
      'There is no local owner and no demo to sign in. Create a key with `npx sightline key create`, and enter it on the page.',
    )
  })
}

/** The address is printed too, so a machine without a browser is no failure. */
async function showInBrowser(address: string): Promise<void> {
  const { default: open } = await import('open')
  const browser = await open(address).catch(() => undefined)
  browser?.once('error', () => {})
}
