import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PrismaPg } from '@prisma/adapter-pg'
import {
  bindMigrationAwareSqlAdapterFactory,
  ColumnTypeEnum,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils'
import { SchemaEngine } from '@prisma/schema-engine-wasm'
import pg from 'pg'

const CHAR = pg.types.builtins.CHAR as number
const CHAR_ARRAY = 1002

/** The schema as the engine wants it. */
export const SCHEMA_FILES = ['schema.prisma'].map((name) => {
  const path = join(import.meta.dirname, name)
  return { path, content: readFileSync(path, 'utf8') }
})

/**
 * Prisma's own schema engine, the build that runs in this process, on a database.
 * @returns the engine; `close` ends its connections
 */
export async function openSchemaEngine(
  databaseUrl: string,
): Promise<{ engine: SchemaEngine; close: () => Promise<void> }> {
  Object.assign(globalThis, { PRISMA_WASM_PANIC_REGISTRY: { set_message: failPanic } })
  const pool = new SystemTablesPool({ connectionString: databaseUrl })
  const datamodels = SCHEMA_FILES.map(({ path, content }): [string, string] => [path, content])
  const adapter = bindMigrationAwareSqlAdapterFactory(readSystemTables(new PrismaPg(pool)))
  const engine = await SchemaEngine.new({ datamodels }, () => undefined, adapter)
  return { engine, close: () => pool.end() }
}

// PostgreSQL's own tables have columns of the one-byte type "char", which the adapter takes for
// unknown. It lets the type's array pass, and no table that the engine reads has such an array.
class SystemTablesPool extends pg.Pool {
  // biome-ignore lint/suspicious/noExplicitAny: pg declares seven overloads of this
  override async query(...args: any[]): Promise<any> {
    const result = await super.query(...(args as [string]))
    for (const field of result.fields) if (field.dataTypeID === CHAR) field.dataTypeID = CHAR_ARRAY
    return result
  }
}

function readSystemTables(factory: PrismaPg): SqlMigrationAwareDriverAdapterFactory {
  const { provider, adapterName } = factory
  const connect = async (): Promise<SqlDriverAdapter> => {
    const adapter = await factory.connect()
    const queryRaw = adapter.queryRaw.bind(adapter)
    adapter.queryRaw = async (query) => {
      const result = await queryRaw(query)
      const columnTypes = result.columnTypes.map((type) =>
        type === ColumnTypeEnum.CharacterArray ? ColumnTypeEnum.Character : type,
      )
      return { ...result, columnTypes }
    }
    return adapter
  }
  return { provider, adapterName, connect, connectToShadowDb: () => factory.connectToShadowDb() }
}

function failPanic(message: string): never {
  throw new Error(`Prisma's schema engine failed: ${message}`)
}
