import type { Attribution } from '../../core/alarms/attribution.ts'
import {
  type AlarmKind,
  canaryKinds,
  levelOf,
  type RuleKind,
  ruleKinds,
} from '../../core/alarms/kinds/kinds.ts'
import type { Condition } from '../../core/alarms/kinds/rules.ts'
import type { Estimate } from '../../core/alarms/series/levels.ts'
import { idOf } from '../../core/ids.ts'
import { utcDayOf } from '../../core/window.ts'
import type { Db } from '../../prisma/client.ts'
import type { Alarm } from '../../prisma/generated/client.ts'
import { platformNamesIn } from '../shared/platform-names.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { inTransaction } from '../shared/transaction.ts'
import { announce } from './announce.ts'
import {
  type Facts,
  type MonitorRow,
  type MonitorState,
  monitorsOf,
  readFacts,
  standardMonitor,
} from './monitors.ts'
import { conditionsOf } from './rules.ts'
import { type AlarmEvidence, changedAt, sourcesChangedTo, sundayOf, weeksTo } from './week.ts'

const dateOf = (day: string) => new Date(`${day}T00:00:00Z`)

interface NewAlarm {
  readonly kind: AlarmKind
  readonly subject: string
  readonly since: string
  readonly openedOn: string
  readonly ending?: { readonly closedOn: string; readonly reason: string } | null
  readonly level?: Condition['level']
  readonly score?: number
  readonly threshold?: number
  readonly estimate?: Estimate
  readonly attribution?: Attribution | null
  readonly evidence: AlarmEvidence
}

/** Alarms that were opened and closed in one look at a project, and those of which it turned out whose change they are. */
export interface AlarmChanges {
  readonly opened: Alarm[]
  readonly attributed: Alarm[]
  readonly closed: Alarm[]
}

const noChanges: AlarmChanges = { opened: [], attributed: [], closed: [] }

/**
 * Every alarm is opened here, in the transaction of its look. One of a subject that closed on the same day is open again.
 */
async function openAlarm(
  tx: Db,
  { project }: ProjectScope,
  monitor: MonitorRow,
  { ending, estimate, kind, subject, since, openedOn, ...rest }: NewAlarm,
): Promise<Alarm> {
  const id = idOf(monitor.id, 'alarm', subject, openedOn)
  const closing = ending
    ? { closedOn: dateOf(ending.closedOn), closedReason: ending.reason }
    : { closedOn: null, closedReason: null }
  return tx.alarm.upsert({
    where: { id },
    update: closing,
    create: {
      ...rest,
      ...closing,
      attributedOn: isKnown(rest.attribution) ? dateOf(openedOn) : null,
      ...(estimate ? { estimate: { ...estimate } } : {}),
      id,
      monitorId: monitor.id,
      projectId: project.id,
      kind,
      subject,
      level: rest.level ?? levelOf(kind),
      since: dateOf(since),
      openedOn: dateOf(openedOn),
      evidence: rest.evidence as object,
      rulesVersion: project.analysis,
    },
  })
}

const isKnown = (attribution: Attribution | null | undefined) =>
  attribution === 'you' || attribution === 'assistant'

/**
 * Whether a later look says more of whose change it is. That the brand moved against the others says more than that
 * others moved too. A recount may also say less, which is written down and is no news.
 */
const saysMore = (attribution: Attribution, before: string | null) =>
  attribution === 'you' || before === 'unknown'

/** Every alarm is closed here. */
const closeAlarm = (tx: Db, { id }: Pick<Alarm, 'id'>, closedOn: string, closedReason: string) =>
  tx.alarm.update({ where: { id }, data: { closedOn: dateOf(closedOn), closedReason } })

async function storeMonitor(
  tx: Db,
  { id, projectId, kind, competitorId }: MonitorRow,
  lookedOn: Date | null,
): Promise<void> {
  const looked = lookedOn === null ? {} : { lookedOn }
  const create = { id, projectId, kind, competitorId, ...looked }
  await tx.monitor.upsert({ where: { id }, create, update: looked })
}

const isMark = ({ kind }: MonitorState) => canaryKinds.some((canary) => canary === kind)

/** What a monitor is narrowed to, by its name of now. */
async function nameOf({ db, project }: ProjectScope, monitor: MonitorRow): Promise<string | null> {
  const { competitorId, topicId, platform } = monitor
  if (competitorId !== null) {
    return project.competitors.find(({ id }) => id === competitorId)?.name ?? null
  }
  if (topicId !== null) return (await db.topic.findUnique({ where: { id: topicId } }))?.name ?? null
  if (platform === null) return null
  return (await platformNamesIn(db, project.id, [platform]))(platform)
}

