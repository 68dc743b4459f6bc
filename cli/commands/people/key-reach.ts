import type { Command } from 'commander'
import { workspaceChange } from '../../change.ts'
import { example, workspaceCommand } from '../../options.ts'
import { type CommandResult, type Context, perform } from '../../run.ts'
import { withCatalog } from '../../stores.ts'
import { columns } from '../../text.ts'
import { requireWorkspace } from '../workspace.ts'

/** The commands of `key` about keys that reach a workspace, wherever they were made. */
export function addKeyReach(key: Command): void {
  workspaceCommand(key, 'reaching')
    .description('list API keys that reach a workspace, wherever they were made')
    .addHelpText('after', example('key reaching --workspace 5f0c…'))
    .action(perform(listReaching))
  workspaceCommand(key, 'block')
    .argument('<id>', 'the id of the key, not the key itself')
    .description('block an API key in a workspace; it still works in others')
    .addHelpText('after', example('key block 0d1f… --workspace 5f0c…'))
    .action(
      workspaceChange<object, [string]>('Blocked key', async (write, _options, id) => {
        const { blockKey } = await import('../../../resolvers/keys/reach.ts')
        return blockKey(write.db, write.actor, write.workspaceId, id)
      }),
    )
  workspaceCommand(key, 'unblock')
    .argument('<id>', 'the id of the key, not the key itself')
    .description('unblock an API key in a workspace')
    .addHelpText('after', example('key unblock 0d1f… --workspace 5f0c…'))
    .action(
      workspaceChange<object, [string]>('Unblocked key', async (write, _options, id) => {
        const { unblockKey } = await import('../../../resolvers/keys/reach.ts')
        return unblockKey(write.db, write.actor, write.workspaceId, id)
      }),
    )
}

async function listReaching(
  context: Context,
  { workspace }: { workspace: string },
): Promise<CommandResult> {
  const { loadReachingKeys } = await import('../../../resolvers/keys/reach.ts')
  const [keys = []] = await withCatalog(context, async (db) => {
    await requireWorkspace(db, workspace)
    return loadReachingKeys(db, [workspace.toLowerCase()])
  })
  const rows = keys.map(({ id, lastFour, owner, madeIn, blockedAt, lastUsedAt }) => {
    const used = lastUsedAt ? `used ${lastUsedAt.toISOString()}` : 'never used'
    const state = blockedAt ? `blocked ${blockedAt.toISOString()}` : 'let in'
    return [id, `…${lastFour}`, owner.email, `made in ${madeIn.name}`, used, state]
  })
  return { json: { keys }, text: columns(rows, 'No keys.') }
}
