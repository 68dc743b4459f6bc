import type { Command } from 'commander'
import type { Role } from '../../../core/access.ts'
import { baseUrlOf } from '../../../core/settings.ts'
import { workspaceChange } from '../../change.ts'
import { commandGroup, example, workspaceCommand } from '../../options.ts'
import { type CommandResult, type Context, perform } from '../../run.ts'
import { withCatalog } from '../../stores.ts'
import { columns } from '../../text.ts'
import { requireWorkspace } from '../workspace.ts'

const ownership =
  'The operator owns the machine, so the command answers for the invited user. In GraphQL only the user answers.'

export function addInvitation(program: Command): void {
  const invitation = commandGroup(
    program,
    'invitation',
    'manage invitations to workspaces, which the invited users accept or decline',
    'invitation list --workspace 5f0c…',
  )
  workspaceCommand(invitation, 'list')
    .description('list open invitations with their links, newest first')
    .addHelpText('after', example('invitation list --workspace 5f0c…'))
    .action(perform(listInvitations))
  workspaceCommand(invitation, 'create')
    .argument('<address>', 'the e-mail address to invite')
    .option('--role <role>', 'choose owner, editor or viewer', 'viewer')
    .description('invite the owner of an address for seven days, by mail where SMTP_URL is set')
    .addHelpText('after', example('invitation create --workspace 5f0c… ann@example.com'))
    .action(
      workspaceChange<{ role: Role }, [string]>(
        'Invitation',
        async ({ db, actor, workspaceId, isMailed }, { role }, email) => {
          const { inviteMember } = await import('../../../resolvers/members/invitations.ts')
          return inviteMember(db, actor, workspaceId, { email, role }, isMailed)
        },
      ),
    )
  workspaceCommand(invitation, 'revoke')
    .argument('<id>', 'the invitation')
    .description('withdraw an open invitation')
    .addHelpText('after', example('invitation revoke --workspace 5f0c… 9b1e…'))
    .action(
      workspaceChange<object, [string]>('Revoked invitation', async (write, _options, id) => {
        const { revokeInvitation } = await import('../../../resolvers/members/invitations.ts')
        return revokeInvitation(write.db, write.actor, write.workspaceId, id)
      }),
    )
  for (const verb of ['accept', 'decline'] as const) {
    invitation
      .command(verb)
      .argument('<id>', 'the invitation')
      .description(`${verb} an invitation for the invited user`)
      .addHelpText('after', example(`invitation ${verb} 9b1e…`, ownership))
      .action(
        perform<object, [string]>((context, _options, id) => answerInvitation(context, verb, id)),
      )
  }
}

async function answerInvitation(
  context: Context,
  verb: 'accept' | 'decline',
  id: string,
): Promise<CommandResult> {
  const [invitations, { commandLine }] = await Promise.all([
    import('../../../resolvers/members/invitations.ts'),
    import('../../../resolvers/shared/audit-trail.ts'),
  ])
  const answer = verb === 'accept' ? invitations.acceptInvitation : invitations.declineInvitation
  const { subjectId, workspaceId } = await withCatalog(context, (db) => answer(db, commandLine, id))
  const done = verb === 'accept' ? 'Accepted' : 'Declined'
  return { json: { id: subjectId, workspaceId }, text: `${done} invitation ${subjectId}` }
}

async function listInvitations(
  context: Context,
  { workspace }: { workspace: string },
): Promise<CommandResult> {
  const [{ loadInvitations }, { invitationLink }] = await Promise.all([
    import('../../../resolvers/members/invitations.ts'),
    import('../../../resolvers/members/invitation-links.ts'),
  ])
  const baseUrl = baseUrlOf(context.settings)
  const invitations = await withCatalog(context, async (db, { signingSecrets }) => {
    await requireWorkspace(db, workspace)
    const [found = []] = await loadInvitations(db, [workspace.toLowerCase()])
    const link = (id: string) => invitationLink(id, { baseUrl, signingSecrets })
    return found.map((each) => ({ ...each, link: link(each.id) }))
  })
  const rows = invitations.map(({ id, email, role, expiresAt, link }) => {
    return [id, role, email, `expires ${expiresAt.toISOString()}`, link]
  })
  return { json: { invitations }, text: columns(rows, 'No invitations.') }
}
