import type { Import } from '../../prisma/generated/client.ts'
import { command, type Warehouse } from '../../warehouse/run.ts'
import { withRetries } from './insert-batches.ts'

/** A table with many parts takes long to mark rows as deleted while the machine is busy. */
const removalTimeoutMs = 120_000

const keys = {
  search_console: 'day, query, page, country, device, part, engine',
  web_analytics: 'day, host, page, source, medium, part',
  page_contents: 'url, origin',
} as const

/** Removes rows by their key: an older version of a row would come back otherwise, until the engine merges both. */
async function removeKeys(
  warehouse: Warehouse,
  table: keyof typeof keys,
  { id, projectId }: Import,
): Promise<void> {
  const sql = `DELETE FROM ${table} WHERE project_id = {projectId:UUID} AND (${keys[table]}) IN (
    SELECT ${keys[table]} FROM ${table} FINAL
     WHERE project_id = {projectId:UUID} AND import_id = {importId:UUID})`
  const params = { projectId, importId: id }
  const statement = { id: 'undo.rows', sql, params, timeoutMs: removalTimeoutMs }
  await withRetries(() => command(warehouse, statement))
}

/** Removes the rows by day that the import brought, unless a later one has replaced them. */
export function removeDated(
  warehouse: Warehouse,
  table: 'search_console' | 'web_analytics',
  of: Import,
): Promise<void> {
  return removeKeys(warehouse, table, of)
}

/** Removes the texts of pages that the import brought. */
export function removeTexts(warehouse: Warehouse, of: Import): Promise<void> {
  return removeKeys(warehouse, 'page_contents', of)
}
