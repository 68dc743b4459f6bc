import {
  type Comparison,
  compare,
  daysAfter,
  daysBefore,
  type MarkedPrompt,
} from '../../core/marks/comparison.ts'
import type { MarkMetric } from '../../core/marks/marks.ts'
import { run } from '../../warehouse/run.ts'
import { brandDomains } from '../projects/projects.ts'
import { factParams, factsWhere } from '../shared/facts.sql.ts'
import { noFilters } from '../shared/filters.ts'
import { currentSnapshot } from '../shared/lists/snapshot.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { answersByDay } from './comparison.sql.ts'
import type { Mark } from './marks.ts'

interface MarkIn {
  readonly scope: ProjectScope
  readonly mark: Mark
}

/** A comparison with its days as dates. */
export type DatedComparison = Comparison & {
  readonly metric: MarkMetric
  readonly shownOn: string | null
  readonly since: string | null
}

interface Row {
  readonly promptId: string
  readonly days: readonly (readonly [place: number, answers: number, counted: number])[]
}

const dayMs = 86_400_000
const dayOf = (date: Date) => Math.floor(date.getTime() / dayMs)
const dateOf = (day: number) => new Date(day * dayMs).toISOString().slice(0, 10)

const none = { n: 0, d: 0 }

/** The answers to a prompt around a mark, which was on the day `at` of the row. */
function around({ days }: Row, at: number, isConcerned: boolean): MarkedPrompt {
  const near = days
    .map(([place, d, n]) => ({ at: place - at, n, d }))
    .filter((day) => day.at >= -daysBefore && day.at <= daysAfter)
  return {
    isConcerned,
    before: near
      .filter((day) => day.at < 0)
      .reduce((sum, { n, d }) => ({ n: sum.n + n, d: sum.d + d }), none),
    days: near.filter((day) => day.at > 0),
  }
}

async function concernedBy({ db }: ProjectScope, marks: readonly Mark[]) {
  const topicIds = [...new Set(marks.flatMap((mark) => mark.topicIds))]
  const linked =
    topicIds.length === 0
      ? []
      : await db.promptTopic.findMany({
          where: { topicId: { in: topicIds } },
          select: { promptId: true, topicId: true },
        })
  return marks.map(
    (mark) =>
      new Set([
        ...mark.promptIds,
        ...linked
          .filter(({ topicId }) => mark.topicIds.includes(topicId))
          .map(({ promptId }) => promptId),
      ]),
  )
}

/** The comparisons of marks of one project, in one statement. */
async function ofProject(scope: ProjectScope, marks: readonly Mark[], metric: MarkMetric) {
  const { project, warehouse, now } = scope
  const days = marks.map(({ day }) => dayOf(day))
  const origin = Math.min(...days) - daysBefore
  const range = {
    from: dateOf(origin),
    to: dateOf(Math.min(dayOf(now), Math.max(...days) + daysAfter)),
  }
  const snapshot = currentSnapshot(scope)
  const [rows, concerned] = await Promise.all([
    run<Row>(warehouse, {
      id: 'marks.comparison',
      settled: true,
      sql: answersByDay(factsWhere(noFilters, snapshot), metric),
      params: {
        ...factParams(project.id, range, noFilters, snapshot),
        analysis: project.analysis,
        ownDomains: brandDomains(project),
        origin: range.from,
      },
    }),
    concernedBy(scope, marks),
  ])
  return marks.map((mark, i): DatedComparison => {
    const day = dayOf(mark.day)
    const prompts = rows.map((row) =>
      around(row, day - origin, concerned[i]?.has(row.promptId) ?? false),
    )
    const compared = compare(prompts, dayOf(now) > day + daysAfter)
    const { shownAt, sinceAt } = compared
    return {
      ...compared,
      metric,
      shownOn: shownAt === null ? null : dateOf(day + shownAt),
      since: sinceAt === null ? null : dateOf(day + sinceAt),
    }
  })
}

/** Whether what was marked helped: a comparison per mark, in order. The marks of a project take one statement. */
export async function comparisonsOf(
  marks: readonly MarkIn[],
  { metric }: { readonly metric: MarkMetric },
): Promise<(DatedComparison | Error)[]> {
  const byProject = Map.groupBy(marks, ({ scope }) => scope.project.id)
  const found = new Map<MarkIn, DatedComparison>()
  for (const group of byProject.values()) {
    const [first] = group
    if (!first) continue
    const compared = await ofProject(
      first.scope,
      group.map(({ mark }) => mark),
      metric,
    )
    for (const [i, each] of group.entries()) {
      const one = compared[i]
      if (one) found.set(each, one)
    }
  }
  return marks.map((mark) => found.get(mark) ?? new Error('A mark was not compared.'))
}
