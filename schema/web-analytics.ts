import { rounded, roundedOrZero } from '../core/metrics.ts'
import type { DateRange } from '../core/window.ts'
import { batched, type One } from '../resolvers/shared/batch.ts'
import type { ProjectScope } from '../resolvers/shared/scope.ts'
import {
  type AiReferral,
  aiReferrals,
  type LandingPage,
  type SessionPoint,
  type SessionTotals,
  sessionPeriodsOf,
  topPages,
  webAnalytics,
  weeksWindow,
} from '../resolvers/web-analytics/web-analytics.ts'
import { compareInGraph, inGraph, pageArgs } from './kit/args.ts'
import { builder } from './kit/builder.ts'
import { changeSince, changesMeaning, countChangeField, unsampledChange } from './kit/change.ts'
import { bucketFields, everyBucket, intervalArgs } from './kit/history.ts'
import { listOf } from './kit/lists/connection.ts'
import { report } from './kit/report.ts'
import { dataAvailable, dateRangeBlock, type FieldsOf, success } from './kit/report-fields.ts'

const weeksArgs = inGraph(
  builder.args((t) => ({
    weeks: t.field({
      type: 'Int',
      description:
        'Window in weeks of seven UTC days that ends today; default 12. Values above 52 become 52.',
      extensions: { param: { min: 1, max: 52, clamp: true, default: 12 } },
    }),
  })),
  { window: weeksWindow },
)

const sessionsMeaning = 'Sessions, as web analytics counts sessions.'
const usersMeaning =
  'Users, summed over days: a user who visits on two days counts twice. Exports without users add none.'
const bounceMeaning = 'Percent of sessions that were not engaged.'
const durationMeaning = 'Mean session length in seconds.'

const pathMeaning = 'Path of the page, without a query string and a trailing slash.'

interface Compared {
  readonly now: SessionTotals
  readonly before: SessionTotals
}

/** Sessions are not answers to prompts, so their ratios have no interval. */
const ratioChange = (
  t: FieldsOf<Compared>,
  description: string,
  name: 'bounceRate' | 'avgDuration',
) =>
  unsampledChange(t, description, ({ now, before }) => ({ now: now[name], before: before[name] }))

const totalsChanges = builder.objectRef<Compared>('SessionChanges').implement({
  description: 'Changes of sessions and users since an earlier window.',
  fields: (t) => ({
    sessions: countChangeField(t, 'the number of sessions', ({ now, before }) =>
      changeSince(now.sessions, before.sessions),
    ),
    users: countChangeField(t, 'the number of users', ({ now, before }) =>
      changeSince(now.users, before.users),
    ),
    bounceRate: ratioChange(t, 'Change of the bounce rate in percentage points.', 'bounceRate'),
    averageDuration: ratioChange(t, 'Change of the mean session length in seconds.', 'avgDuration'),
  }),
})

/** `changes` of totals, or of a row. */
const changesField = <Row extends SessionTotals>(t: FieldsOf<Row>) =>
  t.field({
    type: totalsChanges,
    nullable: true,
    view: 'graph',
    description: `${changesMeaning} Null without \`compare\`.`,
    resolve: (now: Row) => (now.previous ? { now, before: now.previous } : null),
  })

export const landingPage = builder.objectRef<LandingPage>('LandingPage').implement({
  description: 'A page on which sessions began.',
  fields: (t) => ({
    path: t.exposeString('path', { view: 'graph', description: pathMeaning }),
    pathInRest: t.exposeString('path', {
      view: 'rest',
      restName: 'page',
      description: pathMeaning,
    }),
    sessions: t.expose('sessions', { type: 'Int', description: sessionsMeaning }),
    users: t.expose('users', { type: 'Int', description: usersMeaning }),
    bounceRate: t.float({
      description: bounceMeaning,
      resolve: (page) => roundedOrZero(page.bounceRate),
    }),
    avgDuration: t.float({
      graphName: 'averageDuration',
      description: durationMeaning,
      resolve: (page) => roundedOrZero(page.avgDuration),
    }),
    changes: changesField(t),
  }),
})

const covered = { type: dateRangeBlock, description: 'Days that the report covers.' } as const

interface Covered {
  readonly scope: ProjectScope
  readonly window: DateRange
}

const windowFields = <Shape extends Covered>(t: FieldsOf<Shape>) => ({
  dateRange: t.field({ ...covered, view: 'graph', resolve: ({ window }) => window }),
  dataAvailable: dataAvailable(t, 'sessions'),
  window: t.field({ ...covered, view: 'rest', resolve: ({ window }) => window }),
})

