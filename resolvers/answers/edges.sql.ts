import { narrowedBy } from '../shared/narrowing.sql.ts'
import type { Narrowing } from '../shared/narrowing.ts'
import type { ManyFacts } from '../shared/slices.sql.ts'
import { light, newestFirst } from './answers.sql.ts'

/** Statements over answers of several projects, or of slices of projects. `where` is that of `factsOf`. */

/** The first answers of each that pass a narrowing, newest first. */
export function answersOfEach(facts: ManyFacts, where: string, narrowing: Narrowing): string {
  return `
SELECT ${facts.selectOwner}, ${light}
  FROM ${facts.from('answers')} ${narrowedBy(narrowing, { where, analysed: facts.analysed })}
 ${newestFirst}
 LIMIT {limit:UInt64} OFFSET {offset:UInt64} BY ${facts.owner}`
}

export function countOfEach(facts: ManyFacts, where: string, narrowing: Narrowing): string {
  return `
SELECT ${facts.selectOwner}, count() AS total
  FROM ${facts.from('answers')} ${narrowedBy(narrowing, { where, analysed: facts.analysed })}
 GROUP BY ${facts.owner}`
}

/** Answers by id. `where` covers all days. */
export function answersOfIds(where: string): string {
  return `
SELECT toString(project_id) AS projectId, ${light}
  FROM answers WHERE ${where} AND id IN {answers:Array(UUID)}`
}
