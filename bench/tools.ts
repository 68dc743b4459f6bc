import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { pino } from 'pino'
import { readSettings } from '../core/settings.ts'
import {
  ChangeReportDocument,
  OverviewReportDocument,
  SourcesReportDocument,
} from '../mcp/documents.ts'
import { createKey } from '../resolvers/keys/keys.ts'
import { makeTestDemo } from '../test/kit/demo.ts'
import { quantile, say, startBenchService } from './service.ts'

/**
 * node bench/tools.ts [ROUNDS]
 *
 * What the tools add to the graph, on the demonstration: milliseconds of the list of tools, of get_report and of
 * explain_change, beside the same document at /graphql, four requests at a time. Tools and graph take turns, in an order that
 * turns, and each request has a window of its own, so that neither reads what the other has put into memory.
 */
const rounds = Number(process.argv[2] ?? 1000)
const atOnce = 4

const service = await startBenchService()
const api = {
  ...service,
  settings: readSettings({}),
  secrets: { cursorSecret: 'bench', signingSecrets: ['bench'] as const },
  log: pino({ level: 'silent' }),
}
const { projectId: project } = await makeTestDemo(api, {
  projectId: service.projectId.replace(/^.{8}/, '00000000'),
  endDay: '2026-11-28',
})
const { port } = new URL(service.url)

/** A key has 600 requests a minute: so many rounds share one. */
const roundsPerKey = 15
const { workspaceId } = await service.db.project.findUniqueOrThrow({ where: { id: project } })
const keys: string[] = []
for (let i = 0; i <= rounds / roundsPerKey; i++) {
  keys.push((await createKey(service.db, { workspaceId, scopes: ['read'] })).key)
}

const agent = new Agent({ keepAlive: true, maxSockets: atOnce * 2 })

/** Sends a body with the key of a round. */
async function post(path: string, round: number, body: object, headers = {}): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const sent = request({
    agent,
    port,
    path,
    method: 'POST',
    headers: {
      authorization: `Bearer ${keys[Math.floor(round / roundsPerKey)]}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
  })
  sent.on('error', reject)
  sent.on('response', async (response) => {
    const answer = await text(response)
    if (response.statusCode === 200) resolve(answer)
    else reject(new Error(`${path}: ${response.statusCode} ${answer}`))
  })
  sent.end(JSON.stringify(body))
  return promise
}

const version = '2026-07-28'
const meta = {
  'io.modelcontextprotocol/protocolVersion': version,
  'io.modelcontextprotocol/clientCapabilities': {},
}

const rpc = (round: number, method: string, params: Record<string, unknown>) =>
  post(
    '/mcp',
    round,
    { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } },
    {
      'mcp-protocol-version': version,
      'mcp-method': method,
      ...(typeof params.name === 'string' && { 'mcp-name': params.name }),
    },
  )

const call = (round: number, name: string, given: object) =>
  rpc(round, 'tools/call', { name, arguments: given })

const megabytes = () => {
  globalThis.gc?.()
  return process.memoryUsage().rss / 1024 ** 2
}

const before = megabytes()
const began = performance.now()
await rpc(0, 'tools/list', {})
say(`first request: ${(performance.now() - began).toFixed(0)} ms`)
say(`it takes ${(megabytes() - before).toFixed(0)} MB, none of which an idle service has`)

/** A window of its own for each round. */
const windowOf = (round: number) => {
  const end = Date.parse('2026-11-28')
  const day = (ago: number) => new Date(end - ago * 86_400_000).toISOString().slice(0, 10)
  return { from: day(31 + (round % 59)), to: day(Math.floor(round / 59) % 31) }
}

const graph = (document: object, variables: object) => (round: number) =>
  post('/graphql', round / 2, {
    query: String(document),
    variables: { project, window: windowOf(round), ...variables },
  })

const tool = (name: string, given: object) => (round: number) =>
  call(round / 2, name, { project, ...given, ...windowOf(round) })

const pairs: Readonly<Record<string, readonly ((round: number) => Promise<string>)[]>> = {
  'tools/list, and { __typename }': [
    (round) => rpc(round / 2, 'tools/list', {}),
    (round) => post('/graphql', round / 2, { query: '{ __typename }' }),
  ],
  'get_report overview': [
    tool('get_report', { report: 'overview' }),
    graph(OverviewReportDocument, { filter: {} }),
  ],
  'get_report sources': [
    tool('get_report', { report: 'sources' }),
    graph(SourcesReportDocument, { filter: {}, sources: {}, first: 20 }),
  ],
  'explain_change visibility': [
    tool('explain_change', { metric: 'visibility' }),
    graph(ChangeReportDocument, { filter: {}, metric: 'visibility', top: 5 }),
  ],
}

for (const [name, [ours, theirs]] of Object.entries(pairs)) {
  if (!ours || !theirs) continue
  const times = { tool: [] as number[], graph: [] as number[] }
  const timed = async (into: number[], work: () => Promise<string>) => {
    const start = performance.now()
    const answer = await work()
    if (/"errors"|"isError":true/.test(answer)) throw new Error(answer.slice(0, 500))
    into.push(performance.now() - start)
  }
  let next = 0
  const worker = async () => {
    while (next < rounds) {
      const round = next++
      const both = [
        () => timed(times.tool, () => ours(2 * round)),
        () => timed(times.graph, () => theirs(2 * round + 1)),
      ]
      for (const each of round % 2 === 0 ? both : both.toReversed()) await each()
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  for (const all of Object.values(times)) all.sort((a, b) => a - b)
  const shown = [0.5, 0.95].map((share) => {
    const [a, b] = [quantile(times.tool, share), quantile(times.graph, share)]
    return `p${share * 100} ${a.toFixed(1)} and ${b.toFixed(1)} ms (${(a / b).toFixed(2)})`
  })
  say(`${name.padEnd(32)}${shown.join(', ')}`)
}
agent.destroy()
await service.stop()
