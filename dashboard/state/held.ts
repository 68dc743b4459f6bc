import { useSyncExternalStore } from 'react'

interface Held {
  /** Sends the change. It never rejects. */
  send(): Promise<void>
  /** Reads again what the change shows in. */
  refresh(): Promise<void>
  sent?: Promise<void>
}

/** Changes that the reader can still take back. The page shows them as made, and the service does not have them yet. */
const held = new Map<string, Held>()
const listeners = new Set<() => void>()
let keys: ReadonlySet<string> = new Set()

function publish(): void {
  keys = new Set(held.keys())
  for (const listener of listeners) listener()
}

export const heldKey = (document: { toString(): string }, variables: unknown) =>
  JSON.stringify([document.toString(), variables])

export function hold(key: string, change: Omit<Held, 'sent'>): void {
  held.set(key, change)
  publish()
}

/** Sends a held change. What it changes is shown as made until the page has read it again. */
export function sendOne(key: string): Promise<void> {
  const change = held.get(key)
  if (!change) return Promise.resolve()
  if (change.sent) return change.sent
  change.sent = change.send()
  void change.sent
    .then(() => change.refresh())
    .finally(() => {
      held.delete(key)
      publish()
    })
  return change.sent
}

/** Sends all that is held: before another change, which may rest on it, and before the page is left. */
export async function sendHeld(): Promise<void> {
  await Promise.all([...held.keys()].map(sendOne))
}

/** Takes a held change back, unless it is on its way. */
export function takeBack(key: string): void {
  if (held.get(key)?.sent) return
  held.delete(key)
  publish()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The keys of the changes that are held. */
export const useHeld = (): ReadonlySet<string> => useSyncExternalStore(subscribe, () => keys)
