import { average, share } from '../../core/metrics.ts'
import { run } from '../../warehouse/run.ts'
import { mostFirst } from '../shared/counts.ts'
import { factParams, factsWhere } from '../shared/facts.sql.ts'
import { readFilters } from '../shared/filters.ts'
import type { ProjectScope } from '../shared/scope.ts'
import {
  beginWalk,
  isGiven,
  listParams,
  type Placed,
  pageOf,
  type SourceListArgs,
} from './pagination.ts'
import { type DomainSort, domainList } from './sources.sql.ts'

interface DomainFacts extends Placed {
  domain: string
  citations: number
  frequency: number
  type: string
  rank: number
  responses: number
  pageCount: number
  models: Record<string, number>
  contentTypes: Record<string, number>
  hosts: Record<string, number>
}

/** The domains that answers cite, a page of them. */
export async function sourceDomains(
  scope: ProjectScope,
  args: SourceListArgs & { sort: DomainSort },
) {
  const walk = beginWalk(scope, 'sourceDomains', args)
  const filters = await readFilters(scope, args)
  const shape = {
    facts: factsWhere(filters, walk.snapshot),
    afterCursor: walk.position !== null,
    sourceTypes: isGiven(args.sourceType),
    contentTypes: false,
  }
  const rows = await run<DomainFacts>(scope.warehouse, {
    id: 'sources.domains',
    frozen: true,
    sql: domainList(shape, args.sort),
    params: {
      ...factParams(scope.project.id, walk.range, filters, walk.snapshot),
      ...listParams(scope, args, walk),
    },
  })
  const list = pageOf(scope, rows, walk, ({ citations, frequency, domain }) => ({
    citations,
    frequency,
    name: domain,
  }))
  return {
    sources: list.page.map(domainRow),
    totalSources: list.total,
    hasMore: list.hasMore,
    nextCursor: list.nextCursor,
  }
}

function domainRow(row: DomainFacts) {
  const hosts = mostFirst(row.hosts)
  return {
    domain: row.domain,
    rank: row.rank,
    frequency: row.frequency,
    avgCitations: average(row.citations, row.frequency),
    type: row.type,
    totalCitations: row.citations,
    models: mostFirst(row.models),
    pageCount: row.pageCount,
    usage: share(row.frequency, row.responses),
    avgCitationsPerResponse: average(row.citations, row.responses),
    topContentTypes: mostFirst(row.contentTypes).slice(0, 3),
    subdomains: hosts.filter((host) => host !== row.domain && host !== `www.${row.domain}`),
  }
}

export type DomainRow = ReturnType<typeof domainRow>
