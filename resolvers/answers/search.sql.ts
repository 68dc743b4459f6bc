import { hasBoundTerms } from '../shared/search.sql.ts'
import { newestFirst } from './answers.sql.ts'

/** Answers by text, newest first. */
export const answerHits = (facts: string, terms: number) => `
SELECT toString(id) AS answerId, toString(prompt_id) AS promptId, text
  FROM answers
 WHERE ${facts} AND ${hasBoundTerms('text', terms)}
 ${newestFirst}
 LIMIT {limit:UInt32}`
