import { namedHits } from '../shared/search.ts'
import { topicHits } from './topics.sql.ts'

/** Topics by name. */
export const searchTopics = namedHits(topicHits)
