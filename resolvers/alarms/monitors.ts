import { type Attribution, attributionOf, type Change } from '../../core/alarms/attribution.ts'
import { budgetsOf, type DetectorKind } from '../../core/alarms/budget.ts'
import type { Cell, Day } from '../../core/alarms/days.ts'
import { watch, watchedFrom } from '../../core/alarms/detector.ts'
import { idOf } from '../../core/ids.ts'
import { utcDayOf } from '../../core/window.ts'
import type { ProjectScope } from '../shared/scope.ts'
import {
  logSeries,
  readStrata,
  readTraffic,
  type Stratum,
  seriesOf,
  type Watched,
} from './series.ts'

const mostRivals = 3

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

interface Series {
  readonly kind: DetectorKind
  readonly direction: 'fell' | 'rose'
  readonly days: readonly Day[]
  readonly competitorId?: string
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

async function seriesFor(scope: ProjectScope, now: Date): Promise<Series[]> {
  const to = utcDayOf(new Date(now.getTime() - 86_400_000))
  const range = { from: watchedFrom(to), to }
  const [rows, traffic] = await Promise.all([readStrata(scope, range), readTraffic(scope, range)])
  const visibility = seriesOf(rows, own)
  const series: Series[] = [
    { kind: 'visibility.fell', direction: 'fell', days: visibility },
    { kind: 'visibility.rose', direction: 'rose', days: visibility },
    { kind: 'tone.fell', direction: 'fell', days: seriesOf(rows, tone) },
    { kind: 'citations.fell', direction: 'fell', days: seriesOf(rows, citing) },
    { kind: 'control.moved', direction: 'fell', days: seriesOf(rows, control) },
    { kind: 'difference.moved', direction: 'fell', days: seriesOf(rows, own, control) },
    { kind: 'crawlers.fell', direction: 'fell', days: logSeries(traffic, 'crawls') },
    { kind: 'referrals.fell', direction: 'fell', days: logSeries(traffic, 'referrals') },
    ...topRivals(scope, rows).map(({ id, index }): Series => {
      const days = seriesOf(rows, leadOf(index))
      return { kind: 'competitor.gained', direction: 'rose', days, competitorId: id }
    }),
  ]
  return series.filter(({ days }) => days.length > 0)
}

export interface MonitorState extends Omit<ReturnType<typeof watch>, 'alarms'> {
  readonly id: string
  readonly kind: DetectorKind
  readonly competitorId: string | null
  /** False alarms a year that it may raise. */
  readonly budget: number
  readonly alarms: readonly (Change & { readonly attribution: Attribution | null })[]
}

/**
 * The monitors of a project that have data, and their alarms up to yesterday. Only the fall of visibility is attributed:
 * the drift canary watches for falls.
 */
export async function monitorsOf(scope: ProjectScope, now: Date): Promise<MonitorState[]> {
  const series = await seriesFor(scope, now)
  const rows = await scope.db.monitor.findMany({ where: { projectId: scope.project.id } })
  const stored = new Map(rows.map((row) => [row.id, row]))
  const monitors = series.flatMap(({ kind, direction, days, competitorId = null }) => {
    const id = idOf(scope.project.id, 'monitor', kind, competitorId ?? '')
    const { isEnabled = true, weight = null } = stored.get(id) ?? {}
    const own = weight === null ? {} : { weight }
    return isEnabled ? [{ id, kind, direction, days, competitorId, ...own }] : []
  })
  const budgets = budgetsOf(monitors)
  const watched = monitors.map(({ id, kind, direction, days, competitorId }) => {
    const budget = budgets.get(id) ?? 0
    return { id, kind, competitorId, budget, ...watch(days, { id, direction, budget }) }
  })
  const alarmsOf = (kind: DetectorKind) =>
    watched.find((monitor) => monitor.kind === kind)?.alarms ?? []
  const canary = { control: alarmsOf('control.moved'), difference: alarmsOf('difference.moved') }
  return watched.map((monitor) => ({
    ...monitor,
    alarms: monitor.alarms.map((alarm) => ({
      ...alarm,
      attribution: monitor.kind === 'visibility.fell' ? attributionOf(alarm, canary) : null,
    })),
  }))
}
