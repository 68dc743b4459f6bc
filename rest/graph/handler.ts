import type { IncomingMessage } from 'node:http'
import { mayWrite } from '../../core/access.ts'
import { invalid, methodNotAllowed, notFound } from '../../core/errors.ts'
import { usualBodyBytes } from '../../core/json.ts'
import type { Context } from '../../schema/kit/context.ts'
import { addressOf } from '../handler/address.ts'
import { readBody } from '../handler/body.ts'
import { refuseLarger } from '../handler/budget.ts'
import { contextOf, createEngine } from '../handler/engine.ts'
import type { RestParts } from '../handler/handler.ts'
import { readArguments } from '../handler/params.ts'
import { type Reply, type RestState, responder } from '../handler/reply.ts'
import { checkArguments } from './arguments.ts'
import { basePath, type Call, createGraphRouter, type Endpoint, endpointsOf } from './router.ts'
import { scriptView } from './view.ts'

/** The largest body that an endpoint takes from a key: more than usual for a file, from a key that may write. */
function largestBody({ field }: Endpoint, { principal }: Context): number {
  const { largestBodyBytes = usualBodyBytes } = field.extensions as { largestBodyBytes?: number }
  return mayWrite(principal) ? largestBodyBytes : usualBodyBytes
}

/** Checks that the key reaches the project or workspace that the arguments name. */
async function authorizeArguments(
  context: Context,
  { access, field }: Endpoint,
  given: Readonly<Record<string, unknown>>,
): Promise<void> {
  const owner = access.workspace ? 'workspaceId' : 'projectId'
  const name = field.args.some((arg) => arg.name === owner) ? owner : 'id'
  const isNamed = access.workspace === 'argument' || access.project === 'argument'
  if (isNamed && typeof given[name] !== 'string') throw invalid(name, 'is required')
  await context.authorize(context, access, given[name])
}

/** Serves the graph's queries and mutations that have no path in REST v1, below `/api/graph`. */
export function graphHandler({
  schema,
  plugins,
  services,
  admit,
  baseUrl,
  faultOf,
}: Omit<RestParts, 'replies'>) {
  const view = scriptView(schema)
  const endpoints = endpointsOf(view)
  const byPath = new Map(endpoints.map((endpoint) => [basePath + endpoint.path, endpoint]))
  const router = createGraphRouter(view, endpoints)
  const execute = createEngine(view, plugins)

  function endpointAt(method: string | undefined, path: string): Endpoint {
    const endpoint = byPath.get(path)
    if (!endpoint) throw notFound()
    if (method === endpoint.method || (method === 'HEAD' && endpoint.method === 'GET')) {
      return endpoint
    }
    const allowed = endpoint.method === 'GET' ? 'GET, HEAD' : endpoint.method
    throw methodNotAllowed(method, allowed)
  }

  async function replyTo(request: IncomingMessage, state: RestState): Promise<Reply> {
    const url = addressOf(request)
    const context = contextOf({ state, principal: await admit(state), services })
    const endpoint = endpointAt(request.method, url.pathname)
    const { method, field } = endpoint
    state.operation = field.name
    const body = method === 'GET' ? {} : await readBody(request, largestBody(endpoint, context))
    const named = method === 'GET' ? Object.fromEntries(url.searchParams) : body
    await authorizeArguments(context, endpoint, named)
    const args =
      method === 'GET'
        ? readArguments(field.args, {}, url.searchParams)
        : checkArguments(field.args, body)
    state.fingerprintOf = [field.name, url.pathname, body]
    const call: Call = { run: (document) => execute(document, args, context) }
    const response = await router.fetch(new Request(url.origin + url.pathname, { method }), {
      call,
    })
    if (call.error) throw call.error
    const text = refuseLarger(await response.text(), services.maxResponseBytes)
    return { status: 200, contentType: 'application/json', body: text }
  }

  return responder({ baseUrl, faultOf }, replyTo)
}
