import DataLoader from 'dataloader'
import { type Ratio, share } from '../../core/metrics.ts'
import { type DateRange, resolveWindow, type WindowArgs, yearWindow } from '../../core/window.ts'
import { run } from '../../warehouse/run.ts'
import { brandDomains } from '../projects/projects.ts'
import { manyFactParams, manyFactsWhere } from '../shared/facts.sql.ts'
import type { FilterArgs } from '../shared/filters.ts'
import { rowsOfMany } from '../shared/many.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { brands, citations, presence, type TallyKey } from './visibility.sql.ts'

/** What was counted under one key. Counts that were not asked for are 0. */
export interface Tally {
  readonly responses: number
  /** Responses that name the brand. */
  readonly named: number
  /** Occurrences of the brand's name. */
  readonly mentions: number
  /** The sum of the brand's ranks in the responses that name it. */
  readonly ranks: number
  readonly citations: number
  /** Distinct cited domains. */
  readonly sources: number
  /** Citations of own domains. */
  readonly ownCitations: number
}

/** Counts by the value of a key: a day, a platform id, a prompt id … */
export type Tallies = ReadonlyMap<string, Tally>
type TalliesByKey = ReadonlyMap<TallyKey, Tallies>

export const nothing: Tally = {
  responses: 0,
  named: 0,
  mentions: 0,
  ranks: 0,
  citations: 0,
  sources: 0,
  ownCitations: 0,
}

/** One statement's worth of counts. `brands` are by brand id alone. */
export interface TallyAsk extends FilterArgs, DateRange {
  readonly of: 'presence' | 'citations' | 'brands'
  readonly by: readonly TallyKey[]
}

/** Counts of one project; asks for several projects at the same time become one statement. */
export type ReadTallies = (ask: TallyAsk) => Promise<TalliesByKey>

type TallyRow = Partial<Tally> & { projectId: string; by: TallyKey; key: string }

function statement({ of, by }: TallyAsk, facts: string): string {
  if (of === 'brands') return brands(facts)
  return of === 'presence' ? presence(by, facts) : citations(by, facts)
}

function ownDomains(scopes: readonly ProjectScope[]): Record<string, string[]> {
  const pairs = scopes.flatMap(({ project }) =>
    brandDomains(project).map((domain) => ({ id: project.id, domain })),
  )
  return {
    ownProjects: pairs.map(({ id }) => id),
    ownDomains: pairs.map(({ domain }) => domain),
  }
}

/** Counts of several projects under the same ask. */
export async function talliesOfMany(
  scopes: readonly ProjectScope[],
  ask: TallyAsk,
): Promise<(TalliesByKey | Error)[]> {
  const [first] = scopes
  if (first === undefined) return []
  const found = await rowsOfMany<TallyRow>(scopes, ask, (filters, many) =>
    run<TallyRow>(first.warehouse, {
      id: `visibility.${[ask.of, ...ask.by].join('-')}`,
      sql: statement(ask, manyFactsWhere(filters, many)),
      params: {
        ...manyFactParams(many, ask, filters),
        ...(ask.of === 'citations' ? ownDomains(scopes) : {}),
      },
    }),
  )
  return found.map((rows) => (rows instanceof Error ? rows : talliesFrom(rows)))
}

function talliesFrom(rows: readonly TallyRow[]): TalliesByKey {
  const found = new Map<TallyKey, Map<string, Tally>>()
  for (const row of rows) {
    const tallies = found.get(row.by) ?? new Map<string, Tally>()
    tallies.set(row.key, sum([tallies.get(row.key) ?? nothing, row]))
    found.set(row.by, tallies)
  }
  return found
}

/** Everything but `sources` adds up: a domain that is cited under two keys is still one domain. */
export function sum(parts: Iterable<Partial<Tally>>): Tally {
  const total: Record<keyof Tally, number> = { ...nothing }
  for (const part of parts) {
    for (const name of Object.keys(nothing) as (keyof Tally)[]) total[name] += part[name] ?? 0
  }
  return total
}

/** The share of responses that name the brand. */
export function score({ named, responses }: Tally): Ratio {
  return share(named, responses)
}

/** Best score first, exact; ties by what the rows are called. */
export function bestFirst<Row extends { tally: Tally }>(nameOf: (row: Row) => string) {
  return (a: Row, b: Row): number =>
    b.tally.named * a.tally.responses - a.tally.named * b.tally.responses ||
    (nameOf(a) < nameOf(b) ? -1 : 1)
}

/** The arguments that reports of this area share. */
export type VisibilityArgs = WindowArgs & FilterArgs

/**
 * The window of a report, and how its counts are asked for, in it or in another. Keys that are asked for at
 * the same time are counted by one statement.
 */
export function beginReport(scope: ProjectScope, args: VisibilityArgs, read: ReadTallies) {
  const { platform, topicId, branded, unbranded, country, locationId, promptId } = args
  const filters = { platform, topicId, branded, unbranded, country, locationId, promptId }
  const range = resolveWindow(args, yearWindow, scope.now)
  const loaders = new Map<string, DataLoader<TallyKey, Tallies>>()
  const tally = (of: TallyAsk['of'], key: TallyKey, { from, to }: DateRange = range) => {
    const name = `${of} ${from} ${to}`
    const loader =
      loaders.get(name) ??
      new DataLoader<TallyKey, Tallies>(async (keys) => {
        const found = await read({ of, by: keys.toSorted(), from, to, ...filters })
        return keys.map((asked) => found.get(asked) ?? new Map())
      })
    loaders.set(name, loader)
    return loader.load(key)
  }
  return { range, tally }
}

export type Tell = ReturnType<typeof beginReport>['tally']
