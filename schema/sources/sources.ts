import { contentTypes as contentTypeNames } from '../../core/sites/content-types.ts'
import { sourceTypes } from '../../core/sites/source-types.ts'
import {
  type DomainSort,
  domainSorts,
  type TrendGroup,
  trendGroupNames,
} from '../../resolvers/sources/sources.sql.ts'
import { sourceDomains } from '../../resolvers/sources/sources.ts'
import { contentTypes, sourceTrend } from '../../resolvers/sources/summaries.ts'
import { domainUrls, sourceUrls } from '../../resolvers/sources/urls.ts'
import {
  choiceArg,
  choiceListArg,
  cursorArgs,
  cursorOrOffsetArgs,
  filterArgs,
  windowArgs,
} from '../kit/args.ts'
import { builder, report } from '../kit/builder.ts'
import { domainUrlList, sourceDomainList, sourceUrlList } from './lists.ts'
import { contentTypeList, trendReport } from './summaries.ts'

const pageSize = { default: 20, max: 1000 }

const narrowing = 'It narrows the rows, not the answers that ratios are counted out of.'

const sourceTypeArg = choiceListArg(sourceTypes, `Only these source types. ${narrowing}`)
const contentTypeArg = choiceListArg(contentTypeNames, `Only these content types. ${narrowing}`)

report('sourceDomains', {
  type: sourceDomainList,
  description: 'Which domains the answers cite, and how often.',
  args: {
    ...windowArgs,
    ...filterArgs,
    ...cursorOrOffsetArgs(pageSize),
    sort: choiceArg(domainSorts, '-citations', 'The order; a leading `-` is descending.'),
    sourceType: sourceTypeArg,
  },
  resolve: (scope, args) => sourceDomains(scope, args as typeof args & SortedPage),
})

report('domainUrls', {
  type: domainUrlList,
  description: 'Which URLs of one domain the answers cite.',
  args: {
    domain: builder.args((t) => ({
      domain: t.string({ required: true, description: 'The domain, such as `wikipedia.org`.' }),
    })).domain,
    ...windowArgs,
    ...filterArgs,
    ...cursorArgs(pageSize),
  },
  resolve: (scope, args) => domainUrls(scope, args as typeof args & Page),
})

report('sourceUrls', {
  type: sourceUrlList,
  description: 'Which URLs the answers cite, and how often.',
  args: {
    ...windowArgs,
    ...filterArgs,
    ...cursorOrOffsetArgs(pageSize),
    contentType: contentTypeArg,
    sourceType: sourceTypeArg,
  },
  resolve: (scope, args) => sourceUrls(scope, args as typeof args & Page),
})

report('contentTypes', {
  type: contentTypeList,
  description: 'Which kinds of pages the answers cite.',
  args: { ...windowArgs, ...filterArgs },
  resolve: contentTypes,
})

report('sourceTrend', {
  type: trendReport,
  description: 'How the citations of a group of domains move from day to day.',
  args: {
    group: choiceArg(
      trendGroupNames,
      'top-domains',
      "Whose citations: the brand's own domains, its competitors' domains, or the ten most-cited domains of the window.",
    ),
    ...windowArgs,
    ...filterArgs,
  },
  resolve: (scope, args) => sourceTrend(scope, args as typeof args & { group: TrendGroup }),
})

/** What the argument rules guarantee once defaults are filled in. */
interface Page {
  limit: number
}
interface SortedPage extends Page {
  sort: DomainSort
}
