import { useState } from 'react'
import {
  ApiKeysDocument,
  type ApiKeysQuery,
  CreateKeyDocument,
  type KeyScope,
  RevokeKeyDocument,
} from '../../documents.ts'
import { actColumn, textColumn, timeColumn } from '../../parts/columns.tsx'
import { daysFromNow } from '../../parts/days.ts'
import { ChangeForm, Choice, Field } from '../../parts/form.tsx'
import { Answered } from '../../parts/states.tsx'
import { type Column, Part } from '../../parts/table.tsx'
import { useQuestion } from '../../state/ask.ts'
import { t } from '../../texts/texts.ts'
import { Secret } from './secret.tsx'

type Key = NonNullable<
  NonNullable<ApiKeysQuery['project']>['workspace']['apiKeys']
>['nodes'][number]

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

const nameOf = ({ name, lastFour }: Key) => t.settings.keyName(name, lastFour)

const columnsOf = (workspace: string): readonly Column<Key>[] => [
  textColumn(t.settings.key, nameOf),
  textColumn(t.settings.by, ({ owner }) => owner.email),
  textColumn(t.settings.reach, ({ project: bound }) => bound?.name ?? t.settings.whole),
  textColumn(t.settings.scopes, ({ scopes }) => t.settings.scopeNames(scopes)),
  timeColumn(t.settings.used, ({ lastUsedAt }) => lastUsedAt),
  textColumn(t.settings.expires, ({ expiresAt }) =>
    expiresAt ? t.moment(expiresAt) : t.settings.never,
  ),
  actColumn(t.columns.actions, RevokeKeyDocument, (key) =>
    key.revokedAt
      ? t.settings.revoked
      : {
          label: t.settings.revoke,
          of: nameOf(key),
          document: RevokeKeyDocument,
          variables: { workspace, id: key.id },
          confirm: t.settings.revokeAsk,
        },
  ),
]

/** The keys of the workspace, and a form for one more. */
export function Keys({ project }: { readonly project: string }) {
  const variables = { project }
  return (
    <Answered query={useQuestion(ApiKeysDocument, variables)}>
      {({ project: found }) =>
        found && (
          <Part
            title={t.settings.keys}
            lead={t.settings.keysLead}
            empty={t.settings.noKeys}
            asked={{ document: ApiKeysDocument, variables }}
            columns={columnsOf(found.workspace.id)}
            rows={found.workspace.apiKeys?.nodes ?? []}
            keyOf={({ id }) => id}
            after={<NewKey workspace={found.workspace.id} project={project} />}
          />
        )
      }
    </Answered>
  )
}
