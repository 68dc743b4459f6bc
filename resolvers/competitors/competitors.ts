import { notFound } from '../../core/errors.ts'
import { average, share } from '../../core/metrics.ts'
import { fingerprint, type PageArgs, pagination } from '../../core/pagination.ts'
import { resolveWindow, type WindowArgs, yearWindow } from '../../core/window.ts'
import type { Db } from '../../prisma/client.ts'
import { run } from '../../warehouse/run.ts'
import type { CompetitorReference } from '../projects/projects.ts'
import { groupByProject } from '../shared/by-project.ts'
import { factParams, factsWhere } from '../shared/facts.sql.ts'
import { type FilterArgs, readFilters } from '../shared/filters.ts'
import { listMeaning } from '../shared/lists/meaning.ts'
import { currentSnapshot, pageSnapshot } from '../shared/lists/snapshot.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { competitorCounts, competitorDays } from './competitors.sql.ts'

/** Tracked competitors of each project with their aliases, by name. */
export async function loadTrackedCompetitors(db: Db, projectIds: readonly string[]) {
  const rows = await db.competitor.findMany({
    where: { projectId: { in: [...projectIds] } },
    include: { aliases: { orderBy: [{ text: 'asc' }, { id: 'asc' }] } },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
  })
  return groupByProject(projectIds, rows)
}

interface Counts {
  mentions: number
  responses: number
  ranks: number
  cited: number
}

const none: Counts = { mentions: 0, responses: 0, ranks: 0, cited: 0 }

function competitorRow(competitor: CompetitorReference, counts: Counts, responses: number) {
  return {
    ...competitor,
    mentions: counts.mentions,
    responsesWithMention: counts.responses,
    responseMentionRate: share(counts.responses, responses),
    averagePosition: average(counts.ranks, counts.responses),
    citations: counts.cited,
  }
}

export type CompetitorRow = ReturnType<typeof competitorRow>

function brandParams(scope: ProjectScope, competitors: readonly CompetitorReference[]) {
  return {
    analysis: scope.project.analysis,
    competitors: competitors.map(({ id }) => id),
    domains: competitors.map(({ domain }) => domain),
  }
}

/** A page of tracked competitors, most responses first. A competitor that no answer names counts 0. */
export async function competitors(scope: ProjectScope, args: WindowArgs & FilterArgs & PageArgs) {
  const { limit, offset, ...narrowing } = args
  const range = resolveWindow(args, yearWindow, scope.now)
  const filters = await readFilters(scope, args)
  const list = fingerprint('competitors', listMeaning(narrowing, yearWindow, scope.now))
  const snapshot = pageSnapshot(scope, list, offset)
  const tracked = scope.project.competitors
  const rows = await run<Counts & { key: string }>(scope.warehouse, {
    id: 'competitors',
    settled: true,
    sql: competitorCounts(factsWhere(filters, snapshot)),
    params: {
      ...factParams(scope.project.id, range, filters, snapshot),
      ...brandParams(scope, tracked),
    },
  })
  const byKey = new Map(rows.map((row) => [row.key, row]))
  const responses = byKey.get('')?.responses ?? 0
  const page = tracked
    .map((competitor) => {
      const cited = byKey.get(competitor.domain)?.cited ?? 0
      const counts = byKey.get(competitor.id) ?? none
      return competitorRow(competitor, { ...counts, cited }, responses)
    })
    .sort(mostNamedFirst)
    .slice(offset, offset + limit)
  return {
    scope,
    competitors: page,
    pagination: {
      ...pagination({ limit, offset }, page.length, tracked.length),
      total: tracked.length,
    },
    dateRange: range,
  }
}

function mostNamedFirst(a: CompetitorRow, b: CompetitorRow): number {
  return (
    b.responsesWithMention - a.responsesWithMention ||
    b.mentions - a.mentions ||
    (a.name < b.name ? -1 : 1) // names are unique within a project
  )
}

interface DayFacts {
  date: string
  responsesWithMention: number
  totalResponses: number
  mentions: number
  ranks: number
  citations: number
}

/**
 * One competitor, with its counts on each day that has answers.
 * @throws {Fault} `not_found` when the project has no such competitor
 */
export async function competitor(
  scope: ProjectScope,
  args: WindowArgs & FilterArgs & { competitorId: string },
) {
  const range = resolveWindow(args, yearWindow, scope.now)
  const filters = await readFilters(scope, args)
  const id = args.competitorId.toLowerCase()
  const found = scope.project.competitors.find((other) => other.id === id)
  if (found === undefined) throw notFound()
  const snapshot = currentSnapshot(scope)
  const days = await run<DayFacts>(scope.warehouse, {
    id: 'competitors.one',
    settled: true,
    sql: competitorDays(factsWhere(filters, snapshot)),
    params: {
      ...factParams(scope.project.id, range, filters, snapshot),
      ...brandParams(scope, [found]),
    },
  })
  const sum = (count: Exclude<keyof DayFacts, 'date'>) =>
    days.reduce((total, day) => total + day[count], 0)
  const counts = {
    mentions: sum('mentions'),
    responses: sum('responsesWithMention'),
    ranks: sum('ranks'),
    cited: sum('citations'),
  }
  return {
    scope,
    competitor: {
      ...competitorRow(found, counts, sum('totalResponses')),
      trend: days.map(({ date, responsesWithMention, totalResponses }) => ({
        date,
        responseMentionRate: share(responsesWithMention, totalResponses),
        responsesWithMention,
        totalResponses,
      })),
    },
    dateRange: range,
  }
}

export type CompetitorDetail = Awaited<ReturnType<typeof competitor>>['competitor']
export type CompetitorDay = CompetitorDetail['trend'][number]
