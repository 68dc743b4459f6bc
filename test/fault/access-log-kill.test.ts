import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { builtinBots, createBotMatcher } from '../../core/bots/bots.ts'
import { importAccessLog } from '../../imports/access-log/access-log.ts'
import type { ImportStores } from '../../imports/loads/runner.ts'
import { type Catalog, createCatalog } from '../../prisma/client.ts'
import { migrateWarehouse } from '../../warehouse/migrate.ts'
import { command, run } from '../../warehouse/run.ts'
import { browser, clfTime, combinedLine, importBytes, noon } from '../kit/imports/access-logs.ts'
import { makeProject } from '../kit/imports/imports.ts'
import { createTestDatabase } from '../kit/postgres.ts'
import { until } from '../kit/service.ts'
import { startTestWarehouse, type TestWarehouse } from '../kit/warehouse.ts'

const lineCount = 60_000
/** Every fifth line is a visit of a crawler; the log begins two months ago, and ends in no line feed. */
const visitCount = lineCount / 5
const log = Array.from({ length: lineCount }, (_, i) => {
  const time = clfTime(noon(60 - Math.floor((i / lineCount) * 60)))
  const agent = i % 5 === 0 ? undefined : browser
  return combinedLine({ time, request: `GET /${i} HTTP/1.1`, ...(agent ? { agent } : {}) })
}).join('\n')

let engine: TestWarehouse
let database: Awaited<ReturnType<typeof createTestDatabase>>
let db: Catalog
let stores: ImportStores
let projectId: string
let folder: string
let file: string

beforeAll(async () => {
  engine = await startTestWarehouse()
  await migrateWarehouse(engine.warehouse)
  database = await createTestDatabase(inject('databaseUrl'))
  db = createCatalog(database.url)
  stores = { db, databaseUrl: database.url, warehouse: engine.warehouse }
  folder = await mkdtemp(join(tmpdir(), 'sightline-access-log-'))
  file = join(folder, 'access.log')
})

afterAll(async () => {
  await db.$disconnect()
  await Promise.all([engine.stop(), database.drop(), rm(folder, { recursive: true })])
})

beforeEach(async () => {
  projectId = await makeProject(stores)
})

/** Hits, and of how many different lines: each line has a path of its own. */
async function counts() {
  const [found] = await run(engine.warehouse, {
    id: 'test.counts',
    sql: `SELECT count() AS hits, uniqExact(path) AS lines FROM crawler_hits
      WHERE project_id = {projectId:UUID}`,
    params: { projectId },
    row: ({ hits, lines }) => ({ hits: Number(hits), lines: Number(lines) }),
  })
  return found
}

const recordOf = () => db.accessLog.findFirstOrThrow({ where: { projectId } })

function startImport(): ChildProcess {
  const script = new URL('./access-log-child.ts', import.meta.url).pathname
  const args = [script, database.url, engine.url, projectId, file]
  return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
}

/** Kills the child so long after its nth line of output. */
async function killAt(child: ChildProcess, line: number, afterMs: number): Promise<void> {
  const exited = once(child, 'exit')
  if (child.stdout === null) throw new Error('the child has no output')
  let seen = 0
  for await (const _ of createInterface(child.stdout)) {
    if (++seen < line) continue
    await new Promise((resolve) => setTimeout(resolve, afterMs))
    child.kill('SIGKILL')
    break
  }
  await exited
}

test('an import killed at any moment, again and again, while the log grows, gives each line once', async () => {
  // The first line is "ready"; each of the others says that a batch is loaded.
  const moments: [line: number, afterMs: number][] = [
    ...Array.from({ length: 6 }, (_, i): [number, number] => [1, 40 + i * 75]),
    ...Array.from({ length: 4 }, (_, i): [number, number] => [2, i * 25]),
    [3, 0],
  ]
  let kills = 0
  for (const [i, [line, afterMs]] of moments.entries()) {
    // It grows by pieces that end anywhere, so that what is tried again is the end of it, too.
    await writeFile(file, log.slice(0, Math.ceil((log.length * (i + 1)) / moments.length)))
    const child = startImport()
    await killAt(child, line, afterMs)
    if (child.signalCode === 'SIGKILL') kills++
    const { hits, lines } = (await counts()) ?? {}
    expect(hits, `killed ${afterMs} ms after line ${line}`).toBe(lines)
  }
  expect(kills).toBeGreaterThan(moments.length / 2)
  const [code] = await once(startImport(), 'exit')
  expect(code).toBe(0)
  expect(await counts()).toEqual({ hits: visitCount, lines: visitCount })
  const { kept, readLines, readBytes } = await recordOf()
  expect({ kept, readLines, readBytes }).toEqual({
    kept: BigInt(visitCount),
    readLines: BigInt(lineCount),
    readBytes: BigInt(Buffer.byteLength(log)),
  })
})

/** Makes the catalog slow to hear that a batch is stored, until `end`. */
async function holdCatalog() {
  const statements = [
    `CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN PERFORM pg_sleep(60); RETURN NEW; END'`,
    `CREATE TRIGGER hold BEFORE UPDATE ON "AccessLog" FOR EACH ROW
      WHEN (NEW."readBytes" > OLD."readBytes") EXECUTE FUNCTION hold()`,
  ]
  for (const statement of statements) await db.$executeRawUnsafe(statement)
  return async () => {
    await db.$queryRaw`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE wait_event = 'PgSleep' AND datname = current_database()`
    await db.$executeRawUnsafe('DROP FUNCTION hold CASCADE')
  }
}

