import { dailyRows } from '../../../resolvers/shared/facts.sql.ts'

/** One column of an exported table. */
export interface ExportColumn {
  readonly name: string
  /** The expression of the warehouse. */
  readonly sql: string
  readonly description: string
}

/** A table that is exported in files of one UTC day. */
export interface ExportTable {
  readonly name: string
  readonly description: string
  /**
   * Where its rows are. Those of `facts` belong to imports, and `mentions` to an analysis too. Rows of `days` count by
   * their day alone.
   */
  readonly from: 'facts' | 'mentions' | 'days'
  readonly source: string
  /** What else a row must be. */
  readonly where?: string
  /** What the version of a day is made of: expressions of a row, none of them null. */
  readonly marks: readonly string[]
  readonly columns: readonly ExportColumn[]
}

const column = (name: string, sql: string, description: string): ExportColumn => ({
  name,
  sql,
  description,
})

const text = (name: string, sql: string, description: string) =>
  column(name, `toString(${sql})`, description)

/** Null where the warehouse has the empty text. */
const optional = (name: string, sql: string, description: string) =>
  column(name, `nullIf(toString(${sql}), '')`, description)

// ClickHouse writes `Date` to Parquet as a number.
const day = column('day', 'toDate32(day)', 'UTC day of the answer.')

const ofAnswer: readonly ExportColumn[] = [
  text('answerId', 'answer_id', 'Id of the answer.'),
  day,
  text('promptId', 'prompt_id', 'Id of the prompt.'),
  text('platform', 'platform', 'AI platform, such as `chatgpt`.'),
  optional('model', 'model', 'Model that answered; null where the import names none.'),
  column(
    'locationId',
    'if(empty(location_id), NULL, toString(location_id))',
    'Id of the location; null without one.',
  ),
  optional('country', 'country', 'Country of the location, ISO 3166-1 alpha-2; null without one.'),
]

const citedPage: readonly ExportColumn[] = [
  column('position', 'toInt32(position)', 'Place in the list of the answer, from 1.'),
  text('url', 'url', 'URL in the spelling that reports count by.'),
  text('domain', 'domain', 'Registrable domain of the URL.'),
  optional('title', 'title', 'Title of the page; null where the answer has none.'),
]

const placed = ['answer_id', 'position', 'load_seq']

