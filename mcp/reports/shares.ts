import { type Rating, ratedBy } from '../../core/text/rated-by.ts'
import {
  SentimentByDayDocument,
  SentimentTotalDocument,
  ShareOfVoiceByDayDocument,
  ShareOfVoiceTotalDocument,
} from '../documents.ts'
import { type Column, changeColumns, type Sure, sureColumns } from '../table.ts'
import { aboutOf, report, whole } from './report.ts'

export const shareTotal = report(
  ShareOfVoiceTotalDocument,
  { page: 'competitors' },
  ({ visibility, shareOfVoice }, isCompared) => ({
    ...aboutOf(visibility),
    ...whole(shareOfVoice && [shareOfVoice.own], [
      ...sureColumns<NonNullable<typeof shareOfVoice>['own']>(
        'share_of_voice',
        ({ metrics }) => metrics.shareOfVoice,
      ),
      ...changeColumns<NonNullable<typeof shareOfVoice>['own']>(isCompared, ({ change }) => change),
    ]),
  }),
)

export const shareByDay = report(ShareOfVoiceByDayDocument, { page: 'competitors' }, (project) => ({
  ...aboutOf(project.visibility),
  ...whole(project.ownBrand.visibility?.trend, [
    ['date', ({ date }) => date],
    ...sureColumns<{ metrics: { shareOfVoice: Sure } }>(
      'share_of_voice',
      ({ metrics }) => metrics.shareOfVoice,
    ),
  ]),
}))

interface Toned extends Rating {
  readonly positive: number
  readonly neutral: number
  readonly negative: number
  readonly metrics: { readonly score: Sure }
}

const tonedColumns = <Row extends Toned>(): Column<Row>[] => [
  ...sureColumns<Row>('sentiment', ({ metrics }) => metrics.score),
  ['positive', ({ positive }) => positive],
  ['neutral', ({ neutral }) => neutral],
  ['negative', ({ negative }) => negative],
  ['rated', (row) => ratedBy(row)],
]

export const sentimentTotal = report(
  SentimentTotalDocument,
  { page: 'overview' },
  ({ visibility, sentiment }, isCompared) => ({
    ...aboutOf(visibility),
    ...whole(sentiment && [sentiment.summary], [
      ...tonedColumns<NonNullable<typeof sentiment>['summary']>(),
      ...changeColumns<NonNullable<typeof sentiment>['summary']>(
        isCompared,
        ({ changes }) => changes?.score,
      ),
    ]),
  }),
)

export const sentimentByDay = report(SentimentByDayDocument, { page: 'overview' }, (project) => ({
  ...aboutOf(project.visibility),
  ...whole(project.sentimentHistory?.history, [['date', ({ date }) => date], ...tonedColumns()]),
}))
