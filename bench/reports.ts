import { processMs } from './processes.ts'
import { compareCounts, type Report, runByHand } from './reports/beside.ts'
import { byHand } from './reports/by-hand.ts'
import { type Days, daysUntil, fillProject, nameOf } from './reports/project.ts'
import { median, quantile, readReport, say, startBenchService, withQuery } from './service.ts'

/**
 * node bench/reports.ts [REPORT]
 *
 * Measures a GET of every report over 365 days, engine included: median, 95th percentile, and the processor time of the
 * API and of the engine. Processor times say the most on a busy machine. Beside most reports are the shortest statements
 * that count the same figures: they take turns with the report, and must agree with it. `topics` is the floor of the door:
 * it reads no facts.
 */
const service = await startBenchService()
const { paths } = await fillProject(service)

const only = process.argv[2] ?? ''
const chosen = ['topics', ...paths.filter((name) => name !== 'topics' && name.startsWith(only))]
const rounds = 20
/** Rounds of each report that warm up: V8 compiles what runs often, as in a service that has run for a minute. */
const warmUps = 20
let key = service.key

const ask = (path: string, { from, to }: Days): Promise<Report> =>
  readReport(service, withQuery(path, `from=${from}&to=${to}`), key)

let door = 0
for (const path of chosen) {
  key = await service.newKey()
  const steps = byHand[path]
  const times: { report: number[]; hand: number[] } = { report: [], hand: [] }
  let [apiMs, engineMs] = [0, 0]
  for (let round = -warmUps; round < rounds; round++) {
    // Another window each time: a repeated request would be answered from the cache.
    const window = daysUntil(round + warmUps, 365)
    const [before, engineBefore] = [process.cpuUsage(), processMs(service.warehousePid)]
    const began = performance.now()
    const report = await ask(path, window)
    const ended = performance.now()
    const { user, system } = process.cpuUsage(before)
    const engine = processMs(service.warehousePid) - engineBefore
    const handBegan = performance.now()
    const rows = steps && (await runByHand(service, steps, window))
    const hand = performance.now() - handBegan
    if (steps && rows) compareCounts(steps, report, rows)
    if (round < 0) continue
    apiMs += (user + system) / 1000
    engineMs += engine
    times.report.push(ended - began)
    times.hand.push(hand)
  }
  const [p50, hand] = [median(times.report), median(times.hand)]
  if (path === 'topics') door = p50
  const sorted = times.report.toSorted((a, b) => a - b)
  const [middle, slow, api, engine] = [
    p50,
    quantile(sorted, 0.95),
    apiMs / rounds,
    engineMs / rounds,
  ].map((ms) => ms.toFixed(1).padStart(7))
  const beside = steps
    ? `  by hand${hand.toFixed(1).padStart(7)}, ${(p50 / hand).toFixed(2)} of it, ${(p50 / (hand + door)).toFixed(2)} with the door`
    : ''
  say(`${nameOf(path).padEnd(60)} p50${middle}  p95${slow}  API${api}  engine${engine} ms${beside}`)
}
await service.stop()
