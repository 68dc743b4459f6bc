import { type NodeRequest, type NodeResponse, watch } from './node.ts'
import type { Sender } from './sender.ts'

interface FastifyRequest {
  readonly raw: NodeRequest
  readonly originalUrl: string
  readonly protocol: string
  readonly ip: string
}

type Done = () => void

interface Fastify {
  addHook(
    name: 'onRequest',
    hook: (request: FastifyRequest, reply: { readonly raw: NodeResponse }, done: Done) => void,
  ): unknown
  addHook(name: 'onClose', hook: () => Promise<void>): unknown
}

/**
 * A plugin of Fastify 4 and 5, for all routes. `app.close()` sends the waiting events. Behind a proxy set `trustProxy`:
 * the address of the client is `request.ip`.
 */
export function sightline(sender: Sender): (app: Fastify, options: unknown, done: Done) => void {
  const plugin = (app: Fastify, _: unknown, done: Done) => {
    app.addHook('onRequest', (request, reply, next) => {
      const { originalUrl: url, protocol, ip: address } = request
      watch(sender, request.raw, reply.raw, { url, protocol, address })
      next()
    })
    app.addHook('onClose', () => sender.flush())
    done()
  }
  // Without it, Fastify applies the hooks only to routes of this plugin.
  return Object.assign(plugin, { [Symbol.for('skip-override')]: true })
}
