/** What the tools report, as a test asks the graph for it: apart from the documents of the tools. */

/** What stands at a path of a value. */
export const at = (value: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((each, name) => (each as Record<string, unknown> | null)?.[name], value)

/** A selection of paths, such as `metrics.score.value`. */
export function selectionOf(paths: readonly string[]): string {
  const byName = Map.groupBy(paths, (path) => path.split('.')[0] ?? '')
  return [...byName]
    .map(([name, all]) => {
      const below = all.map((path) => path.slice(name.length + 1)).filter(Boolean)
      return below.length > 0 ? `${name} { ${selectionOf(below)} }` : name
    })
    .join(' ')
}

export type Columns = Readonly<Record<string, string>>

const sure = (name: string, path: string): Columns => ({
  [name]: `${path}.value`,
  low: `${path}.low`,
  high: `${path}.high`,
  n: `${path}.numerator`,
  of: `${path}.denominator`,
})

export interface Read {
  /** The path of the rows below the project. Its first name takes the arguments. */
  readonly list: string
  readonly columns: Columns
  /** The change of a row, in a report that can compare. */
  readonly change?: string
  /** What the list has beside the rows of a page. */
  readonly isPaged?: true
  readonly filters?: readonly (keyof Filters)[]
  readonly hasWindow?: false
  /** Further arguments of the field. */
  readonly also?: string
  /** The name of the path that takes the arguments, where it is not the first. */
  readonly takes?: string
  /** Its data is connected in the demonstration alone. */
  readonly isOfDemo?: true
}

export interface Filters {
  readonly platforms?: readonly string[] | undefined
  readonly topics?: readonly string[] | undefined
  readonly branded?: boolean | undefined
}

const visible = sure('visibility', 'metrics.visibilityScore')
const cited = sure('cited_in_percent', 'metrics.citationRate')
const positioned = { ...visible, average_position: 'metrics.averagePosition.value' }
const toned = { positive: 'positive', neutral: 'neutral', negative: 'negative' }
const scored = { ...sure('sentiment', 'metrics.score'), ...toned }
const ofBrand = (columns: Columns) => ({ brand: 'brand.name', own: 'brand.isOwn', ...columns })
const below = (place: string, columns: Columns) =>
  Object.fromEntries(Object.entries(columns).map(([name, path]) => [name, `${place}.${path}`]))

/** How each report of the tools is read from the graph. */
export const reads: Readonly<Record<string, Read>> = {
  'visibility total': {
    list: 'visibility.summary',
    columns: positioned,
    change: 'changes.visibilityScore',
  },
  'visibility day': {
    list: 'visibilityHistory.history',
    columns: { date: 'date', ...positioned },
  },
  'visibility topic': {
    list: 'visibilityByTopic.nodes',
    columns: { topic: 'topic.name', ...visible },
    change: 'change',
    isPaged: true,
  },
  'visibility prompt': {
    list: 'visibilityByPrompt.nodes',
    columns: { prompt_id: 'prompt.id', ...positioned },
    change: 'change',
    isPaged: true,
  },
  'visibility platform': {
    list: 'visibility.platforms',
    columns: { platform: 'platform.displayName', ...positioned },
    change: 'change',
  },
  'visibility location': {
    list: 'visibilityByLocation.nodes',
    columns: { country: 'location.countryCode', city: 'location.city', ...visible },
    change: 'change',
    isPaged: true,
  },
  'visibility definition': {
    list: 'visibilityDefinitions.definitions',
    columns: { definition: 'name', percent: 'value', n: 'numerator', of: 'denominator' },
  },
  'visibility brand': {
    list: 'brands.nodes',
    columns: ofBrand(below('visibility', positioned)),
    change: 'visibility.changes.visibilityScore',
    isPaged: true,
  },
  'share_of_voice total': {
    list: 'shareOfVoice.own',
    columns: sure('share_of_voice', 'metrics.shareOfVoice'),
    change: 'change',
  },
  'share_of_voice day': {
    list: 'ownBrand.visibility.trend',
    takes: 'visibility',
    columns: { date: 'date', ...sure('share_of_voice', 'metrics.shareOfVoice') },
  },
  'share_of_voice brand': {
    list: 'brands.nodes',
    columns: ofBrand(sure('share_of_voice', 'visibility.metrics.shareOfVoice')),
    change: 'visibility.changes.shareOfVoice',
    isPaged: true,
  },
  'sentiment total': { list: 'sentiment.summary', columns: scored, change: 'changes.score' },
  'sentiment day': { list: 'sentimentHistory.history', columns: { date: 'date', ...scored } },
  'sentiment brand': {
    list: 'brands.nodes',
    columns: ofBrand(below('sentiment', scored)),
    change: 'sentiment.changes.score',
    isPaged: true,
  },
  'citations total': {
    list: 'visibility.summary',
    columns: { citations: 'citationCount', domains: 'domainCount', answers: 'answerCount' },
  },
  'citations platform': {
    list: 'visibility.platforms',
    columns: {
      platform: 'platform.displayName',
      citations: 'citationCount',
      own_citations: 'ownCitationCount',
      domains: 'domainCount',
      answers: 'answerCount',
    },
  },
  'citations brand': {
    list: 'brands.nodes',
    columns: ofBrand({ citations: 'visibility.citationCount' }),
    isPaged: true,
  },
  'competitors total': {
    list: 'brands.nodes',
    columns: ofBrand({
      rank: 'rank',
      ...below('visibility', positioned),
      share_of_voice: 'visibility.metrics.shareOfVoice.value',
      sentiment: 'sentiment.metrics.score.value',
      citations: 'visibility.citationCount',
    }),
    change: 'visibility.changes.visibilityScore',
    isPaged: true,
  },
  'prompts total': {
    list: 'promptResults.nodes',
    columns: {
      prompt_id: 'prompt.id',
      result: 'result',
      answers: 'answerCount',
      ...sure('visibility', 'visibility'),
      top_competitor: 'topCompetitor.name',
      its_visibility: 'topCompetitorVisibility.value',
      gap: 'gap',
      lost_answers: 'lostAnswerCount',
    },
    change: 'change',
    isPaged: true,
  },
  'answers total': {
    list: 'answers.nodes',
    columns: {
      id: 'nodeId',
      at: 'collectedAt',
      platform: 'platform.displayName',
      mentioned: 'brandMentioned',
      position: 'position',
      sentiment: 'sentiment',
    },
    isPaged: true,
  },
  'sources total': {
    list: 'sourceDomains.nodes',
    columns: {
      domain: 'domain',
      type: 'type',
      ...cited,
      citations: 'citationCount',
      pages: 'pageCount',
    },
    change: 'changes.citationRate',
    isPaged: true,
  },
  'cited_pages total': {
    list: 'sourceUrls.nodes',
    columns: { id: 'nodeId', url: 'url', mentions_brand: 'brandMentioned', ...cited },
    change: 'changes.citationRate',
    isPaged: true,
  },
  'content_types total': {
    list: 'contentTypes',
    columns: { type: 'contentType', ...cited, citations: 'citationCount', prompts: 'promptCount' },
  },
  'query_fanout total': {
    list: 'queryFanout.topQueries',
    columns: { query: 'query', times: 'count', prompts: 'promptCount', last_seen: 'lastSeenOn' },
    also: 'topQueriesLimit: 100',
  },
  'shopping total': {
    list: 'shopping.nodes',
    columns: { rank: 'rank', product: 'name', brand: 'brand', answers: 'shownIn' },
    filters: ['platforms'],
    isPaged: true,
  },
  'ads total': {
    list: 'advertisers.nodes',
    columns: {
      advertiser: 'advertiser',
      domain: 'domain',
      impressions: 'impressions',
      ...sure('share_of_ads', 'metrics.shareOfAds'),
    },
    isPaged: true,
  },
  'crawlers total': {
    list: 'crawlers.nodes',
    columns: { crawler: 'botName', vendor: 'botVendor', visits: 'visits', pages: 'paths' },
    filters: [],
    isPaged: true,
    isOfDemo: true,
  },
  'ai_referrals total': {
    list: 'aiReferrals.nodes',
    columns: { source: 'source', sessions: 'sessions', users: 'users' },
    filters: [],
    isPaged: true,
    isOfDemo: true,
  },
  'search_performance total': {
    list: 'searchQueries.nodes',
    columns: { query: 'query', clicks: 'clicks', impressions: 'impressions', click_rate: 'ctr' },
    filters: [],
    isPaged: true,
    isOfDemo: true,
  },
  'issues total': {
    list: 'issues.nodes',
    columns: { issue_id: 'id', severity: 'severity', url: 'url', affected: 'affectedCount' },
    filters: [],
    hasWindow: false,
    also: 'filter: { statuses: [open] }',
    isPaged: true,
  },
  'marks total': {
    list: 'marks.nodes',
    columns: {
      mark_id: 'id',
      date: 'date',
      kind: 'kind',
      verdict: 'comparison.verdict',
      effect_points: 'comparison.effect',
      low: 'comparison.interval.low',
      high: 'comparison.interval.high',
      prompts: 'comparison.concerned.promptCount',
      other_prompts: 'comparison.others.promptCount',
      since: 'comparison.since',
      shown_on: 'comparison.shownOn',
      in_words: 'comparison.text',
    },
    filters: [],
    hasWindow: false,
    isPaged: true,
    isOfDemo: true,
  },
  'opportunities total': {
    list: 'opportunities.nodes',
    columns: { opportunity_id: 'id', category: 'category', impact: 'impact', effort: 'effort' },
    filters: [],
    hasWindow: false,
    also: 'filter: { statuses: [active] }',
    isPaged: true,
  },
}
