import { type Attribution, attributionOf } from '../../core/alarms/attribution.ts'
import { budgetsOf } from '../../core/alarms/budget.ts'
import { type FoundAlarm, watch } from '../../core/alarms/detector.ts'
import {
  type DetectorKind,
  type MonitorKind,
  type ownKinds,
  type RuleKind,
  ruleKinds,
} from '../../core/alarms/kinds/kinds.ts'
import { type Cell, type Day, watchedFrom } from '../../core/alarms/series/days.ts'
import { idOf } from '../../core/ids.ts'
import { utcDayOf } from '../../core/window.ts'
import type { Monitor } from '../../prisma/generated/client.ts'
import type { ProjectScope } from '../shared/scope.ts'
import {
  logSeries,
  readSeries,
  type Stratum,
  seriesOf,
  type TrafficDay,
  type Watched,
} from './series.ts'

const mostRivals = 3
const dayMs = 86_400_000

const cellOf = (n: number | undefined, sum: number | undefined): Cell => ({
  n: n ?? 0,
  sum: sum ?? 0,
})
const own: Watched = (row, at) => cellOf(row.answers[at], row.own[at])
const control: Watched = (row, at) => cellOf(row.answers[at], row.control[at])
const tone: Watched = (row, at) => cellOf(row.rated[at], row.net[at])
const citing: Watched = (row, at) => cellOf(row.answers[at], row.citing[at])
/** A competitor's share of voice minus the brand's. */
const leadOf = (rival: number): Watched => {
  return (row, at) =>
    cellOf(row.occurrences[at], (row.rivals[at]?.[rival] ?? 0) - (row.ownOccurrences[at] ?? 0))
}

/** What a monitor is, whether it was stored yet or not. */
export type MonitorRow = Pick<
  Monitor,
  | 'id'
  | 'projectId'
  | 'kind'
  | 'competitorId'
  | 'platform'
  | 'topicId'
  | 'weight'
  | 'isEnabled'
  | 'isOwn'
  | 'mutedUntil'
  | 'lookedOn'
>

/** The id of a monitor that every project has, and whoever makes a project again gets again. */
export const monitorId = (projectId: string, kind: MonitorKind, competitorId?: string | null) =>
  idOf(projectId, 'monitor', kind, competitorId ?? '')

export const standardMonitor = (
  projectId: string,
  kind: MonitorKind,
  competitorId: string | null = null,
): MonitorRow => ({
  id: monitorId(projectId, kind, competitorId),
  projectId,
  kind,
  competitorId,
  platform: null,
  topicId: null,
  weight: null,
  isEnabled: true,
  isOwn: false,
  mutedUntil: null,
  lookedOn: null,
})

/** The data that monitors look at: strata of answers and numbers of crawls, up to a day. */
export interface Facts {
  readonly rows: readonly Stratum[]
  readonly traffic: readonly TrafficDay[]
  /** The last day, which is over. */
  readonly to: string
}

/** The data of a project up to the day before `now`. */
export async function readFacts(scope: ProjectScope, now: Date): Promise<Facts> {
  const to = utcDayOf(new Date(now.getTime() - dayMs))
  return { ...(await readSeries(scope, { from: watchedFrom(to), to })), to }
}

/** The competitors that answers mention most. */
function topRivals({ project }: ProjectScope, rows: readonly Stratum[]) {
  const times = (rival: number) =>
    rows.reduce((sum, row) => row.rivals.reduce((part, day) => part + (day[rival] ?? 0), sum), 0)
  return project.competitors
    .map(({ id }, index) => ({ id, index, times: times(index) }))
    .filter((rival) => rival.times > 0)
    .sort((a, b) => b.times - a.times || (a.id < b.id ? -1 : 1))
    .slice(0, mostRivals)
}

interface Series {
  readonly monitor: MonitorRow
  readonly direction: 'fell' | 'rose'
  readonly days: readonly Day[]
}

/** What the monitors that every project has watch. */
function standardSeries(scope: ProjectScope, { rows, traffic }: Facts): Series[] {
  const { id } = scope.project
  const visibility = seriesOf(rows, own)
  const series = (
    kind: DetectorKind,
    direction: Series['direction'],
    days: readonly Day[],
    competitorId?: string,
  ): Series => ({ monitor: standardMonitor(id, kind, competitorId), direction, days })
  return [
    series('visibility.fell', 'fell', visibility),
    series('visibility.rose', 'rose', visibility),
    ...topRivals(scope, rows).map(({ id: rival, index }) =>
      series('competitor.gained', 'rose', seriesOf(rows, leadOf(index)), rival),
    ),
    series('tone.fell', 'fell', seriesOf(rows, tone)),
    series('citations.fell', 'fell', seriesOf(rows, citing)),
    series('crawlers.fell', 'fell', logSeries(traffic, 'crawls')),
    series('referrals.fell', 'fell', logSeries(traffic, 'referrals')),
    // Without competitors in the answers, nothing says what the assistants do.
    ...(rows.some((row) => row.control.some((count) => count > 0))
      ? [
          series('control.moved', 'fell', seriesOf(rows, control)),
          series('difference.moved', 'fell', seriesOf(rows, own, control)),
        ]
      : []),
  ]
}

