import type { Command } from 'commander'
import { invalid } from '../../core/errors.ts'
import { baseUrlOf, retentionOf } from '../../core/settings.ts'
import { describeChange } from '../change.ts'
import { readStandardInput } from '../input/standard-input.ts'
import { commandGroup, example, projectCommand, workspaceCommand } from '../options.ts'
import { type CommandResult, type Context, perform } from '../run.ts'
import { withCatalog } from '../stores.ts'
import { columns } from '../text.ts'

const kinds = {
  'search-console': { kind: 'searchConsole', name: 'Google Search Console' },
  'web-analytics': { kind: 'webAnalytics', name: 'Google Analytics' },
  bing: { kind: 'bingWebmaster', name: 'Bing Webmaster Tools' },
} as const

type KindName = keyof typeof kinds

/** Manages data that the worker pulls daily. People sign in with Google in the browser. */
export function addFeed(program: Command): void {
  const parent = commandGroup(
    program,
    'feed',
    'manage data that Sightline loads daily from Google and Bing',
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
  workspaceCommand(parent, 'set-bing-key')
    .description('read a key to Bing Webmaster Tools from standard input, and store it encrypted')
    .addHelpText(
      'after',
      example(
        'feed set-bing-key --workspace 5f0c… < key.txt',
        'Bing shows the key under Settings, API access. Then run `feed add-bing`.',
      ),
    )
    .action(perform(setKey))
  projectCommand(parent, 'add-bing')
    .requiredOption('--site <url>', 'the site as Bing writes it, such as https://www.example.com/')
    .description('load a site of Bing Webmaster Tools now, and from then on daily')
    .addHelpText('after', example('feed add-bing --project 8c1e… --site https://www.example.com/'))
    .action(perform(addBing))
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

async function setKey(
  context: Context,
  { workspace }: { readonly workspace: string },
): Promise<CommandResult> {
  const [{ readBingKey, setBingKey }, { askBing, listBingSites }, { Refusal }, { commandLine }] =
    await Promise.all([
      import('../../resolvers/connections/bing.ts'),
      import('../../imports/analytics/bing.ts'),
      import('../../imports/analytics/refusal.ts'),
      import('../../resolvers/shared/audit-trail.ts'),
    ])
  const key = readBingKey(await readStandardInput())
  const ask = askBing(key, { retries: 1 })
  const sites = await listBingSites(ask).catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error
    throw invalid('key', `is not stored: ${error.message}`)
  })
  const { changed } = await withCatalog(context, (db, { signingSecrets: [signingSecret] }) =>
    setBingKey(db, commandLine, workspace, key, signingSecret),
  )
  const list = sites.map((site) => `  ${site}`).join('\n')
  return {
    json: { sites, changed },
    text:
      sites.length > 0 ? `Stored the key. It reads:\n${list}` : 'Stored the key. It reads no site.',
  }
}

async function addBing(
  context: Context,
  { project, site }: ProjectOption & { readonly site: string },
): Promise<CommandResult> {
  const [{ addFeed: add }, { commandLine }] = await imports()
  const retentionDays = retentionOf(context.settings).analytics
  const input = { kind: 'bingWebmaster', accountId: null, name: site, label: null } as const
  const { subjectId: id, changed } = await withCatalog(context, (db) =>
    add(db, commandLine, project.toLowerCase(), input, retentionDays),
  )
  return { json: { id, changed }, text: `${site} is loaded by the worker now, and then daily.` }
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
    Object.values(kinds).find((each) => each.kind === kind)?.name ?? kind,
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
