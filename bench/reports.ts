import { command } from '../warehouse/run.ts'
import { fillFacts } from './facts.ts'
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
const { competitors, prompts } = await fillFacts(service, 12)

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