/** What the drift canary finds is a mark: the one of the control brands is recorded, and asks for nothing. */
function alarmsOf(monitor: MonitorState, { rows }: Facts, name: string | null): NewAlarm[] {
  if (monitor.kind === 'difference.moved') return []
  return monitor.alarms.map(
    ({ since, openedOn, evidence: score, threshold, estimate, attribution, ending }) => ({
      kind: isMark(monitor) ? 'engine.changed' : (monitor.kind as AlarmKind),
      subject: '',
      since,
      openedOn,
      score,
      threshold,
      estimate,
      attribution,
      ending: isMark(monitor) ? { closedOn: openedOn, reason: 'mark' } : ending,
      evidence: {
        ...(name === null ? {} : { name }),
        ...(monitor.kind.startsWith('visibility') ? changedAt(rows, since, openedOn) : {}),
      },
    }),
  )
}

/**
 * Writes the alarms of days that no look was at before, and closes those that are over. Answers that arrive late change
 * the ranks of earlier days too: an alarm that they give to such a day would be a look more than the budget counts.
 */
async function recordDetected(
  tx: Db,
  scope: ProjectScope,
  monitor: MonitorState,
  facts: Facts,
): Promise<AlarmChanges> {
  const found = alarmsOf(monitor, facts, await nameOf(scope, monitor))
  const { lookedOn } = (await tx.monitor.findUnique({ where: { id: monitor.id } })) ?? {}
  const isNew = ({ openedOn }: NewAlarm) => !lookedOn || dateOf(openedOn) > lookedOn
  const last = [...monitor.looks, ...monitor.alarms.map(({ openedOn }) => ({ day: openedOn }))]
    .map(({ day }) => day)
    .toSorted()
    .at(-1)
  const isLater = last !== undefined && (!lookedOn || lookedOn < dateOf(last))
  await storeMonitor(tx, monitor, isLater ? dateOf(last) : null)
  const [closed, attributed]: [Alarm[], Alarm[]] = [[], []]
  const open = await tx.alarm.findMany({ where: { monitorId: monitor.id, closedOn: null } })
  for (const alarm of open) {
    const again = found.find(
      ({ openedOn }) => dateOf(openedOn).getTime() === alarm.openedOn.getTime(),
    )
    // A recount may date the change otherwise: then the next alarm, or 60 days, end the earlier one.
    const ending = again ? again.ending : endingOfLost(alarm, found, facts)
    if (ending) closed.push(await closeAlarm(tx, alarm, ending.closedOn, ending.reason))
    // The drift canary has a smaller part of the budget, and mostly needs some days more.
    const { attribution } = again ?? {}
    if (attribution && isKnown(attribution) && attribution !== alarm.attribution) {
      const data = { attribution, attributedOn: dateOf(facts.to) }
      const row = await tx.alarm.update({ where: { id: alarm.id }, data })
      if (!ending && saysMore(attribution, alarm.attribution)) attributed.push(row)
    }
  }
  const opened: Alarm[] = []
  for (const alarm of found.filter(isNew)) opened.push(await openAlarm(tx, scope, monitor, alarm))
  // Those of a monitor's first looks are its history: no message is about them.
  return lookedOn ? { opened, attributed, closed } : noChanges
}

const mostOpenMs = 60 * 86_400_000

function endingOfLost({ openedOn }: Alarm, found: readonly NewAlarm[], { to }: Facts) {
  const next = found.find((it) => dateOf(it.openedOn) > openedOn)
  if (next) return { closedOn: next.openedOn, reason: 'again' }
  const isOver = dateOf(to).getTime() - openedOn.getTime() >= mostOpenMs
  return isOver ? { closedOn: to, reason: 'settled' } : null
}

/** What changed in the newest whole week: prompts, or sources. */
interface WeekChanges {
  readonly kind: WeekKind
  readonly sunday: string
  readonly evidence: AlarmEvidence
}

type WeekKind = Extract<RuleKind, 'prompts.changed' | 'sources.changed'>

/** What the evidence lists, by name. */
const namesIn = (evidence: AlarmEvidence): string[] => [
  ...(['lost', 'won'] as const).flatMap((list) =>
    (evidence[list] ?? []).map(({ promptId }) => `${list} ${promptId}`),
  ),
  ...(['found', 'gone'] as const).flatMap((list) =>
    (evidence[list] ?? []).map(({ domain }) => `${list} ${domain}`),
  ),
]

/** The newest whole week by monitors that have not looked at it yet. */
async function changesOfWeek(
  scope: ProjectScope,
  monitors: readonly MonitorState[],
  { rows, to }: Facts,
): Promise<ReadonlyMap<string, WeekChanges>> {
  const sunday = sundayOf(to)
  const changes = new Map<string, WeekChanges>()
  for (const { id, kind, status, lookedOn } of monitors) {
    if (status === 'disabled' || (lookedOn && lookedOn >= dateOf(sunday))) continue
    if (kind === 'prompts.changed') {
      const { from } = weeksTo(sunday)
      changes.set(id, { kind, sunday, evidence: changedAt(rows, from, sunday) })
    } else if (kind === 'sources.changed') {
      changes.set(id, { kind, sunday, evidence: await sourcesChangedTo(scope, sunday) })
    }
  }
  return changes
}

