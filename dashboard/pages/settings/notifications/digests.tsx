import { Text } from '@mantine/core'
import {
  type NotificationsQuery,
  type OneChannelFragment,
  RemoveDigestDocument,
  SetDigestDocument,
  ShellDocument,
} from '../../../documents.ts'
import { actColumn, textColumn, timeColumn } from '../../../parts/columns.tsx'
import { ChangeForm, Choice } from '../../../parts/form.tsx'
import type { Asked } from '../../../parts/panel.tsx'
import { type Column, Part } from '../../../parts/table.tsx'
import { useQuestion } from '../../../state/ask.ts'
import { notifications as texts } from '../../../texts/english/notifications.ts'
import { t } from '../../../texts/texts.ts'

type Digest = OneChannelFragment['digests'][number]

const hours = Object.fromEntries(
  // Keys that are numbers would be sorted, and 7:00 is the usual time.
  [7, ...Array.from({ length: 24 }, (_, hour) => hour).filter((hour) => hour !== 7)].map((hour) => [
    `h${hour}`,
    texts.hourText(hour),
  ]),
)
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone

function columnsOf(
  workspace: string,
  channels: readonly OneChannelFragment[],
): readonly Column<Digest>[] {
  const nameOf = new Map(channels.map(({ id, name }) => [id, name]))
  return [
    textColumn(texts.project, ({ projectName }) => projectName),
    textColumn(texts.to, ({ channelId }) => nameOf.get(channelId) ?? ''),
    textColumn(texts.weekday, ({ weekday, hour, timeZone }) =>
      texts.when(texts.weekdays[weekday] ?? '', texts.hourText(hour), timeZone),
    ),
    { ...timeColumn<Digest>(texts.nextDigest, ({ nextAt }) => nextAt), isMinor: true },
    actColumn(t.columns.actions, RemoveDigestDocument, ({ id, projectName }) => ({
      label: texts.endDigest,
      of: projectName,
      document: RemoveDigestDocument,
      variables: { workspace, digest: id },
      confirm: texts.endDigestAsk,
    })),
  ]
}

interface DigestsProps {
  readonly project: string
  readonly workspace: string
  readonly channels: readonly OneChannelFragment[]
  readonly asked: Asked<NotificationsQuery, { project: string }>
}

/** The weekly summaries, and a form for one more. */
export function Digests({ project, workspace, channels, asked }: DigestsProps) {
  const shell = useQuestion(ShellDocument, {})
  const all = shell.data?.projects.nodes ?? []
  // The project of the page is the first choice.
  const ordered = [
    ...all.filter(({ id }) => id === project),
    ...all.filter(({ id }) => id !== project),
  ]
  return (
    <Part
      title={texts.digests}
      lead={texts.digestsLead}
      empty={channels.length === 0 ? texts.noDigestChannel : texts.noDigests}
      asked={asked}
      columns={columnsOf(workspace, channels)}
      rows={channels.flatMap(({ digests }) => digests)}
      keyOf={({ id }) => id}
      after={
        channels.length > 0 && (
          <>
            <ChangeForm
              document={SetDigestDocument}
              variablesOf={(text) => ({
                workspace,
                channel: text('channel'),
                project: text('project'),
                weekday: Number(text('weekday')),
                hour: Number(text('hour').slice(1)),
                timeZone: zone,
              })}
              submit={texts.setDigest}
              keeps
            >
              <Choice
                name="project"
                label={texts.project}
                choices={Object.fromEntries(ordered.map(({ id, name }) => [id, name]))}
              />
              <Choice
                name="channel"
                label={texts.channel}
                choices={Object.fromEntries(channels.map(({ id, name }) => [id, name]))}
              />
              <Choice name="weekday" label={texts.weekday} choices={texts.weekdays} />
              <Choice name="hour" label={texts.hour} choices={hours} />
            </ChangeForm>
            <Text size="xs" c="dimmed" mt="xs">
              {texts.zone(zone)}
            </Text>
          </>
        )
      }
    />
  )
}
