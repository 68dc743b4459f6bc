import type { CheckEntry } from '../../core/checks/check.ts'
import {
  type CheckWorth,
  type Comparison,
  fewestPages,
  type WorthGap,
} from '../../core/checks/worth.ts'
import { difference, type Ratio } from '../../core/metrics.ts'
import { type DateRange, type WindowArgs, yearWindow } from '../../core/window.ts'
import {
  type CheckOfSite,
  type SiteChecks,
  siteChecksOfMany,
  worthOfMany,
} from '../../resolvers/audits/checks.ts'
import { batched } from '../../resolvers/shared/batch.ts'
import type { ProjectScope } from '../../resolvers/shared/scope.ts'
import { issueCategory, issueSeverity, issueType } from '../issues/issue.ts'
import { inGraph } from '../kit/args.ts'
import { readOfProject, scopeOf } from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'
import type { Context } from '../kit/context.ts'
import { filterInput, windowOf, withInputNames } from '../kit/inputs.ts'
import { intervalType } from '../kit/interval.ts'
import { report } from '../kit/report.ts'
import { reportFields } from '../kit/report-fields.ts'

const checkSubject = builder.enumType('CheckSubject', {
  description: 'The pages that a check judges.',
  values: {
    page: { description: 'Each requested page.' },
    read: { description: 'Each page that was read: it answers 200 with whole HTML.' },
    indexable: { description: 'Each page that was read and that search engines may index.' },
    site: { description: 'The site as a whole.' },
  } satisfies Record<CheckEntry['of'], object>,
})

const worthGap = builder.enumType('CheckWorthGap', {
  description: 'The reason why pages that pass a check are not compared with pages that fail it.',
  values: {
    site_check: { description: 'The check judges the site, not pages.' },
    same_facts: {
      description: 'The check itself reads hits or citations: the difference is its definition.',
    },
    no_traffic_source: { description: 'No tracker, CDN or access log is connected.' },
    no_crawls: { description: 'AI crawlers read no audited page in the window.' },
    no_citations: { description: 'Answers cite no audited page in the window.' },
    too_few_pages: {
      description: `Fewer than ${fewestPages} pages pass, or fewer than ${fewestPages} fail.`,
    },
  } satisfies Record<WorthGap, object>,
})

const siteOf = (scope: ProjectScope): Promise<SiteChecks> =>
  batched('checks', scope, {}, siteChecksOfMany)

/** All checks of all projects that the request asks about are answered together. */
const window = windowOf(yearWindow)

const worthOf = (scope: ProjectScope, args: WindowArgs) =>
  batched('checks.worth', scope, args, async (scopes, window) =>
    worthOfMany(await Promise.all(scopes.map((each) => siteOf(each))), window),
  )

/** Null where the pages are not compared: the ratios would be misread. */
const compared = <Value>({ reason }: Comparison, value: Value) => (reason === null ? value : null)

const nullIf = 'null when `reason` is set'

const comparison = builder.objectRef<Comparison>('CheckComparison').implement({
  description: 'Pages that pass a check against pages that fail it.',
  fields: (t) => ({
    passing: t.field({
      type: 'Metric',
      nullable: true,
      description: `Percent of the pages passing the check that are crawled, or cited; ${nullIf}.`,
      resolve: (it): Ratio | null => compared(it, it.passing),
    }),
    failing: t.field({
      type: 'Metric',
      nullable: true,
      description: `Percent of the pages failing the check that are crawled, or cited; ${nullIf}.`,
      resolve: (it): Ratio | null => compared(it, it.failing),
    }),
    difference: t.float({
      nullable: true,
      description: `\`passing\` minus \`failing\` in percentage points; ${nullIf}.`,
      resolve: (it) => compared(it, difference(it.passing, it.failing)),
    }),
    interval: t.expose('interval', {
      type: intervalType,
      nullable: true,
      description: `95 % interval of \`difference\` by Newcombe's score method; ${nullIf}.`,
    }),
    isSignificant: t.boolean({
      nullable: true,
      description: `Whether \`interval\` excludes 0: chance alone rarely makes such a difference; ${nullIf}.`,
      resolve: ({ interval }) => interval && (interval.low > 0 || interval.high < 0),
    }),
    reason: t.expose('reason', {
      type: worthGap,
      nullable: true,
      description: 'Reason why the pages are not compared; null when they are.',
    }),
  }),
})

const worth = builder
  .objectRef<CheckWorth & { readonly dateRange: DateRange }>('CheckWorth')
  .implement({
    description:
      'What passing a check goes along with on this site. Pages differ in more than one check, so it proves no cause.',
    fields: (t) => ({
      crawled: t.expose('crawled', {
        type: comparison,
        description: 'Pages that AI crawlers requested in the window. Search engines do not count.',
      }),
      cited: t.expose('cited', {
        type: comparison,
        description: 'Pages that at least one answer of the window cites.',
      }),
      dateRange: reportFields.dateRange(t),
    }),
  })

