import { Code, Text } from '@mantine/core'
import { RetentionDocument, type RetentionQuery } from '../../documents.ts'
import { longColumn, textColumn } from '../../parts/columns.tsx'
import { Answered } from '../../parts/states.tsx'
import { type Column, Part } from '../../parts/table.tsx'
import { useQuestion } from '../../state/ask.ts'
import { t } from '../../texts/texts.ts'

type Limits = NonNullable<RetentionQuery['project']>['workspace']['retention']
type Kind = keyof typeof t.settings.kept

const { kept } = t.settings

const columnsOf = (limits: Limits): readonly Column<Kind>[] => [
  textColumn(t.settings.kinds, (kind) => kept[kind].name),
  textColumn(t.settings.keptFor, (kind) => t.settings.daysKept(limits[kind])),
  longColumn(t.settings.includes, (kind) => kept[kind].what),
  textColumn(
    t.settings.environment,
    (kind) => kept[kind].variable,
    (kind) => <Code>{kept[kind].variable}</Code>,
  ),
]

/** How long data is kept, which the person who runs the service decides. */
export function Retention({ project }: { readonly project: string }) {
  const variables = { project }
  return (
    <Answered query={useQuestion(RetentionDocument, variables)}>
      {({ project: found }) =>
        found && (
          <Part
            title={t.settings.retention}
            lead={t.settings.retentionLead}
            asked={{ document: RetentionDocument, variables }}
            columns={columnsOf(found.workspace.retention)}
            rows={Object.keys(kept) as Kind[]}
            keyOf={(kind) => kind}
            after={
              <Text size="sm" c="dimmed">
                {t.settings.retentionStays}
              </Text>
            }
          />
        )
      }
    </Answered>
  )
}
