import { fillFacts, fillHits } from './facts.ts'
import { processMs } from './processes.ts'
import { quantile, say, startBenchService, timed } from './service.ts'

/**
 * node bench/reports.ts [REPORT]
 *
 * Measures a GET of every report, engine included: median and 95th percentile, and the processor time of the API and
 * of the engine. Processor times say the most on a busy machine. `topics` is the floor, since it reads no facts.
 * The project has 200,000 answers in 365 days, a million citations, 560,000 mentions and a million crawler hits.
 */
const service = await startBenchService()
const { projectId: project } = service
const { competitors, prompts } = await fillFacts(service, 12)

await fillHits(service)

const only = process.argv[2]
const times = 20
/** The first five warm up. */
const asked = times + 5
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

for (const report of reports.filter((name) => name.startsWith(only ?? ''))) {
  const key = await service.newKey()
  const url = `${service.url}/api/mcp/projects/${project}/${report}${report.includes('?') ? '&' : '?'}`
  // Another window each time: a repeated request would be answered from the cache.
  let days = 366
  const [before, engineBefore] = [process.cpuUsage(), processMs(service.warehousePid)]
  const sorted = await timed(times, async () => {
    const response = await fetch(`${url}days=${--days}`, {
      headers: { authorization: `Bearer ${key}` },
    })
    if (!response.ok) throw new Error(`${report}: ${response.status} ${await response.text()}`)
    await response.arrayBuffer()
  })
  const { user, system } = process.cpuUsage(before)
  const each = [
    quantile(sorted, 0.5),
    quantile(sorted, 0.95),
    (user + system) / 1000 / asked,
    (processMs(service.warehousePid) - engineBefore) / asked,
  ].map((ms) => ms.toFixed(0).padStart(5))
  const name = report.replace(/[0-9a-f-]{36}/, '{id}').padEnd(60)
  say(`${name} p50${each[0]}  p95${each[1]}  API${each[2]}  engine${each[3]} ms`)
}
await service.stop()
