import type { SearchEngine } from '../../resolvers/search-console/search-console.sql.ts'
import { wordsOf } from '../kit/words.ts'

export const searchEngine = wordsOf<SearchEngine>(
  'SearchEngine',
  'A search engine whose search console is read.',
  {
    google: 'Google, by Search Console: all numbers are by day.',
    bing: 'Bing, by Bing Webmaster Tools: the whole site by day and without positions, queries and pages by week.',
  },
)
