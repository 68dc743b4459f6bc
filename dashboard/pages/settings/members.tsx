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
import { Copy } from '../../parts/copy.tsx'
import { ChangeForm, Choice, Field } from '../../parts/form.tsx'
import { May } from '../../parts/may.tsx'
import { Answered } from '../../parts/states.tsx'
import { type Column, Part } from '../../parts/table.tsx'
import { useQuestion } from '../../state/ask.ts'
import { useChange } from '../../state/change.ts'
import { useMay } from '../../state/may.ts'
import { t } from '../../texts/texts.ts'

type Workspace = NonNullable<MembersQuery['project']>['workspace']
type Member = NonNullable<Workspace['members']>['nodes'][number]
type Invitation = NonNullable<
  NonNullable<InvitationsQuery['project']>['workspace']['invitations']
>['nodes'][number]

interface MemberProps {
  readonly workspace: string
  readonly member: Member
}

/** The role of a member, which an owner may change. */
function MemberRole({ workspace, member }: MemberProps) {
  const change = useChange(ChangeRoleDocument)
  const may = useMay()
  const { userId: id, role, email } = member
  if (!may(ChangeRoleDocument)) return t.settings.roles[role]
  return (
    <>
      <NativeSelect
        size="xs"
        w={110}
        aria-label={t.settings.roleOf(email)}
        value={role}
        disabled={change.isPending}
        onChange={({ currentTarget }) =>
          change.mutate({ workspace, id, role: currentTarget.value as Role })
        }
        data={Object.entries(t.settings.roles).map(([value, label]) => ({ value, label }))}
      />
      <Fault error={change.error} />
    </>
  )
}

function memberColumns(workspace: string): readonly Column<Member>[] {
  return [
    textColumn(t.settings.email, ({ email }) => email),
    {
      ...textColumn<Member>(t.settings.name, ({ name, email }) => (name === email ? '' : name)),
      isMinor: true,
    },
    textColumn(
      t.settings.role,
      ({ role }) => t.settings.roles[role],
      (member) => <MemberRole workspace={workspace} member={member} />,
    ),
    actColumn(t.columns.actions, RemoveMemberDocument, ({ userId, email }) => ({
      label: t.settings.remove,
      of: email,
      document: RemoveMemberDocument,
      variables: { workspace, id: userId },
      confirm: t.settings.removeMemberAsk(email),
    })),
  ]
}

function invitationColumns(workspace: string): readonly Column<Invitation>[] {
  return [
    textColumn(t.settings.email, ({ email }) => email),
    textColumn(t.settings.role, ({ role }) => t.settings.roles[role]),
    textColumn(t.settings.until, ({ expiresAt }) => t.day(expiresAt)),
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
          lead={t.settings.invitationsLead}
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
      {({ project: found }) => {
        if (!found) return null
        const { id, name, plan, members } = found.workspace
        return (
          <>
            <Text c="dimmed" size="sm" mb="md">
              {t.settings.workspace(name, plan)}
            </Text>
            <Part
              title={t.settings.members}
              asked={{ document: MembersDocument, variables }}
              columns={memberColumns(id)}
              rows={members?.nodes ?? []}
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
