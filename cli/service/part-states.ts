/** `silent`: the process runs and does not answer. */
export type PartState = 'starting' | 'up' | 'silent'

/** The state of each part that the supervisor runs, by its name in the log. */
export type PartStates = Readonly<Record<string, PartState>>

export interface PartBoard {
  current(): PartStates
  set(part: string, state: PartState): void
  /** Calls the listener with the name of a part that starts again. */
  onRestart(listener: (part: string) => void): void
  /** Calls the listener with each change. */
  follow(listener: (states: PartStates) => void): void
}

/** What the supervisor knows of its parts, for `/readyz`. */
export function openPartBoard(): PartBoard {
  let states: PartStates = {}
  let hearRestart = (_part: string) => {}
  const listeners: ((states: PartStates) => void)[] = []
  return {
    current: () => states,
    set(part, state) {
      if (states[part] === state) return
      if (states[part] !== undefined && state === 'starting') hearRestart(part)
      states = { ...states, [part]: state }
      for (const listener of listeners) listener(states)
    },
    onRestart: (listener) => {
      hearRestart = listener
    },
    follow: (listener) => listeners.push(listener),
  }
}
