import type { Principal, Role } from '../../core/access.ts'
import type { DataVersions } from '../../core/load/data-kinds.ts'
import { type PageArgs, type Pagination, pagination } from '../../core/pagination.ts'
import type { PlanName } from '../../core/plans.ts'
import { type Platform, platforms } from '../../core/platforms.ts'
import type { Db, Prepared } from '../../prisma/client.ts'
import { groupByProject } from '../shared/by-project.ts'
import { keyParam } from '../shared/lists/keyset.ts'
import {
  countReachableProjects,
  projectById,
  projectsById,
  reachableProjects,
} from './projects.sql.ts'

export interface CompetitorReference {
  readonly id: string
  readonly name: string
  readonly domain: string
}

/** A project with everything a report needs. `dataAvailableFrom` is a UTC day. */
export interface ProjectRecord {
  readonly id: string
  readonly workspaceId: string
  readonly plan: PlanName
  /** The reader's role in the workspace, null for a stranger. */
  readonly role: Role | null
  readonly name: string
  readonly domain: string
  readonly kind: 'regular' | 'pitch'
  readonly status: 'active' | 'paused' | 'archived'
  readonly isActive: boolean
  readonly description: string | null
  readonly industry: string | null
  readonly profileUpdatedAt: Date | null
  /** Names the image of the logo; null without one. */
  readonly logoHash: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly dataAvailableFrom: string | null
  readonly visibleLoad: number
  readonly deadLoads: readonly number[]
  readonly analysis: number
  /** The version of the model that rates the sentiment of answers; null for rules. */
  readonly sentimentVersion: string | null
  readonly sitemapStatus: 'idle' | 'queued' | 'running' | 'failed'
  readonly sitemapJobId: string | null
  readonly sitemapRefreshedAt: Date | null
  readonly sitemapError: string | null
  readonly aliases: readonly string[]
  readonly ownDomains: readonly string[]
  readonly connections: readonly string[]
  readonly competitors: readonly CompetitorReference[]
  /** Differ once anything has changed that a report of the project reads of the catalog, or the pointer to visible facts. */
  readonly dataVersions: DataVersions
}

/** The registrable domains of the brand itself, its main one first. */
export function brandDomains(project: ProjectRecord): string[] {
  return [...new Set([project.domain, ...project.ownDomains])]
}

export function competitorDomains(project: ProjectRecord): string[] {
  return project.competitors.map((competitor) => competitor.domain)
}

/** The kinds of connections that deliver crawls. */
export const trafficKinds = ['tracker', 'cdn', 'log'] as const
export type TrafficKind = (typeof trafficKinds)[number]

export function hasTrafficSource(project: ProjectRecord): boolean {
  return trafficKinds.some((kind) => project.connections.includes(kind))
}

/**
 * Projects by id with the role that the key's user has in each, in the order of `ids`; null where unknown. A key that
 * the workspace has blocked has no role there.
 */
export async function loadProjects(
  db: Pick<Db, '$queryRawUnsafe'> | Pick<Prepared, '$queryRawUnsafe'>,
  { userId, keyId }: Pick<Principal, 'userId' | 'keyId'>,
  ids: readonly string[],
): Promise<(ProjectRecord | null)[]> {
  const [sql, asked] = ids.length === 1 ? [projectById, ids[0]] : [projectsById, ids]
  const rows = await db.$queryRawUnsafe<ProjectRecord[]>(sql, asked, userId, keyId)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id) => byId.get(id) ?? null)
}

/** A page of the ids of the projects that the key reaches, by name. */
export async function reachableProjectIds(
  db: Db,
  principal: Principal,
  page: PageArgs,
): Promise<{ ids: string[]; pagination: Pagination }> {
  const who = [principal.userId, principal.projectId, principal.keyId] as const
  const rows = await db.$queryRawUnsafe<{ id: string; total: number }[]>(
    reachableProjects,
    ...who,
    page.limit,
    page.offset,
    keyParam(page.afterKey),
  )
  const counted = page.afterKey ? undefined : rows[0]?.total
  const total = counted ?? (await countReachable(db, who))
  return { ids: rows.map((row) => row.id), pagination: pagination(page, rows.length, total) }
}

async function countReachable(
  db: Db,
  who: readonly [string, string | null, string],
): Promise<number> {
  const rows = await db.$queryRawUnsafe<{ total: number }[]>(countReachableProjects, ...who)
  return rows[0]?.total ?? 0
}

export interface PlatformSummary {
  readonly id: string
  readonly projectId: string
  readonly displayName: string
  readonly aliases: readonly string[]
  readonly models: readonly string[]
  /** Whether answers of the project came from the platform. */
  readonly hasAnswers: boolean
}

/** The name that an import gave a platform; without a name its id. */
const nameIn = (rows: readonly { readonly platformName: string }[], id: string) =>
  rows.find(({ platformName }) => platformName !== '')?.platformName ?? id

/** Known platforms and platforms of the project's answers, with the models of those answers. */
export async function loadPlatforms(
  db: Db,
  projectIds: readonly string[],
): Promise<PlatformSummary[][]> {
  const rows = await db.projectModel.findMany({
    where: { projectId: { in: [...projectIds] } },
    orderBy: [{ platform: 'asc' }, { model: 'asc' }],
  })
  return groupByProject(projectIds, rows).map((seen, i) => {
    const models = Map.groupBy(seen, (row) => row.platform)
    const known = new Set(platforms.map((platform) => platform.id))
    const others: Platform[] = [...models.keys()]
      .filter((id) => !known.has(id))
      .map((id) => ({ id, displayName: nameIn(models.get(id) ?? [], id), aliases: [] }))
    return [...platforms, ...others].map(({ id, displayName, aliases }) => ({
      id,
      projectId: projectIds[i] ?? '',
      displayName,
      aliases,
      models: (models.get(id) ?? []).map((row) => row.model).filter((model) => model !== ''),
      hasAnswers: models.has(id),
    }))
  })
}

/** The place of an AI platform among those of a project: known platforms first, in their order. */
export function platformRank(id: string): number {
  const rank = platforms.findIndex((platform) => platform.id === id)
  return rank === -1 ? platforms.length : rank
}

/** The profile of the project's brand. */
export function brandProfile(project: ProjectRecord) {
  return {
    name: project.name,
    aliases: project.aliases,
    domains: brandDomains(project),
    description: project.description,
    industry: project.industry,
    updatedAt: (project.profileUpdatedAt ?? project.createdAt).toISOString(),
  }
}
