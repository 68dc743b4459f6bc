import type { ReportSection, ReportTrend } from '../../core/reports/content.ts'
import {
  netSentiment,
  noTones,
  sentimentScore,
  type ToneCounts,
} from '../../core/text/sentiment.ts'
import type { DateRange } from '../../core/window.ts'
import { sentimentHistories, sentiments, sentimentsByCompetitor } from '../sentiment/sentiment.ts'
import { measured } from '../shared/samples/cell.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { countMetric, ratioMetrics } from './metrics.ts'
import { onlyOf } from './one.ts'
import { pointsOf, stepOf } from './trends.ts'

function sum(all: readonly ToneCounts[]): ToneCounts {
  return all.reduce(
    (total, { positive, neutral, negative, unrated, brought }) => ({
      brought: total.brought + brought,
      version: '',
      positive: total.positive + positive,
      neutral: total.neutral + neutral,
      negative: total.negative + negative,
      unrated: total.unrated + unrated,
    }),
    noTones,
  )
}

/** The sections of a report about sentiment, from the live reports' own resolvers. */
export async function sentimentSections(
  scope: ProjectScope,
  range: DateRange,
): Promise<{ sections: ReportSection[]; trend: ReportTrend }> {
  const [{ summary }, { brand, competitors }, { history }] = await Promise.all([
    sentiments([scope], range).then(onlyOf),
    sentimentsByCompetitor([scope], range).then(onlyOf),
    sentimentHistories([scope], range).then(onlyOf),
  ])
  const sections = [
    {
      title: 'Sentiment',
      metrics: [
        ...(await ratioMetrics(scope, [
          ['Score', measured(sentimentScore(summary), 'tone', summary.cell), 'score'],
          ['Net sentiment', measured(netSentiment(summary), 'netTone', summary.cell), 'points'],
        ])),
        countMetric('Positive', summary.positive),
        countMetric('Neutral', summary.neutral),
        countMetric('Negative', summary.negative),
      ],
    },
    {
      title: 'Sentiment by brand',
      metrics: await ratioMetrics(
        scope,
        [brand, ...competitors].map((row) => [
          row.name,
          measured(sentimentScore(row), 'tone', row.cell),
          'score',
        ]),
      ),
    },
  ]
  const trend: ReportTrend = {
    title: 'Sentiment over time',
    section: 'Sentiment',
    unit: 'score',
    step: stepOf(range),
    points: pointsOf(range, history, (days) => sentimentScore(sum(days))),
  }
  return { sections, trend }
}
