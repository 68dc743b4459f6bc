import { type ManyFacts, projectOf } from '../shared/slices.sql.ts'
import { registryTypeOf } from './sources.sql.ts'

export const sourceToWinSorts = ['answers_desc', 'prompts_desc'] as const
export type SourceToWinSort = (typeof sourceToWinSorts)[number]

interface Options {
  readonly by: 'domain' | 'url'
  readonly sort: SourceToWinSort
  readonly isOne: boolean
  readonly sourceTypes: boolean
  readonly domains: boolean
}

/**
 * Domains or URLs that answers cite which mention one of `{rivals}` and not the own brand, most such answers first.
 * Sites of the own brand and of competitors in `{closedDomains}` are left out: nobody wins them. Each answer is read with
 * all that it mentions, so that one reading of the citations counts answers, prompts and competitors.
 */
export function sourcesToWin(
  { analysed }: Pick<ManyFacts, 'analysed'>,
  where: string,
  { by, sort, isOne, sourceTypes, domains }: Options,
): string {
  const project = projectOf(isOne)
  const isKept =
    by === 'domain' ? "first_of_domain = 1 AND domain != ''" : "host != '' AND domain != ''"
  const order = { answers_desc: 'lost DESC, prompts DESC', prompts_desc: 'prompts DESC, lost DESC' }
  return `
SELECT toString(project) AS projectId, source, site, registryType, lost, won, prompts, total,
       rivals.1 AS rivalPlaces, rivals.2 AS rivalAnswers
  FROM (
    SELECT *, count() OVER (PARTITION BY project) AS total,
           row_number() OVER (PARTITION BY project ORDER BY ${order[sort]}, source) AS position
      FROM (
        SELECT project, ${by} AS source, any(domain) AS site, ${registryTypeOf} AS registryType,
               countIf(own = 0) AS lost, countIf(own = 1) AS won, uniqExactIf(prompt_id, own = 0) AS prompts,
               sumMapIf(named, arrayMap(place -> toUInt32(1), named), own = 0) AS rivals
          FROM (
            SELECT ${project} AS project, answer_id, prompt_id, toString(domain) AS domain, url, toString(registry_type) AS registry_type
              FROM citations WHERE ${where} AND ${isKept}${domains ? ' AND domain IN {domains:Array(String)}' : ''}) AS cited
         INNER JOIN (
            SELECT answer_id, max(is_own) AS own,
                   groupArrayIf(toUInt32(indexOf({rivals:Array(UUID)}, brand_id)), is_own = 0) AS named
              FROM mentions
             WHERE ${where} AND ${analysed} AND (is_own = 1 OR brand_id IN {rivals:Array(UUID)})
             GROUP BY answer_id) AS mentioned USING (answer_id)
         GROUP BY project, source
        HAVING lost > 0 AND NOT has(arrayZip({closedProjects:Array(UUID)}, {closedDomains:Array(String)}), (project, site))
           ${sourceTypes ? 'AND registryType IN {sourceTypes:Array(String)}' : ''}))
 WHERE position > {offset:UInt64} AND position <= {offset:UInt64} + {limit:UInt64}
 ORDER BY project, position`
}
