import { rounded, roundedOrZero } from '../core/metrics.ts'
import {
  type AiReferral,
  aiReferrals,
  type LandingPage,
  type SessionDay,
  type SessionTotals,
  topPages,
  webAnalytics,
} from '../resolvers/web-analytics/web-analytics.ts'
import { pageArgs } from './kit/args.ts'
import { batched } from './kit/batch.ts'
import { builder, report } from './kit/builder.ts'
import { dateRangeBlock, success } from './kit/report-fields.ts'

/** The answer on one project of a resolver that answers for several. */
type One<Many extends (...args: never[]) => Promise<readonly unknown[]>> = Exclude<
  Awaited<ReturnType<Many>>[number],
  Error
>

const weeksArgs = builder.args((t) => ({
  weeks: t.field({
    type: 'SafeInt',
    description:
      'The window in weeks: so many times seven UTC days that end today; 12 unless given, 52 at most (more is clamped).',
    extensions: { param: { min: 1, max: 52, clamp: true, default: 12 } },
  }),
}))

const sessionsMeaning = 'Visits, as web analytics tells them apart.'
const usersMeaning = 'Users, summed over the rows: one who came on two days counts twice.'
const bounceMeaning = 'Sessions that were not engaged, in percent.'
const durationMeaning = 'Mean length of a session in seconds.'

const landingPage = builder.objectRef<LandingPage>('LandingPage').implement({
  description: 'A page on which sessions began.',
  fields: (t) => ({
    page: t.exposeString('page', { description: 'Its path, without a query string.' }),
    sessions: t.expose('sessions', { type: 'SafeInt', description: sessionsMeaning }),
    users: t.expose('users', { type: 'SafeInt', description: usersMeaning }),
    bounceRate: t.float({
      description: bounceMeaning,
      resolve: (page) => roundedOrZero(page.bounceRate),
    }),
    avgDuration: t.float({
      description: durationMeaning,
      resolve: (page) => roundedOrZero(page.avgDuration),
    }),
  }),
})

const window = { type: dateRangeBlock, description: 'The window.' } as const

report('topPages', {
  type: builder.objectRef<One<typeof topPages>>('LandingPageList').implement({
    description: 'The pages on which most sessions began.',
    fields: (t) => ({
      window: t.expose('window', window),
      pages: t.expose('pages', {
        type: [landingPage],
        description: 'Most sessions first, ties by path.',
      }),
      success: t.boolean(success),
    }),
  }),
  description: 'The pages on which most sessions began, by web analytics.',
  problems: ['ga4_not_connected', 'query_timeout'],
  args: { ...weeksArgs, limit: pageArgs({ default: 20, max: 100 }).limit },
  resolve: (scope, args, context) =>
    batched(
      context,
      'web-analytics.pages',
      scope,
      args as typeof args & { limit: number },
      topPages,
    ),
})

const sessionTotals = builder.objectRef<SessionTotals>('SessionTotals').implement({
  description: 'Sessions of a window, and what they were like.',
  fields: (t) => ({
    sessions: t.expose('sessions', { type: 'SafeInt', description: sessionsMeaning }),
    users: t.expose('users', { type: 'SafeInt', description: usersMeaning }),
    bounceRate: t.float({
      nullable: true,
      description: `${bounceMeaning} Null without sessions.`,
      resolve: (totals) => rounded(totals.bounceRate),
    }),
    avgDuration: t.float({
      nullable: true,
      description: `${durationMeaning} Null without sessions.`,
      resolve: (totals) => rounded(totals.avgDuration),
    }),
  }),
})

const sessionDay = builder.objectRef<SessionDay>('SessionDay').implement({
  description: 'Sessions of one day.',
  fields: (t) => ({
    date: t.expose('date', {
      type: 'Date',
      description: 'The day, in the time zone of the property.',
    }),
    sessions: t.expose('sessions', { type: 'SafeInt', description: sessionsMeaning }),
    users: t.expose('users', { type: 'SafeInt', description: 'Users of that day.' }),
  }),
})

report('webAnalytics', {
  type: builder.objectRef<One<typeof webAnalytics>>('WebAnalytics').implement({
    description: 'All sessions on the site, whoever sent them.',
    fields: (t) => ({
      window: t.expose('window', window),
      totals: t.expose('totals', { type: sessionTotals, description: 'Of the whole window.' }),
      series: t.expose('series', {
        type: [sessionDay],
        description: 'One entry a day, oldest first; 0 on a day without any.',
      }),
      success: t.boolean(success),
    }),
  }),
  description: 'Sessions on the site, by web analytics.',
  problems: ['ga4_not_connected', 'query_timeout'],
  args: weeksArgs,
  resolve: (scope, args, context) =>
    batched(context, 'web-analytics.days', scope, args, webAnalytics),
})

const aiReferral = builder.objectRef<AiReferral>('AiReferralSource').implement({
  description: 'Sessions that one host of an AI platform sent.',
  fields: (t) => ({
    platform: t.exposeString('platform', { description: 'Id of the AI platform.' }),
    source: t.exposeString('source', {
      description: 'The host, as web analytics names it, such as `chatgpt.com`.',
    }),
    sessions: t.expose('sessions', { type: 'SafeInt', description: sessionsMeaning }),
    users: t.expose('users', { type: 'SafeInt', description: usersMeaning }),
  }),
})

report('aiReferrals', {
  type: builder.objectRef<One<typeof aiReferrals>>('AiReferralList').implement({
    description: 'Sessions that AI assistants sent.',
    fields: (t) => ({
      window: t.expose('window', window),
      rows: t.expose('rows', {
        type: [aiReferral],
        description: 'Most sessions first, ties by platform and source.',
      }),
      success: t.boolean(success),
    }),
  }),
  description:
    'Sessions that AI assistants sent, by web analytics: those whose source is a host of one.',
  problems: ['ga4_not_connected', 'query_timeout'],
  args: { ...weeksArgs, limit: pageArgs({ default: 20, max: 100 }).limit },
  resolve: (scope, args, context) =>
    batched(
      context,
      'web-analytics.ai-referrals',
      scope,
      args as typeof args & { limit: number },
      aiReferrals,
    ),
})
