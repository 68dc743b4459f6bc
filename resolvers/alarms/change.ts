import { z } from 'zod'
import {
  type DetectorKind,
  type MonitorKind,
  monitorKinds,
  ownKinds,
  ruleKinds,
} from '../../core/alarms/kinds/kinds.ts'
import { invalid, notFound } from '../../core/errors.ts'
import { idOf } from '../../core/ids.ts'
import { isUuid } from '../../core/uuid.ts'
import type { Db } from '../../prisma/client.ts'
import type { Alarm } from '../../prisma/generated/client.ts'
import { type Actor, difference, type Edit } from '../shared/audit-trail.ts'
import { changeProject, type LockedProject } from '../shared/change.ts'
import { check, reason } from '../shared/inputs.ts'
import { requireAlarm } from './alarms.ts'
import { type MonitorRow, standardMonitor } from './monitors.ts'

/** The result of a change to an alarm. */
export interface AlarmChange {
  readonly alarm: Alarm
  /** False when the alarm had this state already. */
  readonly changed: boolean
}

const acknowledgement = z.object({ note: reason.nullish() })

/**
 * Notes that somebody has seen an alarm. The first one counts; a note replaces the earlier one.
 * @throws {Fault} `not_found`; `invalid_argument` for the note
 */
export function acknowledgeAlarm(
  db: Db,
  actor: Actor,
  { projectId, alarmId }: { readonly projectId: string; readonly alarmId: string },
  input: z.input<typeof acknowledgement>,
): Promise<AlarmChange> {
  const { note } = check(acknowledgement, input)
  return changeProject(db, actor, projectId, async (tx, project) => {
    const before = await requireAlarm(tx, project.id, alarmId)
    const { id } = before
    const isNew = before.acknowledgedAt === null
    if (!isNew && (note == null || note === before.note)) {
      return { subjectId: id, edits: [], alarm: before }
    }
    const alarm = await tx.alarm.update({
      where: { id },
      data: {
        ...(isNew ? { acknowledgedAt: new Date(), acknowledgedById: actor.userId } : {}),
        ...(note == null ? {} : { note }),
      },
    })
    const edit: Edit = {
      action: 'alarm.acknowledge',
      subject: ['alarm', id],
      after: { kind: alarm.kind, note: alarm.note },
    }
    return { subjectId: id, edits: [edit], alarm }
  })
}

/** The result of a change to a monitor. */
export interface MonitorChange {
  readonly monitor: MonitorRow
  /** False when the monitor had this state already. */
  readonly changed: boolean
}

interface MonitorTarget {
  readonly projectId: string
  readonly monitorId: string
}

/** The monitor, whether it was stored yet or not. */
async function requireMonitor(tx: Db, project: LockedProject, id: string): Promise<MonitorRow> {
  if (!isUuid(id)) throw notFound()
  const stored = await tx.monitor.findFirst({ where: { id, projectId: project.id } })
  if (stored) return stored
  const competitors = await tx.competitor.findMany({
    where: { projectId: project.id },
    select: { id: true },
  })
  const standard = [
    ...monitorKinds.map((kind) => standardMonitor(project.id, kind)),
    ...competitors.map((it) => standardMonitor(project.id, 'competitor.gained', it.id)),
  ]
  const found = standard.find((monitor) => monitor.id === id.toLowerCase())
  if (!found) throw notFound()
  return found
}

type MonitorState = Partial<Pick<MonitorRow, 'mutedUntil' | 'weight' | 'isEnabled'>>

const factsOf = ({ mutedUntil, weight, isEnabled }: MonitorRow) => ({
  mutedUntil: mutedUntil?.toISOString() ?? null,
  weight,
  isEnabled,
})

function changeMonitor(
  db: Db,
  actor: Actor,
  { projectId, monitorId }: MonitorTarget,
  verb: 'mute' | 'unmute' | 'update',
  stateOf: (monitor: MonitorRow) => MonitorState,
): Promise<MonitorChange> {
  return changeProject(db, actor, projectId, async (tx, project) => {
    const before = await requireMonitor(tx, project, monitorId)
    const state = stateOf(before)
    const { id, kind, competitorId } = before
    const changed = difference(factsOf(before), factsOf({ ...before, ...state }))
    if (!changed) return { subjectId: id, edits: [], monitor: before }
    const monitor = await tx.monitor.upsert({
      where: { id },
      create: { id, projectId: project.id, kind, competitorId, ...state },
      update: state,
    })
    const edit: Edit = { action: `monitor.${verb}`, subject: ['monitor', id], ...changed }
    return { subjectId: id, edits: [edit], monitor }
  })
}

const dayMs = 86_400_000
const longestMuteDays = 366

/**
 * Sends no messages about the alarms of a monitor until a time. The monitor keeps looking, and its alarms are listed.
 * @throws {Fault} `not_found`; `invalid_argument` for a time that is over or more than a year away
 */
