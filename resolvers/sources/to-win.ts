import { invalid } from '../../core/errors.ts'
import type { PageArgs } from '../../core/pagination.ts'
import { undressed } from '../../core/sites/cited-url.ts'
import type { SourceType } from '../../core/sites/source-types.ts'
import { parseDomainInput } from '../../core/sites/urls.ts'
import { resolveWindow, type WindowArgs, yearWindow } from '../../core/window.ts'
import { run } from '../../warehouse/run.ts'
import { brandDomains, competitorDomains } from '../projects/projects.ts'
import { type Asked, askedOf } from '../shared/asked.ts'
import type { FilterArgs } from '../shared/filters.ts'
import { factsOf, type ManyRow, rowsOfMany } from '../shared/many.ts'
import type { NarrowingArgs } from '../shared/narrowing.ts'
import { lostTo, rivalsOf } from '../shared/rivals.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { type SourceToWinSort, sourcesToWin, sourcesToWinDetails } from './to-win.sql.ts'

export interface SourcesToWinArgs extends WindowArgs, FilterArgs {
  by: 'domain' | 'url'
  sort: SourceToWinSort
  /** The competitors that the own brand is compared with; all unless given. */
  competitorIds?: readonly string[] | null | undefined
  sourceType?: readonly SourceType[] | null | undefined
  domains?: readonly string[] | null | undefined
}

interface RankedRow extends ManyRow {
  readonly source: string
  readonly lost: number
  readonly won: number
  readonly prompts: number
  readonly total: number
}

interface Details {
  readonly domain: string
  readonly registryType: SourceType
  readonly rivalIds: readonly string[]
  readonly rivalAnswers: readonly number[]
}

type Row = RankedRow & Details
type DetailsRow = Details & Pick<RankedRow, 'projectId' | 'source'>

/** A competitor in the answers that cite a source and do not mention the own brand. */
export interface RivalInSource {
  readonly projectId: string
  readonly brandId: string
  readonly answers: number
}

/** A domain or URL that answers cite which mention a competitor and not the own brand. */
export interface SourceToWin {
  readonly projectId: string
  readonly domain: string
  /** Null where the source is a domain. */
  readonly url: string | null
  readonly type: SourceType
  /** Answers that mention a competitor and not the own brand. */
  readonly lost: number
  readonly prompts: number
  /** Answers that mention the own brand. */
  readonly withOwn: number
  /** Most answers first. */
  readonly rivals: readonly RivalInSource[]
  readonly total: number
  readonly asked: Asked
  /** Which answers are lost. */
  readonly lostIn: Asked & NarrowingArgs
}

function domainIn(text: string): string {
  const domain = parseDomainInput(text)
  if (domain === null) throw invalid('domains', 'must be domains, such as `example.com`', text)
  return domain
}

/** A page of the sources to win of each project: one statement ranks those of all, and one has the details of the page. */
export async function sourcesToWinOfMany(
  scopes: readonly ProjectScope[],
  args: SourcesToWinArgs & PageArgs,
): Promise<(readonly SourceToWin[] | Error)[]> {
  const [first] = scopes
  if (first === undefined) return []
  const { by, sort, limit, offset, competitorIds, sourceType, domains } = args
  const rivals = rivalsOf(scopes, competitorIds)
  const range = resolveWindow(args, yearWindow, first.now)
  const closed = scopes.flatMap(({ project }) =>
    [...brandDomains(project), ...competitorDomains(project)].map((domain) => {
      return { projectId: project.id, domain }
    }),
  )
  const found = await rowsOfMany<Row>(scopes, args, async (many) => {
    const { facts, where, params } = factsOf(many, range)
    const ofSources = { ...facts, where, by, isOne: many.scopes.length === 1 }
    const read = <T extends object>(id: string, sql: string, more: object) =>
      run<T>(first.warehouse, {
        id,
        settled: true,
        sql,
        params: {
          ...params,
          rivals,
          closedProjects: closed.map(({ projectId }) => projectId),
          closedDomains: closed.map(({ domain }) => domain),
          ...more,
        },
      })
    const ranking = sourcesToWin(ofSources, {
      sort,
      sourceTypes: (sourceType?.length ?? 0) > 0,
      domains: (domains?.length ?? 0) > 0,
    })
    const ranked = await read<RankedRow>(`sources.to-win.${by}`, ranking, {
      sourceTypes: sourceType ?? [],
      domains: (domains ?? []).map(domainIn),
      limit,
      offset,
    })
    if (ranked.length === 0) return []
    const sources = [...new Set(ranked.map(({ source }) => source))]
    const details = await read<DetailsRow>(
      `sources.to-win.${by}-details`,
      sourcesToWinDetails(ofSources),
      { sources },
    )
    const bySource = new Map(details.map((row) => [`${row.projectId} ${row.source}`, row]))
    return ranked.flatMap((row) => {
      const named = by === 'url' ? undressed(row.source) : row.source
      const more = bySource.get(`${row.projectId} ${named}`)
      return more ? [{ ...more, ...row }] : []
    })
  })
  return scopes.map((scope, i) => {
    const rows = found[i] ?? []
    if (rows instanceof Error) return rows
    const projectId = scope.project.id
    const asked = askedOf(scope, range, args)
    const lost = lostTo(scope, rivals)
    return rows.map((row): SourceToWin => {
      const named = row.rivalIds.map((brandId, at) => {
        return { projectId, brandId, answers: row.rivalAnswers[at] ?? 0 }
      })
      return {
        projectId,
        domain: row.domain,
        url: by === 'url' ? row.source : null,
        type: row.registryType,
        lost: row.lost,
        prompts: row.prompts,
        withOwn: row.won,
        rivals: named.toSorted(
          (a, b) => b.answers - a.answers || rivals.indexOf(a.brandId) - rivals.indexOf(b.brandId),
        ),
        total: row.total,
        asked,
        lostIn: { ...asked, ...lost, slice: { by, id: row.source } },
      }
    })
  })
}
