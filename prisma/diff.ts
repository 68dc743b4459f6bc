import { mkdtempSync, rmSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from './embedded/postgres.ts'
import { MIGRATIONS_DIR, migrateCatalog } from './migrate.ts'
import { openSchemaEngine, SCHEMA_FILES } from './schema-engine.ts'

const EMPTY = '-- This is an empty migration.'

/** The SQL that leads from the migrations to schema.prisma, '' when they agree. */
async function diffSchema(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-diff-'))
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), password: 'diff' })
  try {
    await migrateCatalog(postgres.url)
    return await askEngine(postgres.url)
  } finally {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function askEngine(databaseUrl: string): Promise<string> {
  const { engine, close } = await openSchemaEngine(databaseUrl)
  try {
    const { stdout } = await engine.diff({
      from: { tag: 'schemaDatasource', files: SCHEMA_FILES, configDir: import.meta.dirname },
      to: { tag: 'schemaDatamodel', files: SCHEMA_FILES },
      script: true,
      exitCode: null,
      filters: { externalTables: [], externalEnums: [] },
    })
    return stdout === null || stdout.startsWith(EMPTY) ? '' : stdout
  } finally {
    await close()
  }
}

/** @returns the migration's path; its name begins with the time, in UTC, as Prisma's do */
async function writeMigration(label: string, sql: string): Promise<string> {
  const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14)
  const folder = join(MIGRATIONS_DIR, `${stamp}_${label}`)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'migration.sql'), sql)
  return join(folder, 'migration.sql')
}

const { values, positionals } = parseArgs({
  options: { check: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const label = positionals[0] ?? ''
if (!values.check && !/^[a-z][a-z0-9_]*$/.test(label)) {
  process.stderr.write('Usage: node prisma/diff.ts NAME (such as add_reports), or --check\n')
  process.exit(2)
}
const sql = await diffSchema()
if (sql === '') {
  process.stdout.write('The migrations and schema.prisma agree.\n')
} else if (values.check) {
  process.stderr.write(
    `The migrations and schema.prisma differ by:\n\n${sql}\nRun: node prisma/diff.ts NAME\n`,
  )
  process.exitCode = 1
} else {
  process.stdout.write(`${await writeMigration(label, sql)}\n`)
}
