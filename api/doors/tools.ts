import { version } from '../../cli/package.ts'
import { onFirstCall } from '../../core/load/first-call.ts'
import { toolDoor } from '../../mcp/door.ts'
import { openOAuth } from '../../oauth/door.ts'
import { authenticate } from '../../plugins/authentication.ts'
import { admitApart } from '../../plugins/rate-limit.ts'
import type { RequestState } from '../../plugins/request-state.ts'
import { readBody } from '../../rest/handler/body.ts'
import { responder } from '../../rest/handler/reply.ts'
import { publicSchema } from '../../schema/index.ts'
import type { Running } from '../services.ts'
import type { Graph } from './graph.ts'

/** The tool server at `/mcp`, and the sign-in of AI clients. */
export function openTools(running: Running, graph: Graph) {
  const { clientOf, count, door, limits, parts, reads, services, settings } = running
  const { baseUrl, log } = services
  // The protocol and its tools take a tenth of a second to load, which few services need.
  const serve = onFirstCall(async () => {
    const { toolServer } = await import('../../mcp/server.ts')
    return toolServer({
      graph: graph.fetch,
      schema: publicSchema,
      baseUrl,
      version,
      secret: services.signingSecrets[0],
      onError: (err, requestId) => log.error({ requestId, err }, 'a tool failed'),
    })
  })
  const oauth = services.connectsClients
    ? openOAuth({ ...services, reads, clientOf, count, readBody })
    : undefined
  const reply = toolDoor({
    baseUrl,
    origins: settings.CORS_ORIGINS,
    callsPerKey: limits.toolCallsPerKey,
    async admit(state) {
      try {
        await oauth?.readToken(state)
        await admitApart(parts, state, 'mcp')
      } catch (error) {
        throw oauth ? oauth.challenged(error, state) : error
      }
    },
    readBody,
    serve,
    async stepUp(state, grant) {
      return oauth?.stepUp(state, await authenticate(parts, state), grant)
    },
  })
  return {
    oauth,
    tools: responder(door, (request, state) => reply(request, state as RequestState)),
  }
}

export type Tools = ReturnType<typeof openTools>