/** What the monitors that people made watch: visibility on one platform, or for the prompts of one topic. */
async function ownSeries(
  { db }: ProjectScope,
  stored: readonly Monitor[],
  { rows }: Facts,
): Promise<Series[]> {
  const made = stored.filter(({ isOwn }) => isOwn)
  const topics = made.flatMap(({ topicId }) => topicId ?? [])
  const links = topics.length
    ? await db.promptTopic.findMany({ where: { topicId: { in: topics } } })
    : []
  const promptsOf = (topicId: string) =>
    new Set(links.filter((link) => link.topicId === topicId).map(({ promptId }) => promptId))
  return made.map((monitor) => {
    const { platform, topicId, kind } = monitor
    const prompts = topicId === null ? null : promptsOf(topicId)
    const narrowed = rows.filter(
      (row) =>
        (platform === null || row.platform === platform) &&
        (prompts === null || prompts.has(row.promptId)),
    )
    const direction =
      kind === ('visibility.rose' satisfies (typeof ownKinds)[number]) ? 'rose' : 'fell'
    return { monitor, direction, days: seriesOf(narrowed, own) }
  })
}

export type MonitorStatus = 'watching' | 'fewDays' | 'tooSeldom' | 'noData' | 'disabled'

export interface AttributedAlarm extends FoundAlarm {
  readonly attribution: Attribution | null
}

export interface MonitorState extends MonitorRow {
  readonly kind: MonitorKind
  readonly status: MonitorStatus
  /** False alarms a year that it may raise; null of rules and of monitors that look at nothing. */
  readonly budget: number | null
  readonly threshold: number | null
  readonly blockDays: number
  readonly looks: readonly { readonly day: string; readonly evidence: number }[]
  readonly reference: { readonly from: string | null; readonly days: number }
  readonly days: readonly Day[]
  readonly alarms: readonly AttributedAlarm[]
}

const nothing = {
  budget: null,
  threshold: null,
  blockDays: 1,
  looks: [],
  reference: { from: null, days: 0 },
  days: [],
  alarms: [],
}

/** The rules look at what is stored now, and need no history. */
const ruleState = (monitor: MonitorRow, kind: RuleKind): MonitorState => ({
  ...nothing,
  ...monitor,
  kind,
  status: monitor.isEnabled ? 'watching' : 'disabled',
})

/**
 * The monitors of a project, each with its state and the alarms of its history up to the day before `now`. Only the fall
 * of visibility is attributed: the drift canary watches for falls.
 */
export async function monitorsOf(
  scope: ProjectScope,
  now: Date,
  read?: Facts,
): Promise<MonitorState[]> {
  const { id: projectId } = scope.project
  const [facts, stored] = await Promise.all([
    read ?? readFacts(scope, now),
    scope.db.monitor.findMany({ where: { projectId }, orderBy: { id: 'asc' } }),
  ])
  const byId = new Map(stored.map((row) => [row.id, row]))
  const series = [
    ...standardSeries(scope, facts).map((it) => ({
      ...it,
      monitor: byId.get(it.monitor.id) ?? it.monitor,
    })),
    ...(await ownSeries(scope, stored, facts)),
  ]
  const enabled = series.filter(({ monitor, days }) => monitor.isEnabled && days.length > 0)
  const budgets = budgetsOf(
    enabled.map(({ monitor: { id, kind, weight } }) => ({
      id,
      kind: kind as DetectorKind,
      ...(weight === null ? {} : { weight }),
    })),
  )
  const watched = series.map(({ monitor, direction, days }): MonitorState => {
    const kind = monitor.kind as DetectorKind
    const budget = budgets.get(monitor.id)
    if (budget === undefined) {
      return {
        ...nothing,
        ...monitor,
        kind,
        status: monitor.isEnabled ? 'noData' : 'disabled',
        days,
      }
    }
    const { state, alarms, ...found } = watch(days, { id: monitor.id, direction, budget })
    const unattributed = alarms.map((alarm) => ({ ...alarm, attribution: null }))
    return { ...monitor, ...found, kind, status: state, budget, days, alarms: unattributed }
  })
  const alarmsOf = (kind: DetectorKind) =>
    watched.find((monitor) => monitor.kind === kind)?.alarms ?? []
  const canary = { control: alarmsOf('control.moved'), difference: alarmsOf('difference.moved') }
  const attributed = watched.map((monitor) =>
    monitor.kind === 'visibility.fell'
      ? {
          ...monitor,
          alarms: monitor.alarms.map((it) => ({ ...it, attribution: attributionOf(it, canary) })),
        }
      : monitor,
  )
  const rules = ruleKinds.map((kind) => {
    const standard = standardMonitor(projectId, kind)
    return ruleState(byId.get(standard.id) ?? standard, kind)
  })
  return [...attributed, ...rules]
}
