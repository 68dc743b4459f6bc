import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { demoLines } from '../demo/answers.ts'
import { importAnswers } from '../imports/answers/answers.ts'
import { run } from '../warehouse/run.ts'
import { quantile, say, startBenchService, timed } from './service.ts'

/**
 * node bench/answers.ts [FILE.jsonl]
 *
 * Measures the import of answers and the reports over them; default: the demo's answers.
 * Prints a floor measured in the same run beside each figure: ratios compare across machines.
 */
const [file] = process.argv.slice(2)
const lines = file
  ? readFileSync(file, 'utf8').trim().split('\n')
  : [...demoLines({ seed: 1, endDay: new Date().toISOString().slice(0, 10) })]

const service = await startBenchService()

function* repeated(times: number): Generator<string> {
  for (let run = 1; run <= times; run++) {
    for (const line of lines) yield JSON.stringify({ ...JSON.parse(line), run: run + 100 })
  }
}

async function measureImport(): Promise<void> {
  const times = Math.ceil(20_000 / lines.length)
  const began = performance.now()
  const { loaded } = await importAnswers(service, {
    projectId: service.projectId,
    lines: repeated(times),
  })
  const seconds = (performance.now() - began) / 1000
  say(
    `import              ${Math.round(loaded / seconds)} answers/s  (${loaded} answers in ${seconds.toFixed(1)} s)`,
  )
}

/** A server that does nothing: the floor of HTTP on this machine. */
async function bareHttp(): Promise<{ url: string; close: () => void }> {
  const server = createServer((_request, response) => response.end('{}'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => server.close(),
  }
}

function quantilesOf(name: string, sorted: readonly number[]): string {
  const [p50, p95] = [quantile(sorted, 0.5), quantile(sorted, 0.95)]
  return `${name} p50 ${p50.toFixed(1)} ms p95 ${p95.toFixed(1)} ms`
}

async function measureReads(label: string): Promise<void> {
  const dates = lines.map((line) => String(JSON.parse(line).collectedAt).slice(0, 10)).sort()
  const window = `from=${dates[0]}&to=${dates.at(-1)}`
  let key = service.key
  const get = async (url: string) => {
    const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } })
    if (!response.ok) throw new Error(`${url}: ${response.status}`)
    await response.arrayBuffer()
  }
  const bare = await bareHttp()
  const base = `${service.url}/api/mcp/projects/${service.projectId}`
  const floor = quantile(await timed(300, () => get(bare.url)), 0.5)
  const select = { id: 'bench.select', sql: 'SELECT 1 AS one', row: (raw: unknown) => raw }
  const engine = quantile(await timed(300, () => run(service.warehouse, select)), 0.5)
  say(`\n${label}`)
  say(`bare node:http      p50 ${floor.toFixed(2)} ms`)
  say(`SELECT 1            p50 ${engine.toFixed(2)} ms`)
  for (const report of [
    'topics',
    'sources/domains',
    'sources/urls',
    'sources/content-types',
    'sources/trend',
  ]) {
    key = await service.newKey()
    let day = 0
    // A window with a new end misses the cache of answers.
    const uncached = () => {
      const to = new Date(Date.parse(`${dates.at(-1)}T00:00:00Z`) + ++day * 86_400_000)
      return `from=${dates[0]}&to=${to.toISOString().slice(0, 10)}`
    }
    const first = await timed(60, () => get(`${base}/${report}?${uncached()}`))
    const again = await timed(60, () => get(`${base}/${report}?${window}`))
    say(`${report.padEnd(22)} ${quantilesOf('first', first)}   ${quantilesOf('again', again)}`)
  }
  bare.close()
}

await importAnswers(service, { projectId: service.projectId, lines })
await measureReads(`${lines.length} answers`)
await measureImport()
await service.stop()
