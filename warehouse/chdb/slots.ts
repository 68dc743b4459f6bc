import { exception } from './exception.ts'

/** A fixed number of things, each lent to one request at a time; requests wait in order of arrival. */
export interface Slots<T> {
  take(signal: AbortSignal): Promise<T>
  give(thing: T): void
  load(): { readonly slots: number; readonly busy: number; readonly waiting: number }
  /** Refuses whoever waits or comes from now on, and resolves to the things when all are back. */
  close(): Promise<T[]>
}

const maxWaiting = 1000

export function createSlots<T>(things: readonly T[]): Slots<T> {
  const free = [...things]
  const waiting = new Set<(thing: T | undefined) => void>()
  let closing: (() => void) | undefined

  async function take(signal: AbortSignal): Promise<T> {
    const thing = closing === undefined ? (free.pop() ?? (await wait(signal))) : undefined
    if (thing !== undefined) return thing
    throw signal.aborted
      ? exception(394, 'Query was cancelled')
      : exception(236, 'The server is shutting down', 503)
  }

  function wait(signal: AbortSignal): Promise<T | undefined> {
    if (waiting.size >= maxWaiting) {
      throw exception(202, `Too many simultaneous queries: ${maxWaiting} wait already`)
    }
    const { promise, resolve } = Promise.withResolvers<T | undefined>()
    const leave = () => {
      waiting.delete(resolve)
      resolve(undefined)
    }
    waiting.add(resolve)
    signal.addEventListener('abort', leave, { once: true })
    return promise.finally(() => signal.removeEventListener('abort', leave))
  }

  function give(thing: T): void {
    const [next] = waiting
    if (next !== undefined) {
      waiting.delete(next)
      next(thing)
      return
    }
    free.push(thing)
    if (free.length === things.length) closing?.()
  }

  async function close(): Promise<T[]> {
    const { promise, resolve } = Promise.withResolvers<void>()
    closing = resolve
    for (const leave of waiting) leave(undefined)
    waiting.clear()
    if (free.length === things.length) resolve()
    await promise
    return free
  }
  const load = () => ({
    slots: things.length,
    busy: things.length - free.length,
    waiting: waiting.size,
  })
  return { take, give, load, close }
}
