import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from } from 'pg-copy-streams'
import { run } from '../../warehouse/run.ts'
import type { BenchService } from '../service.ts'

/** Columns of the copies, as both engines name them. */
const columns = {
  answers: 'project_id, day',
  citations:
    'project_id, day, domain, host, url, model, content_type, registry_type, first_of_domain',
  mentions: 'project_id, day, brand_id, is_own, occurrences, rank',
} as const

const tables = [
  'CREATE TABLE answers (project_id uuid, day date)',
  `CREATE TABLE citations (project_id uuid, day date, domain text, host text, url text, model text, content_type text,
     registry_type text, first_of_domain smallint)`,
  `CREATE TABLE mentions (project_id uuid, day date, brand_id uuid, is_own smallint, occurrences int, rank int)`,
]

/** One index for each question, which holds all that the question reads. */
const indexes = [
  'CREATE INDEX ON answers (project_id, day)',
  'CREATE INDEX ON citations (project_id, day, domain) INCLUDE (first_of_domain)',
  `CREATE INDEX ON citations (project_id, day, domain)
     INCLUDE (url, host, model, content_type, registry_type)`,
  'CREATE INDEX ON mentions (project_id, day, brand_id) INCLUDE (occurrences)',
  'CREATE INDEX ON mentions (project_id, is_own, day) INCLUDE (occurrences, rank)',
]

/** Copies the facts of the project from the warehouse into a schema of PostgreSQL, with covering indexes. */
export async function copyFacts(
  postgres: pg.Client,
  { warehouse, projectId }: BenchService,
): Promise<void> {
  await postgres.query('CREATE SCHEMA facts; SET search_path TO facts')
  for (const table of tables) await postgres.query(table)
  const days = await run<{ day: string }>(warehouse, {
    id: 'bench.days',
    sql: 'SELECT DISTINCT toString(day) AS day FROM answers WHERE project_id = {project:UUID}',
    params: { project: projectId },
  })
  for (const [table, names] of Object.entries(columns)) {
    for (const { day } of days) {
      const { bytes } = await warehouse.send({
        queryId: `bench.copy.${table}.${day}`,
        sql: `SELECT ${names} FROM ${table}
          WHERE project_id = {project:UUID} AND day = {day:Date} FORMAT TabSeparated`,
        params: { project: projectId, day },
        timeoutMs: 60_000,
      })
      await pipeline(
        Readable.from([bytes]),
        postgres.query(from(`COPY ${table} (${names}) FROM STDIN`)),
      )
    }
  }
  for (const index of indexes) await postgres.query(index)
  for (const table of Object.keys(columns)) await postgres.query(`VACUUM ANALYZE ${table}`)
}