report('topPages', {
  ...listOf(builder.objectRef<One<typeof topPages>>('LandingPageList'), landingPage, {
    description: 'The pages on which sessions began, most sessions first.',
    rows: 'pages',
    isCounted: true,
    fields: (t) => ({
      ...windowFields(t),
      pages: t.expose('pages', {
        type: [landingPage],
        description: 'Pages, most sessions first.',
      }),
      success: t.boolean(success),
    }),
  }),
  description: 'The pages on which most sessions began, from web analytics.',
  problems: ['ga4_not_connected', 'query_timeout'],
  args: { ...weeksArgs, ...compareInGraph, limit: pageArgs({ default: 20, max: 100 }).limit },
  resolve: (scope, args) =>
    batched('web-analytics.pages', scope, args as typeof args & { limit: number }, topPages),
})

const sessionTotals = builder.objectRef<SessionTotals>('SessionTotals').implement({
  description: 'Sessions and users of the whole window.',
  fields: (t) => ({
    sessions: t.expose('sessions', { type: 'Int', description: sessionsMeaning }),
    users: t.expose('users', { type: 'Int', description: usersMeaning }),
    bounceRate: t.float({
      nullable: true,
      description: `${bounceMeaning} Null without sessions, and where no export has it.`,
      resolve: (totals) => rounded(totals.bounceRate),
    }),
    avgDuration: t.float({
      graphName: 'averageDuration',
      nullable: true,
      description: `${durationMeaning} Null without sessions, and where no export has it.`,
      resolve: (totals) => rounded(totals.avgDuration),
    }),
    changes: changesField(t),
  }),
})

const sessionPoint = builder.objectRef<SessionPoint>('SessionPoint').implement({
  description: 'Sessions and users in one row of a series.',
  extensions: { restName: 'SessionDay' },
  fields: (t) => ({
    ...bucketFields(t, 'day in the time zone of the web analytics property'),
    sessions: t.expose('sessions', { type: 'Int', description: sessionsMeaning }),
    users: t.expose('users', {
      type: 'Int',
      description: usersMeaning,
      restDescription: 'Users on the day.',
    }),
  }),
})

report('webAnalytics', {
  type: builder.objectRef<One<typeof webAnalytics>>('WebAnalytics').implement({
    description: 'All sessions on the site, from every source.',
    fields: (t) => ({
      ...windowFields(t),
      totals: t.expose('totals', {
        type: sessionTotals,
        description: 'Sessions and users of the whole window.',
      }),
      series: t.field({
        type: [sessionPoint],
        ...everyBucket('sessions'),
        args: intervalArgs,
        resolve: ({ series }, { interval }) => series(interval ?? 'day'),
      }),
      periods: t.field({
        type: [dateRangeBlock],
        view: 'graph',
        description:
          'Windows of which an export without dates has totals, the newest first. Only `totals` and lists of exactly such a window count them, and only without rows by day.',
        resolve: ({ scope }) => batched('web-analytics.periods', scope, {}, sessionPeriodsOf),
      }),
      success: t.boolean(success),
    }),
  }),
  description: 'Sessions on the site by day, week or month, from web analytics.',
  restDescription: 'Sessions on the site by day, from web analytics.',
  problems: ['ga4_not_connected', 'query_timeout'],
  args: { ...weeksArgs, ...compareInGraph },
  resolve: (scope, args) => batched('web-analytics.days', scope, args, webAnalytics),
})

export const aiReferral = builder.objectRef<AiReferral>('AiReferralSource').implement({
  description: 'Sessions that one host of an AI platform sent.',
  fields: (t) => ({
    platformId: t.exposeString('platform', {
      view: 'rest',
      restName: 'platform',
      description: 'Id of the AI platform.',
    }),
    source: t.exposeString('source', {
      description: 'Host that sent the sessions, such as `chatgpt.com`.',
    }),
    sessions: t.expose('sessions', { type: 'Int', description: sessionsMeaning }),
    users: t.expose('users', { type: 'Int', description: usersMeaning }),
    change: countChangeField(t, 'the number of sessions', ({ sessions, previous }) =>
      changeSince(sessions, previous),
    ),
  }),
})

report('aiReferrals', {
  ...listOf(builder.objectRef<One<typeof aiReferrals>>('AiReferralList'), aiReferral, {
    description: 'Sessions that AI assistants sent, by AI platform and host, most first.',
    rows: 'rows',
    isCounted: true,
    fields: (t) => ({
      ...windowFields(t),
      rows: t.expose('rows', {
        type: [aiReferral],
        description: 'Rows, most sessions first, ties by AI platform and host.',
      }),
      success: t.boolean(success),
    }),
  }),
  description: 'Sessions that AI assistants sent, by web analytics.',
  problems: ['ga4_not_connected', 'query_timeout'],
  args: { ...weeksArgs, ...compareInGraph, limit: pageArgs({ default: 20, max: 100 }).limit },
  resolve: (scope, args) =>
    batched(
      'web-analytics.ai-referrals',
      scope,
      args as typeof args & { limit: number },
      aiReferrals,
    ),
})
