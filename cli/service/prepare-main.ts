// Migrates the stores and creates the demo project before the API starts. Afterwards ends imports that
// were killed, and removes leftover facts of deleted projects.
import { once } from 'node:events'
import { flushCompileCache } from 'node:module'
import type { Settings } from '../../core/settings.ts'
import type { DemoStores } from '../../demo/data.ts'
import type { Demo } from '../../demo/demo.ts'
import { removeLeftFacts } from '../../imports/loads/removal.ts'
import { settleKilledImports } from '../../imports/loads/settle.ts'
import { createCatalog } from '../../prisma/client.ts'
import { isEngineDown, isPrevented } from '../../prisma/engine-down.ts'
import { migrateCatalog } from '../../prisma/migrate.ts'
import { patiently } from '../../prisma/patiently.ts'
import { makePageCode } from '../../resolvers/keys/page-codes.ts'
import { createWarehouse } from '../../warehouse/client.ts'
import { migrateWarehouse } from '../../warehouse/migrate.ts'
import { CliError } from '../errors.ts'
import type { DataDir, Secrets } from '../folder/data-dir.ts'
import { reachStores } from '../reach.ts'

export interface BeginPreparing {
  type: 'begin'
  settings: Settings
  databaseUrl: string
  clickhouseUrl: string
  dataDir: DataDir
  secrets: Secrets
  wantsDemo: boolean
}

export interface Prepared extends Offered {
  type: 'prepared'
  /** Why there is no demonstration, for people. */
  warning?: string
}

/** What a start offers to whoever reads its output. */
export interface Offered {
  readonly demo: Demo | null
  /** Codes that sign in, each for one page; null where no key is at hand. */
  readonly codes: { readonly [page in 'dashboard' | 'graphiql' | 'docs']: string } | null
}

const channel = process
channel.once('disconnect', () => process.exit(1))

async function prepare(begin: BeginPreparing): Promise<DemoStores> {
  const { databaseUrl, clickhouseUrl } = begin
  await reachStores(begin.settings)
  const warehouse = createWarehouse({ url: clickhouseUrl })
  await Promise.all([migrateCatalog(databaseUrl), migrateWarehouse(warehouse)])
  channel.send?.({ type: 'migrated' })
  const db = createCatalog(databaseUrl)
  const stores = { databaseUrl, db, warehouse }
  const made = await patiently(() => offer(begin, stores), passes)
  channel.send?.({ type: 'prepared', ...made } satisfies Prepared)
  return stores
}

// The worker writes to the demonstration too, and a busy machine is slow. Work that was cut off goes on where it was.
const passes = (error: unknown) => isEngineDown(error) || isPrevented(error)

async function offer(begin: BeginPreparing, stores: DemoStores): Promise<Omit<Prepared, 'type'>> {
  const { db } = stores
  const [{ DemoDamaged, readDemo }, owner, { pageSubjects }] = await Promise.all([
    import('../../demo/file.ts'),
    import('../../resolvers/members/local-owner.ts'),
    import('./page-subjects.ts'),
  ])
  const orDamaged = (error: unknown) => {
    if (error instanceof DemoDamaged) return error
    throw error
  }
  const known = await readDemo(begin.dataDir).catch(orDamaged)
  // The data of others must not wait for a demonstration.
  const isDamaged = known instanceof DemoDamaged
  const warning = isDamaged && begin.wantsDemo ? { warning: known.message } : {}
  await owner.ensureOwnWorkspace(db, isDamaged ? undefined : known?.workspaceId)
  if (begin.wantsDemo && !isDamaged && !known?.isComplete) channel.send?.({ type: 'makesDemo' })
  const demo = begin.wantsDemo && !isDamaged ? await demoOf(begin, stores) : null
  const subjects = await pageSubjects(db, demo?.key ?? undefined)
  if (!subjects.page || !subjects.trial) return { demo, codes: null, ...warning }
  const codes = {
    dashboard: await makePageCode(db, subjects.page),
    graphiql: await makePageCode(db, subjects.trial),
    docs: await makePageCode(db, subjects.trial),
  }
  return { demo, codes, ...warning }
}

async function demoOf({ dataDir, secrets }: BeginPreparing, stores: DemoStores): Promise<Demo> {
  const { makeDemo } = await import('../../demo/demo.ts')
  return makeDemo(dataDir, secrets, stores)
}

function printStack(error: unknown): void {
  process.stderr.write(`${(error as Error).stack}\n`)
}

try {
  const [begin] = (await once(channel, 'message')) as [BeginPreparing]
  const stores = await prepare(begin)
  const { db, warehouse } = stores
  flushCompileCache()
  // A failure does not stop this start: the next start tries again.
  await settleKilledImports(stores).catch(printStack)
  await removeLeftFacts(db, warehouse).catch(printStack)
} catch (error) {
  const code = error instanceof CliError ? error.code : undefined
  channel.send?.({ type: 'failed', message: (error as Error).message, code })
  printStack(error)
}
process.exitCode = 0
channel.disconnect?.()
