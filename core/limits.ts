const MB = 1024 ** 2

/** What one API takes from its callers, and keeps for them. */
export interface ApiLimits {
  /** Live streams that a key may have open. */
  readonly streamsPerKey: number
  /** Queries that a key may run in the warehouse at a time. More of them wait. */
  readonly queriesPerKey: number
  /** Calls of tools that a key may have under way. */
  readonly toolCallsPerKey: number
  /** Most that one GraphQL document may cost. */
  readonly maxQueryCost: number
  /** Of the rows of one response. */
  readonly maxResponseBytes: number
  /** Of cached replies; half of it is for each of REST and GraphQL. 0 for no cache. */
  readonly replyCacheBytes: number
}

export const apiLimits: ApiLimits = {
  streamsPerKey: 20,
  queriesPerKey: 4,
  toolCallsPerKey: 4,
  maxQueryCost: 300,
  maxResponseBytes: 32 * MB,
  replyCacheBytes: 64 * MB,
}
