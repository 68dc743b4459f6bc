import { rounded, roundedOrZero } from '../core/metrics.ts'
import {
  type AdArgs,
  type AdReads,
  type AdReport,
  type AdRow,
  type AdTally,
  type AdvertiserReport,
  type AdvertiserRow,
  adRate,
  adReport,
  adsOfMany,
  adTalliesOfMany,
  advertiserReport,
  advertisersOfMany,
} from '../resolvers/ads/ads.ts'
import type { ProjectScope } from '../resolvers/shared/scope.ts'
import { filterArgs, pageArgs, windowArgs } from './kit/args.ts'
import { batched } from './kit/batch.ts'
import { builder, report } from './kit/builder.ts'
import type { Context } from './kit/context.ts'
import { metricsField, metricsType } from './kit/metric.ts'
import { reportFields } from './kit/report-fields.ts'

const meaning = {
  rate: 'Answers with an ad, in percent of the answers in which ads were looked for.',
  share: 'Its impressions in percent of all impressions in scope.',
  impressions: 'How often answers showed it. One that stands in an answer twice counts twice.',
}

const adMetrics = metricsType<AdTally>('AdMetrics', 'The ratios of the ads in scope.', {
  adRate: { description: meaning.rate, resolve: adRate },
})

const summary = builder.objectRef<AdTally>('AdSummary').implement({
  description: 'How many answers carry ads.',
  fields: (t) => ({
    measuredResponses: t.expose('measured', {
      type: 'SafeInt',
      description:
        'Answers in which ads were looked for: those whose import has the field `ads`, also without any in it.',
    }),
    responsesWithAds: t.expose('withAds', {
      type: 'SafeInt',
      description: 'Answers that showed at least one.',
    }),
    adRate: t.float({
      nullable: true,
      description: `${meaning.rate} Null when none was.`,
      resolve: (tally) => rounded(adRate(tally)),
    }),
    metrics: metricsField(t, adMetrics, (tally) => tally),
  }),
})

const adRow = builder.objectRef<AdRow>('Ad').implement({
  description: 'An ad that one platform showed beside its answers to one prompt.',
  fields: (t) => ({
    id: t.exposeID('id', {
      description: 'UUID. The same ad on another platform or prompt has another.',
    }),
    advertiser: t.exposeString('advertiser', { description: 'Who advertises.' }),
    domain: t.string({
      nullable: true,
      description: 'The registrable domain that it leads to; null where the ad tells none.',
      resolve: ({ domain }) => domain || null,
    }),
    title: t.string({
      nullable: true,
      description: 'Its headline; null where it has none.',
      resolve: ({ title }) => title || null,
    }),
    url: t.string({
      nullable: true,
      description: 'The page that it leads to, normalised; null where the ad tells none.',
      resolve: ({ url }) => url || null,
    }),
    platform: t.exposeString('platform', { description: 'Id of the AI platform.' }),
    promptId: t.exposeID('promptId', { description: 'UUID of the prompt.' }),
    impressions: t.expose('impressions', { type: 'SafeInt', description: meaning.impressions }),
    firstSeen: t.field({
      type: 'DateTime',
      description: 'When the oldest answer with it was collected, in the window.',
      resolve: ({ firstMs }) => new Date(firstMs),
    }),
    lastSeen: t.field({
      type: 'DateTime',
      description: 'When the newest answer with it was collected, in the window.',
      resolve: ({ lastMs }) => new Date(lastMs),
    }),
  }),
})

const adList = builder.objectRef<AdReport>('AdList').implement({
  description: 'The ads that answers showed.',
  fields: (t) => ({
    project: reportFields.project(t),
    summary: t.field({
      type: summary,
      description: 'All answers in scope together.',
      resolve: (it) => it.tally(),
    }),
    ads: t.field({
      type: [adRow],
      description: 'A page of them: most impressions first, then by advertiser, title and id.',
      resolve: async (it) => [...(await it.ads())],
    }),
    pagination: reportFields.pagination(t),
    dateRange: reportFields.dateRange(t),
  }),
})

const advertiserMetrics = metricsType<AdvertiserRow>(
  'AdvertiserMetrics',
  'The ratios of an advertiser.',
  {
    shareOfAds: {
      description: meaning.share,
      resolve: (row) => row.shareOfAds,
    },
  },
)

const advertiserRow = builder.objectRef<AdvertiserRow>('Advertiser').implement({
  description: 'Who advertises beside answers.',
  fields: (t) => ({
    advertiser: t.exposeString('advertiser', {
      description: 'Its name, in the most frequent spelling: case makes no difference.',
    }),
    domain: t.exposeString('domain', {
      nullable: true,
      description: 'The domain that most of its ads lead to; null where none tells any.',
    }),
    impressions: t.expose('impressions', { type: 'SafeInt', description: meaning.impressions }),
    responses: t.expose('responses', {
      type: 'SafeInt',
      description: 'Answers that showed an ad of it.',
    }),
    shareOfAds: t.float({
      description: meaning.share,
      resolve: (row) => roundedOrZero(row.shareOfAds),
    }),
    metrics: metricsField(t, advertiserMetrics, (row) => row),
  }),
})

const advertiserList = builder.objectRef<AdvertiserReport>('AdvertiserList').implement({
  description: 'Who advertises beside answers.',
  fields: (t) => ({
    project: reportFields.project(t),
    advertisers: t.field({
      type: [advertiserRow],
      description: 'A page of them, most impressions first, then by name.',
      resolve: async (it) => [...(await it.advertisers())],
    }),
    pagination: reportFields.pagination(t),
    dateRange: reportFields.dateRange(t),
  }),
})

function readsOf(context: Context, scope: ProjectScope): AdReads {
  return {
    tally: (ask) => batched(context, 'ads.summary', scope, ask, adTalliesOfMany),
    ads: (ask) => batched(context, 'ads.list', scope, ask, adsOfMany),
    advertisers: (ask) => batched(context, 'ads.advertisers', scope, ask, advertisersOfMany),
  }
}

const args = { ...windowArgs, ...filterArgs, ...pageArgs({ default: 50, max: 1000 }) }

report('ads', {
  type: adList,
  description:
    'The ads that AI platforms showed with their answers, and how many answers carry any. Counted where the import says that ads were looked for.',
  args,
  resolve: (scope, given, context) =>
    adReport(scope, given as typeof given & AdArgs, readsOf(context, scope)),
})

report('advertisers', {
  type: advertiserList,
  description: 'Who advertises beside the answers of AI platforms, and whose share is how large.',
  args,
  resolve: (scope, given, context) =>
    advertiserReport(scope, given as typeof given & AdArgs, readsOf(context, scope)),
})