export async function muteMonitor(
  db: Db,
  actor: Actor,
  target: MonitorTarget,
  { until }: { readonly until: Date },
): Promise<MonitorChange> {
  const ms = until.getTime() - Date.now()
  if (!(ms > 0)) throw invalid('until', 'must be a time to come')
  if (ms > longestMuteDays * dayMs) throw invalid('until', 'must be at most a year away')
  return changeMonitor(db, actor, target, 'mute', () => ({ mutedUntil: until }))
}

/**
 * Sends messages about the alarms of a monitor again.
 * @throws {Fault} `not_found`
 */
export const unmuteMonitor = (db: Db, actor: Actor, target: MonitorTarget) =>
  changeMonitor(db, actor, target, 'unmute', () => ({ mutedUntil: null }))

const weight = z.number().gt(0, 'must be more than 0').max(1, 'must be at most 1')
const update = z.object({ isEnabled: z.boolean().nullish(), weight: weight.nullish() })

const isRule = (kind: string) => ruleKinds.some((rule) => rule === kind)

/**
 * Switches a monitor on or off, or sets its part of the budget. What is off leaves its part to the others.
 * @throws {Fault} `not_found`; `invalid_argument`
 */
export async function updateMonitor(
  db: Db,
  actor: Actor,
  target: MonitorTarget,
  input: z.input<typeof update>,
): Promise<MonitorChange> {
  const { isEnabled, weight: part } = check(update, input)
  return changeMonitor(db, actor, target, 'update', ({ kind }) => {
    if (part != null && isRule(kind))
      throw invalid('weight', 'is not for rules, which have no budget')
    return {
      ...(isEnabled == null ? {} : { isEnabled }),
      ...(part === undefined ? {} : { weight: part }),
    }
  })
}

const addition = z.object({
  kind: z.enum(ownKinds),
  platform: z.string().min(1, 'must not be empty').max(200).nullish(),
  topicId: z.uuid().nullish(),
  weight: weight.nullish(),
})

const mostOwn = 20

/**
 * Adds a monitor of the visibility on one AI platform, or for the prompts of one topic. It is there once.
 * @throws {Fault} `not_found` for the project; `invalid_argument`
 */
export async function addMonitor(
  db: Db,
  actor: Actor,
  projectId: string,
  input: z.input<typeof addition>,
): Promise<MonitorChange> {
  const { kind, platform = null, topicId = null, weight: part = null } = check(addition, input)
  if ((platform === null) === (topicId === null)) {
    throw invalid('platform', 'or `topicId` must be given, and not both')
  }
  return changeProject(db, actor, projectId, async (tx, project) => {
    const scope = platform ?? topicId ?? ''
    const id = idOf(project.id, 'monitor', kind satisfies MonitorKind, 'of', scope)
    const known = await tx.monitor.findUnique({ where: { id } })
    if (known) return { subjectId: id, edits: [], monitor: known }
    const isKnown =
      topicId === null
        ? await tx.projectModel.count({ where: { projectId: project.id, platform: scope } })
        : await tx.topic.count({ where: { projectId: project.id, id: topicId } })
    if (isKnown === 0) {
      const of = topicId === null ? 'platform' : 'topicId'
      throw invalid(of, `names no ${topicId === null ? 'AI platform' : 'topic'} of the project`)
    }
    if ((await tx.monitor.count({ where: { projectId: project.id, isOwn: true } })) >= mostOwn) {
      throw invalid('kind', `is one too many: a project has at most ${mostOwn} monitors of its own`)
    }
    const monitor = await tx.monitor.create({
      data: { id, projectId: project.id, kind, platform, topicId, weight: part, isOwn: true },
    })
    const edit: Edit = {
      action: 'monitor.add',
      subject: ['monitor', id],
      after: { kind: kind satisfies DetectorKind, platform, topicId, weight: part },
    }
    return { subjectId: id, edits: [edit], monitor }
  })
}

/**
 * Removes a monitor that somebody added, with its alarms.
 * @throws {Fault} `not_found`; `invalid_argument` for a monitor that every project has
 */
export async function removeMonitor(
  db: Db,
  actor: Actor,
  { projectId, monitorId }: MonitorTarget,
): Promise<{ readonly changed: boolean }> {
  return changeProject(db, actor, projectId, async (tx, project) => {
    const monitor = await requireMonitor(tx, project, monitorId)
    if (!monitor.isOwn)
      throw invalid('monitorId', 'names a monitor of every project: switch it off')
    const { id, kind, platform, topicId } = monitor
    await tx.monitor.delete({ where: { id } })
    const edit: Edit = {
      action: 'monitor.remove',
      subject: ['monitor', id],
      before: { kind, platform, topicId },
    }
    return { subjectId: id, edits: [edit] }
  })
}
