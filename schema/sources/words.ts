import type { ContentType } from '../../core/sites/content-types.ts'
import type { SourceType } from '../../core/sites/source-types.ts'
import { wordsOf } from '../kit/words.ts'

export const sourceType = wordsOf<SourceType>(
  'SourceType',
  'The kind of a cited domain, for one project.',
  {
    brand: 'A domain of the own brand.',
    competitor: 'A domain of a tracked competitor.',
    editorial: 'A newspaper, a magazine or a trade journal.',
    social: 'A social network.',
    forum: 'A forum, or a site of questions and answers.',
    review: 'A site of reviews.',
    institutional: 'A government, an army, a university or a school.',
    third_party: 'A company that is neither the own brand nor a tracked competitor.',
    other: 'Any other domain.',
  },
)

export const contentType = wordsOf<ContentType>('PageContentType', 'The kind of a cited page.', {
  article: 'An article.',
  listicle: 'An article that is a list, such as "The ten best headphones".',
  how_to: 'Instructions.',
  comparison: 'A comparison of products or brands.',
  product: 'A page of one product.',
  category: 'A page that lists products.',
  homepage: 'The front page of a site.',
  forum_thread: 'A thread of a forum.',
  video: 'A video.',
  review: 'A review.',
  documentation: 'Documentation of a product.',
  other: 'Any other page.',
})

export const domainSort = wordsOf('SourceDomainSort', 'The order of cited domains.', {
  citations: ['citations_asc', 'Fewest citations first.'],
  '-citations': ['citations_desc', 'Most citations first.'],
  usage: ['citation_rate_asc', 'Smallest percent of answers first.'],
  '-usage': ['citation_rate_desc', 'Largest percent of answers first.'],
})

export const sourceGroup = wordsOf('SourceGroup', 'Domains whose citations are counted together.', {
  'top-domains': 'The ten domains with most citations in the window.',
  brand: 'The domains of the own brand.',
  competitors: 'The domains of tracked competitors.',
})
