import { useState } from 'react'
import { CreateKeyDocument, type KeyScope, RevokeKeyDocument } from '../../documents.ts'
import { actColumn, textColumn, timeColumn } from '../../parts/columns.tsx'
import { daysFromNow } from '../../parts/days.ts'
import { ChangeForm, Choice, Field } from '../../parts/form.tsx'
import { type Column, Part } from '../../parts/table.tsx'
import { t } from '../../texts/texts.ts'
import { Secret } from './secret.tsx'
import type { Workspace, WorkspacePart } from './workspace-part.ts'

type Key = NonNullable<Workspace['apiKeys']>['nodes'][number]

/** What a key may do, by the choices of the form. */
const scopesOf: Readonly<Record<string, readonly KeyScope[]>> = {
  read: ['read'],
  write: ['read', 'write'],
  admin: ['read', 'write', 'admin'],
}

/** A form for a key of one's own, which is shown once. */
function NewKey({ workspace, project }: { readonly workspace: string; readonly project: string }) {
  const [made, setMade] = useState<string>()
  return (
    <>
      <ChangeForm
        document={CreateKeyDocument}
        variablesOf={(text) => ({
          workspace,
          name: text('name') || null,
          scopes: [...(scopesOf[text('scopes')] ?? [])],
          projectId: text('reach') === 'project' ? project : null,
          expiresAt: daysFromNow(text('days')),
        })}
        submit={t.settings.makeKey}
        onDone={({ createKey: answer }) => {
          if (answer && 'key' in answer) setMade(answer.key)
        }}
      >
        <Field name="name" label={t.settings.name} isOptional mostCharacters={200} />
        <Choice name="scopes" label={t.settings.scopes} choices={t.settings.keyScopes} />
        <Choice name="reach" label={t.settings.reach} choices={t.settings.reaches} />
        <Choice name="days" label={t.settings.lives} choices={t.settings.lifetimes} />
      </ChangeForm>
      <Secret text={t.settings.keyOnce} secret={made} />
    </>
  )
}

/** The keys of the workspace, and a form for one more. */
export function Keys({ workspace, asked, project }: WorkspacePart & { readonly project: string }) {
  const nameOf = ({ name, lastFour }: Key) => t.settings.keyName(name, lastFour)
  const columns: readonly Column<Key>[] = [
    textColumn(t.settings.key, nameOf),
    textColumn(t.settings.by, ({ owner }) => owner.email),
    textColumn(t.settings.reach, ({ project: bound }) => bound?.name ?? t.settings.whole),
    textColumn(t.settings.scopes, ({ scopes }) => scopes.join(', ')),
    timeColumn(t.settings.used, ({ lastUsedAt }) => lastUsedAt),
    textColumn(t.settings.expires, ({ expiresAt }) =>
      expiresAt ? t.moment(expiresAt) : t.settings.never,
    ),
    actColumn(t.columns.actions, (key) =>
      key.revokedAt
        ? t.settings.revoked
        : {
            label: t.settings.revoke,
            of: nameOf(key),
            document: RevokeKeyDocument,
            variables: { workspace: workspace.id, id: key.id },
            confirm: t.settings.revokeAsk,
          },
    ),
  ]
  return (
    <Part
      title={t.settings.keys}
      lead={t.settings.keysLead}
      asked={asked}
      columns={columns}
      rows={workspace.apiKeys?.nodes ?? []}
      keyOf={({ id }) => id}
      after={<NewKey workspace={workspace.id} project={project} />}
    />
  )
}
