import { command } from '../warehouse/run.ts'
import { quantile, say, startBenchService, timed } from './service.ts'

/**
 * node bench/reports.ts
 *
 * Measures a GET of every report, engine included: median and 95th percentile.
 * `topics` is the floor, since it reads no facts.
 * The project has 200,000 answers in 365 days, a million citations, 560,000 mentions and a million crawler hits.
 */
const service = await startBenchService()
const { db, warehouse, projectId: project } = service
const answers = 200_000

const competitors = await Promise.all(
  ['Bose', 'JBL', 'Samsung', 'Apple'].map((name) =>
    db.competitor.create({
      data: { projectId: project, name, domain: `${name.toLowerCase()}.com` },
    }),
  ),
)
const topics = await Promise.all(
  Array.from({ length: 12 }, (_, i) =>
    db.topic.create({ data: { projectId: project, name: `Topic ${i}` } }),
  ),
)
const prompts = await Promise.all(
  Array.from({ length: 60 }, (_, i) =>
    db.prompt.create({
      data: {
        projectId: project,
        text: `Prompt ${i}`,
        topics: { create: { topicId: topics[i % 12]?.id ?? '' } },
      },
    }),
  ),
)

/** Columns of every fact table, for the answer with the number `n`. */
const common = `
  {project:UUID} AS project_id, today() - (n % 365) AS day,
  {prompts:Array(UUID)}[1 + n % 60] AS prompt_id,
  ['chatgpt', 'perplexity', 'gemini', 'claude', 'copilot'][1 + n % 5] AS platform,
  concat(platform, '-1') AS model, ['US', 'DE', 'GB'][1 + n % 3] AS country,
  toUUID('00000000-0000-0000-0000-000000000000') AS location_id, 1 AS load_seq`
const id = 'toUUID(UUIDNumToString(sipHash128(n)))'

/** Fills a table from `rows`: column `n` is the answer, `k` the row within the answer. */
async function fill(table: string, columns: Record<string, string>, rows: string): Promise<void> {
  const names = Object.keys(columns).join(', ')
  const values = Object.entries(columns).map(([name, value]) => `${value} AS ${name}`)
  await command(warehouse, {
    id: `bench.${table}`,
    sql: `INSERT INTO ${table}
        (project_id, day, prompt_id, platform, model, country, location_id, load_seq, ${names})
      SELECT ${common}, ${values.join(', ')} FROM (${rows})`,
    params: {
      project,
      prompts: prompts.map((prompt) => prompt.id),
      brands: [project, ...competitors.map((competitor) => competitor.id)],
      answers,
    },
    timeoutMs: 600_000,
  })
}

const fivefold = 'SELECT intDiv(number, 5) AS n, number % 5 AS k FROM numbers({answers:UInt64} * 5)'
await fill(
  'answers',
  {
    id,
    run: '1',
    collected_at: "toDateTime64(day, 3, 'UTC')",
    text: "repeat('Sony and Bose are named here. ', 60)",
  },
  'SELECT number AS n FROM numbers({answers:UInt64})',
)
await fill(
  'citations',
  {
    answer_id: id,
    position: 'k',
    domain: "concat('site', toString(sipHash64(n, k) % 2000), '.com')",
    host: 'domain',
    url: "concat('https://', domain, '/', toString(sipHash64(k, n) % 40))",
    title: "'A title'",
    registry_type: "'editorial'",
    content_type: "['article', 'listicle', 'product', 'review'][1 + k % 4]",
    first_of_domain: '1',
    first_of_type: '1',
    loaded_at: 'now()',
  },
  fivefold,
)
await fill(
  'mentions',
  {
    analysis: '1',
    answer_id: id,
    brand_id: '{brands:Array(UUID)}[1 + k]',
    is_own: 'k = 0',
    occurrences: '1 + n % 3',
    rank: '1 + (k + n) % 5',
    sentiment: '((n + k) % 21 - 10) / 10',
  },
  `${fivefold} WHERE sipHash64(n, k, 7) % 100 < 56`,
)
await db.project.update({ where: { id: project }, data: { visibleLoad: 1, lastLoad: 1 } })

await db.connection.create({ data: { projectId: project, kind: 'tracker' } })
// Forty crawlers and about twenty thousand paths; a few of each have most of the hits.
await command(warehouse, {
  id: 'bench.crawler_hits',
  sql: `INSERT INTO crawler_hits
      (project_id, timestamp, source, event_name, bot_id, bot_name, bot_vendor, bot_category, platform,
       method, host, path, status_code, response_time_ms, user_agent, ip_address, country)
    SELECT {project:UUID}, now64(3) - toIntervalSecond(sipHash64(number) % (365 * 86400)), 'tracker',
           'server_request', 1 + toUInt16(40 * pow(sipHash64(number, 1) / pow(2, 64), 2)) AS bot,
           concat('Bot ', toString(bot)), concat('Vendor ', toString(bot % 12)),
           ['ai_training', 'ai_search', 'ai_assistant', 'ai_agent', 'search_engine'][1 + bot % 5],
           concat('platform_', toString(bot % 14)), 'GET', ['www.sony.com', 'store.sony.com'][1 + number % 2],
           concat('/page/', toString(toUInt32(exp(log(20000) * sipHash64(number, 2) / pow(2, 64))))),
           200, sipHash64(number, 3) % 500, concat('Mozilla/5.0 (compatible; Bot ', toString(bot), ')'),
           concat('192.0.', toString(number % 256), '.0'), 'US'
      FROM numbers(1000000)`,
  params: { project },
  timeoutMs: 600_000,
})

const only = process.argv[2]
const reports = [
  'topics',
  'visibility',
  'visibility?compare=previous_period&include=industryRanking',
  'visibility/history',
  'visibility/topics',
  'visibility/prompts',
  'visibility/locations',
  'visibility/platforms',
  'share-of-voice',
  'share-of-voice?compare=previous_year',
  'competitors',
  `competitors/${competitors[0]?.id}`,
  'sentiment',
  'sentiment/history',
  'sentiment/competitors',
  'answers',
  'answers?mentioned=true',
  `prompts/${prompts[0]?.id}/answers`,
  'sources/domains',
  'sources/domains/site1.com/urls',
  'sources/urls',
  'sources/content-types',
  'sources/trend',
  'traffic/overview',
  'traffic/overview?groupBy=botName',
  'traffic/overview?host=www.sony.com',
  'traffic/bots',
  'traffic/bots?groupBy=platform',
  'traffic/logs',
  'traffic/logs?path=/page/3',
  'traffic/logs?offset=10000',
  'traffic/status',
]
const headers = { authorization: `Bearer ${service.key}` }
for (const report of reports.filter((name) => name.startsWith(only ?? ''))) {
  const url = `${service.url}/api/mcp/projects/${project}/${report}${report.includes('?') ? '&' : '?'}`
  // Another window each time: a repeated request would be answered from the cache.
  let days = 366
  const sorted = await timed(20, async () => {
    const response = await fetch(`${url}days=${--days}`, { headers })
    if (!response.ok) throw new Error(`${report}: ${response.status} ${await response.text()}`)
    await response.arrayBuffer()
  })
  const [p50, p95] = [quantile(sorted, 0.5), quantile(sorted, 0.95)]
  say(
    `${report.replace(/[0-9a-f-]{36}/, '{id}').padEnd(60)} p50 ${p50.toFixed(0).padStart(4)} ms  p95 ${p95.toFixed(0).padStart(4)} ms`,
  )
}
await service.stop()
