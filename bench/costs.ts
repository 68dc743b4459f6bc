import { parse, validate } from 'graphql'
import { publicSchema } from '../schema/index.ts'
import { documentsOf } from './costs/documents.ts'
import { fillFacts } from './facts.ts'
import { median, quantile, say, startBenchService } from './service.ts'

/**
 * node --expose-gc bench/costs.ts [DOCUMENTS] [SEED]
 *
 * Compares what random documents cost with what they take, on 200,000 answers with a million citations: time, bytes of the
 * response, and the most of the heap beside that before the document, with its garbage. Time is in reports: how
 * often the median of the last 15 times of a report of the project, which is asked after each document. Each document runs once, in a window of its own data.
 */
const [documents = 500, seed = 1] = process.argv.slice(2).map(Number)
const service = await startBenchService()
const { projectId: project } = service
await fillFacts(service, 50)

interface Sample {
  readonly text: string
  readonly cost: number
  readonly ms: number
  readonly bytes: number
  readonly heap: number
  readonly code: string | undefined
}

const collect = (globalThis as { gc?: () => void }).gc ?? (() => undefined)

async function ask(text: string, key: string): Promise<Sample> {
  collect()
  const before = process.memoryUsage().heapUsed
  let most = before
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage().heapUsed)
  }, 5)
  const began = performance.now()
  const response = await fetch(`${service.url}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: text }),
  })
  const body = await response.text()
  const ms = performance.now() - began
  clearInterval(timer)
  most = Math.max(most, process.memoryUsage().heapUsed)
  const { errors } = JSON.parse(body) as { errors?: { extensions: { code: string } }[] }
  return {
    text,
    cost: Number(response.headers.get('x-query-cost')),
    ms,
    bytes: body.length,
    heap: most - before,
    code: errors?.[0]?.extensions.code,
  }
}

const { next, alone } = documentsOf(publicSchema, project, seed)
const report = (days: number) =>
  `{ project(id: "${project}") { visibility(window: { days: ${days} }) { summary { visibilityScore } } } }`

/** Times of the report beside the last documents. */
const reference: number[] = []
/** Time in reports. Another window each time: what was asked before would come from memory. */
async function compared(text: string, key: string, at: number) {
  const sample = await ask(text, key)
  reference.push((await ask(report(30 + (at % 300)), key)).ms)
  return { ...sample, reports: sample.ms / median(reference.slice(-15)) }
}

for (const [at, [name, text]] of alone(90).entries()) {
  const { cost, reports, code } = await compared(text, await service.newKey(), at)
  const shown = code === undefined ? '' : code
  say(`${name.padEnd(34)} cost ${cost}  ${reports.toFixed(1)} reports  ${shown}`)
}

const samples: (Sample & { readonly reports: number })[] = []
const refused = new Map<string, number>()
let failed = 0
for (let at = 0; samples.length < documents; at++) {
  const key = await service.newKey()
  const text = next()
  if (validate(publicSchema, parse(text)).length > 0) continue
  const sample = await compared(text, key, at)
  if (process.env.PROGRESS) say(JSON.stringify({ at, ...sample }))
  if (sample.code === 'query_too_costly')
    refused.set(sample.code, (refused.get(sample.code) ?? 0) + 1)
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
say(
  `documents ${samples.length}, refused ${[...refused.values()].join() || 0}, with an error ${failed}`,
)
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
  'time in reports',
  samples.map(({ reports }) => reports),
)
figures('reports for each 1 of cost', perCost, 2)
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
const outliers = samples
  .map((sample, i) => ({ ...sample, ratio: perCost[i] ?? 0 }))
  .toSorted((a, b) => b.ratio - a.ratio)
  .slice(0, 12)
for (const { ratio, cost, ms, reports, text } of outliers) {
  const times = (ratio / middle).toFixed(1)
  say(
    `${times} x the median: cost ${cost}, ${ms.toFixed(0)} ms, ${reports.toFixed(1)} reports: ${text.slice(0, 400)}`,
  )
}
const large = samples.filter(({ ms, heap }) => ms > 2000 || heap > 200 * 1024 ** 2)
say(`over 2 s or 200 MB: ${large.length}`)
for (const { ms, heap, cost, text } of large.slice(0, 10)) {
  say(
    `cost ${cost}, ${ms.toFixed(0)} ms, ${(heap / 1024 ** 2).toFixed(0)} MB: ${text.slice(0, 300)}`,
  )
}
await service.stop()
process.exit(0)
