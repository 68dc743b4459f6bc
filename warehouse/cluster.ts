import type { Settings } from './http.ts'

/**
 * A ClickHouse cluster in place of one server. Each table of facts is two: `answers_local` is replicated on the servers
 * of a shard, and `answers` is the same on all shards. A project has all its rows on one shard, so that a statement
 * about a project joins its tables there.
 */

/** The suffix of the table that one server has itself. */
const local = (table: string) => (table.endsWith('_local') ? table : `${table}_local`)

/** What each statement needs on a cluster. */
export const clusterSettings: Settings = {
  // A confirmed insert is on the shard, and on most of its replicas.
  distributed_foreground_insert: 1,
  insert_quorum: 'auto',
  // All read the first replica that answers, which has what was confirmed before.
  load_balancing: 'in_order',
  optimize_skip_unused_shards: 1,
  distributed_product_mode: 'local',
  allow_nondeterministic_mutations: 1,
}

const blank = /^(?:\s|--[^\n]*\n)+/
const createTable = /^CREATE TABLE IF NOT EXISTS (\w+)/i
const createView = /^CREATE MATERIALIZED VIEW IF NOT EXISTS (\w+)/i
const dropTable = /^DROP (TABLE|VIEW) IF EXISTS (\w+)/i
const alterTable = /^ALTER TABLE [`"]?(\w+)[`"]?/i
const deleteFrom = /^DELETE FROM [`"]?(\w+)[`"]?/i
/** Statements that a server distributes by itself. */
const passed =
  /^(?:SELECT|WITH|INSERT|EXPLAIN|SHOW|DESCRIBE|EXISTS|SYSTEM|SET|KILL|CREATE DATABASE|DROP DATABASE)\b/i
const shared = 'schema_migrations'
/** How `distributedTables` begins: statements that are for a cluster already. */
const ready = 'CREATE OR REPLACE TABLE'

/**
 * The statement for a cluster: a change runs on all servers, on the tables that each has itself.
 * @throws {Error} for a change of a kind that no migration had
 */
export function onCluster(statement: string, cluster: string): string {
  const sql = statement.replace(blank, '').trimStart()
  if (sql.startsWith(ready)) return sql
  const on = `ON CLUSTER ${cluster}`
  const table = createTable.exec(sql)?.[1]
  if (table === shared) return replicated(sql.replace(createTable, `$& ${on}`), everyServer)
  if (table !== undefined) {
    return replicated(sql.replace(createTable, `CREATE TABLE IF NOT EXISTS ${local(table)} ${on}`))
  }
  const view = createView.exec(sql)?.[1]
  if (view !== undefined) {
    const head = `CREATE MATERIALIZED VIEW IF NOT EXISTS ${local(view)} ${on}`
    return head + ofServer(sql.replace(createView, ''))
  }
  const [, kind = '', dropped] = dropTable.exec(sql) ?? []
  if (dropped !== undefined) return `DROP ${kind} IF EXISTS ${local(dropped)} ${on}`
  const altered = alterTable.exec(sql)?.[1]
  if (altered !== undefined) {
    return `ALTER TABLE ${local(altered)} ${on}${ofServer(sql.replace(alterTable, ''))}`
  }
  const emptied = deleteFrom.exec(sql)?.[1]
  if (emptied !== undefined) {
    return `DELETE FROM ${local(emptied)} ${on}${ofServer(sql.replace(deleteFrom, ''))}`
  }
  if (!passed.test(sql)) throw new Error(`No rule puts this statement on a cluster: ${sql}`)
  return sql.replace(/\bsystem\.parts\b/g, `clusterAllReplicas(${cluster}, system.parts)`)
}

/** The table of all shards, after each change of the tables that servers have themselves. */
export function distributedTables(statements: readonly string[], cluster: string): string[] {
  const changed = statements.flatMap((statement) => {
    const sql = statement.replace(blank, '')
    return createTable.exec(sql)?.[1] ?? alterTable.exec(sql)?.[1] ?? []
  })
  const tables = [...new Set(changed)].filter((table) => table !== shared)
  return tables.map(
    (table) =>
      `${ready} ${table} ON CLUSTER ${cluster} AS ${local(table)}
       ENGINE = Distributed(${cluster}, currentDatabase(), ${local(table)}, cityHash64(project_id))`,
  )
}

const tablePath = `'/clickhouse/tables/{shard}/{database}/{table}', '{replica}'`
/** A table that is whole on each server of the cluster. */
const everyServer = `'/clickhouse/tables/all/{database}/{table}', '{shard}-{replica}'`

/** An engine of the MergeTree family with its replicated twin. */
function replicated(sql: string, path = tablePath): string {
  return sql
    .replace(
      /\bENGINE\s*=\s*(\w*MergeTree)\b(?:\s*\(([^)]*)\))?/i,
      (_, engine: string, args: string | undefined) =>
        `ENGINE = Replicated${engine}(${[path, args].filter(Boolean).join(', ')})`,
    )
    .replace(/\bnon_replicated_deduplication_window\b/g, 'replicated_deduplication_window')
}

/** The rest of a change, with the tables that the server has itself. */
const ofServer = (rest: string) =>
  rest.replace(/\b(FROM|JOIN|TO)\s+([a-z]\w*)\b(?!\s*[.(])/gi, (_, word: string, table: string) => {
    return `${word} ${local(table)}`
  })
