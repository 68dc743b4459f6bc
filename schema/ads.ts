import { rounded, roundedOrZero } from '../core/metrics.ts'
import {
  type AdArgs,
  type AdCounts,
  type AdReport,
  type AdRow,
  type AdvertiserReport,
  type AdvertiserRow,
  adRate,
  adReport,
  advertiserReport,
} from '../resolvers/ads/ads.ts'
import { filterArgs, pageArgs, windowArgs } from './kit/args.ts'
import { builder } from './kit/builder.ts'
import { listOf } from './kit/lists/connection.ts'
import { metricsField, metricsType } from './kit/metric.ts'
import { report } from './kit/report.ts'
import { reportFields } from './kit/report-fields.ts'
import { reportParents } from './kit/slice-parents.ts'

const meaning = {
  rate: 'Percent of answers in the window imported with `ads` that show an ad.',
  share: "Percent of all ad impressions in the window that are of the advertiser's ads.",
  impressions: 'Times that answers showed the ad; twice in one answer counts as two.',
}

const adMetrics = metricsType<AdCounts>(
  'AdMetrics',
  'The ad rate with its numerator and denominator.',
  {
    adRate: { description: meaning.rate, measure: 'adShown', resolve: adRate },
  },
)

const summary = builder.objectRef<AdCounts>('AdSummary').implement({
  description: 'Answers with and without ads in the window.',
  fields: (t) => ({
    measuredResponses: t.expose('measured', {
      graphName: 'measuredAnswers',
      type: 'Int',
      description: 'Measured answers: imported with the field `ads`, even when the list is empty.',
    }),
    responsesWithAds: t.expose('withAds', {
      graphName: 'answersWithAds',
      type: 'Int',
      description: 'Answers that show at least one ad.',
    }),
    adRate: t.float({
      nullable: true,
      description: `${meaning.rate} Null without measured answers.`,
      resolve: (counts) => rounded(adRate(counts)),
    }),
    metrics: metricsField(t, adMetrics, (counts) => counts),
  }),
})

export const adRow = builder.objectRef<AdRow>('Ad').implement({
  description: 'An ad that one AI platform showed with its answers to one prompt.',
  fields: (t) => ({
    id: t.exposeID('id', {
      graphName: 'adId',
      description: 'UUID of the ad. The same ad on another AI platform or prompt has another id.',
    }),
    advertiser: t.exposeString('advertiser', { description: 'Name of the advertiser.' }),
    domain: t.string({
      nullable: true,
      description: 'Registrable domain that the ad links to; null without a link.',
      resolve: ({ domain }) => domain || null,
    }),
    title: t.string({
      nullable: true,
      description: 'Headline of the ad; null without a headline.',
      resolve: ({ title }) => title || null,
    }),
    url: t.string({
      nullable: true,
      description: 'Normalised URL that the ad links to; null without a link.',
      resolve: ({ url }) => url || null,
    }),
    platformId: t.exposeString('platform', {
      view: 'rest',
      restName: 'platform',
      description: 'Id of the AI platform.',
    }),
    promptId: t.exposeID('promptId', { view: 'rest', description: 'UUID of the prompt.' }),
    impressions: t.expose('impressions', { type: 'Int', description: meaning.impressions }),
    firstSeen: t.field({
      graphName: 'firstSeenAt',
      type: 'DateTime',
      description: 'Time at which the first answer in the window with the ad was collected.',
      resolve: ({ firstMs }) => new Date(firstMs),
    }),
    lastSeen: t.field({
      graphName: 'lastSeenAt',
      type: 'DateTime',
      description: 'Time at which the last answer in the window with the ad was collected.',
      resolve: ({ lastMs }) => new Date(lastMs),
    }),
  }),
})

const adList = listOf(builder.objectRef<AdReport>('AdList'), adRow, {
  description: 'A page of the ads that answers show, most impressions first.',
  rows: 'ads',
  fields: (t) => ({
    project: reportFields.project(t),
    summary: t.field({
      type: summary,
      description: 'Numbers of all answers in the window.',
      resolve: (it) => it.counts(),
    }),
    ads: t.field({
      type: [adRow],
      description: 'Ads, most impressions first.',
      resolve: async (it) => [...(await it.ads())],
    }),
    pagination: reportFields.pagination(t),
    ...reportFields.window(t),
  }),
})

const advertiserMetrics = metricsType<AdvertiserRow>(
  'AdvertiserMetrics',
  'The share of an advertiser with its numerator and denominator.',
  {
    shareOfAds: {
      description: meaning.share,
      measure: 'shareOfAds',
      resolve: (row) => row.shareOfAds,
    },
  },
)

const advertiserRow = builder.objectRef<AdvertiserRow>('Advertiser').implement({
  description: 'An advertiser whose ads answers show.',
  fields: (t) => ({
    advertiser: t.exposeString('advertiser', {
      description: 'Name of the advertiser in its most frequent spelling.',
    }),
    domain: t.exposeString('domain', {
      nullable: true,
      description: 'Domain that most impressions of the advertiser link to; null without links.',
    }),
    impressions: t.expose('impressions', {
      type: 'Int',
      description: "Number of times that answers showed the advertiser's ads.",
    }),
    responses: t.expose('responses', {
      graphName: 'shownIn',
      type: 'Int',
      description: 'Answers that show an ad of the advertiser.',
    }),
    shareOfAds: t.float({
      description: meaning.share,
      resolve: (row) => roundedOrZero(row.shareOfAds),
    }),
    metrics: metricsField(t, advertiserMetrics, (row) => row),
  }),
})

const advertiserList = listOf(
  builder.objectRef<AdvertiserReport>('AdvertiserList'),
  advertiserRow,
  {
    description: 'A page of the advertisers whose ads answers show, most impressions first.',
    rows: 'advertisers',
    fields: (t) => ({
      project: reportFields.project(t),
      advertisers: t.field({
        type: [advertiserRow],
        description: 'Advertisers, most impressions first.',
        resolve: async (it) => [...(await it.advertisers())],
      }),
      pagination: reportFields.pagination(t),
      ...reportFields.window(t),
    }),
  },
)

const args = { ...windowArgs, ...filterArgs, ...pageArgs({ default: 50, max: 1000 }) }

report('ads', {
  ...adList,
  slices: reportParents,
  description:
    'Ads that AI platforms show, and the percent of answers with ads, among answers imported with `ads`.',
  args,
  resolve: (scope, given) => adReport(scope, given as typeof given & AdArgs),
})

report('advertisers', {
  ...advertiserList,
  slices: reportParents,
  description: 'Advertisers in answers of AI platforms, with shares of impressions.',
  args,
  resolve: (scope, given) => advertiserReport(scope, given as typeof given & AdArgs),
})
