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
/**
 * Gives each reader a warehouse whose statements take turns. A key runs a few at a time, a workspace at most half of all.
 * The workspace with the fewest is next. So the reports of one key do not delay another workspace.
 * @param perKey statements of one key at a time
 * @param options.turnWaitMs how long a statement waits for its turn; 10 seconds by default
 * @returns a warehouse that throws `rate_limited` for a statement that waited too long
 */
export function createReaders(
  warehouse: Warehouse,
  perKey: number,
  { turnWaitMs = 10_000 }: { readonly turnWaitMs?: number } = {},
) {
  const byKey = new Turns({ total: Number.POSITIVE_INFINITY, perName: perKey })
  const byWorkspace = new Turns({ total: statementsAtOnce, perName: statementsAtOnce / 2 })

  return ({ keyId, workspaceId }: Reader): Warehouse => ({
    ...warehouse,
    async send(request) {
      const takes: [Turns, string][] = [
        [byKey, keyId],
        [byWorkspace, workspaceId],
      ]
      const until = performance.now() + turnWaitMs
      const taken: (() => void)[] = []
      try {
        for (const [turns, name] of takes) {
          taken.push(await turns.take(name, until - performance.now()))
        }
        return await warehouse.send(request)
      } catch (error) {
        throw error instanceof TurnLate ? readBusy(error) : error
      } finally {
        for (const giveBack of taken.reverse()) giveBack()
      }
    },
  })
}
