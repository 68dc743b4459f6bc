import type { SenderOf } from './web.ts'
import { type Lifetime, sendAnswered } from './web.ts'

interface HonoContext {
  readonly req: { readonly raw: Request }
  readonly res: { readonly status: number }
  readonly env: unknown
  readonly executionCtx: Lifetime
}

/** The parts of `@hono/node-server` and of Workers in the variables. */
interface Environment {
  readonly incoming?: { readonly socket?: { readonly remoteAddress?: string | undefined } }
}

/** Middleware of Hono 4. Use it first, to see the answers of all others. */
export function sightline(
  sender: SenderOf,
): (context: HonoContext, next: () => Promise<void>) => Promise<void> {
  return async (context, next) => {
    const began = performance.now()
    await next()
    const environment = (context.env ?? undefined) as Environment | undefined
    sendAnswered(sender, {
      request: context.req.raw,
      status: context.res.status,
      durationMs: performance.now() - began,
      address: environment?.incoming?.socket?.remoteAddress,
      environment,
      lifetime: lifetimeOf(context),
    })
  }
}

/** Hono throws where the runtime has none. */
function lifetimeOf(context: HonoContext): Lifetime | undefined {
  try {
    return context.executionCtx
  } catch {
    return undefined
  }
}
