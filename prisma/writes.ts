import { AsyncLocalStorage } from 'node:async_hooks'

const writer = new AsyncLocalStorage<string>()

let ended = 0

/** How many writes of this process have ended, in any connection. What was read before the last one may be old. */
export function writesEnded(): number {
  return ended
}

/** Counts a write that ended, whatever its outcome: call it before anybody hears of the outcome. */
export function endWrite(): void {
  ended += 1
}

/** The name that the current work writes under. */
export function writerName(): string {
  return writer.getStore() ?? ''
}

/**
 * Runs work whose writes count for `name`, such as a workspace. Names share the connections for writes: the waits of
 * one name leave connections for the others.
 */
export function asWriter<T>(name: string, work: () => T): T {
  return writer.run(name, work)
}
