import { Badge, Group, SegmentedControl, Skeleton, Text } from '@mantine/core'
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { rolling } from '../../../core/rolling.ts'
import { mostLines } from '../../../web/share/look.ts'
import { shown } from '../../../web/share/numbers.ts'
import type { HistoryInterval, OverviewQuery } from '../../documents.ts'
import type { Line } from '../../parts/lines.tsx'
import { PageLink } from '../../parts/links.tsx'
import { type Asked, Panel } from '../../parts/panel.tsx'
import { saveLines } from '../../parts/save.ts'
import { pathOf, useAddress } from '../../state/address.ts'
import { daysOfStep, stepsOf } from '../../state/interval.ts'
import { t } from '../../texts/texts.ts'
import type { PartProps } from './part.ts'
import { rankedOf } from './ranked.ts'

const Lines = lazy(async () => ({ default: (await import('../../parts/lines.tsx')).Lines }))

type Overview = NonNullable<OverviewQuery['project']>
type Visibility = NonNullable<Overview['visibility']>

/** The brands over time; where the page has them, the own sentiment and position too. */
type Found = Pick<Overview, 'brands' | 'shareOfVoice'> &
  Partial<Pick<Overview, 'sentimentHistory' | 'visibilityHistory'>> & {
    readonly visibility:
      | (Pick<Visibility, 'dateRange'> & Partial<Pick<Visibility, 'comparison'>>)
      | null
  }
type Metric = keyof typeof t.overview.trendOf

const ofBrands: readonly Metric[] = ['visibility', 'share']
const ofOwn: readonly Metric[] = ['sentiment', 'position']
const units = {
  visibility: 'percent',
  share: 'percent',
  sentiment: 'score',
  position: 'position',
} as const

interface Point {
  readonly date: string
  readonly value: number | null
  readonly denominator: number
}

interface BrandPoint {
  readonly date: string
  readonly metrics: Readonly<
    Record<'visibilityScore' | 'shareOfVoice', { value: number | null; denominator: number }>
  >
}

const ratios = { visibility: 'visibilityScore', share: 'shareOfVoice' } as const

const brandPoints = (trend: readonly BrandPoint[], metric: 'visibility' | 'share') =>
  trend.map(({ date, metrics: found }): Point => ({ date, ...found[ratios[metric]] }))

const sentimentPoints = (
  history: readonly { date: string; score: number | null; rated: number }[] | undefined,
): Point[] =>
  (history ?? []).map(({ date, score, rated }) => ({ date, value: score, denominator: rated }))

const positionPoints = (
  history:
    | readonly {
        date: string
        metrics: { averagePosition: { value: number | null; denominator: number } }
      }[]
    | undefined,
): Point[] =>
  (history ?? []).map(({ date, metrics: { averagePosition } }) => ({ date, ...averagePosition }))

/** Each brand with its points: of sentiment and position the own brand alone. */
function currentOf(found: Found, metric: Metric) {
  const ranked = rankedOf(found)
  const own = ranked.filter(({ brand }) => brand.isOwn)
  if (metric === 'sentiment' || metric === 'position') {
    const points =
      metric === 'sentiment'
        ? sentimentPoints(found.sentimentHistory?.history)
        : positionPoints(found.visibilityHistory?.history)
    return own.map(({ brand }) => ({ brand, points }))
  }
  return [...own, ...ranked.filter(({ brand }) => !brand.isOwn)]
    .slice(0, mostLines)
    .map(({ brand, visibility }) => ({ brand, points: brandPoints(visibility.trend, metric) }))
}

function previousOf(details: PartProps['found'] | undefined, metric: Metric): Point[] {
  if (metric === 'sentiment') return sentimentPoints(details?.sentimentBefore?.history)
  if (metric === 'position') return positionPoints(details?.positionBefore?.history)
  return brandPoints(details?.before?.visibility?.trend ?? [], metric)
}

function valuesOf(points: readonly Point[], steps: readonly string[], interval: HistoryInterval) {
  const byDate = new Map(points.map((point) => [point.date, point]))
  const all = steps.map((date) => byDate.get(date) ?? { value: null, denominator: 0 })
  return interval === 'day' ? rolling(all) : all.map(({ value }) => value)
}

/** The lines of a metric, that of the previous period last. */
function linesOf(
  found: Found,
  details: PartProps['found'] | undefined,
  metric: Metric,
  interval: HistoryInterval,
) {
  const range = found.visibility?.dateRange
  if (!range) return { steps: [], series: [] }
  const steps = stepsOf(range, interval)
  const series = currentOf(found, metric).map(
    ({ brand, points }): Line => ({
      name: brand.name,
      isOwn: brand.isOwn,
      values: valuesOf(points, steps, interval),
    }),
  )
  const comparison = found.visibility?.comparison
  const before = comparison && previousOf(details, metric)
  if (comparison && before?.length) {
    const values = valuesOf(before, stepsOf(comparison.dateRange, interval), interval)
    series.push({
      name: t.overview.previous[comparison.mode],
      isPrevious: true,
      values: steps.map((_, at) => values[at] ?? null),
    })
  }
  return { steps, series }
}

