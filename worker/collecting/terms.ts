/** How a key is asked. Times are in milliseconds. */
export interface KeyTerms {
  /** Questions at once. */
  readonly atOnce: number
  /** Requests for one question. */
  readonly tries: number
  /** The pause after a first fault; it doubles with each more of the key in a row. */
  readonly backoffMs: number
  readonly mostBackoffMs: number
  /** Faults in a row that open the circuit: the key rests so long. So many refusals in a row end it. */
  readonly circuitFaults: number
  readonly circuitMs: number
}

/** How tasks are looked at. Times are in milliseconds. */
export interface TaskTerms {
  /** Requests at once, of a key at a surface. */
  readonly atOnce: number
  /** Open tasks of a key at a surface. More wait here, and not in the queue of the service. */
  readonly mostOpen: number
  /** Between two looks at first. It grows by half with each look. */
  readonly lookMs: number
  readonly mostLookMs: number
  /** Between two looks at a task that waits in the queue of its service, at most. */
  readonly mostQueuedLookMs: number
  /** A task that has not begun after this time is given up. */
  readonly queuedMs: number
  /** A task that has not ended after this time since it began is given up. */
  readonly runningMs: number
  /** The pause of submissions after a service limited them. */
  readonly limitedMs: number
}

/** How the questions of a run are asked. */
export interface RunTerms extends KeyTerms {
  readonly tasks: TaskTerms
  /** Between two imports of a run whose answers are shown as they come. */
  readonly showEveryMs: number
}

const minuteMs = 60_000

export const runTerms: RunTerms = {
  atOnce: 4,
  tries: 4,
  backoffMs: 1000,
  mostBackoffMs: minuteMs,
  circuitFaults: 8,
  circuitMs: minuteMs,
  showEveryMs: 10_000,
  tasks: {
    atOnce: 4,
    mostOpen: 1000,
    lookMs: 5000,
    mostLookMs: minuteMs,
    mostQueuedLookMs: 5 * minuteMs,
    queuedMs: 24 * 60 * minuteMs,
    runningMs: 60 * minuteMs,
    limitedMs: 30_000,
  },
}
