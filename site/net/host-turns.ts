import { LRUCache } from 'lru-cache'

/** The requests to one host, of all audits of the process. */
export interface HostTurn {
  /** Ends when all requests before have ended. */
  queue: Promise<unknown>
  /** By `performance.now()`: when the last request began. Minus infinity before the first. */
  lastStart: number
  /** By `performance.now()`: the host asked for a pause until then. */
  postponedTo: number
}

/** The turns of hosts, which audits of one process share: a host sees one crawler, however many projects name it. */
export interface HostTurns {
  of(host: string): HostTurn
}

/** Hosts that are kept; one that is forgotten was asked long ago. */
const mostHosts = 10_000

export function createHostTurns(): HostTurns {
  const turns = new LRUCache<string, HostTurn>({ max: mostHosts })
  return {
    of(host) {
      const known = turns.get(host)
      if (known !== undefined) return known
      const lastStart = Number.NEGATIVE_INFINITY
      const made = { queue: Promise.resolve(), lastStart, postponedTo: 0 }
      turns.set(host, made)
      return made
    },
  }
}
