/** The REST surface: one line an operation, from the public path to the field of the schema behind it. */
export interface Route {
  readonly operationId: string
  readonly method: 'GET' | 'POST' | 'PATCH'
  /** Path parameters in braces are arguments of the field. */
  readonly path: string
  /** The root field of the REST view. */
  readonly field: string
  /** The key of the body whose rows `format=csv` returns. Absent: no CSV. */
  readonly csv?: string
}

const project = '/api/mcp/projects/{projectId}'

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
]
