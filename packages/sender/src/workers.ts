import { Sender } from './sender.ts'
import { type Lifetime, type SenderOf, sendAnswered } from './web.ts'

type Fetch<Environment extends object> = (
  request: Request,
  environment: Environment,
  context: Lifetime,
) => Response | Promise<Response>

/** A Worker may not share connections between requests, so each request has its sender. */
const ofEnvironment: SenderOf = (environment) => new Sender({ environment })

/**
 * The `fetch` of a Worker. The visitor does not wait: `waitUntil` sends after the answer.
 * @param answer your own `fetch`; by default the request goes to the site behind the Worker
 */
export function sightline<Environment extends object>(
  answer: Fetch<Environment> = (request) => fetch(request),
  sender: SenderOf = ofEnvironment,
): (request: Request, environment: Environment, context: Lifetime) => Promise<Response> {
  return async (request, environment, lifetime) => {
    const began = Date.now()
    let status = 500
    try {
      const response = await answer(request, environment, lifetime)
      status = response.status
      return response
    } finally {
      const durationMs = Date.now() - began
      sendAnswered(sender, { request, status, durationMs, environment, lifetime })
    }
  }
}