/** The tables by day. Names and columns are those of the graph. */
export const exportTables: readonly ExportTable[] = [
  {
    name: 'answers',
    description: 'Answers of AI platforms.',
    from: 'facts',
    source: 'answers',
    marks: ['id', 'load_seq'],
    columns: [
      text('answerId', 'id', 'Id of the answer.'),
      ...ofAnswer.slice(1),
      column(
        'repetition',
        'toInt32(run)',
        'Number among the answers that were asked for together.',
      ),
      column('collectedAt', 'collected_at', 'When the answer was collected.'),
      text('text', 'text', 'Text of the answer, in Markdown.'),
    ],
  },
  {
    name: 'mentions',
    description: 'Brands that an answer names: one row for each answer and brand.',
    from: 'mentions',
    source: 'mentions',
    marks: ['answer_id', 'brand_id', 'load_seq', 'occurrences', 'rank', 'ifNull(sentiment, 2)'],
    columns: [
      ...ofAnswer,
      text('brandId', 'brand_id', 'Id of the brand, as in the table `brands`.'),
      column('isOwn', 'is_own = 1', 'Whether it is the brand of the project.'),
      column('occurrences', 'toInt32(occurrences)', 'How often the answer names the brand.'),
      column('rank', 'toInt32(rank)', 'Rank of the brand in the answer, from 1.'),
      text('rankBasis', 'rank_basis', 'What gave the rank: `list`, `table` or `text`.'),
      column(
        'sentiment',
        'sentiment',
        'Sentiment from -1 to 1, by the method of the project; null where nobody rated it.',
      ),
    ],
  },
  {
    name: 'citations',
    description: 'URLs that an answer cites.',
    from: 'facts',
    source: 'citations',
    marks: [...placed, 'url', 'pages_version'],
    columns: [
      ...ofAnswer,
      ...citedPage,
      text('contentType', 'content_type', 'Type of the page, such as `article`.'),
    ],
  },
  {
    name: 'retrievedUrls',
    description: 'URLs that an assistant read for an answer, and that the answer does not cite.',
    from: 'facts',
    source: 'retrieved_urls',
    marks: [...placed, 'url', 'pages_version'],
    columns: [...ofAnswer, ...citedPage],
  },
  {
    name: 'fanoutQueries',
    description: 'Searches that an assistant made for an answer.',
    from: 'facts',
    source: 'fanout_queries',
    marks: placed,
    columns: [
      ...ofAnswer,
      column('position', 'toInt32(position)', 'Place among the searches of the answer, from 1.'),
      text('query', 'query', 'Text of the search.'),
    ],
  },
  {
    name: 'products',
    description: 'Products that an answer recommends.',
    from: 'facts',
    source: 'product_mentions',
    marks: ['answer_id', 'product_id', 'rank', 'load_seq'],
    columns: [
      ...ofAnswer,
      text('productId', 'product_id', 'Id of the product, which its brand and name give.'),
      text('name', 'name', 'Name of the product.'),
      optional('brand', 'brand', 'Brand of the product; null where the answer names none.'),
      column('rank', 'toInt32(rank)', 'Place among the products of the answer, from 1.'),
      optional('price', 'price', 'Price as the answer has it; null without one.'),
    ],
  },
  {
    name: 'ads',
    description: 'Ads in answers.',
    from: 'facts',
    source: 'ad_impressions',
    marks: placed,
    columns: [
      ...ofAnswer,
      column('adId', "if(empty(ad_id), '', toString(ad_id))", 'Id of the ad.'),
      column('position', 'toInt32(position)', 'Place among the ads of the answer, from 1.'),
      text('advertiser', 'advertiser', 'Name of the advertiser.'),
      optional('domain', 'domain', 'Domain of the advertiser; null where the ad has none.'),
      optional('title', 'title', 'Headline of the ad; null without one.'),
      optional('url', 'url', 'URL of the ad; null without one.'),
    ],
  },
  {
    name: 'crawlerHits',
    description: 'Requests of crawlers to the site. Reports leave out those of impostors.',
    from: 'days',
    source: 'crawler_hits',
    marks: ['timestamp', 'bot_id', 'host', 'path', 'status_code', 'verification', 'batch'],
    columns: [
      column('at', 'timestamp', 'When the request came.'),
      column('day', 'toDate32(day)', 'UTC day of the request.'),
      text('botName', 'bot_name', 'Name of the crawler.'),
      text('botVendor', 'bot_vendor', 'Company that runs the crawler.'),
      text('botCategory', 'bot_category', 'Purpose of the crawler, such as `ai_search`.'),
      optional('platform', 'platform', 'AI platform that the crawler serves; null for none.'),
      text('verification', 'verification', 'One of `verified`, `claimed` and `impostor`.'),
      optional(
        'signedBy',
        'signed_by',
        'Host of the agent that signed the request; null for none.',
      ),
      text('source', 'source', 'How the request was recorded: `tracker`, `cdn` or `log`.'),
      text('method', 'method', 'Method of the request.'),
      optional('host', 'host', 'Host of the request; null where the sender named none.'),
      text('path', 'path', 'Path of the request, without its query string.'),
      column('statusCode', 'toInt32(status_code)', 'Status of the response.'),
      column('responseTimeMs', 'toFloat64(response_time_ms)', 'Time of the response in ms.'),
      text('userAgent', 'user_agent', 'User agent of the request.'),
      optional('country', 'country', 'Country of the request; null where it is not known.'),
      optional('referrerDomain', 'referrer_domain', 'Domain of the referrer; null without one.'),
    ],
  },
  {
    name: 'searchPerformance',
    description: 'Rows of Google Search Console by day.',
    from: 'days',
    source: 'search_console FINAL',
    where: `engine = 'google' AND ${dailyRows}`,
    marks: ['query', 'page', 'country', 'device', 'part', 'clicks', 'impressions', 'position'],
    columns: [
      column('day', 'toDate32(day)', 'Day, as the search console counts it.'),
      optional('query', 'query', 'Text of the search; null where the search console hides it.'),
      optional('page', 'page', 'URL of the page; null in rows without pages.'),
      optional('country', 'country', 'Country, ISO 3166-1 alpha-3 in lower case.'),
      optional('device', 'device', 'One of `desktop`, `mobile` and `tablet`.'),
      column('clicks', 'toInt64(clicks)', 'Clicks to the page.'),
      column('impressions', 'toInt64(impressions)', 'How often results showed the page.'),
      column('position', 'position', 'Mean position over the impressions, from 1.'),
    ],
  },
  {
    name: 'bingPerformance',
    description:
      'Rows of Bing Webmaster Tools: each day as a whole, and each query and each page by week. All three count the same clicks.',
    from: 'days',
    source: 'search_console FINAL',
    where: "engine = 'bing'",
    marks: ['query', 'page', 'part', 'clicks', 'impressions', 'position'],
    columns: [
      column('day', 'toDate32(day)', 'Day, as Bing counts it; the last day of a week.'),
      column('days', `toInt32(if(${dailyRows}, 1, 7))`, 'Days that the row adds up: 1 or 7.'),
      optional('query', 'query', 'Text of the search; null in rows of days and of pages.'),
      optional('page', 'page', 'URL of the page; null in rows of days and of queries.'),
      column('clicks', 'toInt64(clicks)', 'Clicks to the site.'),
      column('impressions', 'toInt64(impressions)', 'How often results showed the site.'),
      column(
        'position',
        'nullIf(position, 0)',
        'Mean position over the impressions, from 1; null where Bing reports none, as by day.',
      ),
    ],
  },
  {
    name: 'webAnalytics',
    description: 'Sessions by day, landing page and source.',
    from: 'days',
    source: 'web_analytics FINAL',
    marks: [
      'host',
      'page',
      'source',
      'medium',
      'part',
      'sessions',
      'ifNull(users, -1)',
      'ifNull(conversions, -1)',
    ],
    columns: [
      column('day', 'toDate32(day)', 'Day, as the analytics tool counts it.'),
      optional('host', 'host', 'Host of the site; null where the export has none.'),
      optional('page', 'page', 'Path on which the session began; null where it is not known.'),
      text('source', 'source', 'Source of the session.'),
      text('medium', 'medium', 'Medium of the session.'),
      optional('platform', 'platform', 'AI platform that the source belongs to; null for others.'),
      column('sessions', 'toInt64(sessions)', 'Sessions.'),
      column('users', 'toInt64(users)', 'Users; null where the export has none.'),
      column(
        'bouncedSessions',
        'bounced_sessions',
        'Sessions that were not engaged; null where the export has none.',
      ),
      column(
        'durationSeconds',
        'duration_seconds',
        'Seconds of all sessions together; null where the export has none.',
      ),
      column('conversions', 'conversions', 'Conversions; null where the export has none.'),
    ],
  },
]

