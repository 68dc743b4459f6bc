import { type ExecutionResult, execute, parse, validate } from 'graphql'
import { LRUCache } from 'lru-cache'
import { pino } from 'pino'
import { hashApiKey } from '../../../core/access.ts'
import { readSettings, retentionOf } from '../../../core/settings.ts'
import { runCompiled } from '../../../plugins/compiled.ts'
import type { Catalog } from '../../../prisma/client.ts'
import { authorize, publicSchema } from '../../../schema/index.ts'
import type { Context } from '../../../schema/kit/context.ts'
import type { Warehouse } from '../../../warehouse/client.ts'
import type { TestApi } from '../api.ts'
import { sized } from '../soak.ts'
import { liveOf } from './live.ts'

export const executors = {
  'graphql-jit': runCompiled,
  'graphql-js': execute,
} as const

/** Both call the same resolvers: the normal run takes the one that serves. */
export const triedExecutors = sized<readonly (keyof typeof executors)[]>({
  normal: ['graphql-jit'],
  soak: ['graphql-jit', 'graphql-js'],
})

type Data = Record<string, unknown>

/** Runs documents without a server, and counts the statements that each asks of the stores. */
export function graphRequests(api: TestApi) {
  /** Names of the warehouse statements of the last request. */
  let statements: string[] = []
  /** Number of catalog statements of the last request. */
  let ofCatalog = 0
  const catalog = api.db.$extends({
    query: {
      $allOperations: ({ args, query }) => {
        ofCatalog += 1
        return query(args)
      },
    },
  }) as unknown as Catalog

  function watched(): Warehouse {
    return {
      ...api.warehouse,
      // What an earlier request left in memory, or what has fallen out of it, must not change the count.
      frozen: new LRUCache({ max: 1000 }),
      underway: new Map(),
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
  ): Promise<{ data: Data; statements: string[]; ofCatalog: number }> => {
    statements = []
    ofCatalog = 0
    const row = await api.db.apiKey.findUniqueOrThrow({ where: { hash: hashApiKey(key) } })
    const contextValue: Context = {
      requestId: 'test',
      authorize,
      principal: { ...row, keyId: row.id },
      services: {
        db: catalog,
        databaseUrl: api.databaseUrl,
        warehouse: watched(),
        warehouseFor: watched,
        baseUrl: '',
        trackerUrl: '',
        cursorSecret: 'x',
        signingSecrets: ['x'] as const,
        snapshots: new LRUCache({ max: 10 }),
        live: liveOf(api),
        privateHosts: [],
        retention: retentionOf(readSettings({})),
        mail: null,
        maxResponseBytes: 32 * 1024 ** 2,
        log: pino({ level: 'silent' }),
      },
    }
    const document = parse(text)
    // The executors leave out fields that do not exist.
    const unknown = validate(publicSchema, document)
    if (unknown.length > 0) throw new AggregateError(unknown, text)
    const result = (await executors[executor]({
      schema: publicSchema,
      document,
      contextValue,
    })) as ExecutionResult
    if (result.errors || !result.data) throw new AggregateError(result.errors ?? [], text)
    return { data: result.data, statements: statements.toSorted(), ofCatalog }
  }
}
