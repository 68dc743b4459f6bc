import type { PageArgs } from '../../core/pagination.ts'
import type { SourceType } from '../../core/sites/source-types.ts'
import { domainOf, hostOfText } from '../../core/sites/urls.ts'
import { resolveWindow, type WindowArgs, yearWindow } from '../../core/window.ts'
import { run } from '../../warehouse/run.ts'
import { brandDomains, competitorDomains } from '../projects/projects.ts'
import { type Asked, askedOf } from '../shared/asked.ts'
import type { FilterArgs } from '../shared/filters.ts'
import { factsOf, type ManyRow, rowsOfMany } from '../shared/many.ts'
import type { NarrowingArgs } from '../shared/narrowing.ts'
import { lostTo, rivalsOf } from '../shared/rivals.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { type SourceToWinSort, sourcesToWin } from './to-win.sql.ts'

export interface SourcesToWinArgs extends WindowArgs, FilterArgs {
  by: 'domain' | 'url'
  sort: SourceToWinSort
  /** The competitors that the own brand is compared with; all unless given. */
  competitorIds?: readonly string[] | null | undefined
  sourceType?: readonly SourceType[] | null | undefined
  domains?: readonly string[] | null | undefined
}

interface Row extends ManyRow {
  readonly source: string
  readonly site: string
  readonly registryType: SourceType
  readonly lost: number
  readonly won: number
  readonly prompts: number
  readonly total: number
  readonly rivalPlaces: readonly number[]
  readonly rivalAnswers: readonly number[]
}

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

/** A page of the sources to win of each project: one statement for all. */
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
  const found = await rowsOfMany<Row>(scopes, args, (many) => {
    const { facts, where, params } = factsOf(many, range)
    return run<Row>(first.warehouse, {
      id: `sources.to-win.${by}`,
      settled: true,
      sql: sourcesToWin(facts, where, {
        by,
        sort,
        isOne: many.scopes.length === 1,
        sourceTypes: (sourceType?.length ?? 0) > 0,
        domains: (domains?.length ?? 0) > 0,
      }),
      params: {
        ...params,
        rivals,
        closedProjects: closed.map(({ projectId }) => projectId),
        closedDomains: closed.map(({ domain }) => domain),
        sourceTypes: sourceType ?? [],
        domains: (domains ?? []).map((text) => domainOf(hostOfText(text))),
        limit,
        offset,
      },
    })
  })
  return scopes.map((scope, i) => {
    const rows = found[i] ?? []
    if (rows instanceof Error) return rows
    const projectId = scope.project.id
    const asked = askedOf(scope, range, args)
    const lost = lostTo(scope, rivals)
    return rows.map((row): SourceToWin => {
      const named = row.rivalPlaces.map((place, at) => {
        return { projectId, brandId: rivals[place - 1] ?? '', answers: row.rivalAnswers[at] ?? 0 }
      })
      return {
        projectId,
        domain: row.site,
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
