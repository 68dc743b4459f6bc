import { LRUCache } from 'lru-cache'
import type { Db } from '../../prisma/client.ts'
import type { Warehouse } from '../../warehouse/client.ts'
import { type CompetitorReference, loadProjects, type ProjectRecord } from '../projects/projects.ts'
import type { ProjectScope, Snapshot } from '../shared/scope.ts'
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

/** Nobody's id: a job has no reader. */
const nobody = '00000000-0000-0000-0000-000000000000'

/** The project for a job, which acts for no user; null when it was deleted. */
export async function projectOfJob(db: Db, projectId: string): Promise<ProjectRecord | null> {
  const [project] = await loadProjects(db, nobody, [projectId])
  return project ?? null
}

/** The scope of a job. It reads no second page of any list, so that its cursors need no secret. */
export function scopeOfJob(db: Db, warehouse: Warehouse, project: ProjectRecord): ProjectScope {
  const snapshots = new LRUCache<string, Snapshot>({ max: 10 })
  return { db, warehouse, project, now: new Date(), cursorSecret: '', snapshots, reader: '' }
}

/** The scope with its project as it was: resolvers then read as they did at that moment. */
export function frozenScope(scope: ProjectScope, asOf: AsOf): ProjectScope {
  const { load, deadLoads, analysis, name, domain, ownDomains, competitors } = asOf
  const then = { analysis, name, domain, ownDomains, competitors }
  return { ...scope, project: { ...scope.project, ...then, visibleLoad: load, deadLoads } }
}

export function topicsThen({ topics }: AsOf, projectId: string): TopicPrompts[] {
  return topics.map((topic) => ({ ...topic, projectId }))
}
