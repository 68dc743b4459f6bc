import { Text } from '@mantine/core'
import {
  type NotificationsQuery,
  type OneChannelFragment,
  type OneDeliveryFragment,
  SendAgainDocument,
} from '../../../documents.ts'
import { actColumn, textColumn, timeColumn } from '../../../parts/columns.tsx'
import type { Asked } from '../../../parts/panel.tsx'
import { type Column, Part } from '../../../parts/table.tsx'
import { notifications as texts } from '../../../texts/english/notifications.ts'
import { t } from '../../../texts/texts.ts'

/** The result of an event, in a word and in a sentence. */
function Result({ state, attempts, nextAt, lastError }: OneDeliveryFragment) {
  const colours = {
    waiting: {},
    sent: { c: 'teal' },
    failed: { c: 'red' },
    dropped: { c: 'dimmed' },
  }
  const tried = [
    attempts > 1 || state === 'waiting' ? texts.tries(attempts) : '',
    nextAt && attempts > 0 ? texts.next(t.moment(nextAt)) : '',
  ].filter(Boolean)
  return (
    <>
      <Text size="sm" fw={600} {...colours[state]}>
        {texts.results[state]}
      </Text>
      {tried.length > 0 && attempts > 0 && (
        <Text size="xs" c="dimmed">
          {tried.join(', ')}
        </Text>
      )}
      {lastError && (
        <Text size="xs" c="dimmed" className="wrap" lineClamp={3} title={lastError}>
          {lastError}
        </Text>
      )}
    </>
  )
}

function columnsOf(
  workspace: string,
  channels: readonly OneChannelFragment[],
): readonly Column<OneDeliveryFragment>[] {
  const byId = new Map(channels.map((channel) => [channel.id, channel]))
  return [
    timeColumn(texts.at, ({ createdAt }) => createdAt),
    textColumn(
      texts.event,
      ({ event }: OneDeliveryFragment) => texts.words[event],
      ({ event, title }) => (
        <>
          {texts.words[event]}
          <Text size="xs" c="dimmed" className="wrap">
            {title}
          </Text>
        </>
      ),
    ),
    textColumn(texts.to, ({ channelId }) => byId.get(channelId)?.name ?? ''),
    textColumn(
      texts.result,
      ({ state }: OneDeliveryFragment) => texts.results[state],
      (delivery) => <Result {...delivery} />,
    ),
    actColumn(
      t.columns.actions,
      SendAgainDocument,
      ({ id, channelId, title, state }) =>
        state !== 'waiting' &&
        byId.get(channelId)?.state === 'on' && {
          label: texts.again,
          of: title,
          document: SendAgainDocument,
          variables: { workspace, channel: channelId, deliveries: [id] },
        },
    ),
  ]
}

interface DeliveriesProps {
  readonly workspace: string
  readonly channels: readonly OneChannelFragment[]
  readonly deliveries: readonly OneDeliveryFragment[]
  readonly asked: Asked<NotificationsQuery, { project: string }>
}

/** What was sent, and its result. */
export function Deliveries({ workspace, channels, deliveries, asked }: DeliveriesProps) {
  return (
    <Part
      title={texts.deliveries}
      lead={texts.deliveriesLead}
      empty={texts.noDeliveries}
      asked={asked}
      columns={columnsOf(workspace, channels)}
      rows={deliveries}
      keyOf={({ id }) => id}
    />
  )
}
