import { type DataKind, dataKinds } from '../core/load/data-kinds.ts'

/**
 * The kinds of data that the answers of operations are made of. A kept reply ends with a change of such a kind alone. Each
 * operation that is not here rests on all kinds. A test compares the tables that each operation reads.
 */
const kinds: readonly (readonly [readonly DataKind[], readonly string[]])[] = [
  [
    ['catalog'],
    [
      'listTopics',
      'listLocations',
      'getBrandProfile',
      'listPrompts',
      'getPrompt',
      'listPromptRevisions',
    ],
  ],
  [
    ['catalog', 'answers'],
    [
      'listPlatforms',
      'listCompetitors',
      'getCompetitor',
      'getShareOfVoice',
      'getSentiment',
      'getSentimentHistory',
      'getSentimentByCompetitor',
      'getPromptRankings',
      'getTopicHeatmap',
      'investigate',
      'getPromptHistory',
      'listPromptAnswers',
      'getAnswer',
      'listAnswers',
      'getQueryFanout',
      'getPromptFanout',
      'listAds',
      'listAdvertisers',
      'getShopping',
      'getShoppingProduct',
      'listSourceDomains',
      'listContentTypes',
      'getSourceTrend',
      'getVisibility',
      'getVisibilityHistory',
      'getVisibilityByTopic',
      'getVisibilityByPrompt',
      'getVisibilityByLocation',
      'getVisibilityByPlatform',
      'listUntrackedPrompts',
      'listSuggestedPrompts',
    ],
  ],
  [
    ['catalog', 'answers', 'contents'],
    ['listDomainUrls', 'listSourceUrls', 'getSourceContent'],
  ],
  [
    ['catalog', 'site'],
    [
      'listIssues',
      'getIssue',
      'listAudits',
      'getAudit',
      'listAuditPages',
      'listOpportunities',
      'listArticles',
      'getArticle',
      'listReports',
      'getReport',
    ],
  ],
]

const byOperation = new Map(
  kinds.flatMap(([restsOn, ids]) => ids.map((id) => [id, restsOn] as const)),
)

/** The kinds of data that the answer of an operation is made of. */
export const kindsOf = (operationId: string): readonly DataKind[] =>
  byOperation.get(operationId) ?? dataKinds
