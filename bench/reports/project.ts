import { createProject } from '../../resolvers/projects/create.ts'
import { command } from '../../warehouse/run.ts'
import { fillFacts, fillHits } from '../facts.ts'
import type { BenchService } from '../service.ts'

/**
 * Fills the project with 200,000 answers in 365 days, a million citations, 560,000 mentions and a million crawler hits.
 * Beside it are small projects, each with 2,000 answers of a month.
 * @returns the paths of its reports
 */
export async function fillProject(service: BenchService, { neighbours = 0 } = {}) {
  const { competitors, prompts } = await fillFacts(service, 12)
  await fillHits(service)
  const { workspaceId } = await service.db.project.findUniqueOrThrow({
    where: { id: service.projectId },
  })
  for (let i = 0; i < neighbours; i++) {
    const project = { workspaceId, name: `Neighbour ${i}`, domain: `neighbour-${i}.example` }
    const { id } = await createProject(service.db, project, 'bench')
    await fillFacts({ ...service, projectId: id }, 3, { answers: 2000, days: 30 })
  }
  await mergeParts(service)
  return { paths: reportPaths(competitors[0]?.id, prompts[0]?.id) }
}

/** The engine merges parts in the background. A service that has run for an hour has one for each month. */
export async function mergeParts({ warehouse }: BenchService): Promise<void> {
  for (const table of ['answers', 'citations', 'mentions', 'crawler_hits']) {
    const sql = `OPTIMIZE TABLE ${table} FINAL`
    await command(warehouse, { id: `bench.merge.${table}`, sql, timeoutMs: 600_000 })
  }
}

/** The name of a report: its path without the id of a thing. */
export const nameOf = (path: string): string => path.replace(/[0-9a-f-]{36}/, '{id}')

/** The days of a question, both included. */
export interface Days {
  readonly from: string
  readonly to: string
}

/** So many days, the last of them so many days ago. */
export function daysUntil(ago: number, days: number): Days {
  const day = (back: number) => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10)
  return { from: day(ago + days - 1), to: day(ago) }
}

/** The paths of the reports below a project. Two reports have an id in their path. */
function reportPaths(competitorId: string | undefined, promptId: string | undefined): string[] {
  return [
    'topics',
    'visibility',
    'visibility?compare=previous_period&include=industryRanking',
    'visibility/history',
    'visibility/topics',
    'visibility/prompts',
    'visibility/locations',
    'visibility/platforms',
    'share-of-voice',
    'share-of-voice?compare=previous_year',
    'competitors',
    `competitors/${competitorId}`,
    'sentiment',
    'sentiment/history',
    'sentiment/competitors',
    'answers',
    'answers?mentioned=true',
    `prompts/${promptId}/answers`,
    'sources/domains',
    'sources/domains/site1.com/urls',
    'sources/urls',
    'sources/content-types',
    'sources/trend',
    'traffic/overview',
    'traffic/overview?groupBy=botName',
    'traffic/overview?host=www.sony.com',
    'traffic/bots',
    'traffic/bots?groupBy=platform',
    'traffic/logs',
    'traffic/logs?path=/page/3',
    'traffic/logs?offset=10000',
    'traffic/status',
  ]
}
