import { type DataCollectionQuery, SetCapsDocument } from '../../documents.ts'
import { ChangeForm, Field } from '../../parts/form.tsx'
import { May } from '../../parts/may.tsx'
import { Panel } from '../../parts/panel.tsx'
import { dataCollection as texts } from '../../texts/collecting.ts'

type Spending = NonNullable<DataCollectionQuery['project']>['spending']

const capOf = (text: string) => (text === '' ? null : Number(text))

/** A form for the limits of spending. */
export function SpendingPart({
  project,
  spending,
}: {
  readonly project: string
  readonly spending: Spending
}) {
  const { dayCap, monthCap } = spending
  const shared = { type: 'number', isOptional: true, least: 0 } as const
  return (
    <May make={SetCapsDocument}>
      <Panel title={texts.spending} sub={texts.capHint}>
        <ChangeForm
          key={`${dayCap} ${monthCap}`}
          document={SetCapsDocument}
          variablesOf={(text) => ({
            project,
            dayCap: capOf(text('day')),
            monthCap: capOf(text('month')),
          })}
          submit={texts.setCaps}
          keeps
        >
          <Field name="day" label={texts.dayCap} value={dayCap ?? ''} {...shared} />
          <Field name="month" label={texts.monthCap} value={monthCap ?? ''} {...shared} />
        </ChangeForm>
      </Panel>
    </May>
  )
}
