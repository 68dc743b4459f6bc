import { processMs } from './processes.ts'
import { byHand, runByHand } from './reports/by-hand.ts'
import { daysUntil, fillProject, nameOf } from './reports/project.ts'
import { median, quantile, say, startBenchService, withQuery } from './service.ts'

/**
 * node bench/reports.ts [REPORT]
 *
 * Measures a GET of every report over 365 days, engine included: median, 95th percentile, and the processor time of the
 * API and of the engine. Processor times say the most on a busy machine. `topics` is the floor, since it reads no facts.
 * Beside most reports are the shortest statements that count their figures: they take turns with the report.
 */
const service = await startBenchService()
const { projectId: project } = service
const { paths } = await fillProject(service)

const only = process.argv[2] ?? ''
const rounds = 20
/** The first five warm up. */
const asked = rounds + 5

for (const path of paths.filter((name) => name.startsWith(only))) {
  const key = await service.newKey()
  const steps = byHand[path]
  const times: { report: number[]; hand: number[] } = { report: [], hand: [] }
  let [apiMs, engineMs] = [0, 0]
  for (let round = -5; round < rounds; round++) {
    // Another window each time: a repeated request would be answered from the cache.
    const window = daysUntil(round + 5, 365)
    const [before, engineBefore] = [process.cpuUsage(), processMs(service.warehousePid)]
    const began = performance.now()
    const query = `from=${window.from}&to=${window.to}`
    const response = await fetch(
      `${service.url}/api/mcp/projects/${project}/${withQuery(path, query)}`,
      { headers: { authorization: `Bearer ${key}` } },
    )
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    await response.arrayBuffer()
    const ended = performance.now()
    const { user, system } = process.cpuUsage(before)
    apiMs += (user + system) / 1000
    engineMs += processMs(service.warehousePid) - engineBefore
    if (steps) await runByHand(service, steps, window)
    if (round < 0) continue
    times.report.push(ended - began)
    times.hand.push(performance.now() - ended)
  }
  const [p50, hand] = [median(times.report), median(times.hand)]
  const sorted = times.report.toSorted((a, b) => a - b)
  const [middle, slow, api, engine] = [
    p50,
    quantile(sorted, 0.95),
    apiMs / asked,
    engineMs / asked,
  ].map((ms) => ms.toFixed(0).padStart(5))
  const beside = steps
    ? `  by hand${hand.toFixed(0).padStart(5)}, ${(p50 / hand).toFixed(2)} of it`
    : ''
  say(`${nameOf(path).padEnd(60)} p50${middle}  p95${slow}  API${api}  engine${engine} ms${beside}`)
}
await service.stop()
