import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Fault } from '../core/errors.ts'
import { isConnect, isOAuth } from '../oauth/door.ts'
import { type Named, watchAnswer } from '../observability/answers.ts'
import { disregardAccept } from '../plugins/accept.ts'
import { createRequestState } from '../plugins/request-state.ts'
import { googleReturnPath } from '../resolvers/connections/google.ts'
import { addressFault, headerOfWrite, pathOf, twoKeysFault } from '../rest/handler/address.ts'
import { corsOf } from '../rest/handler/cors.ts'
import { sendReadiness } from '../rest/handler/readiness.ts'
import { sendProblem } from '../rest/handler/reply.ts'
import { serveMissing } from '../web/dashboard.ts'
import { servePage } from '../web/serve.ts'
import { isShared, maskedPath } from '../web/share/serve.ts'
import type { Graph } from './doors/graph.ts'
import type { People } from './doors/people.ts'
import type { Tools } from './doors/tools.ts'
import type { Running } from './services.ts'

export interface Doors {
  readonly graph: Graph
  readonly tools: Tools
  readonly people: People
  /** The states of the parts of the service, for `/readyz`. */
  readonly parts: (() => Readonly<Record<string, string>>) | undefined
}

/** Which door answers which path. */
export function routesOf(running: Running, { graph, tools, people, parts }: Doors) {
  const { clientOf, hold, observed, services, settings } = running
  const { oauth } = tools
  const { signingIn, visits } = people
  const cors = corsOf(settings.CORS_ORIGINS)
  const watch = (request: IncomingMessage, response: ServerResponse, named: Named) =>
    watchAnswer(observed, { request, response, path: maskedPath(pathOf(request)) }, named)

  const refuse = (
    request: IncomingMessage,
    response: ServerResponse,
    fault: Fault,
    requestId: string,
  ) => {
    watch(request, response, { requestId })
    observed.metrics.refused(fault.code)
    sendProblem(request, response, fault, { requestId, baseUrl: services.baseUrl })
  }

  const answer = async (request: IncomingMessage, response: ServerResponse, requestId: string) => {
    const path = pathOf(request)
    const fault = addressFault(request) ?? twoKeysFault(request)
    if (fault) return refuse(request, response, fault, requestId)
    if (cors(request, response, path)) return
    if (oauth && isOAuth(path)) {
      watch(request, response, { requestId })
      return oauth.serve(request, response, path)
    }
    if (path === '/mcp') {
      // The key alone counts here: a cookie would let a foreign page call.
      const state = createRequestState({
        requestId,
        authorization: request.headers.authorization,
        address: request.socket.remoteAddress ?? '',
        idempotencyKeys: [],
        ifMatch: [],
      })
      watch(request, response, state)
      return tools.tools(request, response, state)
    }
    const isPage = !path.startsWith('/api/')
    if (isPage && (await servePage(request, response, path, visits))) return
    if (isPage && path.startsWith('/mail/')) {
      watch(request, response, { requestId })
      if (await people.mailLinks(request, response, path)) return
    }
    if (path === googleReturnPath) {
      watch(request, response, { requestId })
      return people.googleReturn(request, response)
    }
    if (isShared(path)) {
      watch(request, response, { requestId })
      return people.share(request, response, path)
    }
    if (path === '/readyz') return sendReadiness(response, services, parts)
    const state = createRequestState({
      requestId,
      hold: hold(response),
      authorization: request.headers.authorization,
      session: signingIn.sessionOf(request),
      address: clientOf(request),
      idempotencyKeys: headerOfWrite(request, 'idempotency-key'),
      ifMatch: headerOfWrite(request, 'if-match'),
    })
    watch(request, response, state)
    if (isPage && (await signingIn.serve(request, response, path))) return
    const post = people.postAt(request, path)
    if (post) return post(request, response, state)
    if (isConnect(path)) return people.consent(request, response, state)
    if (path === '/graphql') {
      disregardAccept(request.headers)
      return graph.graphql(request, response, state)
    }
    if (isPage && (await serveMissing(request, response, visits))) return
    const rest = path.startsWith('/api/graph/') ? graph.restOfGraph : graph.rest
    return rest(request, response, state)
  }
  return { answer, refuse }
}