/** Writes what changed in the newest whole week, unless the week before reported no less. */
async function recordWeek(
  tx: Db,
  scope: ProjectScope,
  monitor: MonitorRow,
  { kind, sunday, evidence }: WeekChanges,
): Promise<AlarmChanges> {
  const { lookedOn } = (await tx.monitor.findUnique({ where: { id: monitor.id } })) ?? {}
  if (lookedOn && lookedOn >= dateOf(sunday)) return noChanges
  await storeMonitor(tx, monitor, dateOf(sunday))
  const where = { monitorId: monitor.id }
  const [previous] = await tx.alarm.findMany({ where, orderBy: { openedOn: 'desc' }, take: 1 })
  const announced = new Set(previous ? namesIn(previous.evidence as AlarmEvidence) : [])
  const open = await tx.alarm.findMany({ where: { ...where, closedOn: null } })
  const closed = await Promise.all(open.map((it) => closeAlarm(tx, it, sunday, 'settled')))
  if (namesIn(evidence).every((name) => announced.has(name))) return { ...noChanges, closed }
  const days = { since: weeksTo(sunday).from, openedOn: sunday }
  const alarm = await openAlarm(tx, scope, monitor, { kind, subject: '', ...days, evidence })
  return lookedOn ? { ...noChanges, opened: [alarm], closed } : noChanges
}

/** Opens an alarm for each state that a rule found and that has none, and closes those of states that are over. */
async function recordConditions(
  tx: Db,
  scope: ProjectScope,
  monitors: ReadonlyMap<RuleKind, MonitorRow>,
  conditions: readonly Condition[],
  now: Date,
): Promise<AlarmChanges> {
  const today = utcDayOf(now)
  const [opened, closed]: [Alarm[], Alarm[]] = [[], []]
  for (const kind of ['data.degraded', 'crawlers.refused'] as const) {
    const monitor = monitors.get(kind)
    if (!monitor) continue
    await storeMonitor(tx, monitor, null)
    const { isEnabled } = (await tx.monitor.findUnique({ where: { id: monitor.id } })) ?? monitor
    const found = isEnabled ? conditions.filter((it) => it.kind === kind) : []
    const open = await tx.alarm.findMany({ where: { monitorId: monitor.id, closedOn: null } })
    for (const alarm of open) {
      if (found.some(({ subject }) => subject === alarm.subject)) continue
      closed.push(await closeAlarm(tx, alarm, today, 'recovered'))
    }
    for (const { subject, level, problem, name, detail } of found) {
      if (open.some((alarm) => alarm.subject === subject)) continue
      const evidence = { problem, name, detail }
      const days = { since: today, openedOn: today }
      opened.push(await openAlarm(tx, scope, monitor, { kind, subject, level, ...days, evidence }))
    }
  }
  return { ...noChanges, opened, closed }
}

/** Statistics are looked at once a day, when most answers of the day before have arrived. */
const morningHour = 6

interface Look {
  /** The time of the newest backup; null where none is known. */
  readonly backupAt?: Date | null
  /** Whether the monitors look too; by the hour unless given. */
  readonly withMonitors?: boolean
}

/**
 * Looks at a project, and records the alarms that it opens and closes, all in one transaction.
 * @returns what people should hear of
 */
export async function recordAlarms(
  scope: ProjectScope,
  now: Date,
  { backupAt = null, withMonitors = now.getUTCHours() >= morningHour }: Look = {},
): Promise<AlarmChanges> {
  const { db, project } = scope
  const conditions = await conditionsOf(scope, now, backupAt)
  const facts = withMonitors ? await readFacts(scope, now) : null
  const monitors = facts ? await monitorsOf(scope, now, facts) : []
  const week = facts && (await changesOfWeek(scope, monitors, facts))
  const rules = new Map(ruleKinds.map((kind) => [kind, standardMonitor(project.id, kind)]))
  return inTransaction(
    db,
    async (tx) => {
      const changes = [await recordConditions(tx, scope, rules, conditions, now)]
      for (const monitor of monitors) {
        if (facts === null || monitor.status === 'disabled') continue
        if (monitor.budget !== null) changes.push(await recordDetected(tx, scope, monitor, facts))
        const changed = week?.get(monitor.id)
        if (changed) changes.push(await recordWeek(tx, scope, monitor, changed))
      }
      const all = together(changes)
      await announce(tx, 'opened', all.opened, now)
      await announce(tx, 'attributed', all.attributed, now)
      await announce(tx, 'closed', all.closed, now)
      return all
    },
    { timeout: 60_000 },
  )
}

/** What all monitors changed in a look. */
function together(changes: readonly AlarmChanges[]): AlarmChanges {
  return {
    opened: changes.flatMap(({ opened }) => opened),
    attributed: changes.flatMap(({ attributed }) => attributed),
    closed: changes.flatMap(({ closed }) => closed),
  }
}
