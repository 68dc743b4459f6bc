/**
 * What metrics and spans cost a request, in processor time, beside all that the request costs.
 * `node bench/observability/cost.ts`
 */
import { Agent, request } from 'node:http'
import { apiMetrics } from '../../observability/api.ts'
import { openMetrics } from '../../observability/registry.ts'
import { inRequest, inSpan, inStatement } from '../../observability/spans.ts'
import { statementMetrics } from '../../observability/statements.ts'
import { say, startBenchService } from '../service.ts'

/** Microseconds of processor time for each of `count` runs. */
async function costOf(count: number, run: (i: number) => unknown): Promise<number> {
  const before = process.cpuUsage()
  for (let i = 0; i < count; i++) await run(i)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / count
}

const metrics = openMetrics('api')
const api = apiMetrics(metrics)
const statements = statementMetrics(metrics)

/** A request with one statement, of 90 operations and 100 statements in turn. */
function count(i: number): void {
  api.began('rest')
  statements.frozen(false)
  statements.ended(`bench.${i % 100}`, 3)
  const operation = `operation${i % 90}`
  api.answered({ door: 'rest', operation, status: 200, seconds: 0.004, isStream: false })
}

const incoming = { headers: { host: 'bench' }, method: 'GET' }
const trace = () =>
  inRequest(incoming, 'id', () =>
    inSpan('graphql.execute', {}, () => inStatement('clickhouse', 'bench', {}, async () => 1)),
  )

for (const round of ['first', 'second']) {
  say(`${round} round: metrics ${(await costOf(100_000, count)).toFixed(1)} µs a request`)
  say(`${round} round: spans without the SDK ${(await costOf(100_000, trace)).toFixed(1)} µs`)
}
for (const nth of [1, 2, 3]) {
  const us = await costOf(1, () => metrics.text())
  say(`scrape ${nth}: ${(us / 1000).toFixed(1)} ms of ${(await metrics.text()).length} bytes`)
}

const service = await startBenchService()
const agent = new Agent({ keepAlive: true })
const ask = (path: string, key: string) =>
  new Promise<void>((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}` }
    request(service.url + path, { agent, headers }, (response) => {
      response.resume().once('end', resolve)
    })
      .once('error', reject)
      .end()
  })
const path = `/api/mcp/projects/${service.projectId}`
for (const round of ['first', 'second', 'third']) {
  const key = await service.newKey()
  const us = await costOf(400, () => ask(path, key))
  say(`${round} round: the lightest request ${us.toFixed(0)} µs, with its client`)
}
agent.destroy()
await service.stop()
