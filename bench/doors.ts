import { cpus } from 'node:os'
import { fill, perKey, windows } from './doors/fill.ts'
import { askingServer, bareServer, countingServer, plainServer } from './doors/floors.ts'
import { domainsDocument, mercuriusServer, yogaServer } from './doors/graph-floors.ts'
import { type Door, type Figures, type RoundsOptions, rounds, startClient } from './doors/rounds.ts'
import { engineClock, statementsOfDomains } from './doors/statements.ts'
import { say, startBenchService, withQuery } from './service.ts'

/**
 * node bench/doors.ts [SECONDS] [DOOR …]
 *
 * Prints the requests a second that the API answers: from memory, those that nobody has asked before, and documents of
 * GraphQL. Handlers of Fastify, `node:http`, Yoga and mercurius run beside it. The figures are medians of five rounds in
 * turn, and their ratios. The project has 264 answers.
 */
const ms = Number(process.argv[2] ?? 2) * 1000
const only = process.argv.slice(3)

const headOf = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${more}`

const service = await startBenchService()
const keys = await fill(service)
const path = `/api/mcp/projects/${service.projectId}`
const domains = `${path}/sources/domains?limit=20`
const first = await fetch(service.url + domains, {
  headers: { authorization: `Bearer ${service.key}` },
})
if (!first.ok) throw new Error(await first.text())
const etag = first.headers.get('etag') ?? ''
const matching = [headOf(domains, `If-None-Match: ${etag}\r\n`)]
const [bare, counting, plain, asking] = await Promise.all([
  bareServer(),
  countingServer(etag),
  plainServer(service.databaseUrl, (await first.json()) as object),
  askingServer(service, await statementsOfDomains(service)),
])
const port = Number(new URL(service.url).port)
const ours = { port, keys, status: 200 }
const remembered: readonly Door[] = [
  { name: 'node:http', task: { ...ours, port: bare.port, keys: [], heads: [headOf('/')] } },
  { name: 'healthz', task: { ...ours, keys: [], heads: [headOf('/healthz')] } },
  { name: 'fastify', task: { ...ours, port: plain.port, heads: [headOf(domains)] } },
  { name: 'domains', task: { ...ours, heads: [headOf(domains)] } },
  { name: 'counting 304', task: { ...ours, port: counting.port, status: 304, heads: matching } },
  { name: 'domains 304', task: { ...ours, status: 304, heads: matching } },
  { name: 'project', task: { ...ours, heads: [headOf(path)] } },
]
/** Each request has another window, so that nothing is in memory. */
const eachWindow = (report: string) =>
  windows().map((window) => headOf(`${path}/${withQuery(report, window)}`))
const cold: readonly Door[] = [
  {
    name: 'fastify asks',
    task: { ...ours, port: asking.port, heads: eachWindow('sources/domains?limit=20') },
  },
  { name: 'domains cold', task: { ...ours, heads: eachWindow('sources/domains?limit=20') } },
  { name: 'visibility cold', task: { ...ours, heads: eachWindow('visibility') } },
  { name: 'answers cold', task: { ...ours, heads: eachWindow('answers?limit=50') } },
]

/** A hundred rows of twelve fields, by POST. */
const body = JSON.stringify({ query: domainsDocument, variables: { id: service.projectId } })
const post =
  `POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n` +
  `Accept: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`
const answered = await fetch(`${service.url}/graphql`, {
  method: 'POST',
  headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
  body,
})
const { data } = (await answered.json()) as {
  data: { project: { sourceDomains: { nodes: object[] } } }
}
const rows = data.project.sourceDomains.nodes
if (rows.length !== 100) throw new Error(`${rows.length} rows`)
const [yoga, jit] = await Promise.all([
  yogaServer(service.databaseUrl, rows),
  mercuriusServer(service.databaseUrl, rows),
])
const graph: readonly Door[] = [
  { name: 'graphql', task: { ...ours, heads: [post], body } },
  { name: 'yoga', task: { ...ours, port: yoga.port, heads: [post], body } },
  { name: 'mercurius', task: { ...ours, port: jit.port, heads: [post], body } },
]

const clock = engineClock(service.warehouseUrl)
const client = startClient()
const found = new Map<string, Figures>()

async function measure(title: string, all: readonly Door[], options: Partial<RoundsOptions>) {
  const doors = all.filter(({ name }) => only.length === 0 || only.includes(name))
  if (doors.length === 0) return
  const { warehousePid } = service
  const used = {
    rounds: only.length === 1 ? 1 : 5,
    ms,
    perKey,
    connections: 1,
    warehousePid,
    ...options,
  }
  say(`\n${title}: ${used.connections} at once, ${used.rounds} rounds of ${ms / 1000} s`)
  for (const [name, figures] of await rounds(client, doors, used)) {
    found.set(name, figures)
    const { rate, us, storeUs, engineMs, statements } = figures
    const asks =
      statements > 0
        ? `, ${storeUs.toFixed(0)} µs of the warehouse; ${(1000 / rate).toFixed(1)} ms each, ${statements.toFixed(1)} statements, ${engineMs.toFixed(1)} ms in the engine`
        : ''
    say(`${name.padEnd(16)}${Math.round(rate)} a second, ${us.toFixed(0)} µs of processor${asks}`)
  }
}

const ratio = (one: string, other: string) => {
  const [a, b] = [found.get(one), found.get(other)]
  if (!a || !b) return
  const byTime = (b.us + b.storeUs) / (a.us + a.storeUs)
  say(
    `${one} / ${other}: ${(a.rate / b.rate).toFixed(2)} by rate, ${byTime.toFixed(2)} by processor time`,
  )
}
const overEngine = (name: string) => {
  const figures = found.get(name)
  if (figures) {
    say(`${name}: ${(1000 / figures.rate / figures.engineMs).toFixed(2)} of the engine's own times`)
  }
}

say(`${cpus().length} cores`)
await measure('From memory', remembered, { connections: 8 })
await measure('GraphQL, 100 rows of 12 fields', graph, {
  connections: 8,
  perKey: perKey / 2,
  clock,
})
await measure('Not asked before', cold, { clock })
say('')
ratio('domains', 'fastify')
ratio('counting 304', 'node:http')
ratio('domains 304', 'node:http')
ratio('domains 304', 'counting 304')
ratio('project', 'node:http')
ratio('domains cold', 'fastify asks')
ratio('graphql', 'yoga')
ratio('graphql', 'mercurius')
for (const name of ['fastify asks', 'domains cold', 'visibility cold', 'answers cold']) {
  overEngine(name)
}
client.end()
await Promise.all([bare, counting, plain, asking, yoga, jit].map((floor) => floor.stop()))
await service.stop()
