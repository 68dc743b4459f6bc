import { Alert, Text } from '@mantine/core'
import {
  AllEntriesDocument,
  InviteMemberDocument,
  RemoveMemberDocument,
  RevokeInvitationDocument,
  type Role,
  WorkspaceSettingsDocument,
} from '../../documents.ts'
import { actColumn, textColumn, timeColumn } from '../../parts/columns.tsx'
import { Copy } from '../../parts/copy.tsx'
import { ChangeForm, Choice, Field } from '../../parts/form.tsx'
import { Answered } from '../../parts/states.tsx'
import { type Column, Part } from '../../parts/table.tsx'
import { AskError, useQuestion } from '../../state/ask.ts'
import { wholeList } from '../../state/whole.ts'
import { t } from '../../texts/texts.ts'
import { Keys } from './api-keys.tsx'
import { IngestKeys, ProviderKeys } from './keys.tsx'
import type { Workspace, WorkspacePart } from './workspace-part.ts'

type Entry = NonNullable<Workspace['auditTrail']>['nodes'][number]

interface Person {
  readonly id: string
  readonly email: string
  readonly role: Role
  /** The end of an invitation that was not accepted yet. */
  readonly until: string | null
  /** The address of an invitation. */
  readonly link: string | null
}

/** The members and the invited, and a form for one more. */
function Members({ workspace, asked }: WorkspacePart) {
  const { id, members, invitations } = workspace
  const people: readonly Person[] = [
    ...(members?.nodes ?? []).map(({ userId, ...member }) => ({
      ...member,
      id: userId,
      until: null,
      link: null,
    })),
    ...(invitations?.nodes ?? []).map(({ expiresAt, ...each }) => ({ ...each, until: expiresAt })),
  ]
  const columns: readonly Column<Person>[] = [
    textColumn(t.settings.email, ({ email }) => email),
    textColumn(t.settings.role, ({ role, until }) =>
      until
        ? `${t.settings.roles[role]}, ${t.settings.invited(t.day(until))}`
        : t.settings.roles[role],
    ),
    {
      name: t.settings.link,
      show: ({ link, email }) =>
        link && (
          <Copy value={link} label={t.settings.copyLink} done={t.settings.copied} of={email} />
        ),
    },
    actColumn(t.columns.actions, (person) => ({
      label: person.until ? t.settings.withdraw : t.settings.remove,
      of: person.email,
      document: person.until ? RevokeInvitationDocument : RemoveMemberDocument,
      variables: { workspace: id, id: person.id },
      confirm: t.settings.removeAsk(person.email),
    })),
  ]
  return (
    <Part
      title={t.settings.members}
      asked={asked}
      columns={columns}
      rows={people}
      keyOf={(person) => person.id}
      after={
        <ChangeForm
          document={InviteMemberDocument}
          variablesOf={(text) => ({
            workspace: id,
            email: text('email'),
            role: text('role') as Role,
          })}
          submit={t.settings.invite}
        >
          <Field name="email" label={t.settings.email} type="email" />
          <Choice name="role" label={t.settings.role} choices={t.settings.roles} />
        </ChangeForm>
      }
    />
  )
}

const trailColumns: readonly Column<Entry>[] = [
  timeColumn(t.settings.at, ({ at }) => at),
  textColumn(t.settings.change, ({ action }) => action),
  textColumn(
    t.settings.by,
    ({ member, key }) =>
      [member?.email, key && t.settings.keyName(key.name, key.lastFour)]
        .filter(Boolean)
        .join(', ') || t.settings.commandLine,
  ),
]

export type WorkspaceTab = 'team' | 'keys' | 'tracking' | 'trail'

/** Who may read and change the workspace, its keys, and who changed what. */
export function WorkspaceSettings({
  project,
  tab,
}: {
  readonly project: string
  readonly tab: WorkspaceTab
}) {
  const variables = { project }
  const asked = { document: WorkspaceSettingsDocument, variables }
  const query = useQuestion(WorkspaceSettingsDocument, variables)
  if (query.error instanceof AskError && !query.data) {
    return (
      <Alert color="gray" role="status">
        {t.settings.needsAdmin}
      </Alert>
    )
  }
  return (
    <Answered query={query}>
      {({ project: found }) => {
        if (!found) return null
        const { workspace } = found
        if (tab === 'team') {
          return (
            <>
              <Text c="dimmed" size="sm" mb="md">
                {t.settings.workspace(workspace.name, workspace.plan)}
              </Text>
              <Members workspace={workspace} asked={asked} />
            </>
          )
        }
        if (tab === 'keys') {
          return (
            <>
              <Keys workspace={workspace} asked={asked} project={project} />
              <ProviderKeys workspace={workspace} asked={asked} />
            </>
          )
        }
        if (tab === 'tracking') {
          return <IngestKeys workspace={workspace} asked={asked} project={project} />
        }
        return (
          <Part
            title={t.settings.trail}
            asked={asked}
            columns={trailColumns}
            rows={workspace.auditTrail?.nodes ?? []}
            keyOf={({ id }) => id}
            size={25}
            whole={() =>
              wholeList(AllEntriesDocument, variables, (all) => all.project?.workspace.auditTrail)
            }
          />
        )
      }}
    </Answered>
  )
}