const judged = 'by the newest completed audit that judged each'

export const checkType = builder.objectRef<CheckOfSite>('Check').implement({
  description: 'A kind of issue: a check that audits make, with its results at one site.',
  fields: (t) => ({
    id: t.exposeID('id', {
      graphName: 'type',
      description: 'Kind of fault that the check finds: the `type` of its issues.',
      restDescription: 'Id of the check, which is the `type` of its issues.',
    }),
    title: t.exposeString('title', { description: 'The fault in a few words.' }),
    severity: t.expose('severity', {
      type: issueSeverity,
      description: 'How much an issue of the check harms.',
    }),
    category: t.expose('category', {
      type: issueCategory,
      description: 'Score that an issue of the check lowers.',
    }),
    judges: t.field({
      type: checkSubject,
      description: 'Pages that the check judges.',
      resolve: (check) => check.of,
    }),
    condition: t.exposeString('condition', { description: 'When the check finds a fault.' }),
    howToFix: t.exposeString('howToFix', { description: 'How to fix the fault.' }),
    openIssueCount: t.expose('openIssueCount', {
      type: 'Int',
      description: 'Open issues of the check.',
    }),
    passingPages: t.expose('passingPages', {
      type: 'Int',
      description: `Pages that pass the check, ${judged}.`,
    }),
    failingPages: t.expose('failingPages', {
      type: 'Int',
      description: `Pages that fail the check, ${judged}. Pages with an ignored issue count.`,
    }),
    worth: t.field({
      type: worth,
      nullable: true,
      description:
        'Whether pages that pass are crawled and cited more than pages that fail; null beside an error.',
      args: window.args,
      resolve: ({ id, scope }, args, context) =>
        withInputNames(async () => {
          // An issue leads here too, and a key may change issues without reading reports.
          await context.authorize(context, readOfProject, scope)
          const { byId, dateRange } = await worthOf(scope, window.flat(args))
          return { ...(byId.get(id) as CheckWorth), dateRange }
        }),
    }),
  }),
})

interface List {
  readonly checks: readonly CheckOfSite[]
}

const ofChecks = {
  hasOpenIssues: 'True lists only checks with open issues, false only checks without any.',
  minPages: `Only checks that at least this many pages pass, and as many fail. \`worth\` needs ${fewestPages}.`,
}

const narrowing = builder.args((t) => ({
  hasOpenIssues: t.boolean({ description: ofChecks.hasOpenIssues }),
  minPages: t.field({
    type: 'Int',
    description: ofChecks.minPages,
    extensions: { param: { min: 0, default: 0 } },
  }),
}))
inGraph({ hasOpenIssues: narrowing.hasOpenIssues }, { filter: 'hasOpenIssues' })
inGraph({ minPages: narrowing.minPages }, { filter: 'minPages', rule: { min: 0 } })

filterInput('CheckFilter', {
  rows: 'Checks',
  own: {
    hasOpenIssues: (t) => t.boolean({ description: ofChecks.hasOpenIssues }),
    minPages: (t) => t.field({ type: 'Int', description: ofChecks.minPages }),
  },
})

report('checks', {
  type: builder.objectRef<List>('CheckList').implement({
    description: 'Kinds of issues, each with its worth at one site.',
    fields: (t) => ({
      checks: t.field({
        type: [checkType],
        description: 'Checks: the most severe first, then those with most open issues, then by id.',
        resolve: ({ checks }) => [...checks],
      }),
    }),
  }),
  only: { type: [checkType], rows: ({ checks }) => checks },
  description: 'Kinds of issues, most severe first, then most open issues.',
  args: narrowing,
  resolve: async (scope, { hasOpenIssues, minPages }): Promise<List> => {
    const { checks } = await siteOf(scope)
    const isListed = ({ openIssueCount, passingPages, failingPages }: CheckOfSite) =>
      (hasOpenIssues == null || hasOpenIssues === openIssueCount > 0) &&
      Math.min(passingPages, failingPages) >= (minPages ?? 0)
    return { checks: checks.filter(isListed) }
  },
})

/** The check of an issue or finding; null for a check that audits no longer make. */
export async function checkIn(context: Context, projectId: string, type: string) {
  const { byId } = await siteOf(await scopeOf(context, projectId))
  return byId.get(type) ?? null
}

builder.objectField(issueType, 'check', (t) =>
  t.field({
    type: checkType,
    nullable: true,
    view: 'graph',
    description: 'The check that finds the issue; null for a check that audits no longer make.',
    resolve: ({ projectId, type }, _args, context) => checkIn(context, projectId, type),
  }),
)
