import { Anchor, Badge, Button, Group, Menu, Modal, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import {
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlus,
  IconTrash,
} from '@tabler/icons-react'
import { useState } from 'react'
import {
  CreateScheduleDocument,
  type DataCollectionQuery,
  DeleteScheduleDocument,
  type OneScheduleFragment,
  type OneSourceFragment,
  RunScheduleDocument,
  SwitchScheduleDocument,
} from '../../documents.ts'
import { countColumn, longColumn, textColumn } from '../../parts/columns.tsx'
import { May } from '../../parts/may.tsx'
import { More } from '../../parts/more.tsx'
import { notifyDone, notifyRefused } from '../../parts/notify.ts'
import type { Asked } from '../../parts/panel.tsx'
import { type Column, Part } from '../../parts/table.tsx'
import { useUndo } from '../../parts/undo.tsx'
import { useChange } from '../../state/change.ts'
import { dataCollection as texts } from '../../texts/collecting.ts'
import { t } from '../../texts/texts.ts'
import { moneyText } from './money.tsx'
import { ScheduleForm } from './schedule-form.tsx'
import { timesText } from './times.ts'

interface ActsProps {
  readonly project: string
  readonly schedule: OneScheduleFragment
  readonly hasKeys: boolean
  onEdit(schedule: OneScheduleFragment): void
}

function Acts({ project, schedule, hasKeys, onEdit }: ActsProps) {
  const { id, name, enabled } = schedule
  const run = useChange(RunScheduleDocument)
  const change = useChange(SwitchScheduleDocument)
  const { holdChange, offerInverse } = useUndo()
  const failing = { onError: (error: Error) => notifyRefused(texts.notChanged, error) }
  const remove = () =>
    holdChange(DeleteScheduleDocument, { project, id }, texts.scheduleDeleted(name))
  const switchWords = enabled ? texts.pause : texts.resume
  const turn = (on: boolean) =>
    change.mutate(
      { project, id, enabled: on },
      {
        ...failing,
        onSuccess: () => {
          const said = on ? texts.scheduleResumed(name) : texts.schedulePaused(name)
          offerInverse(SwitchScheduleDocument, { project, id, enabled: !on }, said)
        },
      },
    )
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      <Button
        size="compact-xs"
        variant="default"
        loading={run.isPending}
        disabled={!hasKeys}
        aria-label={`${texts.run}: ${name}`}
        onClick={() =>
          run.mutate({ project, id }, { ...failing, onSuccess: () => notifyDone(texts.runStarted) })
        }
      >
        {texts.run}
      </Button>
      <More of={name}>
        <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => onEdit(schedule)}>
          {texts.edit}
        </Menu.Item>
        <Menu.Item
          leftSection={enabled ? <IconPlayerPause size={16} /> : <IconPlayerPlay size={16} />}
          onClick={() => turn(!enabled)}
        >
          {switchWords}
        </Menu.Item>
        <Menu.Item
          color="var(--mantine-color-red-text)"
          leftSection={<IconTrash size={16} />}
          onClick={remove}
        >
          {t.act.delete}
        </Menu.Item>
      </More>
    </Group>
  )
}

function columnsOf(props: Omit<ActsProps, 'schedule'>): readonly Column<OneScheduleFragment>[] {
  return [
    textColumn(
      texts.schedule,
      ({ name }) => name,
      ({ name, enabled }) => (
        <>
          {name}{' '}
          {!enabled && (
            <Badge color="gray" hiddenFrom="sm" aria-hidden>
              {texts.paused}
            </Badge>
          )}
        </>
      ),
    ),
    textColumn(texts.when, ({ cron, spreadMinutes, timeZone }) =>
      texts.times(timesText(cron, spreadMinutes), timeZone),
    ),
    {
      ...textColumn(t.columns.state, ({ enabled }: OneScheduleFragment) =>
        enabled ? texts.active : texts.paused,
      ),
      isMinor: true,
    },
    {
      ...textColumn(texts.nextRun, ({ nextRunAt, timeZone }: OneScheduleFragment) =>
        nextRunAt ? texts.soon(nextRunAt, timeZone) : '',
      ),
      isMinor: true,
    },
    {
      ...textColumn(texts.last, ({ lastRun, timeZone }) =>
        lastRun
          ? texts.lastRunOf(t.states[lastRun.status], texts.soon(lastRun.createdAt, timeZone))
          : '',
      ),
      isMinor: true,
    },
    {
      ...countColumn(texts.perRun, ({ plan }: OneScheduleFragment) => plan?.run.questions ?? null),
      isMinor: true,
    },
    {
      name: texts.aMonth,
      value: ({ plan }) => plan?.expectedMonthlyCost ?? null,
      show: ({ plan }) => plan && moneyText(plan.expectedMonthlyCost),
      isMinor: true,
    },
    longColumn(texts.problem, ({ fault }) => fault ?? ''),
    {
      name: t.columns.actions,
      make: RunScheduleDocument,
      show: (row) => <Acts {...props} schedule={row} />,
    },
  ]
}

interface SchedulesProps {
  readonly project: string
  readonly schedules: readonly OneScheduleFragment[]
  /** Without one a schedule asks nobody. */
  readonly sources: readonly OneSourceFragment[]
  readonly monthCap: number | null
  readonly asked: Asked<DataCollectionQuery, { project: string }>
}

/** The schedules of a project, and a form for one more. */
export function Schedules({ project, schedules, sources, monthCap, asked }: SchedulesProps) {
  const [isOpen, { open, close }] = useDisclosure(false)
  const [edited, setEdited] = useState<OneScheduleFragment>()
  const hasKeys = sources.length > 0
  function edit(schedule?: OneScheduleFragment) {
    setEdited(schedule)
    open()
  }
  const columns = columnsOf({ project, hasKeys, onEdit: edit })
  const hasFault = schedules.some(({ fault }) => fault)
  return (
    <>
      <Part
        title={texts.schedules}
        empty={texts.noSchedules}
        asked={asked}
        columns={hasFault ? columns : columns.filter(({ name }) => name !== texts.problem)}
        rows={schedules}
        keyOf={({ id }) => id}
        lead={
          hasKeys ? undefined : (
            <Text size="sm" component="span">
              {texts.needsKey} <Anchor href="#sources">{texts.addKey}</Anchor>
            </Text>
          )
        }
        right={
          <May make={CreateScheduleDocument}>
            <Button
              size="xs"
              leftSection={<IconPlus size={14} />}
              disabled={!hasKeys}
              onClick={() => edit()}
            >
              {texts.create}
            </Button>
          </May>
        }
      />
      <Modal
        opened={isOpen}
        onClose={close}
        size="lg"
        title={edited ? texts.editTitle(edited.name) : texts.create}
      >
        <ScheduleForm {...{ project, sources, monthCap }} schedule={edited} onDone={close} />
      </Modal>
    </>
  )
}
