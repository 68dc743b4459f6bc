import type { Command } from 'commander'
import type { Role } from '../../../core/access.ts'
import { workspaceChange } from '../../change.ts'
import { commandGroup, example, workspaceCommand } from '../../options.ts'
import { type CommandResult, type Context, perform } from '../../run.ts'
import { withCatalog } from '../../stores.ts'
import { columns } from '../../text.ts'
import { requireWorkspace } from '../workspace.ts'

export function addMember(program: Command): void {
  const member = commandGroup(
    program,
    'member',
    'manage the members of a workspace',
    'member list --workspace 5f0c…',
  )
  workspaceCommand(member, 'list')
    .description('list members, longest membership first')
    .addHelpText('after', example('member list --workspace 5f0c…'))
    .action(perform(listMembers))
  workspaceCommand(member, 'add')
    .argument('<address>', 'e-mail address; an unknown address gets a new user')
    .option('--role <role>', 'choose owner, editor or viewer', 'viewer')
    .description('add a user to a workspace without an invitation')
    .addHelpText(
      'after',
      example(
        'member add --workspace 5f0c… ann@example.com --role editor',
        'The operator owns the machine, so the user is not asked. `invitation create` asks the user.',
      ),
    )
    .action(
      workspaceChange<{ role: Role }, [string]>('Added member', async (write, { role }, email) => {
        const members = await import('../../../resolvers/members/members.ts')
        return members.addMember(write.db, write.actor, write.workspaceId, { email, role })
      }),
    )
  workspaceCommand(member, 'role')
    .argument('<user-id>', 'the member')
    .argument('<role>', 'owner, editor or viewer')
    .description('change the role of a member; the last owner stays an owner')
    .addHelpText(
      'after',
      example(
        'member role --workspace 5f0c… 30be… editor',
        'The new role bounds all keys of the member from the next request on. The command needs no role: the operator owns the machine.',
      ),
    )
    .action(
      workspaceChange<object, [string, Role]>(
        'New role: member',
        async (write, _options, id, role) => {
          const { changeMemberRole } = await import('../../../resolvers/members/members.ts')
          return changeMemberRole(write.db, write.actor, write.workspaceId, id, { role })
        },
      ),
    )
  workspaceCommand(member, 'remove')
    .argument('<user-id>', 'the member')
    .description('remove a member and revoke their keys; the last owner stays')
    .addHelpText('after', example('member remove --workspace 5f0c… 30be…'))
    .action(
      workspaceChange<object, [string]>('Removed member', async (write, _options, id) => {
        const { removeMember } = await import('../../../resolvers/members/members.ts')
        return removeMember(write.db, write.actor, write.workspaceId, id)
      }),
    )
}

async function listMembers(
  context: Context,
  { workspace }: { workspace: string },
): Promise<CommandResult> {
  const { loadMembers } = await import('../../../resolvers/members/members.ts')
  const [rows = []] = await withCatalog(context, async (db) => {
    await requireWorkspace(db, workspace)
    return loadMembers(db, [workspace])
  })
  const members = rows.map(({ userId, role, createdAt, user }) => {
    return { userId, email: user.email, name: user.name, role, createdAt }
  })
  const lines = members.map(({ userId, role, email }) => [userId, role, email])
  return { json: { members }, text: columns(lines, 'No members.') }
}
