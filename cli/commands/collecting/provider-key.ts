import type { Command } from 'commander'
import {
  type AskedProvider,
  askedProviders,
  providerTerms,
} from '../../../core/collecting/providers/request.ts'
import {
  type SurfaceName,
  surfaceNames,
} from '../../../core/collecting/providers/surfaces/names.ts'
import { invalid, notFound } from '../../../core/errors.ts'
import { isUuid } from '../../../core/uuid.ts'
import { describeChange } from '../../change.ts'
import { readStandardInput } from '../../input/standard-input.ts'
import { commandGroup, example, workspaceCommand } from '../../options.ts'
import { type CommandResult, type Context, perform } from '../../run.ts'
import { withCatalog } from '../../stores.ts'
import { columns } from '../../text.ts'
import { requireWorkspace } from '../workspace.ts'

export function addProviderKey(program: Command): void {
  const key = commandGroup(
    program,
    'provider-key',
    'manage keys of AI providers, which Sightline asks',
    'provider-key list --workspace 5f0c…',
  )
  workspaceCommand(key, 'set')
    .argument('<provider>', `one of ${askedProviders.join(', ')}`)
    .description('read a key from standard input, test it with one call, and store it encrypted')
    .option('--label <label>', 'name the key; a key of the same name is replaced')
    .option('--base-url <url>', 'address of the API; default: the address of the provider')
    .option(
      '--model <model>',
      'model to ask; default: a model of the provider with web search; dataforseo, serpapi: ai_overviews or ai_mode; dataforseo also perplexity',
    )
    .option(
      '--surfaces <names>',
      `surfaces that a service reads, separated by commas: ${surfaceNames.join(', ')}; default: chatgpt`,
      readNames,
    )
    .option(
      '--unit-price <dollars>',
      'US dollars of a credit, record or result of a service, by the plan of your account',
      Number,
    )
    .addHelpText(
      'after',
      example(
        'provider-key set openai --workspace 5f0c… < key.txt',
        'The key is no option, since other users of the machine can read the options of a process.',
      ),
    )
    .action(perform(setKey))
  workspaceCommand(key, 'list')
    .description('list keys for providers, newest first, without their secrets')
    .addHelpText('after', example('provider-key list --workspace 5f0c…'))
    .action(perform(listKeys))
  key
    .command('remove')
    .argument('<id>', 'the id of the key, not the key itself')
    .description('remove a key for a provider, with its secret')
    .addHelpText('after', example('provider-key remove 0d1f…'))
    .action(perform(removeKey))
}

interface NewKey {
  readonly workspace: string
  readonly label?: string
  readonly baseUrl?: string
  readonly model?: string
  readonly surfaces?: SurfaceName[]
  readonly unitPrice?: number
}

const readNames = (text: string) => text.split(',').map((name) => name.trim())

/** @throws {Fault} `invalid_argument` */
export function readProvider(text: string): AskedProvider {
  const found = askedProviders.find((name) => name === text)
  if (found) return found
  throw invalid('provider', `must be one of ${askedProviders.join(', ')}`, text)
}

async function setKey(
  { settings, ...context }: Context,
  { workspace, ...input }: NewKey,
  name: string,
): Promise<CommandResult> {
  const provider = readProvider(name)
  const secret = await readStandardInput()
  const [{ setProviderKey }, { commandLine }] = await imports()
  const { testKey } = await import('../../../imports/collecting/test-key.ts')
  const { row } = await withCatalog(
    { settings, ...context },
    (db, { signingSecrets: [signingSecret] }) =>
      setProviderKey(
        db,
        commandLine,
        workspace,
        { provider, secret, ...input },
        { signingSecret, test: (access) => testKey(access, settings.ALLOW_PRIVATE_HOSTS) },
      ),
  )
  const text = `Stored the key ${row.label} for ${provider}, which answered a test call.\nIts id is ${row.id}.`
  return { json: { id: row.id, provider, label: row.label }, text }
}

async function listKeys(
  context: Context,
  { workspace }: { workspace: string },
): Promise<CommandResult> {
  const [{ loadProviderKeys }] = await imports()
  const [keys = []] = await withCatalog(context, async (db) => {
    await requireWorkspace(db, workspace)
    return loadProviderKeys(db, [workspace])
  })
  const rows = keys.map(({ id, provider, label, model, surfaces }) => {
    const asked = surfaces.join(', ') || (model ?? providerTerms[provider].model ?? '')
    return [id, provider, label, asked]
  })
  return { json: { providerKeys: keys }, text: columns(rows, 'No provider keys.') }
}

async function removeKey(
  context: Context,
  _options: object,
  keyId: string,
): Promise<CommandResult> {
  const [{ removeProviderKey }, { commandLine }] = await imports()
  const { subjectId: id, changed } = await withCatalog(context, async (db) => {
    const key = isUuid(keyId) ? await db.providerKey.findUnique({ where: { id: keyId } }) : null
    if (!key) throw notFound()
    return removeProviderKey(db, commandLine, key.workspaceId, key.id)
  })
  return { json: { id, changed }, text: describeChange('Removed provider key', { id, changed }) }
}

// Loaded when a command runs: they load the client of the catalog.
function imports() {
  return Promise.all([
    import('../../../resolvers/collecting/provider-keys.ts'),
    import('../../../resolvers/shared/audit-trail.ts'),
  ])
}
