import { createProject } from '../../resolvers/projects/create.ts'
import { fillFacts, fillHits } from '../facts.ts'
import type { BenchService } from '../service.ts'

/**
 * Fills the project with 200,000 answers in 365 days, a million citations, 560,000 mentions and a million crawler hits.
 * Beside it are small projects, each with 2,000 answers of a month.
 */
export async function fillProject(service: BenchService, { neighbours = 0 } = {}) {
  const filled = await fillFacts(service, 12)
  await fillHits(service)
  const { workspaceId } = await service.db.project.findUniqueOrThrow({
    where: { id: service.projectId },
  })
  for (let i = 0; i < neighbours; i++) {
    const project = { workspaceId, name: `Neighbour ${i}`, domain: `neighbour-${i}.example` }
    const { id } = await createProject(service.db, project, 'bench')
    await fillFacts({ ...service, projectId: id }, 3, { answers: 2000, days: 30 })
  }
  return filled
}

/** The paths of the reports below a project. Two reports have an id in their path. */
export function reportPaths(ids: {
  readonly competitorId: string | undefined
  readonly promptId: string | undefined
}): string[] {
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
    `competitors/${ids.competitorId}`,
    'sentiment',
    'sentiment/history',
    'sentiment/competitors',
    'answers',
    'answers?mentioned=true',
    `prompts/${ids.promptId}/answers`,
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
