import {
  type CollectingQuery,
  CreateScheduleDocument,
  type OneScheduleFragment,
  RunScheduleDocument,
  SwitchScheduleDocument,
} from '../../documents.ts'
import { Act } from '../../parts/act.tsx'
import { countColumn, textColumn, timeColumn } from '../../parts/columns.tsx'
import { ChangeForm, Choice, Field } from '../../parts/form.tsx'
import { type Asked, type Column, Part } from '../../parts/table.tsx'
import { t } from '../../texts/texts.ts'
import { moneyText } from './money.tsx'

function Acts({ project, schedule }: { project: string; schedule: OneScheduleFragment }) {
  const { id, name, enabled } = schedule
  return (
    <div className="acts">
      <Act
        label={t.collecting.run}
        of={name}
        document={RunScheduleDocument}
        variables={{ project, id }}
      />
      <Act
        label={enabled ? t.collecting.off : t.collecting.on}
        of={name}
        document={SwitchScheduleDocument}
        variables={{ project, id, enabled: !enabled }}
      />
    </div>
  )
}

function columnsOf(project: string): readonly Column<OneScheduleFragment>[] {
  return [
    textColumn(t.collecting.schedule, ({ name }) => name),
    textColumn(t.collecting.when, ({ cron, timeZone }) => t.collecting.times(cron, timeZone)),
    timeColumn(t.collecting.next, ({ nextRunAt }) => nextRunAt),
    textColumn(t.collecting.last, ({ lastRun }) =>
      lastRun
        ? t.collecting.lastRun(t.collecting.states[lastRun.status], t.moment(lastRun.createdAt))
        : '',
    ),
    countColumn(t.collecting.perRun, ({ plan }) => plan?.run.questions ?? null),
    {
      name: t.collecting.aMonth,
      value: ({ plan }) => plan?.expectedMonthlyCost ?? null,
      show: ({ plan }) => plan && moneyText(plan.expectedMonthlyCost),
    },
    textColumn(t.collecting.problem, ({ fault }) => fault ?? ''),
    { name: t.collecting.acts, show: (row) => <Acts project={project} schedule={row} /> },
  ]
}

const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

function Make({ project }: { readonly project: string }) {
  return (
    <section className="part">
      <h2>{t.collecting.make}</h2>
      <p className="lead">{t.collecting.makeLead}</p>
      <ChangeForm
        document={CreateScheduleDocument}
        variablesOf={(text) => ({
          project,
          name: text('name'),
          cron: text('cron'),
          timeZone: text('zone'),
          repetitions: Number(text('repetitions')),
        })}
        submit={t.collecting.submit}
      >
        <Field name="name" label={t.collecting.name} mostCharacters={100} />
        <Choice name="cron" label={t.collecting.often} choices={t.collecting.oftenChoices} />
        <Field name="zone" label={t.collecting.zone} value={ownZone()} />
        <Field
          {...{ name: 'repetitions', label: t.collecting.repetitions, type: 'number' }}
          {...{ least: 1, most: 20, value: 1 }}
        />
      </ChangeForm>
    </section>
  )
}

interface SchedulesProps {
  readonly project: string
  readonly schedules: readonly OneScheduleFragment[]
  readonly asked: Asked<CollectingQuery, { project: string }>
}

/** The schedules of a project, and a form for one more. */
export function Schedules({ project, schedules, asked }: SchedulesProps) {
  return (
    <>
      <Part
        title={t.collecting.schedules}
        empty={t.collecting.noSchedules}
        asked={asked}
        columns={columnsOf(project)}
        rows={schedules}
        keyOf={({ id }) => id}
      />
      <Make project={project} />
    </>
  )
}
