import type { ManyFacts } from '../shared/slices.sql.ts'
import { light, newestFirst } from './answers.sql.ts'

/** Statements over answers of several projects, or of slices of projects. `where` is that of `manyFactsWhere`. */

function narrowed(facts: ManyFacts, where: string, mentioned: boolean | null): string {
  if (mentioned === null) return ''
  const own = `SELECT answer_id FROM mentions WHERE ${where} AND ${facts.analysed} AND is_own = 1`
  return `AND ${mentioned ? '' : 'NOT '}id IN (${own})`
}

/** The first answers of each, newest first; `mentioned` narrows to those that name the own brand, or that do not. */
export function answersOfEach(facts: ManyFacts, where: string, mentioned: boolean | null): string {
  return `
SELECT ${facts.selectOwner}, ${light}
  FROM ${facts.from('answers')} ${narrowed(facts, where, mentioned)}
 ${newestFirst}
 LIMIT {limit:UInt64} OFFSET {offset:UInt64} BY ${facts.owner}`
}

export function countOfEach(facts: ManyFacts, where: string, mentioned: boolean | null): string {
  return `
SELECT ${facts.selectOwner}, count() AS total
  FROM ${facts.from('answers')} ${narrowed(facts, where, mentioned)}
 GROUP BY ${facts.owner}`
}

/** Answers by id. `where` covers all days. */
export function answersOfIds(where: string): string {
  return `
SELECT toString(project_id) AS projectId, ${light}
  FROM answers WHERE ${where} AND id IN {answers:Array(UUID)}`
}
