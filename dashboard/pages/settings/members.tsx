import { NativeSelect, Text } from '@mantine/core'
import {
  ChangeRoleDocument,
  InvitationsDocument,
  type InvitationsQuery,
  InviteMemberDocument,
  MembersDocument,
  type MembersQuery,
  RemoveMemberDocument,
  RevokeInvitationDocument,
  type Role,
} from '../../documents.ts'
import { Fault } from '../../parts/act.tsx'
import { actColumn, textColumn } from '../../parts/columns.tsx'
import { confirmLoss } from '../../parts/confirm.ts'
import { Copy } from '../../parts/copy.tsx'
import { ChangeForm, Choice, Field } from '../../parts/form.tsx'
import { May } from '../../parts/may.tsx'
import { Answered } from '../../parts/states.tsx'
import { type Column, Part } from '../../parts/table.tsx'
import { useUndo } from '../../parts/undo.tsx'
import { useQuestion } from '../../state/ask.ts'
import { useChange } from '../../state/change.ts'
import { useMay } from '../../state/may.ts'
import { hasMail } from '../../state/session.ts'
import { t } from '../../texts/texts.ts'

type Workspace = NonNullable<MembersQuery['project']>['workspace']
type Member = NonNullable<Workspace['members']>['nodes'][number]
type Invitation = NonNullable<
  NonNullable<InvitationsQuery['project']>['workspace']['invitations']
>['nodes'][number]

interface MembersProps {
  readonly workspace: string
  readonly members: readonly Member[]
  /** The address of the reader, who may have come with a key of nobody. */
  readonly own: string | undefined
}

/** A workspace without an owner could never get one again. */
const isLastOwner = ({ role }: Member, members: readonly Member[]) =>
  role === 'owner' && members.filter((each) => each.role === 'owner').length === 1

/** Whether a member is the owner of the machine, or an owner that its command line made. */
const isOfComputer = ({ email }: Member) => email.endsWith('@sightline.local')

/** The role of a member, which an owner may change. */
function MemberRole({
  workspace,
  members,
  own,
  member,
}: MembersProps & { readonly member: Member }) {
  const change = useChange(ChangeRoleDocument)
  const { offerInverse } = useUndo()
  const may = useMay()
  const { userId: id, role, email } = member
  const { roles } = t.settings
  if (!may(ChangeRoleDocument)) return roles[role]
  if (isLastOwner(member, members)) return roles[role]
  function choose(next: Role) {
    const wanted = { workspace, id, role: next }
    if (email === own) {
      return confirmLoss({
        title: t.settings.roleOf(email),
        goes: t.settings.ownRoleAsk(roles[next]),
        label: t.act.save,
        onConfirm: () => change.mutate(wanted),
      })
    }
    change.mutate(wanted, {
      onSuccess: () =>
        offerInverse(
          ChangeRoleDocument,
          { workspace, id, role },
          t.settings.roleChanged(email, roles[next]),
        ),
    })
  }
  return (
    <>
      <NativeSelect
        size="xs"
        w={110}
        aria-label={t.settings.roleOf(email)}
        value={role}
        disabled={change.isPending}
        onChange={({ currentTarget }) => choose(currentTarget.value as Role)}
        data={Object.entries(roles).map(([value, label]) => ({ value, label }))}
      />
      <Fault error={change.error} />
    </>
  )
}

function memberColumns(props: MembersProps): readonly Column<Member>[] {
  const { workspace, members, own } = props
  return [
    textColumn(t.settings.email, ({ email }) => email),
    textColumn(t.settings.name, ({ name, email }) => (name === email ? '' : name)),
    textColumn(
      t.settings.role,
      ({ role }) => t.settings.roles[role],
      (member) => <MemberRole {...props} member={member} />,
    ),
    actColumn(t.columns.actions, RemoveMemberDocument, (member) => {
      if (isLastOwner(member, members)) return t.settings.lastOwnerHint
      const { userId, email } = member
      const isOwn = email === own
      return {
        label: isOwn ? t.settings.leave : t.settings.remove,
        of: email,
        document: RemoveMemberDocument,
        variables: { workspace, id: userId },
        confirm: isOwn ? t.settings.leaveAsk : t.settings.removeMemberAsk(email),
      }
    }),
  ]
}

function invitationColumns(workspace: string): readonly Column<Invitation>[] {
  return [
    textColumn(t.settings.email, ({ email }) => email),
    textColumn(t.settings.role, ({ role }) => t.settings.roles[role]),
    textColumn(t.settings.until, ({ expiresAt }) => t.day(expiresAt)),
    textColumn(t.settings.mailed, ({ mailedAt, mailProblem }) =>
      mailedAt ? t.day(mailedAt) : mailProblem ? t.settings.notMailed(mailProblem) : '',
    ),
    {
      name: t.settings.link,
      isText: true,
      show: ({ link, email }) => (
        <Copy value={link} label={t.settings.copyLink} done={t.settings.copied} of={email} />
      ),
    },
    actColumn(t.columns.actions, RevokeInvitationDocument, ({ id, email }) => ({
      label: t.settings.withdraw,
      of: email,
      document: RevokeInvitationDocument,
      variables: { workspace, id },
      confirm: t.settings.withdrawAsk(email),
    })),
  ]
}

interface InvitedProps {
  readonly project: string
  readonly workspace: string
}

/** The invited, and a form for one more. */
function Invited({ project, workspace }: InvitedProps) {
  const variables = { project }
  return (
    <Answered query={useQuestion(InvitationsDocument, variables)}>
      {({ project: found }) => (
        <Part
          title={t.settings.invitations}
          lead={hasMail() ? t.settings.invitationsMailed : t.settings.invitationsLead}
          empty={t.settings.noInvitations}
          asked={{ document: InvitationsDocument, variables }}
          columns={invitationColumns(workspace)}
          rows={found?.workspace.invitations?.nodes ?? []}
          keyOf={({ id }) => id}
          after={
            <>
              <ChangeForm
                document={InviteMemberDocument}
                variablesOf={(text) => ({
                  workspace,
                  email: text('email'),
                  role: text('role') as Role,
                })}
                submit={t.settings.invite}
              >
                <Field name="email" label={t.settings.email} type="email" />
                <Choice name="role" label={t.settings.role} choices={t.settings.newRoles} />
              </ChangeForm>
              <Text size="sm" c="dimmed" mt="xs">
                {t.settings.rolesLead}
              </Text>
            </>
          }
        />
      )}
    </Answered>
  )
}

/** Who belongs to the workspace, with which role, and who is invited. */
export function Members({ project }: { readonly project: string }) {
  const variables = { project }
  return (
    <Answered query={useQuestion(MembersDocument, variables)}>
      {({ project: found, account }) => {
        if (!found) return null
        const { id, name, plan, members } = found.workspace
        const rows = members?.nodes ?? []
        return (
          <>
            <Text c="dimmed" size="sm" mb="md">
              {t.settings.workspace(name, plan)}
            </Text>
            <Part
              title={t.settings.members}
              {...(rows.some(isOfComputer) && { lead: t.settings.localMembers })}
              asked={{ document: MembersDocument, variables }}
              columns={memberColumns({ workspace: id, members: rows, own: account?.email })}
              rows={rows}
              keyOf={({ userId }) => userId}
            />
            <May make={InviteMemberDocument}>
              <Invited project={project} workspace={id} />
            </May>
          </>
        )
      }}
    </Answered>
  )
}
