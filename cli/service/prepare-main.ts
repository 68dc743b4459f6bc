// Migrates the stores and creates the demo project before the API starts. Afterwards removes leftover facts of
// deleted projects.
import { once } from 'node:events'
import { flushCompileCache } from 'node:module'
import type { DemoStores } from '../../demo/data.ts'
import type { Demo } from '../../demo/demo.ts'
import { removeLeftFacts } from '../../imports/loads/removal.ts'
import { createCatalog } from '../../prisma/client.ts'
import { isEngineDown, isPrevented } from '../../prisma/engine-down.ts'
import { migrateCatalog } from '../../prisma/migrate.ts'
import { patiently } from '../../prisma/patiently.ts'
import { makePageCode } from '../../resolvers/keys/page-codes.ts'
import { createWarehouse } from '../../warehouse/client.ts'
import { migrateWarehouse } from '../../warehouse/migrate.ts'
import type { DataDir, Secrets } from '../folder/data-dir.ts'

export interface BeginPreparing {
  type: 'begin'
  databaseUrl: string
  clickhouseUrl: string
  dataDir: DataDir
  secrets: Secrets
  wantsDemo: boolean
}

export interface Prepared {
  type: 'prepared'
  demo: StartedDemo | null
  /** Why there is no demonstration, for people. */
  warning?: string
}

/** The demonstration with the codes of its pages, each for one page; without codes when its key is revoked. */
export interface StartedDemo extends Demo {
  readonly codes: { readonly [page in 'dashboard' | 'graphiql' | 'docs']: string } | null
}

const channel = process
channel.once('disconnect', () => process.exit(1))

async function prepare(begin: BeginPreparing): Promise<DemoStores> {
  const { databaseUrl, clickhouseUrl } = begin
  const warehouse = createWarehouse({ url: clickhouseUrl })
  await Promise.all([migrateCatalog(databaseUrl), migrateWarehouse(warehouse)])
  channel.send?.({ type: 'migrated' })
  const db = createCatalog(databaseUrl)
  const stores = { databaseUrl, db, warehouse }
  const made = begin.wantsDemo
    ? await patiently(() => demoOf(begin, stores), passes)
    : { demo: null }
  channel.send?.({ type: 'prepared', ...made } satisfies Prepared)
  return stores
}

// The worker writes to the demonstration too, and a busy machine is slow. Work that was cut off goes on where it was.
const passes = (error: unknown) => isEngineDown(error) || isPrevented(error)

async function demoOf(
  { dataDir, secrets }: BeginPreparing,
  stores: DemoStores,
): Promise<Pick<Prepared, 'demo' | 'warning'>> {
  const [{ makeDemo }, { DemoDamaged }] = await Promise.all([
    import('../../demo/demo.ts'),
    import('../../demo/file.ts'),
  ])
  const demo = await makeDemo(dataDir, secrets, stores).catch((error: unknown) => {
    if (error instanceof DemoDamaged) return error
    throw error
  })
  // The data of others must not wait for a demonstration.
  if (demo instanceof DemoDamaged) return { demo: null, warning: demo.message }
  const { key } = demo
  if (key === null) return { demo: { ...demo, codes: null } }
  const make = () => makePageCode(stores.db, key)
  const codes = { dashboard: await make(), graphiql: await make(), docs: await make() }
  return { demo: { ...demo, codes } }
}

function printStack(error: unknown): void {
  process.stderr.write(`${(error as Error).stack}\n`)
}

try {
  const [begin] = (await once(channel, 'message')) as [BeginPreparing]
  const { db, warehouse } = await prepare(begin)
  flushCompileCache()
  // A failure does not stop this start: the next start tries again.
  await removeLeftFacts(db, warehouse).catch(printStack)
} catch (error) {
  channel.send?.({ type: 'failed', message: (error as Error).message })
  printStack(error)
}
process.exitCode = 0
channel.disconnect?.()
