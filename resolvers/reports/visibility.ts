import type { ReportSection, ReportTrend } from '../../core/reports/content.ts'
import type { DateRange } from '../../core/window.ts'
import { sharesOfVoice } from '../share-of-voice/share-of-voice.ts'
import { measured } from '../shared/samples/cell.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { sourceDomains } from '../sources/sources.ts'
import { type TopicPrompts, visibilityByTopic } from '../visibility/breakdowns.ts'
import { type CellCounts, score, sum } from '../visibility/counts.ts'
import { position, visibility } from '../visibility/visibility.ts'
import { changeMetric, countMetric, ratioMetrics } from './metrics.ts'
import { onlyOf } from './one.ts'
import { pointsOf, stepOf } from './trends.ts'

const mostCompetitors = 10
const mostTopics = 20
const mostDomains = 10

type Visibility = Awaited<ReturnType<typeof visibility>>

const visible = (counts: CellCounts) => measured(score(counts), 'named', counts.cell)

async function headline({ scope, summary }: Visibility): Promise<ReportSection> {
  const { name } = scope.project
  const [counts, cited, change] = await Promise.all([
    summary.presence(),
    summary.citations(),
    summary.scoreChange(),
  ])
  const ratios = await ratioMetrics(scope, [
    ['Visibility score', visible(counts), 'percent'],
    ['Average position', measured(position(counts), 'position', counts.cell), 'position'],
  ])
  return {
    title: 'Visibility',
    metrics: [
      ...ratios.toSpliced(1, 0, changeMetric('Change since the period before', change, 'points')),
      countMetric('Answers', counts.responses),
      countMetric(`Answers that name ${name}`, counts.named),
      countMetric('Mentions', counts.mentions),
      countMetric('Citations of own pages', cited.ownCitations),
    ],
  }
}

async function shares(scope: ProjectScope, range: DateRange): Promise<ReportSection> {
  const { brand, competitors } = onlyOf(await sharesOfVoice([scope], range))
  const rows = [brand, ...competitors.slice(0, mostCompetitors)]
  return {
    title: 'Share of voice',
    metrics: await ratioMetrics(
      scope,
      rows.map(({ name, sov, cell }) => [name, measured(sov, 'shareOfVoice', cell), 'percent']),
    ),
  }
}

async function platforms({ scope, platforms }: Visibility): Promise<ReportSection> {
  const rows = await platforms()
  const names = await Promise.all(rows.map(({ displayName }) => displayName()))
  return {
    title: 'AI platforms',
    metrics: await ratioMetrics(
      scope,
      rows.map(({ counts }, i) => [names[i] ?? '', visible(counts), 'percent']),
    ),
  }
}

async function sources(scope: ProjectScope, range: DateRange): Promise<ReportSection> {
  const page = { ...range, limit: mostDomains, sort: '-citations' as const }
  const list = await sourceDomains(scope, page)
  return {
    title: 'Sources',
    metrics: list.sources.map(({ domain, totalCitations }) => countMetric(domain, totalCitations)),
  }
}

/** The sections of a report about visibility, from the live reports' own resolvers. */
export async function visibilitySections(
  scope: ProjectScope,
  range: DateRange,
  topics: readonly TopicPrompts[],
): Promise<{ sections: ReportSection[]; trend: ReportTrend }> {
  const found = await visibility(scope, range)
  const byTopic = await visibilityByTopic(scope, range, async () => topics)
  const largest = byTopic.topics
    .toSorted((a, b) => b.counts.responses - a.counts.responses)
    .slice(0, mostTopics)
  const sections = [
    await headline(found),
    await shares(scope, range),
    await platforms(found),
    {
      title: 'Topics',
      metrics: await ratioMetrics(
        scope,
        largest.map(({ topicName, counts }) => [topicName, visible(counts), 'percent']),
      ),
    },
    await sources(scope, range),
  ]
  const days = await found.trend()
  const trend: ReportTrend = {
    title: 'Visibility over time',
    section: 'Visibility',
    unit: 'percent',
    step: stepOf(range),
    points: pointsOf(range, days, (some) => score(sum(some.map(({ counts }) => counts)))),
  }
  return { sections, trend }
}
