import { useState } from 'react'
import { CreateIngestKeyDocument, RevokeIngestKeyDocument } from '../../documents.ts'
import { actColumn, textColumn, timeColumn } from '../../parts/columns.tsx'
import { ChangeForm, Field } from '../../parts/form.tsx'
import { type Column, Part } from '../../parts/table.tsx'
import { t } from '../../texts/texts.ts'
import { Secret } from './secret.tsx'
import { Senders } from './senders.tsx'
import type { Workspace, WorkspacePart } from './workspace-part.ts'

type IngestKey = NonNullable<Workspace['ingestKeys']>['nodes'][number]

/** The keys of senders, a form for one more, which is shown once, and code that sends with them. */
export function IngestKeys({ workspace, asked, project }: WorkspacePart & { project: string }) {
  const [made, setMade] = useState<string>()
  const rows = workspace.ingestKeys?.nodes ?? []
  const columns: readonly Column<IngestKey>[] = [
    textColumn(t.settings.key, ({ id, name }) => name ?? id),
    timeColumn(t.settings.made, ({ createdAt }) => createdAt),
    actColumn(t.columns.actions, RevokeIngestKeyDocument, ({ id, name, revokedAt }) =>
      revokedAt
        ? t.settings.revoked
        : {
            label: t.settings.revoke,
            of: name ?? id,
            document: RevokeIngestKeyDocument,
            variables: { workspace: workspace.id, id },
            confirm: t.settings.revokeAsk,
          },
    ),
  ]
  return (
    <>
      <Part
        title={t.settings.ingestKeys}
        empty={t.settings.noIngestKeys}
        asked={asked}
        columns={columns}
        rows={rows}
        keyOf={({ id }) => id}
        after={
          <>
            <ChangeForm
              document={CreateIngestKeyDocument}
              variablesOf={(text) => ({ workspace: workspace.id, name: text('name') || null })}
              submit={t.settings.makeIngestKey}
              onDone={({ createIngestKey: answer }) => {
                if (answer && 'key' in answer) setMade(answer.key)
              }}
            >
              <Field name="name" label={t.settings.name} isOptional />
            </ChangeForm>
            <Secret text={t.settings.ingestKeyOnce} secret={made} />
          </>
        }
      />
      <Senders project={project} {...(made && { ingestKey: made })} />
    </>
  )
}
