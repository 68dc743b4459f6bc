/** The fields of a project for reports of GraphQL, by the path of REST with the same figures. `WINDOW` is the window. */
export const fieldsOf: Readonly<Record<string, string>> = {
  visibility: `visibility(WINDOW) { summary { visibilityScore averagePosition totalResponses responsesWithBrand
      totalMentions totalCitations totalSources }
    platforms { platform { slug } visibilityScore responses mentions citations sources }
    trend { date visibilityScore } }`,
  'visibility/history':
    'visibilityHistory(WINDOW) { history { date visibilityScore totalResponses totalMentions } }',
  'visibility/prompts': `visibilityByPrompt(WINDOW) { totalCount nodes { prompt { id text } visibilityScore totalResponses
    averagePosition } }`,
  'visibility/locations':
    'visibilityByLocation(WINDOW) { nodes { location { id } visibilityScore totalResponses } }',
  'visibility/platforms': `visibilityByPlatform(WINDOW) { platforms { platform { slug } visibilityScore responses mentions
    citations sources } }`,
  'share-of-voice': `shareOfVoice(WINDOW) { totalMentions brand { sov mentions }
    nodes { name sov mentions responsesWithMention } }`,
  sentiment: 'sentiment(WINDOW) { summary { score positive neutral negative netSentiment } }',
  'sentiment/history':
    'sentimentHistory(WINDOW) { history { date score positive neutral negative } }',
  'sentiment/competitors':
    'sentimentByCompetitor(WINDOW) { nodes { name score positive neutral negative } }',
  answers: `answers(WINDOW) { totalCount nodes { id prompt { text } platform { slug } model text brandMentioned position sentiment
    collectedAt mentions { brand { name } occurrences rank } citations { url domain title } } }`,
  'sources/domains': `sourceDomains(WINDOW) { totalCount nodes { domain rank frequency totalCitations type models
    pageCount usage topContentTypes subdomains } }`,
  'sources/urls': `sourceUrls(WINDOW) { totalCount nodes { url domain title rank usage responsesWithUrl contentType
    sourceType brandMentioned periodGrowth } }`,
  'sources/content-types':
    'contentTypes(WINDOW) { contentType rank totalUsed promptsCount citationRate competitors }',
  'sources/trend': 'sourceTrend(WINDOW) { citations { date citationCount } }',
  'traffic/overview': `trafficOverview(WINDOW) { crawlers { total byPlatform { platform { slug } visits }
    byBot { botName visits } } topPages { path crawls } }`,
  'traffic/bots': `crawlers(WINDOW) { nodes { botId botName botVendor botCategory visits paths firstSeenAt
    lastSeenAt } }`,
  'traffic/logs':
    'crawlerHits(WINDOW) { nodes { at method host path statusCode responseTimeMs botName country } }',
}
