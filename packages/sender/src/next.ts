import { type Lifetime, type SenderOf, sendAnswered } from './web.ts'

type Reply = Response | null | undefined
type Proxy<Asked extends Request> = (request: Asked, event: Lifetime) => Reply | Promise<Reply>

/**
 * The `proxy` of Next.js 16, and the `middleware` of earlier versions. It runs before the page, so the status is 200
 * unless `own` answers, and the duration is unknown.
 * @param own your own proxy, whose answer it returns
 */
export function sightline<Asked extends Request>(
  sender: SenderOf,
  own?: Proxy<Asked>,
): (request: Asked, event: Lifetime) => Promise<Reply> {
  return async (request, event) => {
    const reply = (await own?.(request, event)) ?? undefined
    sendAnswered(sender, { request, status: reply?.status ?? 200, lifetime: event })
    return reply
  }
}
