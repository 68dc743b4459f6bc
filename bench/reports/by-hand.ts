import type { ByHand } from './beside.ts'

const days = 'project_id = {project:UUID} AND day BETWEEN {from:Date} AND {to:Date}'
/** Rows of an import that has not ended are no facts yet. */
const loaded = 'load_seq <= {load:UInt32}'
const where = `WHERE ${days} AND ${loaded}`
/** Mentions of an analysis that runs are none yet, and those of the one before none any more. */
const mentioned = `${where} AND analysis = {analysis:UInt32}`
/** The equal window just before, which growth compares with. */
const before = `WHERE project_id = {project:UUID} AND ${loaded}
  AND day BETWEEN {from:Date} - ({to:Date} - {from:Date}) - 1 AND {from:Date} - 1`

const answers = `SELECT count() FROM answers ${where}`
/** Answers, and those that name the own brand. */
const named = (key: string, responses = 'totalResponses', said = 'totalMentions') =>
  `SELECT ${key}, count() AS ${responses}, 0 AS responsesWithBrand, 0 AS ${said}, 0 AS ranks
     FROM answers ${where} GROUP BY ALL
    UNION ALL
   SELECT ${key}, 0, count(), sum(occurrences), sum(rank) FROM mentions ${mentioned} AND is_own = 1 GROUP BY ALL`
const cited = `SELECT platform, count() AS citations, uniqExact(cityHash64(domain)) AS sources,
    countIf(domain = 'sony.com') AS own FROM citations ${where} GROUP BY platform WITH ROLLUP`
const byBrand = `SELECT toString(brand_id) AS id, count() AS responsesWithMention, sum(occurrences) AS mentions,
    sum(rank) AS ranks FROM mentions ${mentioned} GROUP BY brand_id`
const rated = (
  key: string,
  whose = 'AND is_own = 1',
) => `SELECT ${key}, countIf(sentiment >= 0.05) AS positive,
    countIf(sentiment > -0.05 AND sentiment < 0.05) AS neutral, countIf(sentiment <= -0.05) AS negative
  FROM mentions ${mentioned} ${whose} GROUP BY ALL`
const rivals = "('bose.com', 'jbl.com', 'samsung.com', 'apple.com')"

const prompt = 'toString(prompt_id) AS promptId'
const location = 'toString(location_id) AS locationId'
const date = 'toString(day) AS date'
const tones = ['positive', 'neutral', 'negative']
const ofBrand = ['totalResponses', 'responsesWithBrand']
const ofPlatform = ['responses', 'responsesWithBrand', 'mentions', 'citations', 'sources']

const platforms = (by: string, ...more: string[]): ByHand => ({
  steps: [[named(by, 'responses', 'mentions'), cited, ...more]],
  rows: (report) => report.platforms ?? [],
  key: 'platform',
  counts: ofPlatform,
})

/** A page of cited URLs: their rank, then title, types, growth, stored text, and whether their answers name the brand. */
const pagesOf = (narrowed: string): ByHand => ({
  steps: [
    [
      `SELECT url, count() AS responsesWithUrl, count() OVER () AS total FROM citations ${where} ${narrowed}
        GROUP BY url ORDER BY responsesWithUrl DESC, url LIMIT 20`,
      answers,
    ],
    [
      `SELECT url, argMax((title, content_type), day), max(answer_id IN (
          SELECT answer_id FROM mentions ${mentioned} AND day > {to:Date} - 28 AND is_own = 1))
         FROM citations ${where} AND day > {to:Date} - 28 ${narrowed} AND url IN {names:Array(String)} GROUP BY url`,
      `SELECT url, any(domain), max(registry_type)
         FROM citations ${where} ${narrowed} AND url IN {names:Array(String)} GROUP BY url`,
      `SELECT url, count() FROM citations ${before} ${narrowed} AND url IN {names:Array(String)} GROUP BY url`,
      `SELECT url FROM page_contents WHERE project_id = {project:UUID} AND url IN {names:Array(String)}`,
    ],
  ],
  rows: (report) => report.urls ?? [],
  key: 'url',
  counts: ['responsesWithUrl'],
})

const parts = (table: string, columns: string, rows = where) =>
  `SELECT answer_id, ${columns} FROM ${table} ${rows} AND answer_id IN {names:Array(UUID)}`

const crawls = `FROM crawler_hits WHERE ${days} AND verification != 'impostor'`

