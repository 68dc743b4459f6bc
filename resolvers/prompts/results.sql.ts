import type { ManyFacts } from '../shared/slices.sql.ts'

/** A list of results of prompts, by what it is sorted by: the rows without a value come last. */
export const promptResultSorts = [
  'gap_asc',
  'gap_desc',
  'lost_answers_asc',
  'lost_answers_desc',
  'visibility_asc',
  'visibility_desc',
  'change_asc',
  'change_desc',
  'answers_asc',
  'answers_desc',
  'last_answered_asc',
  'last_answered_desc',
  'text_asc',
  'text_desc',
] as const
export type PromptResultSort = (typeof promptResultSorts)[number]

const whole = 'named / nullIf(answers, 0)'

/** `place` is that of the text among the texts of the list. */
const values: Readonly<Record<string, string>> = {
  gap: '(named - rivalNamed) / nullIf(answers, 0)',
  lost_answers: 'if(answers = 0, NULL, lost)',
  visibility: whole,
  change: `${whole} - namedBefore / nullIf(answersBefore, 0)`,
  answers: 'answers',
  last_answered: 'nullIf(lastAnsweredMs, 0)',
  text: 'place',
}

function sortedBy(sort: PromptResultSort): string {
  const [, name = '', direction = ''] = /^(.*)_(asc|desc)$/.exec(sort) ?? []
  return `${values[name]} ${direction.toUpperCase()} NULLS LAST, place`
}

interface Options {
  readonly sort: PromptResultSort
  readonly isOne: boolean
  /** Only prompts with an answer that mentions a competitor and not the own brand. */
  readonly isLostOnly: boolean
  /** Whether an earlier window is read too. */
  readonly isCompared: boolean
}

/**
 * A page of the results of prompts. \`{prompts}\` are the prompts of the list, sorted by their texts, of the projects in
 * \`{promptProjects}\`. \`{rivals}\` are the competitors that the own brand is compared with, sorted by their names.
 * The first row of the list comes with every page, kept or not: it holds the counts of the list.
 */
export function promptResults(
  facts: ManyFacts,
  where: string,
  { sort, isOne, isLostOnly, isCompared }: Options,
): string {
  const now = isCompared ? 'day BETWEEN {currentFrom:Date} AND {currentTo:Date}' : 'true'
  const before = isCompared ? `NOT (${now})` : 'false'
  const listed = `${where} AND prompt_id IN {prompts:Array(UUID)}`
  const within = isCompared
    ? `${listed} AND (${now} OR day BETWEEN {comparedFrom:Date} AND {comparedTo:Date})`
    : listed
  const mentions = `mentions WHERE ${within} AND ${facts.analysed}`
  const rivals = '{rivals:Array(UUID)}'
  return `
SELECT toString(project) AS projectId, toString(prompt_id) AS promptId, * EXCEPT (project, prompt_id, place, best, rival, isKept),
       if(rivalNamed = 0, NULL, toString(rival)) AS rivalId
  FROM (
    SELECT *, countIf(result = 'won') OVER list AS won, countIf(result = 'lost') OVER list AS lostPrompts,
           countIf(result = 'even') OVER list AS even, countIf(result = 'unanswered') OVER list AS unanswered,
           countIf(isKept) OVER list AS total,
           row_number() OVER (PARTITION BY project ORDER BY isKept DESC, ${sortedBy(sort)}) AS position
      FROM (
        SELECT *, multiIf(answers = 0, 'unanswered', named > rivalNamed, 'won', named < rivalNamed, 'lost', 'even') AS result,
               empty({results:Array(String)}) OR result IN {results:Array(String)} AS isKept
          FROM (
            SELECT listed.1 AS prompt_id, listed.2 AS place, ${isOne ? '{project:UUID}' : '{promptProjects:Array(UUID)}[place]'} AS project
              FROM (SELECT arrayJoin(arrayZip({prompts:Array(UUID)}, arrayEnumerate({prompts:Array(UUID)}))) AS listed)) AS prompt
          LEFT JOIN (
            SELECT prompt_id, countIf(${now}) AS answers, countIf(${before}) AS answersBefore,
                   toUnixTimestamp64Milli(maxIf(collected_at, ${now})) AS lastAnsweredMs
              FROM answers WHERE ${within} GROUP BY prompt_id) AS answered USING (prompt_id)
          LEFT JOIN (
            SELECT prompt_id, sumIf(n, is_own = 1) AS named, sumIf(nBefore, is_own = 1) AS namedBefore,
                   sumIf(ranks, is_own = 1) AS ownRanks,
                   argMaxIf((brand_id, n), (n, -ranks / n, -indexOf(${rivals}, brand_id)), is_own = 0 AND n > 0) AS best,
                   best.1 AS rival, best.2 AS rivalNamed
              FROM (
                SELECT prompt_id, brand_id, is_own, countIf(${now}) AS n, countIf(${before}) AS nBefore,
                       toFloat64(sumIf(rank, ${now})) AS ranks
                  FROM ${mentions} AND (is_own = 1 OR brand_id IN ${rivals})
                 GROUP BY prompt_id, brand_id, is_own)
             GROUP BY prompt_id) AS mentioned USING (prompt_id)
          LEFT JOIN (
            SELECT prompt_id, uniqExact(answer_id) AS lost
              FROM ${mentions} AND ${now} AND brand_id IN ${rivals}
               AND answer_id NOT IN (SELECT answer_id FROM ${mentions} AND ${now} AND is_own = 1)
             GROUP BY prompt_id) AS lost_to USING (prompt_id)
         ${isLostOnly ? 'WHERE lost > 0' : ''})
    WINDOW list AS (PARTITION BY project))
 WHERE position = 1 OR (isKept AND position > {offset:UInt64} AND position <= {offset:UInt64} + {limit:UInt64})
 ORDER BY project, position`
}
