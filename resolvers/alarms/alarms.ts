import type { AlarmKind } from '../../core/alarms/kinds/kinds.ts'
import { notFound } from '../../core/errors.ts'
import type { InvestigatedMetric } from '../../core/investigate/drivers.ts'
import type { PageArgs } from '../../core/pagination.ts'
import { isUuid } from '../../core/uuid.ts'
import { type DateRange, previousWindow } from '../../core/window.ts'
import type { Db } from '../../prisma/client.ts'
import type { Alarm } from '../../prisma/generated/client.ts'
import { investigations } from '../investigate/investigate.ts'
import { followsRow } from '../shared/lists/keyset.ts'
import type { ProjectScope } from '../shared/scope.ts'

export interface AlarmArgs extends PageArgs {
  /** True: only those that are open; false: only those that are over. */
  readonly isOpen?: boolean | null | undefined
  readonly kinds?: readonly AlarmKind[] | null | undefined
}

const whereOf = (projectId: string, { isOpen, kinds }: Partial<AlarmArgs>) => ({
  projectId,
  ...(isOpen == null ? {} : { closedOn: isOpen ? null : { not: null } }),
  ...(kinds?.length ? { kind: { in: [...kinds] } } : {}),
})

const order = [
  ['openedOn', 'desc'],
  ['id', 'desc'],
] as const

/** A page of the alarms of a project, the newest first. */
export async function listAlarms(db: Db, projectId: string, args: AlarmArgs) {
  const { limit, offset, afterKey } = args
  const where = whereOf(projectId, args)
  const rows = await db.alarm.findMany({
    where: { ...where, ...followsRow(order, afterKey) },
    orderBy: order.map(([column, direction]) => ({ [column]: direction })),
    take: limit,
    skip: offset,
  })
  return { rows, total: () => db.alarm.count({ where }) }
}

/** @throws {Fault} `not_found` */
export async function requireAlarm(db: Db, projectId: string, id: string): Promise<Alarm> {
  const found = isUuid(id) ? await db.alarm.findFirst({ where: { id, projectId } }) : null
  if (!found) throw notFound(id)
  return found
}

/** Alarms by id, in the order of `ids`; null where unknown. */
export async function alarmsById(db: Db, ids: readonly string[]): Promise<(Alarm | null)[]> {
  const rows = await db.alarm.findMany({ where: { id: { in: ids.filter(isUuid) } } })
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id) => byId.get(id) ?? null)
}

const metricOf: Partial<Record<AlarmKind, InvestigatedMetric>> = {
  'visibility.fell': 'visibility',
  'visibility.rose': 'visibility',
  'competitor.gained': 'shareOfVoice',
  'tone.fell': 'sentiment',
  'citations.fell': 'citations',
}

const dayText = (day: Date) => day.toISOString().slice(0, 10)
const dayMs = 86_400_000

/** Days on each side of a change: a week at least, so that each weekday is in both. */
const fewestDays = 7

/** The days from the change to its alarm, and as many before it. */
export function windowsOf({ since, openedOn }: Pick<Alarm, 'since' | 'openedOn'>) {
  const days = (openedOn.getTime() - since.getTime()) / dayMs + 1
  const to = new Date(since.getTime() + (Math.max(days, fewestDays) - 1) * dayMs)
  const after: DateRange = { from: dayText(since), to: dayText(to) }
  return { before: previousWindow(after), after }
}

/**
 * What made the change of an alarm: the metric in the days after it against as many before. Null of alarms that are about
 * no metric of answers.
 */
export async function alarmInvestigation(scope: ProjectScope, alarm: Alarm) {
  const metric = metricOf[alarm.kind as AlarmKind]
  if (!metric) return null
  const { platform, topicId } =
    (await scope.db.monitor.findUnique({ where: { id: alarm.monitorId } })) ?? {}
  const [found] = await investigations([scope], {
    metric,
    ...windowsOf(alarm).after,
    ...(platform ? { platform: [platform] } : {}),
    ...(topicId ? { topicId: [topicId] } : {}),
  })
  if (!found || found instanceof Error) return null
  return found
}