/** By the path of the report. */
export const byHand: Readonly<Record<string, ByHand>> = {
  visibility: platforms(
    'platform, day',
    `SELECT count() FROM answers ${before} UNION ALL SELECT count() FROM mentions ${before}
      AND analysis = {analysis:UInt32} AND is_own = 1`,
  ),
  'visibility/history': {
    steps: [[named(date)]],
    rows: (report) => report.history ?? [],
    key: 'date',
    counts: [...ofBrand, 'totalMentions'],
  },
  'visibility/prompts': {
    steps: [[named(prompt)]],
    rows: (report) => report.prompts ?? [],
    key: 'promptId',
    counts: ofBrand,
  },
  'visibility/locations': {
    steps: [[named(location)]],
    rows: (report) => report.locations ?? [],
    key: 'locationId',
    counts: ofBrand,
  },
  'visibility/platforms': platforms('platform'),
  'share-of-voice': {
    steps: [[byBrand.replace('AS id', 'AS competitorId')]],
    rows: (report) => report.competitors ?? [],
    key: 'competitorId',
    counts: ['responsesWithMention', 'mentions'],
  },
  competitors: {
    steps: [
      [
        `${byBrand}
          UNION ALL
         SELECT toString(domain), 0, 0, count() FROM citations ${where} AND domain IN ${rivals} GROUP BY domain
          UNION ALL
         SELECT '', 0, 0, count() FROM answers ${where}`,
      ],
    ],
    rows: (report) => report.competitors ?? [],
    key: 'id',
    counts: ['responsesWithMention', 'mentions'],
  },
  sentiment: {
    steps: [[rated('1')]],
    rows: (report) => (report.summary ? [report.summary] : []),
    key: 'whole',
    counts: tones,
  },
  'sentiment/history': {
    steps: [
      [
        `SELECT ${date}, 0 AS positive, 0 AS neutral, 0 AS negative FROM answers ${where} GROUP BY day
          UNION ALL
         ${rated(date)}`,
      ],
    ],
    rows: (report) => report.history ?? [],
    key: 'date',
    counts: tones,
  },
  'sentiment/competitors': {
    steps: [[rated('toString(brand_id) AS competitorId', '')]],
    rows: (report) => report.competitors ?? [],
    key: 'competitorId',
    counts: tones,
  },
  answers: {
    steps: [
      [
        `SELECT toString(id) AS id, platform, model, collected_at FROM answers ${where}
          ORDER BY collected_at DESC, id LIMIT 50`,
        answers,
      ],
      [
        `SELECT id, text FROM answers ${where} AND id IN {names:Array(UUID)}`,
        parts('citations', 'url, domain, title, position'),
        parts('mentions', 'brand_id, occurrences, rank, sentiment', mentioned),
      ],
    ],
    rows: (report) => report.answers ?? [],
    key: 'id',
    counts: [],
  },
  'sources/domains': {
    steps: [
      [
        `SELECT toString(domain) AS domain, count() AS totalCitations, sum(first_of_domain) AS frequency,
                count() OVER () AS total
           FROM citations ${where} GROUP BY domain ORDER BY totalCitations DESC, domain LIMIT 20`,
        answers,
      ],
      [
        `SELECT domain, model, content_type, host, count(), max(registry_type)
           FROM citations ${where} AND domain IN {names:Array(String)} GROUP BY domain, model, content_type, host`,
        `SELECT domain, uniqExact(cityHash64(url)) AS pageCount
           FROM citations ${where} AND domain IN {names:Array(String)} GROUP BY domain`,
      ],
    ],
    rows: (report) => report.sources ?? [],
    key: 'domain',
    counts: ['totalCitations', 'frequency', 'pageCount'],
  },
  'sources/domains/site1.com/urls': pagesOf("AND domain = 'site1.com'"),
  'sources/urls': pagesOf(''),
  'sources/content-types': {
    steps: [
      [
        `SELECT content_type AS contentType, count() AS totalUsed, uniqExact(prompt_id) AS promptsCount,
                sum(first_of_type) FROM citations ${where} GROUP BY content_type`,
        `SELECT content_type, count() FROM citations ${before} GROUP BY content_type`,
        `SELECT content_type, domain, count() FROM citations ${where} AND domain IN ${rivals} GROUP BY ALL`,
        answers,
      ],
    ],
    rows: (report) => report.contentTypes ?? [],
    key: 'contentType',
    counts: ['totalUsed', 'promptsCount'],
  },
  'sources/trend': {
    steps: [
      [
        `SELECT ${date}, count() AS citationCount FROM citations ${where} AND domain IN (
           SELECT domain FROM citations ${where} GROUP BY domain ORDER BY count() DESC, domain LIMIT 10) GROUP BY day`,
      ],
    ],
    rows: (report) => report.citations ?? [],
    key: 'date',
    counts: ['citationCount'],
  },
  'traffic/overview': {
    steps: [
      [
        `SELECT platform, bot_category, bot_id, bot_name, bot_vendor, count() AS visits ${crawls} GROUP BY ALL`,
        `SELECT trimRight(path, '/') AS page, count() AS crawls ${crawls} GROUP BY page ORDER BY crawls DESC, page LIMIT 10`,
      ],
    ],
    rows: (report) => report.crawlers?.byPlatform ?? [],
    key: 'platform',
    counts: ['visits'],
  },
  'traffic/bots': {
    steps: [
      [
        `SELECT bot_id AS botId, bot_name, bot_vendor, bot_category, platform, count() AS visits, max(timestamp)
           ${crawls} GROUP BY ALL`,
        `SELECT bot_id AS botId, uniqExact(cityHash64(trimRight(path, '/'))) AS paths, min(timestamp)
           ${crawls} GROUP BY bot_id`,
      ],
    ],
    rows: (report) => report.bots ?? [],
    key: 'botId',
    counts: ['visits', 'paths'],
  },
  'traffic/logs': {
    steps: [
      [
        `SELECT timestamp, method, host, path, status_code, response_time_ms, bot_name, bot_vendor, bot_category,
                country, referrer_domain ${crawls} ORDER BY project_id DESC, day DESC, timestamp DESC LIMIT 25`,
        `SELECT count() ${crawls}`,
      ],
    ],
    rows: () => [],
    key: 'timestamp',
    counts: [],
  },
}
