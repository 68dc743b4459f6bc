import { alarmText } from '../../core/alarms/words.ts'
import type { EventType } from '../../core/channels/events.ts'
import type { Db } from '../../prisma/client.ts'
import type { Alarm } from '../../prisma/generated/client.ts'
import { deliver } from '../shared/deliver.ts'

/** The events of kinds that have their own; null for an end that nobody needs to hear of. */
const ownEvents: Readonly<
  Partial<Record<string, { readonly opened: EventType; readonly closed: EventType | null }>>
> = {
  'data.degraded': { opened: 'data.degraded', closed: 'data.recovered' },
  'engine.changed': { opened: 'engine.changed', closed: null },
  'prompts.changed': { opened: 'prompts.changed', closed: null },
  'sources.changed': { opened: 'sources.changed', closed: null },
}

const events = { opened: 'alarm.opened', closed: 'alarm.closed' } as const

/** Sends what was opened and closed to the channels of the workspace, but for monitors that are muted. */
export async function announce(
  tx: Db,
  what: 'opened' | 'closed',
  alarms: readonly Alarm[],
  now: Date,
): Promise<void> {
  const ids = alarms.map(({ monitorId }) => monitorId)
  const muted = await tx.monitor.findMany({
    where: { id: { in: ids }, mutedUntil: { gt: now } },
    select: { id: true },
  })
  for (const alarm of alarms) {
    const type = (ownEvents[alarm.kind] ?? events)[what]
    if (type === null || muted.some(({ id }) => id === alarm.monitorId)) continue
    const text = alarmText(alarm as unknown as Parameters<typeof alarmText>[0])
    await deliver(tx, {
      type,
      projectId: alarm.projectId,
      title: what === 'opened' ? text : `Over: ${text}`,
      page: 'alerts',
      ids: { alarmId: alarm.id, kind: alarm.kind },
    })
  }
}
