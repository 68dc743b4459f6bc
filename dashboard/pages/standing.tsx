import { useMemo } from 'react'
import type { ReportChart } from '../../web/share/charts.ts'
import { StandingDocument, type StandingQuery } from '../documents.ts'
import { Chart } from '../parts/chart.tsx'
import {
  changeColumn,
  countColumn,
  dayColumn,
  intervalColumn,
  ratioColumn,
  textColumn,
} from '../parts/columns.tsx'
import { dailyChart, pointOf } from '../parts/days.ts'
import { Figure } from '../parts/figures.tsx'
import type { PageProps } from '../parts/page.ts'
import { Answered } from '../parts/states.tsx'
import { type Asked, type Column, Part } from '../parts/table.tsx'
import { useAddress } from '../state/address.ts'
import { useQuestion } from '../state/ask.ts'
import { t } from '../texts/texts.ts'
import { Alerts } from './alerts.tsx'
import { Changes } from './changes.tsx'
import { NoData } from './no-data.tsx'

type Found = NonNullable<StandingQuery['project']>
type Day = NonNullable<Found['visibilityHistory']>['history'][number]
type Assistant = NonNullable<Found['visibility']>['platforms'][number]
type Voice = NonNullable<Found['shareOfVoice']>['nodes'][number]

const dayColumns: readonly Column<Day>[] = [
  dayColumn(({ date }) => date),
  ratioColumn(t.columns.visibility, 'percent', ({ metrics }) => metrics.visibilityScore),
  intervalColumn('percent', ({ metrics }) => metrics.visibilityScore),
  countColumn(t.columns.answers, ({ totalResponses }) => totalResponses),
]

const assistantColumns: readonly Column<Assistant>[] = [
  textColumn(t.columns.assistant, ({ platform }) => platform.displayName),
  ratioColumn(t.columns.visibility, 'percent', ({ metrics }) => metrics.visibilityScore),
  intervalColumn('percent', ({ metrics }) => metrics.visibilityScore),
  ratioColumn(t.columns.position, 'position', ({ metrics }) => metrics.averagePosition),
  countColumn(t.columns.answers, ({ responses }) => responses),
]

const voiceColumns: readonly Column<Voice>[] = [
  textColumn(t.columns.brand, ({ name }) => name),
  ratioColumn(t.columns.share, 'percent', ({ metrics }) => metrics.sov),
  intervalColumn('percent', ({ metrics }) => metrics.sov),
  changeColumn('percent', ({ change }) => change),
  countColumn(t.columns.namings, ({ metrics }) => metrics.sov.numerator),
]

function Figures({ visibility, shareOfVoice, sentiment }: Found) {
  if (!visibility || !shareOfVoice || !sentiment) return null
  const { summary, comparison } = visibility
  const { positive, neutral, negative } = sentiment.summary
  const own = shareOfVoice.brand
  return (
    <ul className="tiles">
      <Figure
        label={t.standing.visibility}
        unit="percent"
        metric={summary.metrics.visibilityScore}
        words={t.standing.visibilityOf(summary.responsesWithBrand, summary.totalResponses)}
        change={comparison?.changes.visibilityScore}
      />
      <Figure
        label={t.standing.voice}
        unit="percent"
        metric={own.metrics.sov}
        words={t.standing.voiceOf(own.metrics.sov.numerator, own.metrics.sov.denominator)}
        change={own.change}
      />
      <Figure
        label={t.standing.tone}
        unit="score"
        metric={sentiment.summary.metrics.score}
        words={t.standing.toneOf(positive, neutral, negative)}
        change={sentiment.comparison?.changes.score}
      />
      <Figure
        label={t.standing.position}
        unit="position"
        metric={summary.metrics.averagePosition}
        words={t.standing.positionOf(summary.metrics.averagePosition.denominator)}
        change={comparison?.changes.averagePosition}
      />
    </ul>
  )
}

function chartsOf({ visibility, visibilityHistory, shareOfVoice }: Found) {
  const section = t.standing.title
  const history = dailyChart(
    t.standing.history,
    section,
    visibility?.dateRange,
    visibilityHistory?.history ?? [],
  )
  const assistants: ReportChart = {
    title: t.standing.byAssistant,
    section,
    kind: 'bars',
    unit: 'percent',
    points: (visibility?.platforms ?? []).map(({ platform, metrics }) =>
      pointOf(platform.displayName, metrics.visibilityScore),
    ),
  }
  const voices: ReportChart = {
    title: t.standing.byBrand,
    section,
    kind: 'bars',
    unit: 'percent',
    points: voicesOf(shareOfVoice)
      .slice(0, 12)
      .map(({ name, metrics }) => pointOf(name, metrics.sov)),
  }
  return { history, assistants, voices }
}

/** The own brand among the others, the largest share first. */
function voicesOf(shareOfVoice: Found['shareOfVoice']): Voice[] {
  if (!shareOfVoice) return []
  const { brand, nodes } = shareOfVoice
  return [{ competitorId: '', ...brand }, ...nodes].toSorted(
    (a, b) => (b.metrics.sov.value ?? 0) - (a.metrics.sov.value ?? 0),
  )
}

/** How do we stand? The four numbers, and where they come from. */
export function Standing({ project }: PageProps) {
  const { window, filter } = useAddress()
  const asked = {
    document: StandingDocument,
    variables: { project: project.id, window, filter },
  }
  return (
    <>
      <Alerts project={project.id} />
      <Answered query={useQuestion(asked.document, asked.variables)}>
        {({ project: found }) => found && <Shown found={found} asked={asked} project={project} />}
      </Answered>
    </>
  )
}

interface ShownProps extends PageProps {
  readonly found: Found
  readonly asked: Asked<StandingQuery, { project: string }>
}

function Shown({ found, asked, project }: ShownProps) {
  const { history, assistants, voices } = useMemo(() => chartsOf(found), [found])
  const own = useMemo(() => new Set([found.shareOfVoice?.brand.name ?? '']), [found])
  const { visibility, visibilityHistory, shareOfVoice, investigate } = found
  if (!visibility?.summary.totalResponses) return <NoData project={project} />
  const before = visibility.comparison?.dateRange
  const days = visibilityHistory?.history.filter(({ totalResponses }) => totalResponses > 0) ?? []
  return (
    <>
      <p className="when">
        <strong>{t.standing.period(visibility.dateRange.from, visibility.dateRange.to)}</strong>{' '}
        {before && t.standing.before(before.from, before.to)} {t.sure.hollow}
      </p>
      <Figures {...found} />
      {investigate && <Changes project={project.id} found={investigate} asked={asked} />}
      <Part
        title={t.standing.history}
        asked={asked}
        chart={<Chart chart={history} />}
        columns={dayColumns}
        rows={days.toReversed()}
        keyOf={({ date }) => date}
      />
      <Part
        title={t.standing.byAssistant}
        asked={asked}
        chart={<Chart chart={assistants} />}
        columns={assistantColumns}
        rows={visibility.platforms}
        keyOf={({ platform }) => platform.slug}
      />
      <Part
        title={t.standing.byBrand}
        asked={asked}
        chart={<Chart chart={voices} own={own} />}
        columns={voiceColumns}
        rows={voicesOf(shareOfVoice)}
        keyOf={({ competitorId }) => competitorId}
        isOwn={({ competitorId }) => competitorId === ''}
      />
    </>
  )
}