test.each([
  ['its first batch', 0],
  ['a later batch', 1_500_000],
])(
  'one killed when %s was stored, and the catalog had not heard of it, gives each line once',
  async (_, read) => {
    await writeFile(file, log.slice(0, read))
    if (read > 0) expect((await once(startImport(), 'exit'))[0]).toBe(0)
    const before = (await counts())?.hits ?? 0
    const end = await holdCatalog()
    await writeFile(file, log.slice(0, 3_000_000))
    const child = startImport()
    await until(async () => ((await counts())?.hits ?? 0) > before)
    child.kill('SIGKILL')
    await end()
    const whole = log.slice(0, 3_100_000)
    await importBytes(stores, projectId, whole.slice(0, whole.lastIndexOf('\n') + 1))
    const { kept, readLines } = await recordOf()
    expect(readLines).toBe(BigInt(whole.split('\n').length - 1))
    expect(await counts()).toEqual({ hits: Number(kept), lines: Number(kept) })
    expect(kept).toBe((readLines + 4n) / 5n)
  },
)

/** A record from the moment when hits were sent and their outcome was unknown. */
async function unsettle(pending: { end: number; at: number }): Promise<void> {
  const { id, readHash } = await recordOf()
  const emptyHash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
  const nothingRead = { readBytes: 0n, readLines: 0n, kept: 0n, readHash: emptyHash, dropped: {} }
  // The hits belong to the import that began to send them: its id is part of their token.
  const { id: importId } = await db.import.findFirstOrThrow({ where: { projectId } })
  const unknown = { ...pending, hash: readHash, attempt: 1, importId }
  const data = { ...nothingRead, pending: unknown }
  await db.accessLog.update({ where: { id }, data })
}

const forget = [0, 10_000].map(
  (window) =>
    `ALTER TABLE crawler_hits MODIFY SETTING non_replicated_deduplication_window = ${window}`,
)
const part = 'project_id = {projectId:UUID} AND cityHash64(path) % 2 = 0'
const lose = [`DELETE FROM crawler_hits WHERE ${part}`]

test.each([
  ['was stored', []],
  ['was stored, and the engine has forgotten its token', forget],
  ['was lost in part, and the engine knows its token', lose],
  ['was lost in part, and the engine has forgotten its token', [...forget, ...lose]],
  ['never arrived', [...forget, 'TRUNCATE TABLE crawler_hits']],
])('what %s before a crash is there once afterwards, though the log has grown', async (_, sql) => {
  const some = log.slice(0, 3_000_000)
  const whole = some.slice(0, some.lastIndexOf('\n') + 1)
  const { kept } = await importBytes(stores, projectId, whole)
  await unsettle({ end: whole.length, at: Date.now() })
  for (const statement of sql) {
    const params = statement.includes('projectId') ? { projectId } : {}
    await command(engine.warehouse, { id: 'test.forget', sql: statement, params })
  }
  const grown = await importBytes(stores, projectId, log.slice(0, 3_100_000))
  expect(grown.kept).toBeGreaterThan(kept)
  expect(await counts()).toEqual({ hits: grown.kept, lines: grown.kept })
  expect((await recordOf()).kept).toBe(BigInt(grown.kept))
})

test('a log that was changed behind what is under way is another one', async () => {
  const whole = `${log.slice(0, 100_000)}\n`
  await importBytes(stores, projectId, whole)
  const { id } = await recordOf()
  const pending = { end: whole.length + 50, hash: 'of another log', at: Date.now(), attempt: 1 }
  await db.accessLog.update({ where: { id }, data: { pending } })
  const grown = whole + log.slice(100_000, 200_000)
  expect(await importBytes(stores, projectId, grown)).toMatchObject({ readBefore: 0 })
  expect(await db.accessLog.count({ where: { projectId } })).toBe(2)
})

test('an import rides out a warehouse that is killed and started again', async () => {
  let restarted: Promise<void> | undefined
  const result = await importBytes(stores, projectId, log, {
    onProgress: () => {
      restarted ??= engine.kill().then(() => engine.restart())
    },
  })
  await restarted
  expect(result).toMatchObject({ read: lineCount, kept: visitCount })
  expect(await counts()).toEqual({ hits: visitCount, lines: visitCount })
})

test('one whose warehouse stays away fails, and the next goes on', async () => {
  let killed: Promise<void> | undefined
  const attempt = importBytes(stores, projectId, log, {
    onProgress: () => {
      killed ??= engine.kill()
    },
  })
  await expect(attempt).rejects.toMatchObject({ code: 'internal_error', status: 502 })
  await killed
  await engine.restart()
  const { readBefore } = await importBytes(stores, projectId, log)
  expect(readBefore).toBeGreaterThan(0)
  expect(await counts()).toEqual({ hits: visitCount, lines: visitCount })
})

/** The log, of which the last part comes after `pause`. */
async function* pausing(pause: () => Promise<unknown>): AsyncGenerator<Buffer, void> {
  const bytes = Buffer.from(log)
  const cut = Math.floor(bytes.length * 0.9)
  yield bytes.subarray(0, cut)
  await pause()
  yield bytes.subarray(cut)
}

test('an import that loses its lock gives up, and the one that takes it gives each line once', async () => {
  let second: ReturnType<typeof importBytes> | undefined
  const first = importAccessLog(stores, {
    projectId,
    format: 'combined',
    host: 'acme.com',
    bots: createBotMatcher(builtinBots),
    open: () =>
      pausing(async () => {
        await db.$queryRaw`SELECT pg_terminate_backend(pid) FROM pg_locks
          WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
        // The first import may still record a sent batch. The second import must then begin again.
        second ??= importBytes(stores, projectId, log).catch(() =>
          importBytes(stores, projectId, log),
        )
        await second
      }),
  })
  await expect(first).rejects.toThrow()
  const { readBefore } = (await second) ?? {}
  expect(readBefore).toBeGreaterThan(0)
  expect(await counts()).toEqual({ hits: visitCount, lines: visitCount })
})
