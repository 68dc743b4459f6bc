import type { Command } from 'commander'
import { notFound } from '../../core/errors.ts'
import { type Context, type Outcome, perform } from '../run.ts'
import { withCatalog } from '../stores.ts'
import { asColumns, example, ofProject, sayChange } from './change.ts'
import { requireWorkspace } from './shape-reads.ts'
import { ofWorkspace } from './shape-workspace.ts'

/** What the servers of a site need to send events: a key of the workspace, and the project's token. */
export function addIngest(program: Command): void {
  const key = program
    .command('ingest-key')
    .description('Ingest keys: what servers send traffic events with')
  ofWorkspace(key, 'create')
    .description('Makes an ingest key and shows it, this once. It sends events, and reads nothing.')
    .option('--name <name>', 'what it is for')
    .addHelpText('after', example('ingest-key create --workspace 5f0c… --name "Edge workers"'))
    .action(perform(createKey))
  ofWorkspace(key, 'list')
    .description('Lists the ingest keys of a workspace, newest first, those that have ended too.')
    .addHelpText('after', example('ingest-key list --workspace 5f0c…'))
    .action(perform(listKeys))
  key
    .command('revoke')
    .argument('<id>', 'the id of the key, not the key itself')
    .description(
      'Ends an ingest key: its events are refused within a minute. Doing it twice is no error.',
    )
    .addHelpText('after', example('ingest-key revoke 0d1f…'))
    .action(perform(revokeKey))
  ofProject(program, 'site-token')
    .option('--host <host>', 'the host that the events come from, such as www.example.com')
    .description(
      "Links the tracker to a project, and shows its site's token, which events carry in `site_token`. It is the " +
        'same one every time.',
    )
    .addHelpText('after', example('site-token --project 8c1e…'))
    .action(perform(showSiteToken))
}

async function createKey(
  context: Context,
  { workspace, name }: { workspace: string; name?: string },
): Promise<Outcome> {
  const [{ createIngestKey }, { commandLine }] = await imports()
  const { subjectId: id, key } = await withCatalog(context, (db, { signingSecrets: [secret] }) =>
    createIngestKey(db, commandLine, workspace, { name }, secret),
  )
  const text = `Ingest key ${id}\n\n  ${key}\n\nIt is shown this once: keep it now.`
  return { json: { id, key }, text }
}

async function listKeys(context: Context, { workspace }: { workspace: string }): Promise<Outcome> {
  const [{ loadIngestKeys }] = await imports()
  const keys = await withCatalog(context, async (db) => {
    await requireWorkspace(db, workspace)
    return loadIngestKeys(db, workspace)
  })
  const rows = keys.map(({ id, name, revokedAt }) => {
    return [id, revokedAt ? `ended ${revokedAt.toISOString()}` : 'works', name ?? '']
  })
  return { json: { ingestKeys: keys }, text: asColumns(rows, 'No ingest keys.') }
}

async function revokeKey(context: Context, _options: object, keyId: string): Promise<Outcome> {
  const [{ revokeIngestKey }, { commandLine }, { isUuid }] = await imports()
  const { subjectId: id, changed } = await withCatalog(context, async (db) => {
    const key = isUuid(keyId) ? await db.ingestKey.findUnique({ where: { id: keyId } }) : null
    if (!key) throw notFound()
    return revokeIngestKey(db, commandLine, key.workspaceId, key.id)
  })
  return { json: { id, changed }, text: sayChange('Revoked ingest key', { id, changed }) }
}

async function showSiteToken(
  context: Context,
  { project, host }: { project: string; host?: string },
): Promise<Outcome> {
  const [{ createSiteToken }, [, { commandLine }]] = await Promise.all([
    import('../../resolvers/connections/site-tokens.ts'),
    imports(),
  ])
  const projectId = project.toLowerCase()
  const { siteToken } = await withCatalog(context, (db, { signingSecrets: [secret] }) =>
    createSiteToken(db, commandLine, projectId, { host }, secret),
  )
  const text = [
    siteToken,
    'Put it into the field `site_token` of each request to `POST /v1/events` of the tracker.',
    'That request needs an ingest key of the workspace too: `npx sightline ingest-key create`.',
  ].join('\n')
  return { json: { projectId, siteToken }, text }
}

// Only when a command runs: they load the catalog's client.
function imports() {
  return Promise.all([
    import('../../resolvers/keys/ingest-keys.ts'),
    import('../../resolvers/shared/audit-trail.ts'),
    import('../../resolvers/shared/ids.ts'),
  ])
}
