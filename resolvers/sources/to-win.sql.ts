import { addressesOf, mostCited, pageOf } from '../../warehouse/cited-pages.sql.ts'
import { type ManyFacts, projectOf } from '../shared/slices.sql.ts'
import { mostCitedType, typeCounts } from './sources.sql.ts'

/**
 * Statements over domains or URLs that answers cite which mention one of `{rivals}` and not the own brand. Sites of the own
 * brand and of competitors in `{closedDomains}` are left out: nobody wins them.
 */

export const sourceToWinSorts = ['answers_desc', 'prompts_desc'] as const
export type SourceToWinSort = (typeof sourceToWinSorts)[number]

interface Facts extends Pick<ManyFacts, 'analysed'> {
  readonly where: string
  readonly by: 'domain' | 'url'
  readonly isOne: boolean
}

const isRival = 'brand_id IN {rivals:Array(UUID)}'

/** Of several projects, the test on the set of domains comes first: few reach the one on pairs. */
const isClosed = (isOne: boolean) =>
  isOne
    ? 'domain IN {closedDomains:Array(String)}'
    : `(domain IN {closedDomains:Array(String)} AND
       has(arrayZip({closedProjects:Array(UUID)}, {closedDomains:Array(String)}), (project_id, toString(domain))))`

/** Citations of open sources, each with a row of what its answer mentions. */
const citedIn = (
  { where, by, isOne }: Facts,
  source: string,
  columns: string,
  narrowed: string,
  mentioned: string,
) => `
  FROM (SELECT ${isOne ? '' : 'project_id, '}answer_id, ${source} AS source, ${columns}
          FROM citations
         WHERE ${where} AND domain != '' AND NOT ${isClosed(isOne)}
           AND ${by === 'domain' ? 'first_of_domain = 1' : "host != ''"} ${narrowed}) AS cited
 INNER JOIN (${mentioned}) AS mentioned USING (answer_id)`

/**
 * A page of sources of each project, most answers first, with the columns that rank them. 64-bit hashes distinguish prompts.
 * Types are worked out here where they narrow the list: for every source they cost half as much as the ranking.
 */
export function sourcesToWin(
  facts: Facts,
  { sort, sourceTypes, domains }: { sort: SourceToWinSort; sourceTypes: boolean; domains: boolean },
): string {
  const { where, analysed, by, isOne } = facts
  const order = { answers_desc: 'lost DESC, prompts DESC', prompts_desc: 'prompts DESC, lost DESC' }
  const columns = `prompt_id${sourceTypes ? ', registry_type' : ''}`
  const narrowed = domains ? 'AND domain IN {domains:Array(String)}' : ''
  const mentioned = `
    SELECT answer_id, max(is_own) AS own
      FROM mentions WHERE ${where} AND ${analysed} AND (is_own = 1 OR ${isRival}) GROUP BY answer_id`
  return `
SELECT toString(project) AS projectId, toString(source) AS source, lost, won, prompts, total
  FROM (
    SELECT *, count() OVER (PARTITION BY project) AS total
      FROM (
        SELECT project, ${by === 'url' ? mostCited('address', 'lostAt') : 'address'} AS source, sum(lostAt) AS lost, sum(wonAt) AS won,
               uniqExactIfMerge(promptsAt) AS prompts
          FROM (
            SELECT ${projectOf(isOne)} AS project, source AS address, countIf(own = 0) AS lostAt, countIf(own = 1) AS wonAt,
                   uniqExactIfState(cityHash64(prompt_id), own = 0) AS promptsAt ${sourceTypes ? `, ${typeCounts} AS evident` : ''}
            ${citedIn(facts, by, columns, narrowed, mentioned)}
             GROUP BY project, address)
         GROUP BY project, ${by === 'url' ? pageOf('address') : 'address'}
        HAVING lost > 0 ${sourceTypes ? `AND ${mostCitedType('sumForEach(evident)')} IN {sourceTypes:Array(String)}` : ''}))
 ORDER BY ${isOne ? '' : 'project, '}${order[sort]}, source
 LIMIT {limit:UInt64} OFFSET {offset:UInt64}${isOne ? '' : ' BY project'}`
}

/** Domain and type of the sources of a page, and the competitors that their lost answers mention. */
export function sourcesToWinDetails(facts: Facts): string {
  const { where, analysed, by, isOne } = facts
  const mentioned = (condition: string) =>
    `SELECT answer_id, brand_id FROM mentions WHERE ${where} AND ${analysed} AND ${condition}`
  const lostTo = `${mentioned(isRival)} AND answer_id NOT IN (SELECT answer_id FROM (${mentioned('is_own = 1')}))`
  const named = '{sources:Array(String)}'
  const ofPage = `AND ${by} IN ${by === 'url' ? addressesOf(named) : named}`
  const source = by === 'url' ? pageOf('url') : by
  return `
SELECT toString(project) AS projectId, toString(source) AS source, any(site) AS domain, ${mostCitedType('sumForEach(evident)')} AS registryType,
       groupArray(toString(brand_id)) AS rivalIds, groupArray(answers) AS rivalAnswers
  FROM (
    SELECT ${projectOf(isOne)} AS project, source, brand_id, toString(any(domain)) AS site, ${typeCounts} AS evident,
           count() AS answers
    ${citedIn(facts, source, 'domain, registry_type', ofPage, lostTo)}
     GROUP BY project, source, brand_id)
 GROUP BY project, source`
}
