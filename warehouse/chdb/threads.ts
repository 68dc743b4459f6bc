/** Queries that the warehouse runs at once. Each takes a chDB session, and a thread of libuv's pool. */
export const parallelQueries = 16

// libuv reads it when its first thread starts: so this module is the first that the process imports.
process.env.UV_THREADPOOL_SIZE = String(parallelQueries + 4)
