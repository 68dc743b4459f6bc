import { getNamedType, getNullableType, isLeafType, isListType, isObjectType } from 'graphql'
import { expect, test } from 'vitest'
import { publicSchema } from '../../../schema/index.ts'

/** Lists of objects that are no connections, by the reason why each is short. */
const plain: Readonly<Record<string, string>> = {
  'one row for each day of a window of at most 365 days': `
    Monitor.points SourceTrend.citations Visibility.trend VisibilityHistory.history SentimentHistory.history
    BrandVisibility.trend CrawlsByPlatform.series CrawlerTraffic.series AiReferrals.series DomainAuthority.history
    PageCitations.series PageReferrals.series PageCrawls.series PageClicks.series WebAnalytics.series
    SearchPerformance.series`,
  'one row for each value of a closed list': `
    Platform.crawlers Project.contentTypes VisibilityDefinitions.definitions CrawlerTraffic.byCategory CrawlerTraffic.byBot
    CrawlerTraffic.byStatus
    TrafficStatus.sources ConnectorSchema.fields ArticleSummary.statusCounts PageSummary.typeCounts
    IssueSummary.typeCounts Project.checks PositionBuckets.buckets Workspace.retentionPreview SearchDevices.rows
    SearchCountries.rows CrawlersVisited.crawlers OpportunitySummary.sourceCounts
    OpportunitySummary.impactCounts Audit.externalLinkCounts Audit.scoreBreakdown Page.issues AuditPage.findings PageCrawls.byBot Run.coverage
    PageCitations.coverage Investigation.coverage Sentiment.coverage SentimentHistory.coverage
    Visibility.coverage VisibilityByPlatform.coverage VisibilityHistory.coverage Method.missing Method.ways AgreementReport.ways
    MethodTypes.intents CollectingCost.providers Proof.claims`,
  'one row for each prompt or place of a run': `
    CollectingCost.prompts Schedule.locations`,
  'one row for each kind of data that is pulled': `
    Project.dataFeeds`,
  'as many rows as a provider lists for an account': `
    GooglePropertyList.properties`,
  'one row for each AI platform of the answers': `
    Method.platforms
    Visibility.platforms VisibilityByPlatform.platforms HeatmapTopic.cells CrawlerTraffic.byPlatform
    AiReferrals.byPlatform PageReferrals.byPlatform PageCitations.byPlatform
    SuggestedPrompt.platforms AgreementReport.pairs ShoppingProduct.platforms ShoppingProductDetail.platforms`,
  'the parts of one record': `
    Answer.mentions Answer.citations Answer.products Answer.ads Answer.retrievedUrls
    PlannedChange.lines
    Answer.fanoutQueries Prompt.topics Prompt.locations Competitor.aliases Report.sections
    SourceToWin.competitors Account.passkeys SetupProposals.prompts ReportSection.metrics Opportunity.evidence SearchQuery.prompts ApiKey.otherWorkspaces Channel.digests Channel.reportSchedules`,
  'a number of rows that the service bounds': `
    IndustryRanking.entities Answer.places Answer.opinions TrafficOverview.topPages TrafficAttribution.rows Investigation.drivers
    Investigation.evidence NameMatches.samples RowsImportResult.rejected ImportResult.rejected
    RecordsImportResult.rejected SuggestedCompetitors.competitors PromptImport.rejected PromptPreview.columns PromptPreview.lines PromptPreview.rejected ImportResult.leftOut
    UploadPreview.lines UploadPreview.rejected UploadResult.rejected UploadResult.leftOut
    ProjectSentiment.changes Alarm.promptsLost Alarm.promptsWon Alarm.sourcesNew Alarm.sourcesGone
    Mark.prompts Mark.topics
    RecentPrompts.lost RecentPrompts.won RecentSources.new RecentSources.gone Run.problems Investigation.movers InvestigationMovers.up InvestigationMovers.down`,
  'as many rows as the request asks for': `
    Project.search PromptAddition.prompts PromptAddition.existing PromptsChange.prompts Query.nodes InvalidInput.fields`,
  'one row for each period of the exports that somebody imported': `
    SearchCountries.periods SearchDevices.periods WebAnalytics.periods`,
  'the whole result of one check, which nobody pages': `
    ProjectChange.names BrandMatches.names ReanalysisPreview.brands`,
}

const exceptions = Object.values(plain).flatMap((fields) => fields.trim().split(/\s+/))

test('a list of the graph is a connection, unless it is short by its nature', () => {
  const lists = Object.values(publicSchema.getTypeMap())
    .filter(isObjectType)
    .filter(({ name }) => !name.startsWith('__') && !/(?:Connection|Problem)$/.test(name))
    .flatMap((type) => Object.values(type.getFields()).map((field) => ({ type, field })))
    .filter(({ field }) => {
      const list = getNullableType(field.type)
      return isListType(list) && !isLeafType(getNamedType(list))
    })
    .map(({ type, field }) => `${type.name}.${field.name}`)
  const mend = 'Make the field a connection by `schema/kit/lists`, or name why it is short.'
  expect(lists.toSorted(), mend).toEqual(exceptions.toSorted())
})
