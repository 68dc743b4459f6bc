import type { Db } from '../../prisma/client.ts'
import type { CompetitorReference, ProjectRecord } from '../projects/projects.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { loadTopicPrompts, type TopicPrompts } from '../visibility/breakdowns.ts'

/** What the live reports of a project read at one moment, beside its facts. */
export interface AsOf {
  readonly load: number
  readonly deadLoads: readonly number[]
  readonly analysis: number
  readonly name: string
  readonly domain: string
  readonly ownDomains: readonly string[]
  readonly competitors: readonly CompetitorReference[]
  readonly topics: readonly Pick<TopicPrompts, 'id' | 'name' | 'promptIds'>[]
}

/** The project as it is now. Call it in the transaction that stores the request. */
export async function currentState(tx: Db, project: ProjectRecord): Promise<AsOf> {
  const [topics = []] = await loadTopicPrompts(tx, [project.id])
  return {
    load: project.visibleLoad,
    deadLoads: project.deadLoads,
    analysis: project.analysis,
    name: project.name,
    domain: project.domain,
    ownDomains: project.ownDomains,
    competitors: project.competitors,
    topics: topics.map(({ id, name, promptIds }) => ({ id, name, promptIds })),
  }
}

/** The scope with its project as it was: resolvers then read as they did at that moment, and apart from others. */
export function frozenScope(scope: ProjectScope, asOf: AsOf): ProjectScope {
  const { load, deadLoads, analysis, name, domain, ownDomains, competitors } = asOf
  const then = { analysis, name, domain, ownDomains, competitors }
  const project = { ...scope.project, ...then, visibleLoad: load, deadLoads }
  return { ...scope, project, batches: new Map() }
}

export function topicsThen({ topics }: AsOf, projectId: string): TopicPrompts[] {
  return topics.map((topic) => ({ ...topic, projectId }))
}
