import type { Command } from 'commander'
import { notFound } from '../../core/errors.ts'
import { isUuid } from '../../core/uuid.ts'
import { describeChange } from '../change.ts'
import { commandGroup, example, workspaceCommand } from '../options.ts'
import { type CommandResult, type Context, perform } from '../run.ts'
import { withCatalog } from '../stores.ts'
import { columns } from '../text.ts'
import { requireWorkspace } from './workspace.ts'

export function addIngestKey(program: Command): void {
  const key = commandGroup(
    program,
    'ingest-key',
    'manage ingest keys, which servers of a site need to send traffic events',
    'ingest-key list --workspace 5f0c…',
  )
  workspaceCommand(key, 'create')
    .description('create an ingest key, which reads nothing, and show the key once')
    .option('--name <name>', 'name the key')
    .addHelpText('after', example('ingest-key create --workspace 5f0c… --name "Edge workers"'))
    .action(perform(createKey))
  workspaceCommand(key, 'list')
    .description('list ingest keys, newest first, with revoked keys')
    .addHelpText('after', example('ingest-key list --workspace 5f0c…'))
    .action(perform(listKeys))
  key
    .command('revoke')
    .argument('<id>', 'the id of the key, not the key itself')
    .description('revoke an ingest key; the tracker refuses its events within a minute')
    .addHelpText('after', example('ingest-key revoke 0d1f…'))
    .action(perform(revokeKey))
}

async function createKey(
  context: Context,
  { workspace, name }: { workspace: string; name?: string },
): Promise<CommandResult> {
  const [{ createIngestKey }, { commandLine }] = await imports()
  const { subjectId: id, key } = await withCatalog(context, (db, { signingSecrets: [secret] }) =>
    createIngestKey(db, commandLine, workspace, { name }, secret),
  )
  const text = `Ingest key ${id}\n\n  ${key}\n\nKeep the key now: it is shown once.`
  return { json: { id, key }, text }
}

async function listKeys(
  context: Context,
  { workspace }: { workspace: string },
): Promise<CommandResult> {
  const [{ loadIngestKeys }] = await imports()
  const [keys = []] = await withCatalog(context, async (db) => {
    await requireWorkspace(db, workspace)
    return loadIngestKeys(db, [workspace])
  })
  const rows = keys.map(({ id, name, revokedAt }) => {
    return [id, revokedAt ? `ended ${revokedAt.toISOString()}` : 'valid', name ?? '']
  })
  return { json: { ingestKeys: keys }, text: columns(rows, 'No ingest keys.') }
}

async function revokeKey(
  context: Context,
  _options: object,
  keyId: string,
): Promise<CommandResult> {
  const [{ revokeIngestKey }, { commandLine }] = await imports()
  const { subjectId: id, changed } = await withCatalog(context, async (db) => {
    const key = isUuid(keyId) ? await db.ingestKey.findUnique({ where: { id: keyId } }) : null
    if (!key) throw notFound()
    return revokeIngestKey(db, commandLine, key.workspaceId, key.id)
  })
  return { json: { id, changed }, text: describeChange('Revoked ingest key', { id, changed }) }
}

// Loaded when a command runs: they load the client of the catalog.
function imports() {
  return Promise.all([
    import('../../resolvers/keys/ingest-keys.ts'),
    import('../../resolvers/shared/audit-trail.ts'),
  ])
}
