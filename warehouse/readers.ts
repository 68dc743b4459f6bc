import { readBusy } from '../core/load/under-load.ts'
import { TurnLate, Turns } from '../core/turns.ts'
import type { Warehouse } from './client.ts'

/** Who reads: a key, and the workspace that it belongs to. */
export interface Reader {
  readonly keyId: string
  readonly workspaceId: string
}

/** Statements of readers that one process runs at a time: as many as our own warehouse does. */
const statementsAtOnce = 16
/** How long a statement waits for those of other requests, and for those of its own. */
const turnMs = 10_000
const requestMs = 60_000

/**
 * Gives each request of a reader a warehouse whose statements take turns. A key runs a few at a time, a workspace at most
 * half of all. The workspace with the fewest is next. So the reports of one key do not delay another workspace. The
 * statements of one request wait for each other first, so that a document with many slow reports is answered whole.
 * @param perKey statements of one key at a time
 * @param options.turnWaitMs how long a statement waits for those of other requests; 10 seconds by default
 * @param options.requestWaitMs how long it waits for those of its own request, from the start of the request; 60 seconds by
 *   default
 * @returns a warehouse that throws `rate_limited` for a statement that waited too long
 */
export function createReaders(
  warehouse: Warehouse,
  perKey: number,
  {
    turnWaitMs = turnMs,
    requestWaitMs = requestMs,
  }: { readonly turnWaitMs?: number; readonly requestWaitMs?: number } = {},
) {
  const byKey = new Turns({ total: Number.POSITIVE_INFINITY, perName: perKey })
  const byWorkspace = new Turns({ total: statementsAtOnce, perName: statementsAtOnce / 2 })

  return ({ keyId, workspaceId }: Reader): Warehouse => {
    const ofRequest = new Turns({ total: perKey, perName: perKey })
    const end = performance.now() + requestWaitMs
    return {
      ...warehouse,
      async send(request) {
        const taken: (() => void)[] = []
        const take = async (turns: Turns, name: string, until: number) => {
          taken.push(await turns.take(name, until - performance.now()))
        }
        try {
          await take(ofRequest, keyId, end)
          const until = performance.now() + turnWaitMs
          await take(byKey, keyId, until)
          await take(byWorkspace, workspaceId, until)
          return await warehouse.send(request)
        } catch (error) {
          throw error instanceof TurnLate ? readBusy(error) : error
        } finally {
          for (const giveBack of taken.reverse()) giveBack()
        }
      },
    }
  }
}
