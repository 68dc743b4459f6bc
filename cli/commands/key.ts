import type { Command } from 'commander'
import { z } from 'zod'
import type { Capability, KeyScope } from '../../core/access.ts'
import { invalid } from '../../core/errors.ts'
import { perform } from '../run.ts'
import { withCatalog } from '../stores.ts'

interface Options {
  workspace: string
  project?: string
  scope: string[]
  capability: string[]
  expires?: string
  user?: string
  name?: string
}

/** @returns the word `key`, for more commands */
export function addKey(program: Command): Command {
  const key = program.command('key').description('API keys: what requests carry')
  key
    .command('create')
    .description(
      'Makes an API key and shows it, this once. Scopes do not include one another: read for reports, write for ' +
        'actions, admin for everything. Changes to prompts need the capability prompt:draft.',
    )
    .requiredOption('--workspace <id>', 'the workspace it belongs to')
    .option('--project <id>', 'bind it to one project: it reaches no other')
    .option(
      '--scope <scopes>',
      'read, write, admin; repeatable, or separated by commas',
      collect,
      [],
    )
    .option('--capability <names>', 'prompt:draft; repeatable', collect, [])
    .option('--expires <when>', 'a day or time in UTC (2030-12-31), or a number of days (90d)')
    .option('--user <address>', 'the member it acts for (default: the owner of the workspace)')
    .option('--name <name>', 'what it is for')
    .addHelpText(
      'after',
      '\nExample:\n  $ npx sightline key create --workspace 5f0c… --scope read,write --expires 90d',
    )
    .action(
      perform<Options>(async (context, options) => {
        const { createKey } = await import('../../resolvers/keys/keys.ts')
        const input = keyInput(options)
        const made = await withCatalog(context, (catalog) => createKey(catalog, input))
        const text = `Key ${made.id}\n\n  ${made.key}\n\nIt is shown this once: keep it now.`
        return { json: made, text }
      }),
    )
  key
    .command('revoke')
    .argument('<id>', 'the id of the key, not the key itself')
    .description('Ends an API key at once. Doing it twice is no error.')
    .addHelpText('after', '\nExample:\n  $ npx sightline key revoke 0d1f…')
    .action(
      perform<object, [string]>(async (context, _options, id) => {
        const { revokeKey } = await import('../../resolvers/keys/keys.ts')
        const ended = await withCatalog(context, (catalog) => revokeKey(catalog, id))
        const text = `Key ${ended.id} has been revoked since ${ended.revokedAt.toISOString()}`
        return { json: ended, text }
      }),
    )
  return key
}

function keyInput(options: Options) {
  return {
    workspaceId: options.workspace,
    // Checked with the rest: commander knows only text.
    scopes: options.scope as KeyScope[],
    capabilities: options.capability as Capability[],
    ...(options.project === undefined ? {} : { projectId: options.project }),
    ...(options.name === undefined ? {} : { name: options.name }),
    ...(options.user === undefined ? {} : { userEmail: options.user }),
    ...(options.expires === undefined ? {} : { expiresAt: readExpiry(options.expires) }),
  }
}

function collect(value: string, before: string[]): string[] {
  const values = value.split(',').map((text) => text.trim())
  return [...before, ...values.filter((text) => text !== '')]
}

const DAY_MS = 24 * 60 * 60 * 1000
const moment = z.union([z.iso.date(), z.iso.datetime({ offset: true })])

function readExpiry(text: string): Date {
  const days = /^(\d{1,5})d$/.exec(text)?.[1]
  if (days !== undefined) return new Date(Date.now() + Number(days) * DAY_MS)
  if (moment.safeParse(text).success) return new Date(text)
  throw invalid(
    'expires',
    `"${text}" is neither a day, such as 2030-12-31, nor a number of days, such as 90d`,
  )
}
