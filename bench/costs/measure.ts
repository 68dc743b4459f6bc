import { processMs } from '../processes.ts'
import { type BenchService, median } from '../service.ts'

/** What a document costs, and what it takes. */
export interface Sample {
  readonly text: string
  readonly cost: number
  /** Processor time of the API and of the engine. Other work on the machine hardly moves it. */
  readonly cpuMs: number
  readonly ms: number
  readonly statements: number
  readonly bytes: number
  /** The most of the heap beside that before the document, with its garbage. */
  readonly heap: number
  readonly code: string | undefined
  /** Processor time in reports: how often that of `visibility` of the project, in the same minutes. */
  readonly reports: number
}

const collect = (globalThis as { gc?: () => void }).gc ?? (() => undefined)

async function statementsOf({ metrics }: BenchService): Promise<number> {
  const text = await metrics.text()
  const counts = text.matchAll(/^sightline_statement_seconds_count\{[^}]*\} (\d+)$/gm)
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0)
}

async function ask(service: BenchService, text: string, key: string) {
  collect()
  const statements = await statementsOf(service)
  const before = process.memoryUsage().heapUsed
  let most = before
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage().heapUsed)
  }, 5)
  const [cpu, engine] = [process.cpuUsage(), processMs(service.warehousePid)]
  const began = performance.now()
  const response = await fetch(`${service.url}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: text }),
  })
  const body = await response.text()
  const ms = performance.now() - began
  const { user, system } = process.cpuUsage(cpu)
  clearInterval(timer)
  most = Math.max(most, process.memoryUsage().heapUsed)
  const { errors } = JSON.parse(body) as { errors?: { extensions: { code: string } }[] }
  return {
    text,
    cost: Number(response.headers.get('x-query-cost')),
    cpuMs: (user + system) / 1000 + processMs(service.warehousePid) - engine,
    ms,
    statements: (await statementsOf(service)) - statements,
    bytes: body.length,
    heap: most - before,
    code: errors?.[0]?.extensions.code,
  }
}

/** The clock of the engine's processor time has steps of ten milliseconds: a mean of many reports has not. */
const referenceReports = 30

/** Measures documents of a project, each with a report after it. */
export function measuring(service: BenchService, projectId: string) {
  const { db } = service
  const reference: number[] = []
  const report = `{ project(id: "${projectId}") { visibility(window: { days: 90 }) { summary { visibilityScore } } } }`
  /** As after another import: nothing comes from memory. */
  async function askAfresh(text: string, key: string) {
    const next = { increment: 1 }
    await db.project.update({
      where: { id: projectId },
      data: { visibleLoad: next, lastLoad: next },
    })
    return ask(service, text, key)
  }
  async function readReport(key: string) {
    reference.push((await askAfresh(report, key)).cpuMs)
  }
  return async (text: string, key: string, times = 1): Promise<Sample> => {
    while (reference.length < referenceReports) await readReport(key)
    const samples = []
    for (let i = 0; i < times; i++) {
      samples.push(await askAfresh(text, key))
      await readReport(key)
    }
    const last = reference.slice(-referenceReports)
    const mean = last.reduce((sum, ms) => sum + ms, 0) / last.length
    const [sample] = samples as [(typeof samples)[number]]
    const cpuMs = median(samples.map((each) => each.cpuMs))
    return { ...sample, cpuMs, reports: cpuMs / mean }
  }
}
