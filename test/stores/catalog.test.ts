import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  createCatalog,
  isEngineDown,
  LockBusyError,
  withAdvisoryLock,
} from '../../prisma/client.ts'
import { startPostgres } from '../../prisma/embedded/postgres.ts'
import { type Migration, migrateCatalog, readMigrations } from '../../prisma/migrate.ts'
import { openSchemaEngine } from '../../prisma/schema-engine.ts'
import { createTestDatabase, startTestPostgres } from '../kit/postgres.ts'
import { isSoak } from '../kit/soak.ts'

const root = join(import.meta.dirname, '../..')
const _isRoot = process.geteuid?.() === 0
const run = promisify(execFile)
const folders: string[] = []

/** A folder that only its owner may enter, removed after the test. */
function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-store-'))
  folders.push(folder)
  return folder
}

afterEach(() => {
  for (const folder of folders.splice(0))
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

function script(code: string): string[] {
  return ['--input-type=module', '-e', code]
}

let server: Awaited<ReturnType<typeof startTestPostgres>>
beforeAll(async () => {
  server = await startTestPostgres()
})
afterAll(() => server.stop())

describe('migrations', () => {
  let known: Migration[]

  beforeAll(async () => {
    known = await readMigrations()
  })

  const broken = (sql: string): Migration => ({
    name: '99990101000000_broken',
    sql,
    checksum: createHash('sha256').update(sql).digest('hex'),
  })

  test('two processes that start at once apply each migration once', async () => {
    const code = `import { migrateCatalog } from '${root}/prisma/migrate.ts'
      process.stdout.write(JSON.stringify(await migrateCatalog('${server.url}')))`
    const ends = await Promise.all([1, 2].map(() => run(process.execPath, script(code))))
    const applied = ends.map(({ stdout }) => JSON.parse(stdout) as string[])
    expect(applied.flat()).toEqual(known.map(({ name }) => name))
    expect(applied.map(({ length }) => length).sort()).toEqual([0, known.length])
  })

  if (isSoak) {
    test("Prisma's own engine finds nothing to apply and nothing changed", async () => {
      const database = await createTestDatabase(server.url)
      const { engine, close } = await openSchemaEngine(database.url)
      const migrationsList = {
        baseDir: join(root, 'prisma/migrations'),
        lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"' },
        shadowDbInitScript: '',
        migrationDirectories: known.map(({ name, sql }) => ({
          path: name,
          migrationFile: { path: 'migration.sql', content: { tag: 'ok' as const, value: sql } },
        })),
      }
      const filters = { externalTables: [], externalEnums: [] }
      const history = await engine.diagnoseMigrationHistory({
        migrationsList,
        optInToShadowDatabase: false,
        filters,
      })
      const { appliedMigrationNames } = await engine.applyMigrations({ migrationsList, filters })
      await close()
      expect(history).toMatchObject({
        editedMigrationNames: [],
        failedMigrationNames: [],
        hasMigrationsTable: true,
        history: null,
      })
      expect(appliedMigrationNames).toEqual([])
    })
  }

  test('a migration that was changed after it was applied is named', async () => {
    const { url } = await createTestDatabase(server.url)
    const folder = temporaryFolder()
    cpSync(join(root, 'prisma/migrations'), folder, { recursive: true })
    const first = known[0]?.name ?? ''
    await writeFile(join(folder, first, 'migration.sql'), '-- nothing')
    const changed = await readMigrations(folder)
    await expect(migrateCatalog(url, changed)).rejects.toThrow(`${first} was changed`)
  })

  test('a migration that this version does not know is named', async () => {
    const { url } = await createTestDatabase(server.url)
    await expect(migrateCatalog(url, [])).rejects.toThrow(`${known[0]?.name}, which this version`)
  })

  test('admins and members of before are editors, and owners stay', async () => {
    const { url } = await createTestDatabase(server.url)
    const at = known.findIndex(({ name }) => name.endsWith('_owner_editor_viewer'))
    const before = new pg.Client({ connectionString: url })
    await before.connect()
    // The test database is of this version: the roles are as they were before it.
    await before.query(`DROP SCHEMA public CASCADE; CREATE SCHEMA public`)
    await migrateCatalog(url, known.slice(0, at))
    await before.query(`
      INSERT INTO "Workspace" (id, name) VALUES ('00000000-0000-4000-8000-000000000001', 'Old');
      INSERT INTO "User" (id, email, name)
        SELECT gen_random_uuid(), role || '@old.test', role FROM unnest(ARRAY['owner', 'admin', 'member']) AS role;
      INSERT INTO "Membership" ("workspaceId", "userId", role)
        SELECT '00000000-0000-4000-8000-000000000001', id, name::"Role" FROM "User";
      INSERT INTO "Invitation" (id, "workspaceId", email, role, "expiresAt")
        SELECT gen_random_uuid(), '00000000-0000-4000-8000-000000000001', 'new-' || email, name::"Role", now()
        FROM "User"`)
    await migrateCatalog(url, known)
    const roles = async (sql: string) => (await before.query(sql)).rows
    const now = [
      { of: 'admin', role: 'editor' },
      { of: 'member', role: 'editor' },
      { of: 'owner', role: 'owner' },
    ]
    expect(
      await roles(
        `SELECT name AS of, role FROM "Membership" JOIN "User" ON id = "userId" ORDER BY 1`,
      ),
    ).toEqual(now)
    expect(
      await roles(
        `SELECT substring(email FROM 'new-(.*)@') AS of, role FROM "Invitation" ORDER BY 1`,
      ),
    ).toEqual(now)
    await before.end()
  })

  test('a migration that fails leaves nothing, names its line, and is tried again', async () => {
    const { url } = await createTestDatabase(server.url)
    const bad = broken('CREATE TABLE half (id int);\nSELECT nothing;')
    await expect(migrateCatalog(url, [...known, bad])).rejects.toThrow(
      `${bad.name} failed (line 2)`,
    )
    const good = { ...broken('CREATE TABLE half (id int);'), name: bad.name }
    expect(await migrateCatalog(url, [...known, good])).toEqual([bad.name])
  })
})

describe('the client', () => {
  test('times keep their instant whatever zone the database is set to', async () => {
    const { url } = await createTestDatabase(server.url)
    const catalog = createCatalog(url)
    await catalog.$executeRawUnsafe(
      `ALTER DATABASE "${new URL(url).pathname.slice(1)}" SET timezone = 'Asia/Tokyo'`,
    )
    await catalog.$disconnect()
    const later = createCatalog(url)
    const createdAt = new Date('2026-03-29T01:30:00.123Z')
    const { id } = await later.workspace.create({ data: { name: 'Zones', createdAt } })
    const found = await later.workspace.findFirst({ where: { createdAt } })
    const [row] = await later.$queryRaw<{ at: string }[]>`
      SELECT to_char("createdAt" AT TIME ZONE 'UTC', 'HH24:MI') AS at FROM "Workspace"`
    await later.$disconnect()
    expect(found).toMatchObject({ id, createdAt })
    expect(row?.at).toBe('01:30')
  })

  test('a connection prepares a statement once, and keeps no long one', async () => {
    const { url } = await createTestDatabase(server.url)
    const catalog = createCatalog(url, { poolSize: 1 })
    const sum = (text: string) => catalog.$queryRawUnsafe(`SELECT 1 + $1::int AS n -- ${text}`, 2)
    for (const text of ['short', 'short', 'x'.repeat(9000)]) {
      expect(await sum(text)).toEqual([{ n: 3 }])
    }
    const kept = await catalog.$queryRawUnsafe(
      `SELECT count(*)::int AS times FROM pg_prepared_statements WHERE statement LIKE '%1 + $1::int%'
        AND statement NOT LIKE '%pg_prepared_statements%'`,
    )
    expect(kept).toEqual([{ times: 1 }])
    await catalog.$disconnect()
  })

  if (isSoak) {
    test('after PostgreSQL was killed and started again the rows are there and queries work', async () => {
      const options = { dataDir: join(temporaryFolder(), 'postgres'), password: 'kill' }
      const first = await startPostgres(options)
      await migrateCatalog(first.url)
      const catalog = createCatalog(first.url)
      await catalog.workspace.createMany({ data: [{ name: 'a' }, { name: 'b' }] })
      // A busy session outlives its server unless someone ends it.
      const busy = catalog.$queryRaw`SELECT count(*) FROM generate_series(1, 1000000000)`
      const lost = busy.catch((error: unknown) => error)
      const open = catalog.$transaction(async (db) => {
        await db.workspace.create({ data: { name: 'never committed' } })
        await first.exited
        await db.workspace.count()
      })
      const torn = open.catch((error: unknown) => error)
      await sleep(200)
      process.kill(first.pid, 'SIGKILL')
      expect(await first.exited).toBeNull()
      const refused = await catalog.workspace.count().catch((error: unknown) => error)
      const second = await startPostgres({ ...options, port: first.port })
      const rows = await catalog.workspace.findMany({ orderBy: { name: 'asc' } })
      const errors = [refused, await lost, await torn]
      await catalog.$disconnect()
      await second.stop()
      expect(errors.map(isEngineDown)).toEqual([true, true, true])
      expect(rows.map(({ name }) => name)).toEqual(['a', 'b'])
    })
  }

  if (isSoak) {
    test('a statement that PostgreSQL refuses does not count as PostgreSQL being down', async () => {
      const catalog = createCatalog(server.url)
      const refused = await catalog.$queryRaw`SELECT 1 / 0`.catch((error: unknown) => error)
      await catalog.$disconnect()
      expect(refused).toBeInstanceOf(Error)
      expect(isEngineDown(refused)).toBe(false)
    })
  }
})

describe('the advisory lock', () => {
  test('a second holder waits as long as it said, and gets the lock once it is free', async () => {
    const hold = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    const first = withAdvisoryLock(
      server.url,
      'import:1',
      async () => {
        held.resolve()
        await hold.promise
      },
      { waitMs: 0 },
    )
    await held.promise
    const take = (key: string, waitMs: number) =>
      withAdvisoryLock(server.url, key, async () => key, { waitMs })
    await expect(take('import:1', 0)).rejects.toThrow(LockBusyError)
    await expect(take('import:1', 50)).rejects.toThrow(LockBusyError)
    expect(await take('import:2', 0)).toBe('import:2')
    const third = take('import:1', 10_000)
    hold.resolve()
    await first
    expect(await third).toBe('import:1')
  })

  test('the signal fires when the connection, and with it the lock, is lost', async () => {
    const catalog = createCatalog(server.url)
    const work = withAdvisoryLock(
      server.url,
      'import:3',
      async (signal) => {
        const lost = once(signal, 'abort')
        await catalog.$queryRaw`SELECT pg_terminate_backend(pid)::text FROM pg_locks
          WHERE locktype = 'advisory'`
        await lost
        return 'done'
      },
      { waitMs: 0 },
    )
    const error = await work.catch((reason: unknown) => reason)
    await catalog.$disconnect()
    expect(isEngineDown(error)).toBe(true)
  })
})
