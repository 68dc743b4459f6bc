import {
  CollectingReportDocument,
  CrawlersReportDocument,
  IssuesReportDocument,
  MarksReportDocument,
  OpportunitiesReportDocument,
  ReferralsReportDocument,
  SearchPerformanceReportDocument,
} from '../documents.ts'
import type { Column } from '../table.ts'
import { paged, type Report, rangeOf, report } from './report.ts'

interface Counted {
  readonly change?: { readonly change: number } | null
}

const countChange = (isCompared: boolean): Column<Counted>[] =>
  isCompared ? [['change', ({ change }) => change?.change]] : []

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

const crawlers = report(
  CrawlersReportDocument,
  { page: 'ai-traffic', filters: [] },
  (project, isCompared) => ({
    ...rangeOf(project.crawlers),
    ...paged(project.crawlers, [
      ['crawler', ({ botName }) => botName],
      ['vendor', ({ botVendor }) => botVendor],
      ['category', ({ botCategory }) => botCategory],
      ['visits', ({ visits }) => visits],
      ['pages', ({ paths }) => paths],
      ['last_seen', ({ lastSeenAt }) => lastSeenAt],
      ...countChange(isCompared),
    ]),
  }),
)

const referrals = report(
  ReferralsReportDocument,
  { page: 'ai-traffic', filters: [] },
  (project, isCompared) => ({
    ...rangeOf(project.aiReferrals),
    ...paged(project.aiReferrals, [
      ['source', ({ source }) => source],
      ['sessions', ({ sessions }) => sessions],
      ['users', ({ users }) => users],
      ...countChange(isCompared),
    ]),
  }),
)

const searchPerformance = report(
  SearchPerformanceReportDocument,
  { page: 'ai-traffic', filters: [] },
  (project, isCompared) => ({
    ...rangeOf(project.searchQueries),
    ...paged(project.searchQueries, [
      ['query', ({ query }) => query],
      ['clicks', ({ clicks }) => clicks],
      ['impressions', ({ impressions }) => impressions],
      ['click_rate', ({ ctr }) => ctr],
      ['position', ({ position }) => position],
      ...(isCompared
        ? [
            [
              'change',
              (row: { changes?: { clicks?: { change: number } | null } | null }) =>
                row.changes?.clicks?.change,
            ] as const,
          ]
        : []),
    ]),
  }),
)

const issues = report(IssuesReportDocument, { page: 'site-audit', filters: [] }, (project) =>
  paged(project.issues, [
    ['issue_id', ({ id }) => id],
    ['severity', ({ severity }) => severity],
    ['category', ({ category }) => category],
    ['issue', ({ title }) => title],
    ['url', ({ url }) => url],
    ['affected', ({ affectedCount }) => affectedCount],
    ['how_to_fix', ({ howToFix }) => howToFix],
    ['since', ({ openedAt }) => openedAt],
  ]),
)

const opportunities = report(
  OpportunitiesReportDocument,
  { page: 'opportunities', filters: [], sorts: ['effect', 'score', 'newest'] },
  (project) =>
    paged(project.opportunities, [
      ['opportunity_id', ({ id }) => id],
      ['opportunity', ({ title }) => title],
      ['category', ({ category }) => category],
      ['impact', ({ impact }) => impact],
      ['effect', ({ effect }) => effect?.text],
      ['effort', ({ effort }) => effort],
    ]),
)

const marks = report(MarksReportDocument, { page: 'opportunities', filters: [] }, (project) => ({
  ...paged(project.marks, [
    ['mark_id', ({ id }) => id],
    ['date', ({ date }) => date],
    ['kind', ({ kind }) => kind],
    ['done', ({ title }) => title],
    ['url', ({ url }) => url],
    ['verdict', ({ comparison }) => comparison.verdict],
    ['effect_points', ({ comparison }) => comparison.effect],
    ['low', ({ comparison }) => comparison.interval?.low],
    ['high', ({ comparison }) => comparison.interval?.high],
    ['prompts', ({ comparison }) => comparison.concerned.promptCount],
    ['other_prompts', ({ comparison }) => comparison.others.promptCount],
    ['since', ({ comparison }) => comparison.since],
    ['shown_on', ({ comparison }) => comparison.shownOn],
    ['in_words', ({ comparison }) => comparison.text],
  ]),
  notes: [
    'Effects compare the prompts that something concerns with the others, after against before. `not_yet` means that it is too early to say: never report its effect as a result.',
  ],
}))

const collecting = report(
  CollectingReportDocument,
  { page: 'data-collection', filters: [] },
  (project) =>
    paged(project.runs, [
      ['run_id', ({ id }) => id],
      ['schedule_id', ({ schedule }) => schedule?.id],
      ['schedule', ({ schedule }) => schedule?.name],
      ['status', ({ status }) => status],
      ['created', ({ createdAt }) => createdAt],
      ['completed', ({ completedAt }) => completedAt],
      ['questions', ({ coverage }) => sum(coverage.map(({ asked }) => asked))],
      ['answered', ({ coverage }) => sum(coverage.map(({ answered }) => answered))],
      ['waiting', ({ coverage }) => sum(coverage.map(({ waiting }) => waiting))],
      ['failed', ({ coverage }) => sum(coverage.map(({ failed }) => failed))],
      ['cost_usd', ({ coverage }) => sum(coverage.map(({ cost }) => cost))],
    ]),
)

/** Reports about the site, its visitors, and the work. */
export const siteReports = {
  crawlers: { total: crawlers },
  ai_referrals: { total: referrals },
  search_performance: { total: searchPerformance },
  issues: { total: issues },
  opportunities: { total: opportunities },
  marks: { total: marks },
  collecting: { total: collecting },
} satisfies Readonly<Record<string, Readonly<Record<string, Report>>>>