function spokenOf(series: readonly Line[], metric: Metric): string {
  return series
    .map(({ name, values }) => {
      const known = values.filter((value) => value !== null)
      return t.overview.spoken(
        name,
        shown(known[0] ?? null, units[metric]),
        shown(known.at(-1) ?? null, units[metric]),
      )
    })
    .join(', ')
}

interface Event {
  readonly date: string
  readonly text: ReactNode
}

/** What may have moved the lines: another model, imported answers from their first day on, who rates sentiment, and what was done. */
function eventsOf(project: string, details: PartProps['found'] | undefined, from: string): Event[] {
  const models = (details?.modelChanges?.nodes ?? []).map(
    ({ date, platform, model, previousModel }): Event => ({
      date,
      text: (
        <PageLink project={project} to={['answers']} state={{ platforms: model }} size="xs">
          {t.overview.modelChange(platform.displayName, model, previousModel)}
        </PageLink>
      ),
    }),
  )
  const imports = (details?.imports?.nodes ?? []).flatMap((each): Event[] => {
    const { kind, status, undoneAt, loaded } = each
    if (kind !== 'answers' || status !== 'finished' || undoneAt || !each.from || !each.to) return []
    if (each.from < from) return []
    return [
      {
        date: each.from,
        text: (
          <PageLink project={project} to={['imports']} size="xs">
            {t.overview.importMark(loaded, each.from, each.to)}
          </PageLink>
        ),
      },
    ]
  })
  const methods = (details?.sentimentMethod.changes ?? []).flatMap(({ at, version }): Event[] => {
    const date = at.slice(0, 10)
    if (date < from) return []
    return [
      {
        date,
        text: (
          <PageLink project={project} to={['settings', 'sentiment']} size="xs">
            {t.overview.methodMark(version)}
          </PageLink>
        ),
      },
    ]
  })
  const done = (details?.marks?.nodes ?? []).flatMap(({ date, title }): Event[] => {
    if (date < from) return []
    return [
      {
        date,
        text: (
          <PageLink project={project} to={['opportunities']} state={{ state: 'worked' }} size="xs">
            {title}
          </PageLink>
        ),
      },
    ]
  })
  return [...models, ...imports, ...methods, ...done].toSorted((a, b) => (a.date < b.date ? -1 : 1))
}

function Events({ events }: { readonly events: readonly Event[] }) {
  return (
    <ol className="plain events" aria-label={t.overview.marks}>
      {events.map(({ date, text }, at) => (
        // Several events may have one text and day.
        // biome-ignore lint/suspicious/noArrayIndexKey: events have no id, and their order is fixed
        <Group component="li" key={at} gap={6} wrap="nowrap" align="flex-start">
          <Badge size="xs" color="gray" circle>
            {at + 1}
          </Badge>
          <Text size="xs">
            {t.dayOfYear(date)}: {text}
          </Text>
        </Group>
      ))}
    </ol>
  )
}

interface TrendProps<R> {
  readonly project: string
  readonly found: Found
  /** Undefined until it is there: the previous period and the events. */
  readonly details?: PartProps['found'] | undefined
  readonly asked: Asked<R, { project: string; interval: HistoryInterval }>
}

/** All brands over time, with the previous period of the own brand and what may have moved the numbers. */
export function Trend<R>({ project, found, details, asked }: TrendProps<R>) {
  const [metric, setMetric] = useState<Metric>('visibility')
  const { link } = useAddress()
  const [, go] = useLocation()
  const { interval } = asked.variables
  const { steps, series } = useMemo(
    () => linesOf(found, details, metric, interval),
    [found, details, metric, interval],
  )
  const range = found.visibility?.dateRange
  const events = eventsOf(project, details, range?.from ?? '')
  const marks = events.map(({ date }, at) => ({
    at: steps.findLastIndex((step) => step <= date),
    label: String(at + 1),
  }))
  return (
    <Panel
      title={t.overview.trend}
      sub={`${t.overview.trendHints[metric]}, ${t.overview.intervals[interval]}`}
      asked={asked}
      hasChart
      saveCsv={() => saveLines(`${t.overview.trend} ${t.overview.trendOf[metric]}`, steps, series)}
      right={
        <SegmentedControl
          size="xs"
          aria-label={t.overview.trend}
          value={metric}
          onChange={(value) => setMetric(value as Metric)}
          data={[...ofBrands, ...(found.sentimentHistory ? ofOwn : [])].map((value) => ({
            value,
            label: t.overview.trendOf[value],
          }))}
        />
      }
    >
      <Suspense fallback={<Skeleton h={280} />}>
        <Lines
          title={t.overview.trendOf[metric]}
          unit={units[metric]}
          labels={steps.map(t.dayOfYear)}
          series={series}
          spoken={spokenOf(series, metric)}
          height={280}
          marks={marks}
          onOpen={(at) => {
            const step = steps[at]
            if (!step || !range) return
            go(link(pathOf(project, 'answers'), { ...daysOfStep(step, range, interval) }))
          }}
        />
      </Suspense>
      {events.length > 0 && <Events events={events} />}
    </Panel>
  )
}
