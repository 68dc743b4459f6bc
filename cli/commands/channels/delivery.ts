import type { Command } from 'commander'
import { CliError } from '../../errors.ts'
import { commandGroup, example, workspaceCommand } from '../../options.ts'
import { type CommandResult, type Context, perform } from '../../run.ts'
import { withCatalog } from '../../stores.ts'
import { columns } from '../../text.ts'
import { requireWorkspace } from '../workspace.ts'

const states = ['waiting', 'sent', 'failed', 'dropped'] as const
type State = (typeof states)[number]

export function addDelivery(program: Command): void {
  const delivery = commandGroup(
    program,
    'delivery',
    'list what was sent to channels, and resend it',
    'delivery list --workspace 5f0c… --state failed',
  )
  workspaceCommand(delivery, 'list')
    .option('--channel <id>', 'list those of one channel')
    .option('--state <state>', `list those that are ${states.join(', ')}`)
    .option('--limit <number>', 'list at most this many', '50')
    .description('list events for channels of the last 30 days, newest first')
    .addHelpText('after', example('delivery list --workspace 5f0c… --state failed'))
    .action(perform(list))
  workspaceCommand(delivery, 'retry')
    .argument('[id]', 'the delivery')
    .requiredOption('--channel <id>', 'the channel')
    .option('--since <time>', 'resend all that failed or were given up since a time')
    .description('resend one delivery, or all of a range, under the same ids')
    .addHelpText(
      'after',
      example('delivery retry --workspace 5f0c… --channel 9b1e… --since 2026-11-28T00:00:00Z'),
    )
    .action(perform(retry))
}

interface ListOptions {
  readonly workspace: string
  readonly channel?: string
  readonly state?: string
  readonly limit: string
}

async function list(
  context: Context,
  { workspace, channel, state: given, limit: most }: ListOptions,
): Promise<CommandResult> {
  const { readDeliveries } = await import('../../../resolvers/channels/deliveries.ts')
  const state = given === undefined ? undefined : states.find((each) => each === given)
  if (given !== undefined && state === undefined) {
    throw new CliError('invalid_argument', `--state must be one of ${states.join(', ')}.`)
  }
  const limit = Number(most)
  if (!Number.isInteger(limit) || limit < 1 || limit > 1000) {
    throw new CliError('invalid_argument', '--limit must be a whole number from 1 to 1000.')
  }
  const { rows } = await withCatalog(context, async (db) => {
    await requireWorkspace(db, workspace)
    const chosen: { channelId?: string; states?: State[] } = {
      ...(channel !== undefined && { channelId: channel }),
      ...(state !== undefined && { states: [state] }),
    }
    return readDeliveries(db, workspace.toLowerCase(), chosen, { limit, offset: 0 })
  })
  const lines = rows.map((row) => [
    row.id,
    row.createdAt.toISOString(),
    row.eventType,
    row.state,
    row.attempts === 1 ? '1 try' : `${row.attempts} tries`,
    row.lastError?.split('\n', 1)[0] ?? '',
  ])
  return { json: { deliveries: rows }, text: columns(lines, 'No deliveries.') }
}

async function retry(
  context: Context,
  { workspace, channel, since }: { workspace: string; channel: string; since?: string },
  id: string | undefined,
): Promise<CommandResult> {
  const [{ sendAgain }, { commandLine }] = await Promise.all([
    import('../../../resolvers/channels/deliveries.ts'),
    import('../../../resolvers/shared/audit-trail.ts'),
  ])
  const at = since === undefined ? undefined : new Date(since)
  if (at && Number.isNaN(at.getTime())) {
    throw new CliError('invalid_argument', '--since must be a time, such as 2026-11-28T00:00:00Z.')
  }
  if ((id === undefined) === (at === undefined)) {
    throw new CliError('invalid_argument', 'Give either the id of a delivery or --since.')
  }
  const { count } = await withCatalog(context, (db) =>
    sendAgain(
      db,
      commandLine,
      { workspaceId: workspace, channelId: channel },
      { ids: id === undefined ? null : [id], since: at },
    ),
  )
  return {
    json: { count },
    text: `${count} ${count === 1 ? 'delivery is' : 'deliveries are'} sent again.`,
  }
}
