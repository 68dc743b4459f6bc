import { run } from '../../warehouse/run.ts'
import { type TrafficKind, trafficKinds } from '../projects/projects.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { byProject } from './crawls.ts'
import { newestEvents } from './traffic.sql.ts'

const dayMs = 24 * 60 * 60 * 1000

export type TrafficState = 'not_connected' | 'waiting' | 'connected' | 'stale'

function stateOf(sources: readonly unknown[], lastMs: number | null, now: Date): TrafficState {
  if (sources.length === 0) return 'not_connected'
  if (lastMs === null) return 'waiting'
  return now.getTime() - lastMs <= dayMs ? 'connected' : 'stale'
}

/** Traffic sources of several projects, and the time of the latest event of any name. */
export async function statusOfMany(scopes: readonly ProjectScope[]) {
  const [first] = scopes
  if (first === undefined) return []
  const projects = scopes.map(({ project }) => project.id)
  const [connections, newest] = await Promise.all([
    first.db.connection.findMany({
      where: { projectId: { in: projects }, kind: { in: [...trafficKinds] } },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    }),
    run<{ projectId: string; lastMs: number }>(first.warehouse, {
      id: 'traffic.status',
      sql: newestEvents,
      params: { projects },
    }),
  ])
  const lastOf = byProject(scopes, newest)
  return byProject(scopes, connections).map((sources, i) => {
    const lastMs = lastOf[i]?.[0]?.lastMs ?? null
    return {
      status: stateOf(sources, lastMs, first.now),
      sources: sources.map(({ kind, ...source }) => ({ ...source, kind: kind as TrafficKind })),
      lastEventAt: lastMs === null ? null : new Date(lastMs),
    }
  })
}

export type TrafficStatus = Awaited<ReturnType<typeof statusOfMany>>[number]
