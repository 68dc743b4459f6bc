import type { ReportContent } from '../../core/reports/content.ts'
import type { ReportType } from '../../core/reports/input.ts'
import { type ReportPart, reportParts } from '../../core/reports/view.ts'
import type { DateRange } from '../../core/window.ts'
import { run } from '../../warehouse/run.ts'
import { methodsOf } from '../shared/method/method.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { type AsOf, frozenScope, topicsThen } from './frozen.ts'
import { onlyOf } from './one.ts'
import { mentionsOfAnalysis } from './reports.sql.ts'
import { sentimentSections } from './sentiment.ts'
import { reportView } from './view.ts'
import { visibilitySections } from './visibility.ts'

/** What to compute. */
export interface ReportRequest {
  readonly reportType: ReportType
  readonly range: DateRange
  /** What the page shows below its headline numbers; empty: all. */
  readonly parts: readonly string[]
  readonly asOf: AsOf
}

/** The parts whose sections are numbers. All other sections are in every report. */
const partOfSection: Readonly<Record<string, ReportPart>> = {
  'Share of voice': 'brands',
  'AI platforms': 'platforms',
  Topics: 'topics',
  Sources: 'sources',
  'Sentiment by brand': 'brands',
}

function partsOf(names: readonly string[]): readonly ReportPart[] {
  return names.length === 0 ? reportParts : reportParts.filter((part) => names.includes(part))
}

/** Called after each part of a report. */
type OnPart = (done: number, total: number) => void

const reanalysed =
  'The answers were analysed again after this report was requested, and the earlier analysis is gone. Mentions, ranks and sentiment are those of the later analysis.'

async function mentionsOf({ warehouse, project }: ProjectScope, analysis: number): Promise<number> {
  const [row] = await run<{ mentions: number }>(warehouse, {
    id: 'reports.mentions-of-analysis',
    sql: mentionsOfAnalysis,
    params: { project: project.id, analysis },
  })
  return row?.mentions ?? 0
}

async function compute(
  scope: ProjectScope,
  { reportType, range, asOf, ...request }: ReportRequest,
  onPart: OnPart,
): Promise<ReportContent> {
  const frozen = frozenScope(scope, asOf)
  const wanted = partsOf(request.parts)
  const topics = topicsThen(asOf, scope.project.id)
  const makers = [
    ...(reportType === 'sentiment' ? [] : [() => visibilitySections(frozen, range, topics)]),
    ...(reportType === 'visibility' ? [] : [() => sentimentSections(frozen, range)]),
  ]
  const parts: Awaited<ReturnType<(typeof makers)[number]>>[] = []
  const steps = makers.length + 1
  onPart(0, steps)
  for (const make of makers) {
    parts.push(await make())
    onPart(parts.length, steps)
  }
  const view = await reportView(frozen, { reportType, range, parts: wanted, topics })
  onPart(steps, steps)
  const isWanted = ({ title }: { readonly title: string }) => {
    const part = partOfSection[title]
    return part === undefined || wanted.includes(part)
  }
  return {
    brand: { name: asOf.name, domain: asOf.domain },
    sections: parts.flatMap(({ sections }) => sections.filter(isWanted)),
    trends: parts.map(({ trend }) => trend),
    note: null,
    method: onlyOf(await methodsOf([frozen], range)),
    view,
  }
}

/**
 * What a report shows: the numbers that the live reports gave when it was requested. Where a reanalysis has removed the
 * analysis of that time, the current analysis counts, and the note says so.
 * @param scope the project as it is now
 */
export async function reportContent(
  scope: ProjectScope,
  request: ReportRequest,
  onPart: OnPart = () => undefined,
): Promise<ReportContent> {
  const { asOf } = request
  const { analysis } = scope.project
  if (asOf.analysis === analysis) return compute(scope, request, onPart)
  // A removal that is under way shows in the counts before and after.
  const before = await mentionsOf(scope, asOf.analysis)
  if (before > 0) {
    const content = await compute(scope, request, onPart)
    if ((await mentionsOf(scope, asOf.analysis)) === before) return content
  }
  const now = { ...request, asOf: { ...asOf, analysis } }
  return { ...(await compute(scope, now, onPart)), note: reanalysed }
}