/** A table of the catalog, which is exported whole. */
export interface RecordTable {
  readonly name: string
  readonly description: string
  /** `sql` is the type of the warehouse here. */
  readonly columns: readonly ExportColumn[]
}

const recordText = (name: string, description: string) => column(name, 'String', description)

export const recordTables = [
  {
    name: 'prompts',
    description: 'Prompts of the project, those that are archived too.',
    columns: [
      recordText('promptId', 'Id of the prompt.'),
      recordText('text', 'Text of the prompt.'),
      column('isBranded', 'Bool', 'Whether the text names the brand.'),
      column('isTracked', 'Bool', 'False for an archived prompt.'),
      column(
        'intentCategory',
        'Nullable(String)',
        'Intent of the prompt; null where nobody set one.',
      ),
    ],
  },
  {
    name: 'topics',
    description: 'Topics of the project.',
    columns: [recordText('topicId', 'Id of the topic.'), recordText('name', 'Name of the topic.')],
  },
  {
    name: 'promptTopics',
    description: 'Which prompts belong to which topics.',
    columns: [
      recordText('promptId', 'Id of the prompt.'),
      recordText('topicId', 'Id of the topic.'),
    ],
  },
  {
    name: 'brands',
    description: 'The brand of the project and its competitors.',
    columns: [
      recordText('brandId', 'Id of the brand.'),
      recordText('name', 'Name of the brand.'),
      recordText('domain', 'Domain of the brand.'),
      column('isOwn', 'Bool', 'Whether it is the brand of the project.'),
    ],
  },
] as const satisfies readonly RecordTable[]
