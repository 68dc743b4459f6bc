import type { Command } from 'commander'
import { z } from 'zod'
import type { Capability, KeyScope } from '../../core/access.ts'
import { invalid } from '../../core/errors.ts'
import { commandGroup, example, workspaceCommand } from '../options.ts'
import { type CommandResult, type Context, perform } from '../run.ts'
import { withCatalog } from '../stores.ts'
import { columns } from '../text.ts'
import { addKeyReach } from './people/key-reach.ts'
import { requireWorkspace } from './workspace.ts'

export function addKey(program: Command): void {
  const key = commandGroup(
    program,
    'key',
    'manage API keys, which GraphQL and REST need',
    'key list --workspace 5f0c…',
  )
  addCreate(key)
  workspaceCommand(key, 'list')
    .description('list API keys, newest first, with expired and revoked keys')
    .addHelpText('after', example('key list --workspace 5f0c…'))
    .action(perform(listKeys))
  workspaceCommand(key, 'rotate')
    .argument('<id>', 'the id of the key, not the key itself')
    .option('--grace <time>', 'keep the old key valid for this time: 24h, 7d, or seconds', '0')
    .description('replace a key by a new key with the same grants, and show the new key once')
    .addHelpText(
      'after',
      example(
        'key rotate 0d1f… --workspace 5f0c… --grace 24h',
        'The new key keeps the user, the project and the lifetime of the old key.',
      ),
    )
    .action(perform(rotateKey))
  key
    .command('revoke')
    .argument('<id>', 'the id of the key, not the key itself')
    .description('revoke an API key immediately and for good')
    .addHelpText('after', example('key revoke 0d1f…'))
    .action(perform(revokeKey))
  addKeyReach(key)
}

interface NewKey {
  workspace: string
  project?: string
  scope: string[]
  capability: string[]
  expires?: string
  user?: string
  name?: string
}

function addCreate(key: Command): void {
  key
    .command('create')
    .description('create an API key, and show the key once')
    .requiredOption('--workspace <workspace>', 'select the workspace that owns the key')
    .option('--project <id>', 'bind the key to one project, the only one it reaches')
    .option(
      '--scope <scopes>',
      'grant read, write or admin; repeatable, or separated by commas',
      splitList,
      [],
    )
    .option('--capability <names>', 'grant prompt:draft; repeatable', splitList, [])
    .option('--expires <when>', 'expire at a day or time in UTC (2030-12-31), or in days (90d)')
    .option(
      '--user <address>',
      'act for this member, whose role bounds the key (default: the oldest owner)',
    )
    .option('--name <name>', 'name the key')
    .addHelpText(
      'after',
      example(
        'key create --workspace 5f0c… --scope read,write --expires 90d',
        'Scopes do not include one another: read is for reports, write for actions, admin for everything.\n' +
          'Changes to prompts need the capability prompt:draft.',
      ),
    )
    .action(
      perform<NewKey>(async (context, options) => {
        const { createKey } = await import('../../resolvers/keys/keys.ts')
        const input = keyInput(options)
        const created = await withCatalog(context, (catalog) => createKey(catalog, input))
        const text = `Key ${created.id}\n\n  ${created.key}\n\nKeep the key now: it is shown once.`
        return { json: created, text }
      }),
    )
}

function keyInput(options: NewKey) {
  return {
    workspaceId: options.workspace,
    // `createKey` checks them: commander knows only text.
    scopes: options.scope as KeyScope[],
    capabilities: options.capability as Capability[],
    ...(options.project === undefined ? {} : { projectId: options.project }),
    ...(options.name === undefined ? {} : { name: options.name }),
    ...(options.user === undefined ? {} : { userEmail: options.user }),
    ...(options.expires === undefined ? {} : { expiresAt: readExpiry(options.expires) }),
  }
}

function splitList(value: string, before: string[]): string[] {
  const values = value.split(',').map((text) => text.trim())
  return [...before, ...values.filter((text) => text !== '')]
}

const DAY_MS = 24 * 60 * 60 * 1000
const dayOrTime = z.union([z.iso.date(), z.iso.datetime({ offset: true })])

function readExpiry(text: string): Date {
  const days = /^(\d{1,5})d$/.exec(text)?.[1]
  if (days !== undefined) return new Date(Date.now() + Number(days) * DAY_MS)
  if (dayOrTime.safeParse(text).success) return new Date(text)
  const expected = 'must be a day, such as 2030-12-31, or a number of days, such as 90d'
  throw invalid('expires', expected, text)
}

async function listKeys(
  context: Context,
  { workspace }: { workspace: string },
): Promise<CommandResult> {
  const { loadKeys } = await import('../../resolvers/keys/keys.ts')
  const [keys = []] = await withCatalog(context, async (db) => {
    await requireWorkspace(db, workspace)
    return loadKeys(db, [workspace])
  })
  const now = new Date()
  const rows = keys.map(({ id, lastFour, scopes, name, revokedAt, expiresAt }) => {
    const ended = revokedAt ?? (expiresAt && expiresAt <= now ? expiresAt : null)
    const validity = expiresAt ? `valid until ${expiresAt.toISOString()}` : 'valid'
    const state = ended ? `ended ${ended.toISOString()}` : validity
    return [id, `…${lastFour}`, scopes.join(','), state, name ?? '']
  })
  return { json: { keys }, text: columns(rows, 'No keys.') }
}

async function rotateKey(
  context: Context,
  { workspace, grace }: { workspace: string; grace: string },
  id: string,
): Promise<CommandResult> {
  const graceSeconds = readSeconds(grace)
  const [keys, { commandLine }] = await Promise.all([
    import('../../resolvers/keys/keys.ts'),
    import('../../resolvers/shared/audit-trail.ts'),
  ])
  const { subjectId, key, oldKeyEndsAt } = await withCatalog(context, (db) =>
    keys.rotateKey(db, commandLine, workspace, id, { graceSeconds }),
  )
  const ends = graceSeconds === 0 ? 'has ended' : `works until ${oldKeyEndsAt.toISOString()}`
  const text = `Key ${subjectId}\n\n  ${key}\n\nKeep the key now: it is shown once. The old key ${ends}.`
  return { json: { id: subjectId, key, oldKeyEndsAt }, text }
}

const unitSeconds: Record<string, number> = { '': 1, s: 1, m: 60, h: 3600, d: 86_400 }

function readSeconds(text: string): number {
  const { amount, unit } = /^(?<amount>\d{1,9})(?<unit>[smhd]?)$/.exec(text)?.groups ?? {}
  const seconds = unitSeconds[unit ?? ''] ?? 1
  if (amount !== undefined) return Number(amount) * seconds
  throw invalid('grace', 'must be a time, such as 24h or 7d, or a number of seconds', text)
}

async function revokeKey(context: Context, _options: object, id: string): Promise<CommandResult> {
  const setup = await import('../../resolvers/keys/keys.ts')
  const revoked = await withCatalog(context, (catalog) => setup.revokeKey(catalog, id))
  const text = `Key ${revoked.id} has been revoked since ${revoked.revokedAt.toISOString()}`
  return { json: revoked, text }
}
