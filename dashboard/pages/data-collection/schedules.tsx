import { Alert, Group, Select } from '@mantine/core'
import {
  CreateScheduleDocument,
  type DataCollectionQuery,
  type OneScheduleFragment,
  RunScheduleDocument,
  SwitchScheduleDocument,
} from '../../documents.ts'
import { Act } from '../../parts/act.tsx'
import { countColumn, textColumn, timeColumn } from '../../parts/columns.tsx'
import { ChangeForm, Choice, Field } from '../../parts/form.tsx'
import { type Asked, Panel } from '../../parts/panel.tsx'
import { type Column, Part } from '../../parts/table.tsx'
import { t } from '../../texts/texts.ts'
import { moneyText } from './money.tsx'

function Acts({ project, schedule }: { project: string; schedule: OneScheduleFragment }) {
  const { id, name, enabled } = schedule
  return (
    <Group gap="xs" justify="flex-end">
      <Act
        label={t.dataCollection.run}
        of={name}
        document={RunScheduleDocument}
        variables={{ project, id }}
      />
      <Act
        label={enabled ? t.dataCollection.pause : t.dataCollection.resume}
        of={name}
        document={SwitchScheduleDocument}
        variables={{ project, id, enabled: !enabled }}
      />
    </Group>
  )
}

function columnsOf(project: string): readonly Column<OneScheduleFragment>[] {
  return [
    textColumn(t.dataCollection.schedule, ({ name }) => name),
    textColumn(t.dataCollection.when, ({ cron, timeZone }) =>
      t.dataCollection.times(t.dataCollection.oftenChoices[cron] ?? cron, timeZone),
    ),
    textColumn(t.columns.state, ({ enabled }) =>
      enabled ? t.dataCollection.active : t.dataCollection.paused,
    ),
    timeColumn(t.dataCollection.nextRun, ({ nextRunAt }) => nextRunAt),
    textColumn(t.dataCollection.last, ({ lastRun }) =>
      lastRun
        ? t.dataCollection.lastRunOf(t.states[lastRun.status], t.moment(lastRun.createdAt))
        : '',
    ),
    countColumn(t.dataCollection.perRun, ({ plan }) => plan?.run.questions ?? null),
    {
      name: t.dataCollection.aMonth,
      value: ({ plan }) => plan?.expectedMonthlyCost ?? null,
      show: ({ plan }) => plan && moneyText(plan.expectedMonthlyCost),
    },
    textColumn(t.dataCollection.problem, ({ fault }) => fault ?? ''),
    { name: t.columns.actions, show: (row) => <Acts project={project} schedule={row} /> },
  ]
}

const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** All time zones that the browser knows, and UTC, which its list lacks. */
const zones = () => ['UTC', ...Intl.supportedValuesOf('timeZone')]

function Create({ project, hasKeys }: { readonly project: string; readonly hasKeys: boolean }) {
  return (
    <Panel title={t.dataCollection.create} sub={t.dataCollection.createLead}>
      {!hasKeys && (
        <Alert color="orange" mb="sm">
          {t.dataCollection.needsKey}
        </Alert>
      )}
      <ChangeForm
        document={CreateScheduleDocument}
        variablesOf={(text) => ({
          project,
          name: text('name'),
          cron: text('cron'),
          timeZone: text('zone'),
          repetitions: Number(text('repetitions')),
        })}
        submit={t.dataCollection.submit}
        isDisabled={!hasKeys}
      >
        <Field name="name" label={t.dataCollection.name} mostCharacters={100} />
        <Choice
          name="cron"
          label={t.dataCollection.often}
          choices={t.dataCollection.oftenChoices}
        />
        <Select
          name="zone"
          label={t.dataCollection.zone}
          data={zones()}
          defaultValue={ownZone()}
          searchable
          allowDeselect={false}
          limit={50}
        />
        <Field
          name="repetitions"
          label={t.dataCollection.repetitions}
          type="number"
          least={1}
          most={20}
          value={1}
        />
      </ChangeForm>
    </Panel>
  )
}

interface SchedulesProps {
  readonly project: string
  readonly schedules: readonly OneScheduleFragment[]
  /** Whether the workspace has a provider key: without one a schedule asks nobody. */
  readonly hasKeys: boolean
  readonly asked: Asked<DataCollectionQuery, { project: string }>
}

/** The schedules of a project, and a form for one more. */
export function Schedules({ project, schedules, hasKeys, asked }: SchedulesProps) {
  return (
    <>
      <Part
        title={t.dataCollection.schedules}
        empty={t.dataCollection.noSchedules}
        asked={asked}
        columns={columnsOf(project)}
        rows={schedules}
        keyOf={({ id }) => id}
      />
      <Create project={project} hasKeys={hasKeys} />
    </>
  )
}
