import { parse, validate } from 'graphql'
import { publicSchema } from '../schema/index.ts'
import { fillDemo } from './costs/demo.ts'
import { documentsOf } from './costs/documents.ts'
import { measuring, type Sample } from './costs/measure.ts'
import { fillFacts } from './facts.ts'
import { median, quantile, say, startBenchService } from './service.ts'

/**
 * node --expose-gc bench/costs.ts [DOCUMENTS] [SEED] [demo]
 *
 * Compares what random documents cost with what they take, on 200,000 answers with a million citations, or on the
 * demonstration: processor time, statements, bytes of the response, and the most of the heap beside that before the
 * document. Each document runs once, and nothing of it comes from memory.
 */
const [documents = 500, seed = 1] = process.argv.slice(2, 4).map(Number)
const service = await startBenchService()
const isDemo = process.argv[4] === 'demo'
const { project, newKey } = isDemo
  ? await fillDemo(service)
  : { ...service, project: service.projectId }
if (!isDemo) await fillFacts(service, 50)

const { next, alone } = documentsOf(publicSchema, project, seed)
const measure = measuring(service, project)

for (const [name, text] of alone(90)) {
  const { cost, reports, statements, ms, code } = await measure(text, await newKey(), 3)
  const figures = `${reports.toFixed(1)} reports  ${statements} statements  ${ms.toFixed(0)} ms`
  say(`${name.padEnd(34)} cost ${cost}  ${figures}  ${code ?? ''}`)
}

const samples: Sample[] = []
let refused = 0
let failed = 0
for (let at = 0; samples.length < documents; at++) {
  const key = await newKey()
  const text = next()
  if (validate(publicSchema, parse(text)).length > 0) continue
  const sample = await measure(text, key)
  if (process.env.PROGRESS) say(JSON.stringify({ at, ...sample }))
  if (sample.code === 'query_too_costly') refused++
  else {
    if (sample.code !== undefined) failed++
    samples.push(sample)
  }
}

const figures = (name: string, values: readonly number[], digits = 1) => {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => quantile(sorted, share).toFixed(digits)
  say(`${name.padEnd(30)} p5 ${at(0.05)}  p50 ${at(0.5)}  p95 ${at(0.95)}  max ${at(0.9999)}`)
}

const perCost = samples.map(({ reports, cost }) => reports / cost)
const middle = median(perCost)
const isNear = (ratio: number) => ratio <= 3 * middle && ratio >= middle / 3
const near = perCost.filter(isNear).length / perCost.length
const notDear = perCost.filter((ratio) => ratio <= 3 * middle).length / perCost.length
say(`documents ${samples.length}, refused ${refused}, with an error ${failed}`)
figures(
  'cost',
  samples.map(({ cost }) => cost),
  0,
)
figures(
  'ms',
  samples.map(({ ms }) => ms),
  0,
)
figures(
  'processor time in reports',
  samples.map(({ reports }) => reports),
)
figures('reports for each 1 of cost', perCost, 2)
figures(
  'ms of processor time',
  samples.map(({ cpuMs }) => cpuMs),
  0,
)
figures(
  'statements',
  samples.map(({ statements }) => statements),
  0,
)
figures(
  'kB of the response',
  samples.map(({ bytes }) => bytes / 1000),
  0,
)
figures(
  'MB of the heap',
  samples.map(({ heap }) => heap / 1024 ** 2),
  0,
)
say(
  `within a factor of 3 of the median ${(100 * near).toFixed(0)} %, not above it ${(100 * notDear).toFixed(0)} %`,
)
/** Nothing costs less than its request: below 1 a document may take as little as it likes. */
const fair = samples.filter(
  ({ cost }, i) => isNear(perCost[i] ?? 0) || (cost === 1 && (perCost[i] ?? 0) < middle),
)
say(
  `the same, or at the least cost and below it ${((100 * fair.length) / samples.length).toFixed(0)} %`,
)
const outliers = samples
  .map((sample, i) => ({ ...sample, ratio: perCost[i] ?? 0 }))
  .toSorted((a, b) => b.ratio - a.ratio)
const shown = [...outliers.slice(0, 12), ...outliers.filter(({ cost }) => cost > 1).slice(-12)]
for (const { ratio, cost, ms, reports, text } of shown) {
  const times = (ratio / middle).toFixed(1)
  say(
    `${times} x the median: cost ${cost}, ${ms.toFixed(0)} ms, ${reports.toFixed(1)} reports: ${text.slice(0, 400)}`,
  )
}
const large = samples.filter(({ cpuMs, heap }) => cpuMs > 2000 || heap > 200 * 1024 ** 2)
say(`over 2 s of processor time or 200 MB: ${large.length}`)
for (const { ms, heap, cost, text } of large.slice(0, 10)) {
  say(
    `cost ${cost}, ${ms.toFixed(0)} ms, ${(heap / 1024 ** 2).toFixed(0)} MB: ${text.slice(0, 300)}`,
  )
}
await service.stop()
process.exit(0)
