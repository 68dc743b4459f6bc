import { useId } from 'react'
import { type CollectingQuery, SetCapsDocument } from '../../documents.ts'
import { ChangeForm, Field } from '../../parts/form.tsx'
import { t } from '../../texts/texts.ts'

type Spending = NonNullable<CollectingQuery['project']>['spending']

const capOf = (text: string) => (text === '' ? null : Number(text))

/** What was spent of the caps, and a form that sets them. */
export function SpendingPart({
  project,
  spending,
}: {
  readonly project: string
  readonly spending: Spending
}) {
  const { today, thisMonth, dayCap, monthCap } = spending
  const hint = useId()
  const shared = { type: 'number', isOptional: true, least: 0, hint } as const
  return (
    <section className="part">
      <h2>{t.collecting.spending}</h2>
      <dl className="ranges">
        <div>
          <dt>{t.collecting.today}</dt>
          <dd>{t.collecting.ofCap(today, dayCap)}</dd>
        </div>
        <div>
          <dt>{t.collecting.month}</dt>
          <dd>{t.collecting.ofCap(thisMonth, monthCap)}</dd>
        </div>
      </dl>
      <ChangeForm
        key={`${dayCap} ${monthCap}`}
        document={SetCapsDocument}
        variablesOf={(text) => ({
          project,
          dayCap: capOf(text('day')),
          monthCap: capOf(text('month')),
        })}
        submit={t.collecting.setCaps}
      >
        <Field name="day" label={t.collecting.dayCap} value={dayCap ?? ''} {...shared} />
        <Field name="month" label={t.collecting.monthCap} value={monthCap ?? ''} {...shared} />
      </ChangeForm>
      <p className="lead" id={hint}>
        {t.collecting.capHint}
      </p>
    </section>
  )
}
