import { parse } from 'graphql'
import { LRUCache } from 'lru-cache'
import { pino } from 'pino'
import { hashApiKey } from '../../core/access.ts'
import { readSettings, retentionOf } from '../../core/settings.ts'
import { runCompiled } from '../../plugins/compiled.ts'
import type { Catalog } from '../../prisma/client.ts'
import { authorize, publicSchema } from '../../schema/index.ts'
import type { Context } from '../../schema/kit/context.ts'
import { signingSecret, type TestApi } from './api.ts'
import { liveOf } from './graphql/live.ts'

/** How many values the longest list of a condition has. */
function longestList(condition: unknown): number {
  if (typeof condition !== 'object' || condition === null) return 0
  const inner = Object.values(condition).map(longestList)
  return Math.max(Array.isArray(condition) ? condition.length : 0, ...inner)
}

/**
 * Runs a query as graphql-jit compiles it, and counts what the catalog is asked meanwhile.
 * @returns `values`: the most that one condition listed
 */
export async function countStatements(api: TestApi, token: string, query: string) {
  let [statements, values] = [0, 0]
  const counting = api.db.$extends({
    query: {
      $allOperations: ({ args, query: run }) => {
        statements += 1
        values = Math.max(values, longestList((args as { where?: unknown } | undefined)?.where))
        return run(args)
      },
    },
  })
  const row = await api.db.apiKey.findUniqueOrThrow({ where: { hash: hashApiKey(token) } })
  const context: Context = {
    requestId: 'test',
    authorize,
    principal: { ...row, keyId: row.id },
    services: {
      db: counting as unknown as Catalog,
      databaseUrl: api.databaseUrl,
      warehouse: api.warehouse,
      warehouseFor: () => api.warehouse,
      baseUrl: '',
      trackerUrl: '',
      cursorSecret: 'x',
      signingSecrets: [signingSecret],
      snapshots: new LRUCache({ max: 10 }),
      live: liveOf(api),
      privateHosts: [],
      retention: retentionOf(readSettings({})),
      mail: null,
      maxResponseBytes: 32 * 1024 ** 2,
      log: pino({ level: 'silent' }),
    },
  }
  const asked = { schema: publicSchema, document: parse(query), contextValue: context }
  const result = await runCompiled(asked)
  if (!result || result.errors) throw new Error(`It failed: ${JSON.stringify(result?.errors)}`)
  return { statements, values, data: result.data as Record<string, unknown> }
}
