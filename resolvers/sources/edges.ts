import type { PageArgs } from '../../core/pagination.ts'
import type { SourceType } from '../../core/sites/source-types.ts'
import { resolveWindow, type WindowArgs, yearWindow } from '../../core/window.ts'
import { run } from '../../warehouse/run.ts'
import { brandDomains, competitorDomains, type ProjectRecord } from '../projects/projects.ts'
import { type Asked, askedOf } from '../shared/asked.ts'
import type { FilterArgs } from '../shared/filters.ts'
import { factsOf, type ManyRow, rowsOfMany } from '../shared/many.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { domainsOfEach } from './edges.sql.ts'

interface Row extends ManyRow {
  readonly cited: string
  readonly citations: number
  readonly answers: number
  readonly registryType: SourceType
  /** Domains that the answers of the set cite. */
  readonly total: number
}

/** A domain that the answers of a set cite. */
export interface CitedDomain {
  readonly projectId: string
  readonly asked: Asked
  readonly domain: string
  readonly type: SourceType
  readonly citations: number
  /** Answers of the set that cite the domain. */
  readonly answers: number
}

/** The source type as in the list of domains: the own brand, then competitors, then the registry. */
export function sourceTypeIn(
  project: ProjectRecord,
  domain: string,
  registryType: SourceType,
): SourceType {
  if (brandDomains(project).includes(domain)) return 'brand'
  return competitorDomains(project).includes(domain) ? 'competitor' : registryType
}

/** A page of the domains that the answers of each slice cite: one statement for all slices. */
export async function citedDomains(
  scopes: readonly ProjectScope[],
  { limit, offset, ...args }: WindowArgs & FilterArgs & PageArgs,
): Promise<(readonly CitedDomain[] | Error)[]> {
  const [first] = scopes
  if (first === undefined) return []
  const range = resolveWindow(args, yearWindow, first.now)
  const found = await rowsOfMany<Row>(scopes, args, (many) => {
    const { facts, params } = factsOf(many, range)
    return run<Row>(first.warehouse, {
      id: 'sources.of-each',
      settled: true,
      sql: domainsOfEach(facts),
      params: { ...params, limit, offset },
    })
  })
  return scopes.map((scope, i) => {
    const { project } = scope
    const rows = found[i] ?? []
    if (rows instanceof Error) return rows
    const asked = askedOf(scope, range, args)
    return rows.map(({ cited: domain, citations, answers, registryType, total }) => {
      const type = sourceTypeIn(project, domain, registryType)
      return { projectId: project.id, asked, domain, type, citations, answers, total }
    })
  })
}
