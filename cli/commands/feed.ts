import type { Command } from 'commander'
import { baseUrlOf } from '../../core/settings.ts'
import { describeChange } from '../change.ts'
import { readStandardInput } from '../input/standard-input.ts'
import { commandGroup, example, projectCommand, workspaceCommand } from '../options.ts'
import { type CommandResult, type Context, perform } from '../run.ts'
import { withCatalog } from '../stores.ts'
import { columns } from '../text.ts'

const kinds = {
  'search-console': { kind: 'searchConsole', name: 'Google Search Console' },
  'web-analytics': { kind: 'webAnalytics', name: 'Google Analytics' },
} as const

type KindName = keyof typeof kinds

/** Manages data that the worker pulls daily. People sign in with Google in the browser. */
export function addFeed(program: Command): void {
  const parent = commandGroup(
    program,
    'feed',
    'manage data that Sightline loads daily from Google',
    'feed list --project 8c1e…',
  )
  workspaceCommand(parent, 'set-client')
    .requiredOption('--client-id <id>', 'the id of the OAuth client at Google')
    .description('read the secret of an OAuth client from standard input, and store it encrypted')
    .addHelpText(
      'after',
      example(
        'feed set-client --workspace 5f0c… --client-id 123-abc.apps.googleusercontent.com < secret.txt',
        'Then sign in with Google in the browser: Settings, Connections.',
      ),
    )
    .action(perform(setClient))
  projectCommand(parent, 'list')
    .description('list what is loaded daily, with its progress and its problems')
    .addHelpText('after', example('feed list --project 8c1e…'))
    .action(perform(listFeeds))
  for (const name of Object.keys(kinds) as KindName[]) {
    projectCommand(parent, `pull-${name}`)
      .description(`load ${kinds[name].name} now`)
      .addHelpText('after', example(`feed pull-${name} --project 8c1e…`))
      .action(perform((context, options: ProjectOption) => pullFeed(context, options, name)))
    projectCommand(parent, `stop-${name}`)
      .description(`load ${kinds[name].name} no longer; its rows stay`)
      .addHelpText('after', example(`feed stop-${name} --project 8c1e…`))
      .action(perform((context, options: ProjectOption) => stopFeed(context, options, name)))
  }
}

interface ProjectOption {
  readonly project: string
}

async function setClient(
  context: Context,
  { workspace, clientId }: { readonly workspace: string; readonly clientId: string },
): Promise<CommandResult> {
  const secret = await readStandardInput()
  const [{ googleReturnPath, setGoogleClient }, { commandLine }] = await Promise.all([
    import('../../resolvers/connections/google.ts'),
    import('../../resolvers/shared/audit-trail.ts'),
  ])
  const { changed } = await withCatalog(context, (db, { signingSecrets: [signingSecret] }) =>
    setGoogleClient(db, commandLine, workspace, { clientId, secret }, signingSecret),
  )
  const redirectUri = baseUrlOf(context.settings) + googleReturnPath
  return {
    json: { clientId, redirectUri, changed },
    text: `Stored the client ${clientId}. At Google it must have the redirect URI ${redirectUri}.`,
  }
}

async function listFeeds(context: Context, { project }: ProjectOption): Promise<CommandResult> {
  const [{ loadFeeds, progressOf, stateOf }, { utcDayOf }] = await Promise.all([
    import('../../resolvers/connections/feeds.ts'),
    import('../../core/window.ts'),
  ])
  const [found = []] = await withCatalog(context, (db) => loadFeeds(db, [project.toLowerCase()]))
  const feeds = found.map((row) => ({
    kind: row.kind,
    name: row.name,
    account: row.account?.email ?? null,
    state: stateOf(row),
    loadedFrom: row.loadedFrom && utcDayOf(row.loadedFrom),
    loadedTo: row.loadedTo && utcDayOf(row.loadedTo),
    days: progressOf(row),
    nextPullAt: row.nextPullAt?.toISOString() ?? null,
    problem: row.problemText,
  }))
  const rows = feeds.map(({ kind, name, state, days, problem }) => [
    kind === 'searchConsole' ? kinds['search-console'].name : kinds['web-analytics'].name,
    name,
    problem ?? state,
    `${days.loaded} of ${days.total} days`,
  ])
  return { json: { feeds }, text: columns(rows, 'Nothing is loaded daily.') }
}

async function pullFeed(
  context: Context,
  { project }: ProjectOption,
  name: KindName,
): Promise<CommandResult> {
  const [{ pullNow }, { commandLine }] = await imports()
  const { subjectId: id, changed } = await withCatalog(context, (db) =>
    pullNow(db, commandLine, project.toLowerCase(), kinds[name].kind),
  )
  return { json: { id, changed }, text: `${kinds[name].name} is loaded by the worker now.` }
}

async function stopFeed(
  context: Context,
  { project }: ProjectOption,
  name: KindName,
): Promise<CommandResult> {
  const [{ removeFeed }, { commandLine }] = await imports()
  const { subjectId: id, changed } = await withCatalog(context, (db) =>
    removeFeed(db, commandLine, project.toLowerCase(), kinds[name].kind),
  )
  return { json: { id, changed }, text: describeChange('Stopped', { id, changed }) }
}

// Loaded when a command runs: they load the client of the catalog.
function imports() {
  return Promise.all([
    import('../../resolvers/connections/feeds.ts'),
    import('../../resolvers/shared/audit-trail.ts'),
  ])
}
