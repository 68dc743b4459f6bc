/** The REST surface: one line an operation, from the public path to the field of the schema behind it. */
export interface Route {
  readonly operationId: string
  readonly method: 'GET' | 'POST' | 'PATCH'
  /** Path parameters in braces are arguments of the field. */
  readonly path: string
  /** The root field of the REST view. */
  readonly field: string
  /** A POST that changes nothing: its field is one of `Query`, which takes the body as its arguments. */
  readonly reads?: true
  /** The status of success; 200 unless given. */
  readonly status?: 202
  /** The key of the body whose rows `format=csv` returns. Absent: no CSV. */
  readonly csv?: string
  /** Where the body has the number of all rows of a list without `pagination`: the header `Link` names its next page. */
  readonly countedBy?: readonly [object: string, count: string]
  /** The key of the body whose `currentRevision` is the `ETag`, for the `If-Match` of a write. */
  readonly etagOf?: string
  /** Of an endpoint that will be removed: its days, `YYYY-MM-DD`. `removedOn` is at least a year after `since`. */
  readonly deprecated?: { readonly since: string; readonly removedOn?: string }
}

const project = '/api/mcp/projects/{projectId}'
const v1 = '/api/v1/projects/{projectId}'

export const routes: readonly Route[] = [
  { operationId: 'listProjects', method: 'GET', path: '/api/mcp/projects', field: 'listProjects' },
  { operationId: 'getProject', method: 'GET', path: project, field: 'getProject' },
  { operationId: 'listTopics', method: 'GET', path: `${project}/topics`, field: 'listTopics' },
  {
    operationId: 'listLocations',
    method: 'GET',
    path: `${project}/locations`,
    field: 'listLocations',
  },
  {
    operationId: 'listPlatforms',
    method: 'GET',
    path: `${project}/platforms`,
    field: 'listPlatforms',
  },
  {
    operationId: 'getBrandProfile',
    method: 'GET',
    path: `${project}/brand-profile`,
    field: 'getBrandProfile',
  },
  { operationId: 'getUsage', method: 'GET', path: `${project}/usage`, field: 'usage' },
  {
    operationId: 'getShareOfVoice',
    method: 'GET',
    path: `${project}/share-of-voice`,
    field: 'shareOfVoice',
  },
  {
    operationId: 'listCompetitors',
    method: 'GET',
    path: `${project}/competitors`,
    field: 'competitors',
  },
  {
    operationId: 'getCompetitor',
    method: 'GET',
    path: `${project}/competitors/{competitorId}`,
    field: 'competitor',
  },
  {
    operationId: 'getSentiment',
    method: 'GET',
    path: `${project}/sentiment`,
    field: 'sentiment',
  },
  {
    operationId: 'getSentimentHistory',
    method: 'GET',
    path: `${project}/sentiment/history`,
    field: 'sentimentHistory',
  },
  {
    operationId: 'getSentimentByCompetitor',
    method: 'GET',
    path: `${project}/sentiment/competitors`,
    field: 'sentimentByCompetitor',
  },
  {
    operationId: 'getPromptRankings',
    method: 'GET',
    path: `${project}/topics/prompt-rankings`,
    field: 'promptRankings',
  },
  {
    operationId: 'getTopicHeatmap',
    method: 'GET',
    path: `${project}/topics/heatmap`,
    field: 'topicHeatmap',
  },
  {
    operationId: 'investigate',
    method: 'GET',
    path: `${project}/investigate`,
    field: 'investigate',
  },
  {
    operationId: 'getPromptHistory',
    method: 'GET',
    path: `${project}/prompts/{promptId}/history`,
    field: 'promptHistory',
  },
  {
    operationId: 'listPromptAnswers',
    method: 'GET',
    path: `${project}/prompts/{promptId}/answers`,
    field: 'promptAnswers',
  },
  {
    operationId: 'getAnswer',
    method: 'GET',
    path: `${project}/answers/{answerId}`,
    field: 'getAnswer',
  },
  { operationId: 'listAnswers', method: 'GET', path: `${project}/answers`, field: 'answers' },
  {
    operationId: 'getQueryFanout',
    method: 'GET',
    path: `${project}/query-fanout`,
    field: 'queryFanout',
  },
  {
    operationId: 'getPromptFanout',
    method: 'GET',
    path: `${project}/query-fanout/prompts/{promptId}`,
    field: 'promptFanout',
  },
  { operationId: 'listAds', method: 'GET', path: `${project}/ads`, field: 'ads' },
  {
    operationId: 'listAdvertisers',
    method: 'GET',
    path: `${project}/ads/advertisers`,
    field: 'advertisers',
  },
  { operationId: 'getShopping', method: 'GET', path: `${project}/shopping`, field: 'shopping' },
  {
    operationId: 'getShoppingProduct',
    method: 'GET',
    path: `${project}/shopping/products/{productId}`,
    field: 'shoppingProduct',
  },
  {
    operationId: 'listSourceDomains',
    method: 'GET',
    path: `${project}/sources/domains`,
    field: 'sourceDomains',
    csv: 'sources',
  },
  {
    operationId: 'listDomainUrls',
    method: 'GET',
    path: `${project}/sources/domains/{domain}/urls`,
    field: 'domainUrls',
  },
  {
    operationId: 'listSourceUrls',
    method: 'GET',
    path: `${project}/sources/urls`,
    field: 'sourceUrls',
    csv: 'urls',
  },
  {
    operationId: 'listContentTypes',
    method: 'GET',
    path: `${project}/sources/content-types`,
    field: 'contentTypes',
  },
  {
    operationId: 'getSourceTrend',
    method: 'GET',
    path: `${project}/sources/trend`,
    field: 'sourceTrend',
  },
  {
    operationId: 'getVisibility',
    method: 'GET',
    path: `${project}/visibility`,
    field: 'visibility',
  },
  {
    operationId: 'getVisibilityHistory',
    method: 'GET',
    path: `${project}/visibility/history`,
    field: 'visibilityHistory',
  },
  {
    operationId: 'getVisibilityByTopic',
    method: 'GET',
    path: `${project}/visibility/topics`,
    field: 'visibilityByTopic',
  },
  {
    operationId: 'getVisibilityByPrompt',
    method: 'GET',
    path: `${project}/visibility/prompts`,
    field: 'visibilityByPrompt',
  },
  {
    operationId: 'getVisibilityByLocation',
    method: 'GET',
    path: `${project}/visibility/locations`,
    field: 'visibilityByLocation',
  },
  {
    operationId: 'getVisibilityByPlatform',
    method: 'GET',
    path: `${project}/visibility/platforms`,
    field: 'visibilityByPlatform',
  },
  {
    operationId: 'listPrompts',
    method: 'GET',
    path: `${project}/prompts`,
    field: 'prompts',
    csv: 'prompts',
  },
  {
    operationId: 'listUntrackedPrompts',
    method: 'GET',
    path: `${project}/prompts/untracked`,
    field: 'untrackedPrompts',
  },
  {
    operationId: 'listSuggestedPrompts',
    method: 'GET',
    path: `${project}/prompts/suggested`,
    field: 'suggestedPrompts',
  },
  {
    operationId: 'getPrompt',
    method: 'GET',
    path: `${project}/prompts/{promptId}`,
    field: 'getPrompt',
    etagOf: 'prompt',
  },
  {
    operationId: 'listPromptRevisions',
    method: 'GET',
    path: `${project}/prompts/{promptId}/revisions`,
    field: 'promptRevisions',
  },
  { operationId: 'addPrompts', method: 'POST', path: `${project}/prompts`, field: 'addPrompts' },
  {
    operationId: 'updatePrompt',
    method: 'PATCH',
    path: `${project}/prompts/{promptId}`,
    field: 'updatePrompt',
  },
  {
    operationId: 'setPromptTracking',
    method: 'POST',
    path: `${project}/prompts/{promptId}/tracking`,
    field: 'setPromptTracking',
  },
  {
    operationId: 'restorePromptWording',
    method: 'POST',
    path: `${project}/prompts/{promptId}/restore-wording`,
    field: 'restorePromptWording',
  },
  {
    operationId: 'createReport',
    method: 'POST',
    path: `${project}/reports`,
    field: 'createReport',
    status: 202,
  },
  {
    operationId: 'refreshSitemap',
    method: 'POST',
    path: `${project}/sitemap/refresh`,
    field: 'refreshSitemap',
    status: 202,
  },
  { operationId: 'addPromptsV1', method: 'POST', path: `${v1}/prompts`, field: 'addPrompts' },
  {
    operationId: 'updatePromptV1',
    method: 'PATCH',
    path: `${v1}/prompts/{promptId}`,
    field: 'updatePrompt',
  },
  {
    operationId: 'setPromptTrackingV1',
    method: 'POST',
    path: `${v1}/prompts/{promptId}/tracking`,
    field: 'setPromptTracking',
  },
  {
    operationId: 'restorePromptWordingV1',
    method: 'POST',
    path: `${v1}/prompts/{promptId}/restore-wording`,
    field: 'restorePromptWording',
  },
  {
    operationId: 'createReportV1',
    method: 'POST',
    path: `${v1}/reports`,
    field: 'createReport',
    status: 202,
  },
  {
    operationId: 'refreshSitemapV1',
    method: 'POST',
    path: `${v1}/sitemap/refresh`,
    field: 'refreshSitemap',
    status: 202,
  },
  {
    operationId: 'getTrafficOverview',
    method: 'GET',
    path: `${project}/traffic/overview`,
    field: 'trafficOverview',
  },
  {
    operationId: 'listTrafficBots',
    method: 'GET',
    path: `${project}/traffic/bots`,
    field: 'listTrafficBots',
  },
  {
    operationId: 'listTrafficLogs',
    method: 'GET',
    path: `${project}/traffic/logs`,
    field: 'trafficLogs',
  },
  {
    operationId: 'getTrafficStatus',
    method: 'GET',
    path: `${project}/traffic/status`,
    field: 'trafficStatus',
  },
  {
    operationId: 'getTopPages',
    method: 'GET',
    path: `${project}/ga4/top-pages`,
    field: 'topPages',
  },
  {
    operationId: 'getWebAnalyticsOverview',
    method: 'GET',
    path: `${project}/ga4/overview`,
    field: 'webAnalytics',
  },
  {
    operationId: 'listAiReferrals',
    method: 'GET',
    path: `${project}/ga4/ai-referrals`,
    field: 'aiReferrals',
  },
  {
    operationId: 'listArticles',
    method: 'GET',
    path: `${project}/articles`,
    field: 'articles',
    countedBy: ['summary', 'total'],
  },
  {
    operationId: 'getArticle',
    method: 'GET',
    path: `${project}/articles/{articleId}`,
    field: 'getArticle',
  },
  { operationId: 'listReports', method: 'GET', path: `${project}/reports`, field: 'reports' },
  {
    operationId: 'getReport',
    method: 'GET',
    path: `${project}/reports/{reportId}`,
    field: 'getReport',
  },
  {
    operationId: 'getTrafficCorrelation',
    method: 'GET',
    path: `${project}/traffic/correlation`,
    field: 'trafficCorrelation',
  },
  {
    operationId: 'getTrafficAttribution',
    method: 'GET',
    path: `${project}/traffic/attribution`,
    field: 'trafficAttribution',
  },
  {
    operationId: 'getDomainAuthority',
    method: 'GET',
    path: `${project}/domain-authority`,
    field: 'domainAuthority',
  },
  {
    operationId: 'getSourceContent',
    method: 'GET',
    path: `${project}/sources/urls/content`,
    field: 'sourceContent',
  },
  {
    operationId: 'getPositionBuckets',
    method: 'GET',
    path: `${project}/gsc/position-buckets`,
    field: 'positionBuckets',
  },
  {
    operationId: 'getSearchDevices',
    method: 'GET',
    path: `${project}/gsc/devices`,
    field: 'searchDevices',
  },
  {
    operationId: 'getSearchPerformance',
    method: 'GET',
    path: `${project}/gsc/performance`,
    field: 'searchPerformance',
  },
  {
    operationId: 'listSearchQueries',
    method: 'GET',
    path: `${project}/gsc/queries`,
    field: 'searchQueries',
  },
  {
    operationId: 'listSearchPages',
    method: 'GET',
    path: `${project}/gsc/pages`,
    field: 'searchPages',
  },
  {
    operationId: 'listSearchCountries',
    method: 'GET',
    path: `${project}/gsc/countries`,
    field: 'searchCountries',
  },
  {
    operationId: 'listIssues',
    method: 'GET',
    path: `${project}/issues`,
    field: 'issues',
    csv: 'issues',
  },
  {
    operationId: 'getIssue',
    method: 'GET',
    path: `${project}/issues/{issueId}`,
    field: 'getIssue',
  },
  {
    operationId: 'listPages',
    method: 'GET',
    path: `${project}/pages`,
    field: 'pages',
    countedBy: ['summary', 'totalPages'],
  },
  {
    operationId: 'getPageMetrics',
    method: 'GET',
    path: `${project}/pages/metrics`,
    field: 'pageMetrics',
  },
  { operationId: 'getPage', method: 'GET', path: `${project}/pages/{pageId}`, field: 'getPage' },
  { operationId: 'listAudits', method: 'GET', path: `${project}/audits`, field: 'audits' },
  {
    operationId: 'getAudit',
    method: 'GET',
    path: `${project}/audits/{auditId}`,
    field: 'getAudit',
  },
  {
    operationId: 'listAuditPages',
    method: 'GET',
    path: `${project}/audits/{auditId}/pages`,
    field: 'auditPages',
  },
  {
    operationId: 'createAudit',
    method: 'POST',
    path: `${project}/audits`,
    field: 'createAudit',
    status: 202,
  },
  {
    operationId: 'createAuditV1',
    method: 'POST',
    path: `${v1}/audits`,
    field: 'createAudit',
    status: 202,
  },
  {
    operationId: 'getSitemapCoverage',
    method: 'GET',
    path: `${project}/traffic/sitemap-coverage`,
    field: 'sitemapCoverage',
  },
  {
    operationId: 'listOpportunities',
    method: 'GET',
    path: `${project}/opportunities`,
    field: 'opportunities',
    csv: 'opportunities',
  },
  {
    operationId: 'getConnectorSchema',
    method: 'GET',
    path: `${v1}/connector/schema`,
    field: 'connectorSchema',
  },
  {
    operationId: 'getConnectorData',
    method: 'GET',
    path: `${v1}/connector/data`,
    field: 'connectorData',
  },
  {
    operationId: 'queryConnectorSchema',
    method: 'POST',
    path: `${v1}/connector/schema`,
    field: 'connectorSchema',
    reads: true,
  },
  {
    operationId: 'queryConnectorData',
    method: 'POST',
    path: `${v1}/connector/data`,
    field: 'connectorData',
    reads: true,
  },
]
