import {
  type ReportMetric,
  type ReportSection,
  type ReportUnit,
  reportUnits,
} from '../../core/reports/content.ts'
import { type ReportType, reportTypes } from '../../core/reports/input.ts'
import { type ReportPart, reportParts } from '../../core/reports/view.ts'
import { fewestRated } from '../../core/text/sentiment.ts'
import { proofUrlOf } from '../../resolvers/reports/proof.ts'
import { type Report, windowOf } from '../../resolvers/reports/reports.ts'
import { linkOf, previewOf } from '../../resolvers/reports/share.ts'
import { builder } from '../kit/builder.ts'
import { type Context, loaders } from '../kit/context.ts'
import { methodType } from '../kit/method/method.ts'
import { dateRangeBlock, type FieldsOf } from '../kit/report-fields.ts'
import { wordsOf } from '../kit/words.ts'
import { scoreFields } from '../sentiment/tones.ts'

const reportError = wordsOf('ReportError', 'The reason why a report failed.', {
  internal: 'The service failed.',
})

const subjects: Record<ReportType, string> = {
  visibility: 'How often answers name the brand, where, and the sources they cite.',
  sentiment: 'How answers speak of the brand and its competitors.',
  combined: 'Visibility and sentiment.',
}

export const reportType = builder.enumType('ReportType', {
  description: 'The subject of a report.',
  values: Object.fromEntries(
    reportTypes.map((name) => [name, { description: subjects[name] }]),
  ) as Record<ReportType, { description: string }>,
})

export const reportPart = wordsOf<ReportPart>(
  'ReportPart',
  'What the page of a report shows below its headline numbers.',
  {
    trend: 'All brands over time.',
    brands: 'The tracked brands by rank.',
    platforms: 'Visibility of each brand on each AI platform.',
    topics: 'Visibility by topic.',
    prompts: 'Prompts won and lost, with their texts.',
    sources: 'The most cited domains, and the sources to win.',
  },
)

const reportStatus = builder.enumType('ReportStatus', {
  description: 'The progress of a report.',
  values: {
    queued: { description: 'The report waits for a worker.' },
    running: { description: 'A worker makes the report.' },
    completed: { description: 'The report is ready and never changes.' },
    failed: { description: 'The report could not be made.' },
  },
})

const units: Record<ReportUnit, string> = {
  percent: 'A percentage, 0 to 100.',
  points: 'A difference of percentages, -100 to 100.',
  count: 'A number of answers, mentions or citations.',
  position: 'A mean rank among the tracked brands; 1 is first.',
  score: 'A sentiment score: 0 negative, 50 neutral, 100 positive.',
}

const reportUnit = builder.enumType('ReportUnit', {
  description: 'The unit of a number in a report.',
  values: Object.fromEntries(
    reportUnits.map((name) => [name, { description: units[name] }]),
  ) as Record<ReportUnit, { description: string }>,
})

/** Of ratios in points, sentiment alone has a base. */
const isOfFewRated = ({ unit, n }: ReportMetric) =>
  (unit === 'score' || unit === 'points') && n !== null && n < fewestRated

const metric = builder.objectRef<ReportMetric>('ReportMetric').implement({
  description: 'One number of a report.',
  fields: (t) => ({
    label: t.exposeString('label', {
      description: 'Name of the number, or of the brand, platform, topic or domain it is about.',
    }),
    ...scoreFields(
      t,
      'value',
      'The number, rounded to two decimals; null for a ratio without answers.',
      ({ value }) => value,
      isOfFewRated,
    ),
    unit: t.expose('unit', { type: reportUnit, description: 'Unit of the number.' }),
    low: t.exposeFloat('low', {
      nullable: true,
      description:
        'Lower end of the 95 % interval for other prompts like these, in percent. Null without an interval.',
    }),
    high: t.exposeFloat('high', {
      nullable: true,
      description: 'Upper end of the 95 % interval in percent. Null when `low` is.',
    }),
    n: t.expose('n', {
      type: 'Int',
      nullable: true,
      description: 'Answers that the ratio is of; null for a count or a change.',
    }),
  }),
})

