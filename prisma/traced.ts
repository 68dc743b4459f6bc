import type { SqlDriverAdapter, SqlQueryable } from '@prisma/driver-adapter-utils'
import { inStatement } from '../observability/spans.ts'

/** The first word of a statement: a span holds no more of it. */
export const kindOf = (sql: string) => /^\s*([a-z]+)/i.exec(sql)?.[1]?.toUpperCase() ?? 'statement'

function traceStatements(queryable: SqlQueryable): void {
  const queryRaw = queryable.queryRaw.bind(queryable)
  const executeRaw = queryable.executeRaw.bind(queryable)
  queryable.queryRaw = (query) =>
    inStatement('postgresql', kindOf(query.sql), {}, () => queryRaw(query))
  queryable.executeRaw = (query) =>
    inStatement('postgresql', kindOf(query.sql), {}, () => executeRaw(query))
}

/** The adapter with a span for each statement, with its wait for a connection. */
export function traced<Adapter extends SqlDriverAdapter>(adapter: Adapter): Adapter {
  traceStatements(adapter)
  const startTransaction = adapter.startTransaction.bind(adapter)
  adapter.startTransaction = async (isolation) => {
    const transaction = await startTransaction(isolation)
    traceStatements(transaction)
    return transaction
  }
  return adapter
}
