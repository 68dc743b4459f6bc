import { namedHits } from '../shared/search.ts'
import { promptHits } from './prompts.sql.ts'

/** Prompts by text. */
export const searchPrompts = namedHits(promptHits)
