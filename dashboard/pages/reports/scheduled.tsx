import { Skeleton, Text } from '@mantine/core'
import { useState } from 'react'
import {
  type OneReportScheduleFragment,
  RemoveReportScheduleDocument,
  ReportSchedulesDocument,
  type ReportSchedulesQuery,
  SetReportScheduleDocument,
} from '../../documents.ts'
import { actColumn, textColumn, timeColumn } from '../../parts/columns.tsx'
import { ChangeForm, Choice } from '../../parts/form.tsx'
import { PageLink } from '../../parts/links.tsx'
import { May } from '../../parts/may.tsx'
import { Answered } from '../../parts/states.tsx'
import { type Column, Part } from '../../parts/table.tsx'
import { useQuestion } from '../../state/ask.ts'
import { notifications } from '../../texts/english/notifications.ts'
import { scheduledReports as texts } from '../../texts/english/scheduled-reports.ts'
import { t } from '../../texts/texts.ts'

type Channel = NonNullable<
  NonNullable<ReportSchedulesQuery['project']>['workspace']['channels']
>['nodes'][number]

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone

const hours = Object.fromEntries(
  // Keys that are numbers would be sorted, and 7:00 is the usual time.
  [7, ...Array.from({ length: 24 }, (_, hour) => hour).filter((hour) => hour !== 7)].map((hour) => [
    `h${hour}`,
    notifications.hourText(hour),
  ]),
)
const days = Object.fromEntries(
  Array.from({ length: 28 }, (_, at) => [`d${at + 1}`, texts.dayOfMonth(at + 1)]),
)

const whenText = ({ every, day, hour, timeZone }: OneReportScheduleFragment) =>
  notifications.when(
    every === 'week' ? (notifications.weekdays[day] ?? '') : texts.dayOfMonth(day),
    notifications.hourText(hour),
    timeZone,
  )

function columnsOf(
  workspace: string,
  channels: readonly Channel[],
): readonly Column<OneReportScheduleFragment>[] {
  const nameOf = new Map(channels.map(({ id, name }) => [id, name]))
  return [
    textColumn(notifications.to, ({ channelId }) => nameOf.get(channelId) ?? ''),
    textColumn(texts.when, whenText),
    {
      ...textColumn<OneReportScheduleFragment>(
        texts.about,
        ({ reportType }) => texts.types[reportType],
      ),
      isMinor: true,
    },
    {
      ...textColumn<OneReportScheduleFragment>(texts.link, ({ linkDays }) =>
        texts.linkDays(linkDays),
      ),
      isMinor: true,
    },
    {
      ...timeColumn<OneReportScheduleFragment>(notifications.nextDigest, ({ nextAt }) => nextAt),
      isMinor: true,
    },
    textColumn(texts.state, ({ problem }) => problem ?? texts.well),
    actColumn(t.columns.actions, RemoveReportScheduleDocument, ({ id, channelId }) => ({
      label: texts.end,
      of: nameOf.get(channelId) ?? '',
      document: RemoveReportScheduleDocument,
      variables: { workspace, schedule: id },
      confirm: texts.endAsk,
    })),
  ]
}

function ScheduleForm({
  project,
  workspace,
  channels,
}: {
  readonly project: string
  readonly workspace: string
  readonly channels: readonly Channel[]
}) {
  const [every, setEvery] = useState('week')
  return (
    <>
      <ChangeForm
        document={SetReportScheduleDocument}
        variablesOf={(text) => ({
          workspace,
          project,
          channel: text('channel'),
          every: text('every') === 'month' ? ('month' as const) : ('week' as const),
          day: Number(text('day').replace('d', '')),
          hour: Number(text('hour').slice(1)),
          timeZone: zone,
          linkDays: text('linkDays') === 'never' ? null : Number(text('linkDays')),
        })}
        submit={texts.set}
        keeps
      >
        <Choice
          name="channel"
          label={notifications.channel}
          choices={Object.fromEntries(channels.map(({ id, name }) => [id, name]))}
        />
        <Choice name="every" label={texts.every} choices={texts.paces} onChange={setEvery} />
        <Choice
          key={every}
          name="day"
          label={notifications.weekday}
          choices={every === 'month' ? days : notifications.weekdays}
        />
        <Choice name="hour" label={notifications.hour} choices={hours} />
        <Choice name="linkDays" label={t.reports.ends} choices={t.reports.ending} />
      </ChangeForm>
      <Text size="xs" c="dimmed" mt="xs">
        {notifications.zone(zone)} {texts.noPassword}
      </Text>
    </>
  )
}

function Schedules({ project }: { readonly project: string }) {
  const variables = { project }
  return (
    <Answered
      query={useQuestion(ReportSchedulesDocument, variables)}
      loading={<Skeleton h={180} radius="md" />}
    >
      {({ project: found }) => {
        if (!found) return null
        const { id: workspace, channels: page } = found.workspace
        const channels = page?.nodes ?? []
        return (
          <Part
            title={texts.title}
            lead={texts.lead}
            empty={channels.length === 0 ? notifications.noDigestChannel : texts.none}
            asked={{ document: ReportSchedulesDocument, variables }}
            columns={columnsOf(workspace, channels)}
            rows={channels
              .flatMap(({ reportSchedules }) => reportSchedules)
              .filter(({ projectId }) => projectId === project)}
            keyOf={({ id }) => id}
            after={
              channels.length === 0 ? (
                <Text size="sm" ta="center">
                  <PageLink project={project} to={['settings', 'notifications']}>
                    {texts.toChannels}
                  </PageLink>
                </Text>
              ) : (
                <ScheduleForm project={project} workspace={workspace} channels={channels} />
              )
            }
          />
        )
      }}
    </Answered>
  )
}

/** The reports of a project that channels get each week or month, for those who may set them. */
export function ScheduledReports({ project }: { readonly project: string }) {
  return (
    <May make={SetReportScheduleDocument}>
      <Schedules project={project} />
    </May>
  )
}
