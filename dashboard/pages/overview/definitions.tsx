import { Modal } from '@mantine/core'
import { shown } from '../../../web/share/numbers.ts'
import { VisibilityDefinitionsDocument, type VisibilityDefinitionsQuery } from '../../documents.ts'
import { longColumn, textColumn } from '../../parts/columns.tsx'
import { Answered } from '../../parts/states.tsx'
import { type Column, Part } from '../../parts/table.tsx'
import { useAddress } from '../../state/address.ts'
import { useQuestion } from '../../state/ask.ts'
import { definitions as texts } from '../../texts/definitions.ts'

type Row = NonNullable<
  NonNullable<VisibilityDefinitionsQuery['project']>['visibilityDefinitions']
>['definitions'][number]

const columns: readonly Column<Row>[] = [
  textColumn(texts.definition, ({ name }) => name),
  {
    name: texts.value,
    value: ({ value }) => value ?? null,
    show: ({ value }) => shown(value ?? null, 'percent'),
  },
  {
    name: texts.counted,
    value: ({ numerator }) => numerator,
    show: ({ numerator, denominator }) => texts.countedOf(numerator, denominator),
  },
  longColumn(texts.meaning, ({ meaning }) => meaning),
  longColumn(texts.usedBy, ({ usedBy }) => usedBy),
]

interface DefinitionsProps {
  readonly project: string
  readonly onClose: () => void
}

/** Why this page says 38% where another tool says 71. */
export function Definitions({ project, onClose }: DefinitionsProps) {
  const { window, filter } = useAddress()
  const variables = { project, window, filter }
  const asked = { document: VisibilityDefinitionsDocument, variables }
  return (
    <Modal opened onClose={onClose} title={texts.title} size="80rem">
      <Answered query={useQuestion(VisibilityDefinitionsDocument, variables)}>
        {({ project: found }) => (
          <Part
            title={texts.table}
            lead={texts.lead}
            asked={asked}
            columns={columns}
            rows={found?.visibilityDefinitions?.definitions ?? []}
            keyOf={({ definition }) => definition}
          />
        )}
      </Answered>
    </Modal>
  )
}