const section = builder.objectRef<ReportSection>('ReportSection').implement({
  description: 'A part of a report.',
  fields: (t) => ({
    title: t.exposeString('title', { description: 'Title of the section.' }),
    metrics: t.field({
      type: [metric],
      description: 'Numbers of the section, in the order of the page.',
      resolve: ({ metrics }) => [...metrics],
    }),
  }),
})

/** The link of a report, as the plan of its project is now. */
async function currentLink(context: Context, report: Report): Promise<string | null> {
  const project = await loaders(context).project.load(report.projectId)
  return project && linkOf(report, project, context.services)
}

const listedFields = (t: FieldsOf<Report>) => ({
  id: t.exposeID('id', { description: 'UUID of the report.' }),
  reportType: t.expose('reportType', { type: reportType, description: 'Subject of the report.' }),
  title: t.exposeString('title', { description: 'Title of the report.' }),
  status: t.expose('status', { type: reportStatus, description: 'Progress of the report.' }),
  shareUrl: t.field({
    type: 'String',
    nullable: true,
    description:
      'Address that shows the report to everyone who has it. Null unless completed and shared.',
    resolve: (report, _args, context) => currentLink(context, report),
  }),
  createdAt: t.expose('createdAt', {
    type: 'DateTime',
    description: 'Time when the report was requested; its numbers are those of this moment.',
  }),
  completedAt: t.expose('completedAt', {
    type: 'DateTime',
    nullable: true,
    description: 'Time when the report ended; null until then.',
  }),
})

/** What lists of REST show of a report. */
export const reportSummary = builder.objectRef<Report>('ReportSummary').implement({
  description: 'A report without its numbers.',
  fields: listedFields,
})

export const fullReport = builder.objectRef<Report>('Report').implement({
  description: 'A report: numbers of a window, frozen at the moment of the request.',
  fields: (t) => ({
    ...listedFields(t),
    dateRange: t.field({
      type: dateRangeBlock,
      description: 'Days that the report covers.',
      resolve: windowOf,
    }),
    sections: t.field({
      type: [section],
      description: 'Parts of the report; none until the report is completed.',
      resolve: ({ content }) => [...(content?.sections ?? [])],
    }),
    error: t.field({
      type: reportError,
      nullable: true,
      resolve: ({ error }) => reportError.of(error),
      description: 'Why the report failed: `internal`; null unless the report failed.',
    }),
    parts: t.field({
      type: [reportPart],
      view: 'graph',
      description: 'What the page shows below its headline numbers, in its order.',
      resolve: ({ parts }) =>
        reportParts.filter((part) => parts.length === 0 || parts.includes(part)),
    }),
    shareEndsAt: t.expose('sharedUntil', {
      type: 'DateTime',
      nullable: true,
      view: 'graph',
      description: 'Time when the link ends; null for a link without an end, and without a link.',
    }),
    hasPassword: t.boolean({
      view: 'graph',
      description: 'Whether the link asks its readers for a password.',
      resolve: ({ sharePassword }) => sharePassword !== null,
    }),
    proofUrl: t.field({
      type: 'String',
      nullable: true,
      view: 'graph',
      description:
        'Address of the proof of its visibility, a file that `sightline verify` counts again. Null unless completed and shared, and for reports about sentiment alone.',
      resolve: async (report, _args, context) =>
        proofUrlOf(report, await currentLink(context, report)),
    }),
    proofTexts: t.exposeBoolean('proofTexts', {
      view: 'graph',
      description: 'Whether the proof has the texts of the answers.',
    }),
    previewUrl: t.string({
      nullable: true,
      view: 'graph',
      description:
        'Address that shows the report for 15 minutes, whether it is shared or not. Null unless completed.',
      resolve: (report, _args, { services }) => previewOf(report, services),
    }),
    note: t.string({
      nullable: true,
      description: 'What to know about the numbers; null for nothing.',
      resolve: ({ content }) => content?.note ?? null,
    }),
    method: t.field({
      type: methodType,
      nullable: true,
      view: 'graph',
      description:
        'How the answers were collected, as of the request. Null until the report is completed.',
      resolve: ({ content, projectId }) =>
        content?.method ? { projectId, ...content.method } : null,
    }),
  }),
})
