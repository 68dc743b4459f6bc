import type { ReportContent, ReportMetric } from '../../core/reports/content.ts'
import type { ReportView, ViewNumber } from '../../core/reports/view.ts'

const numberOf = (metric: ReportMetric, change: ReportMetric | undefined): ViewNumber => ({
  value: metric.value,
  low: metric.low,
  high: metric.high,
  n: metric.n ?? 0,
  change: change?.value == null ? null : { value: change.value, isSignificant: null },
})

/** What the page shows of a report of before it was stored: what its sections say. */
export function earlierView({ brand, sections, trends }: ReportContent): ReportView {
  const metricsOf = (title: string) => sections.find((each) => each.title === title)?.metrics ?? []
  const find = (title: string, label: string) =>
    metricsOf(title).find((metric) => metric.label === label)
  const count = (title: string, label: string) => find(title, label)?.value ?? 0
  const score = find('Visibility', 'Visibility score')
  const place = find('Visibility', 'Average position')
  const tone = find('Sentiment', 'Score')
  const shares = metricsOf('Share of voice').toSorted((a, b) => (b.value ?? 0) - (a.value ?? 0))
  const ownShare = shares.find(({ label }) => label === brand.name)
  const other = shares.find((metric) => metric !== ownShare)
  const [trend] = trends
  const trendOf = (title: string) => trends.find(({ section }) => section === title)?.points ?? []
  const hasAnswers = (score?.n ?? tone?.n ?? 0) > 0
  const topics = metricsOf('Topics')
  const sources = metricsOf('Sources')
  return {
    answers: score?.n ?? tone?.n ?? 0,
    interval: trend?.step ?? 'day',
    steps: trend?.points.map(({ from, to }) => ({ from, to })) ?? [],
    headline: {
      ...(score && {
        visibility: {
          ...numberOf(score, find('Visibility', 'Change since the period before')),
          answers: count('Visibility', `Answers that name ${brand.name}`),
          trend: trendOf('Visibility'),
        },
      }),
      ...(ownShare && {
        share: {
          ...numberOf(ownShare, undefined),
          rank: ownShare.value === null ? null : shares.indexOf(ownShare) + 1,
          brands: shares.length,
          other: other ? { name: other.label, share: other.value ?? 0 } : null,
          trend: [],
        },
      }),
      ...(tone && {
        sentiment: {
          ...numberOf(tone, undefined),
          positive: count('Sentiment', 'Positive'),
          neutral: count('Sentiment', 'Neutral'),
          negative: count('Sentiment', 'Negative'),
          trend: trendOf('Sentiment'),
        },
      }),
      ...(place && { position: { ...numberOf(place, undefined), trend: [] } }),
    },
    ...(hasAnswers &&
      trend &&
      trend.points.length > 1 && {
        trend: {
          metric: trend.section === 'Sentiment' ? 'sentiment' : 'visibility',
          brands: [{ name: brand.name, isOwn: true, points: trend.points }],
        },
      }),
    ...(topics.length > 0 && {
      topics: topics.map(({ label, value, low, high, n }) => {
        return { name: label, value, low, high, n: n ?? 0 }
      }),
    }),
    ...(sources.length > 0 && {
      sources: {
        cited: sources.map(({ label, value }) => {
          const isOwn = label === brand.domain
          return { domain: label, isOwn, type: null, citations: value ?? 0, usage: null }
        }),
        toWin: [],
      },
    }),
  }
}
