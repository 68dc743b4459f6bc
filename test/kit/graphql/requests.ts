import { type ExecutionResult, execute, parse } from 'graphql'
import { LRUCache } from 'lru-cache'
import { pino } from 'pino'
import { hashApiKey } from '../../../core/access.ts'
import { runCompiled } from '../../../plugins/compiled.ts'
import { authorize, publicSchema } from '../../../schema/index.ts'
import type { Context } from '../../../schema/kit/context.ts'
import type { Warehouse } from '../../../warehouse/client.ts'
import type { TestApi } from '../api.ts'

export const executors = {
  'graphql-jit': runCompiled,
  'graphql-js': execute,
} as const

type Data = Record<string, unknown>

/** Runs documents without a server, and counts the statements that each asks of the warehouse. */
export function graphRequests(api: TestApi) {
  /** The names of the statements of the last request. */
  let statements: string[] = []

  function watched(): Warehouse {
    return {
      ...api.warehouse,
      send: (request) => {
        statements.push(request.queryId.split(':')[0] ?? '')
        return api.warehouse.send(request)
      },
    }
  }

  return async (
    key: string,
    text: string,
    executor: keyof typeof executors = 'graphql-jit',
  ): Promise<{ data: Data; statements: string[] }> => {
    statements = []
    const row = await api.db.apiKey.findUniqueOrThrow({ where: { hash: hashApiKey(key) } })
    const contextValue: Context = {
      requestId: 'test',
      authorize,
      principal: { ...row, keyId: row.id },
      services: {
        db: api.db,
        databaseUrl: api.databaseUrl,
        warehouse: watched(),
        baseUrl: '',
        cursorSecret: 'x',
        signingSecrets: ['x'] as const,
        snapshots: new LRUCache({ max: 10 }),
        privateHosts: [],
        log: pino({ level: 'silent' }),
      },
    }
    const document = parse(text)
    const result = (await executors[executor]({
      schema: publicSchema,
      document,
      contextValue,
    })) as ExecutionResult
    if (result.errors || !result.data) throw new AggregateError(result.errors ?? [], text)
    return { data: result.data, statements: statements.toSorted() }
  }
}
