import { ratedBy } from '../../core/text/rated-by.ts'
import { BrandsReportDocument, type BrandsReportQuery } from '../documents.ts'
import { type Column, changeColumns, sureColumns } from '../table.ts'
import { aboutOf, paged, report } from './report.ts'

type Standing = NonNullable<NonNullable<BrandsReportQuery['project']>['brands']>['nodes'][number]

/** A report with a row a tracked brand. */
const brands = (columnsOf: (isCompared: boolean) => readonly Column<Standing>[]) =>
  report(BrandsReportDocument, { page: 'competitors' }, (project, isCompared) => ({
    ...aboutOf(project.visibility),
    ...paged(project.brands, [
      ['brand', ({ brand }) => brand?.name],
      ['own', ({ brand }) => brand?.isOwn],
      ...columnsOf(isCompared),
    ]),
  }))

export const visibilityByBrand = brands((isCompared) => [
  ...sureColumns<Standing>('visibility', ({ visibility }) => visibility.metrics.visibilityScore),
  ['average_position', ({ visibility }) => visibility.metrics.averagePosition.value],
  ...changeColumns<Standing>(isCompared, ({ visibility }) => visibility.changes?.visibilityScore),
])

export const shareByBrand = brands((isCompared) => [
  ...sureColumns<Standing>('share_of_voice', ({ visibility }) => visibility.metrics.shareOfVoice),
  ...changeColumns<Standing>(isCompared, ({ visibility }) => visibility.changes?.shareOfVoice),
])

export const sentimentByBrand = brands((isCompared) => [
  ...sureColumns<Standing>('sentiment', ({ sentiment }) => sentiment.metrics.score),
  ['positive', ({ sentiment }) => sentiment.positive],
  ['neutral', ({ sentiment }) => sentiment.neutral],
  ['negative', ({ sentiment }) => sentiment.negative],
  ['rated', ({ sentiment }) => ratedBy(sentiment)],
  ...changeColumns<Standing>(isCompared, ({ sentiment }) => sentiment.changes?.score),
])

export const citationsByBrand = brands(() => [
  ['citations', ({ visibility }) => visibility.citationCount],
])

export const competitors = brands((isCompared) => [
  ['rank', ({ rank }) => rank],
  ...sureColumns<Standing>('visibility', ({ visibility }) => visibility.metrics.visibilityScore),
  ['average_position', ({ visibility }) => visibility.metrics.averagePosition.value],
  ['share_of_voice', ({ visibility }) => visibility.metrics.shareOfVoice.value],
  ['sentiment', ({ sentiment }) => sentiment.metrics.score.value],
  ['sentiment_rated', ({ sentiment }) => ratedBy(sentiment)],
  ['citations', ({ visibility }) => visibility.citationCount],
  ...changeColumns<Standing>(isCompared, ({ visibility }) => visibility.changes?.visibilityScore),
])
