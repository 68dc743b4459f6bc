/** The fields of a project for reports of GraphQL, by the path of REST with the same figures. `WINDOW` is the window. */
export const fieldsOf: Readonly<Record<string, string>> = {
  visibility: `visibility(WINDOW) { summary { visibilityScore averagePosition answerCount mentionedIn
      mentionCount citationCount domainCount }
    platforms { platform { slug } visibilityScore answerCount mentionCount citationCount domainCount }
    trend { date visibilityScore } }`,
  'visibility/history':
    'visibilityHistory(WINDOW) { history { date visibilityScore answerCount mentionCount } }',
  'visibility/prompts': `visibilityByPrompt(WINDOW) { totalCount nodes { prompt { id text } visibilityScore answerCount
    averagePosition } }`,
  'visibility/locations':
    'visibilityByLocation(WINDOW) { nodes { location { id } visibilityScore answerCount } }',
  'visibility/platforms': `visibilityByPlatform(WINDOW) { platforms { platform { slug } visibilityScore answerCount mentionCount
    citationCount domainCount } }`,
  'share-of-voice': `shareOfVoice(WINDOW) { mentionCount own { shareOfVoice mentionCount }
    nodes { brand { name } shareOfVoice mentionCount mentionedIn } }`,
  sentiment: 'sentiment(WINDOW) { summary { score positive neutral negative netSentiment } }',
  'sentiment/history':
    'sentimentHistory(WINDOW) { history { date score positive neutral negative } }',
  'sentiment/competitors':
    'brands(WINDOW) { nodes { brand { name } sentiment { score positive neutral negative } } }',
  answers: `answers(WINDOW) { totalCount nodes { id prompt { text } platform { slug } model text brandMentioned position sentiment
    collectedAt mentions { brand { name } occurrences rank } citations { url domain title } } }`,
  'sources/domains': `sourceDomains(WINDOW) { totalCount nodes { domain rank citedIn citationCount type models
    pageCount citationRate topContentTypes subdomains } }`,
  'sources/urls': `sourceUrls(WINDOW) { totalCount nodes { url domain title rank citationRate citedIn contentType
    sourceType brandMentioned } }`,
  'sources/content-types':
    'contentTypes(WINDOW) { contentType rank citationCount promptCount citationRate competitors }',
  'sources/trend': 'sourceTrend(WINDOW) { citations { date citationCount } }',
  'traffic/overview': `trafficOverview(WINDOW) { crawlers { total byPlatform { platform { slug } visits }
    byBot { botName visits } } topPages { path visits } }`,
  'traffic/bots': `crawlers(WINDOW) { nodes { botId botName botVendor botCategory visits paths firstSeenAt
    lastSeenAt } }`,
  'traffic/logs':
    'crawlerHits(WINDOW) { nodes { at method host path statusCode responseTimeMs botName country } }',
}
