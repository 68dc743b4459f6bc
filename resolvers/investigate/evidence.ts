import { brandFields, brandsOf } from '../../core/project-brands.ts'
import { excerptOf, plainText } from '../../core/text/excerpt.ts'
import { foreignWords } from '../../core/text/languages/foreign-words.ts'
import { type BrandMatcher, compileBrands } from '../../core/text/mentions.ts'
import type { DateRange } from '../../core/window.ts'
import { run } from '../../warehouse/run.ts'
import type { FilterArgs } from '../shared/filters.ts'
import { isSettled, ratedFactsOf } from '../shared/judged.ts'
import { rowsOfMany } from '../shared/many.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { type InvestigatedBy, judgesFor, metricParams } from './counted.ts'
import { evidence } from './investigate.sql.ts'

const excerptLength = 240

/** An answer that shows the change. */
export interface Evidence {
  readonly projectId: string
  readonly answerId: string
  readonly promptId: string
  readonly platform: string
  /** UTC day. */
  readonly date: string
  readonly excerpt: string
}

interface AnswerRow extends Omit<Evidence, 'excerpt'> {
  readonly text: string
}

interface Selection {
  readonly range: DateRange
  /** The largest part of the change first. */
  readonly promptIds: readonly string[]
  /** Whether answers that count toward the metric are wanted, or those that do not. */
  readonly counts: boolean
}

async function ownMatcher({ db, project }: ProjectScope): Promise<BrandMatcher> {
  const where = { id: project.id }
  const record = await db.project.findUniqueOrThrow({ where, select: brandFields })
  return compileBrands(brandsOf(record), await foreignWords())
}

/** The text around the first naming of the own brand, else its beginning. */
function excerptAround(matcher: BrandMatcher, markdown: string): string {
  const text = plainText(markdown)
  const naming = matcher.find(text).find(({ isOwn }) => isOwn)
  return excerptOf(text, naming?.spans[0] ?? null, excerptLength)
}

/** Answers of the window to the prompts, in the order of the prompts: the two newest of each. */
export async function readEvidence(
  scope: ProjectScope,
  args: FilterArgs & InvestigatedBy,
  { range, promptIds, counts }: Selection,
): Promise<Evidence[]> {
  const { metric } = args
  const versions = await judgesFor([scope], args)
  const [[rows = []], matcher] = await Promise.all([
    rowsOfMany([scope], args, (given) => {
      const many = { ...given, filters: { ...given.filters, promptIds } }
      const { facts, where, params } = ratedFactsOf(many, range, versions)
      return run<AnswerRow>(scope.warehouse, {
        id: `investigate.${metric}.evidence`,
        settled: isSettled(args.method),
        sql: evidence(metric, where, facts.from('mentions'), counts),
        params: { ...params, ...metricParams(metric, [scope]) },
      })
    }),
    ownMatcher(scope),
  ])
  if (rows instanceof Error) throw rows
  return rows
    .toSorted((a, b) => promptIds.indexOf(a.promptId) - promptIds.indexOf(b.promptId))
    .map(({ projectId, answerId, promptId, platform, date, text }) => ({
      projectId,
      answerId,
      promptId,
      platform,
      date,
      excerpt: excerptAround(matcher, text),
    }))
}
