import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import { openGraph } from './api/doors/graph.ts'
import { openPeople } from './api/doors/people.ts'
import { openTools } from './api/doors/tools.ts'
import { routesOf } from './api/routes.ts'
import { openServices, type ServiceOptions } from './api/services.ts'
import type { Fault } from './core/errors.ts'
import { answerUnparsed, expectationFault } from './core/unparsed.ts'
import { noteUnparsed } from './observability/answers.ts'
import { type Metrics, openMetrics } from './observability/registry.ts'
import { inRequest } from './observability/spans.ts'
import { pathOf } from './rest/handler/address.ts'
import { serveRawQueries } from './rest/handler/raw-query.ts'
import { rawProblem } from './rest/handler/reply.ts'
import { endSilentBody, serverOptions } from './rest/handler/timeouts.ts'

export interface ApiOptions extends Omit<ServiceOptions, 'metrics'> {
  /** The states of the parts of the service, by name, for `/readyz`. Default: none is shown. */
  readonly parts?: () => Readonly<Record<string, string>>
  /** Default: metrics of its own. */
  readonly metrics?: Metrics
}

export interface Api {
  /** Not listening yet: whoever owns the socket decides how connections reach it. */
  readonly server: Server
  /** Ends live events, which have no end of their own. Call it before you wait for requests under way. */
  endStreams(): void
  close(): Promise<void>
}

/**
 * The API: GraphQL at `/graphql`, REST under `/api`, `/healthz` and `/readyz`, tools at `/mcp`, shared reports at `/share`.
 * It opens its connections with the first request.
 */
export async function startApi(options: ApiOptions): Promise<Api> {
  const running = await openServices({ ...options, metrics: options.metrics ?? openMetrics('api') })
  const { observed, services } = running
  const graph = await openGraph(running)
  const tools = openTools(running, graph)
  const people = openPeople(running, tools)
  const { answer, refuse } = routesOf(running, { graph, tools, people, parts: options.parts })

  const server = createServer(serverOptions, (request, response) => {
    endSilentBody(request, response)
    const requestId = randomUUID()
    const work = () => answer(request, response, requestId)
    // Probes come each second, and nobody reads their traces.
    return pathOf(request) === '/readyz' ? work() : inRequest(request, requestId, work)
  })
  server.on('checkExpectation', (request, response) =>
    refuse(request, response, expectationFault(), randomUUID()),
  )
  const refuseUnparsed = (fault: Fault, reason: string) => {
    const requestId = randomUUID()
    noteUnparsed(observed, { requestId, status: fault.status, reason })
    observed.metrics.refused(fault.code)
    return rawProblem(fault, { requestId, baseUrl: services.baseUrl })
  }
  answerUnparsed(server, refuseUnparsed, serveRawQueries(server, serverOptions))

  return {
    server,
    endStreams: services.live.endStreams,
    async close() {
      await services.live.close()
      server.closeIdleConnections()
      await new Promise<void>((resolve) =>
        server.listening ? server.close(() => resolve()) : resolve(),
      )
      await running.close()
    },
  }
}
