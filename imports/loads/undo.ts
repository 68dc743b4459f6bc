import { z } from 'zod'
import { notFound } from '../../core/errors.ts'
import type { Db } from '../../prisma/client.ts'
import type { Import } from '../../prisma/generated/client.ts'
import { endAsksAsBefore } from '../../resolvers/collecting/reread.ts'
import { newPromptsOf, takeBackPrompts } from '../../resolvers/prompts/undo.ts'
import { type Actor, type Edit, recordEdits } from '../../resolvers/shared/audit-trail.ts'
import { run, type Warehouse } from '../../warehouse/run.ts'
import { requireProject, underLock, whileRowsChange } from './lock.ts'
import type { ImportKind } from './record.ts'
import { endReplacing, firstDayOf } from './replaced.ts'
import { announceImport, evaluateSoon, type ImportStores } from './runner.ts'
import { settleImports } from './settle.ts'
import { removeLink } from './undo-link.ts'
import { accessLogLock, forgetLog, removeHits } from './undo-logs.ts'
import { restoreRecords } from './undo-records.ts'
import { removeDated, removeTexts } from './undo-rows.ts'

export interface UndoOptions {
  readonly projectId: string
  readonly importId: string
  /** How long to wait for another import into the project. 10 minutes by default. */
  readonly waitMs?: number
}

export interface UndoResult {
  readonly import: Import
  /** False for an import that was undone before. */
  readonly changed: boolean
}

/** @throws {Fault} `not_found` */
async function findImport(db: Db, projectId: string, importId: string): Promise<Import> {
  const isId = z.guid().safeParse(importId).success
  const found = isId ? await db.import.findFirst({ where: { id: importId, projectId } }) : null
  if (!found) throw notFound()
  return found
}

/**
 * Undoes an import: exactly its rows go, at once for readers. Records of the catalog and answers that the import had
 * replaced come back; other rows of the warehouse do not. Of prompts, new ones go, but for those that were asked or edited
 * since, which are archived; changed ones are as before unless edited since. A connection that the import made goes when no other import needs it.
 * @throws {Fault} `not_found`; `rate_limited` when another import does not end within `waitMs`; 502 when the warehouse
 *   is away: a second call goes on
 */
export async function undoImport(
  stores: ImportStores,
  actor: Actor,
  { projectId, importId, ...lock }: UndoOptions,
): Promise<UndoResult> {
  const { db, databaseUrl } = stores
  const project = await requireProject(db, projectId)
  const found = await findImport(db, projectId, importId)
  const log = found.accessLogId ? await accessLogLock(db, found.accessLogId) : undefined
  return underLock(
    databaseUrl,
    { projectId, ...lock, ...(log ? { lockKey: log } : {}) },
    async () => {
      // One that was killed must not be finished after its undo.
      if (found.stage !== null) await settleImports(stores, project)
      const current = await findImport(db, projectId, importId)
      if (current.undoneAt !== null) return { import: current, changed: false }
      await removeRows(stores, current)
      const answered = current.kind === 'prompts' ? await answeredOf(stores, current) : []
      const undone = await db.$transaction((tx) =>
        undoInCatalog(tx, stores.warehouse, actor, current, answered),
      )
      await announceImport(db, await requireProject(db, projectId))
      await evaluateSoon(db, projectId)
      return { import: undone, changed: true }
    },
  )
}

/** Removes the rows of tables without loads. */
async function removeRows({ databaseUrl, warehouse }: ImportStores, of: Import): Promise<void> {
  const kind = of.kind as ImportKind
  if (kind === 'web_analytics' || kind === 'search_console') {
    await whileRowsChange(databaseUrl, () => removeDated(warehouse, kind, of))
  } else if (kind === 'page_contents') {
    await whileRowsChange(databaseUrl, () => removeTexts(warehouse, of))
  } else if (kind === 'access_log') {
    await whileRowsChange(databaseUrl, () => removeHits(warehouse, of))
  }
}

/** New prompts of an import whose answers readers see. */
async function answeredOf({ db, warehouse }: ImportStores, of: Import): Promise<string[]> {
  const prompts = await newPromptsOf(db, of.id)
  const { visibleLoad, deadLoads } = await requireProject(db, of.projectId)
  return run(warehouse, {
    id: 'undo.answered',
    sql: `SELECT DISTINCT prompt_id AS id FROM answers
       WHERE project_id = {projectId:UUID} AND load_seq <= {visibleLoad:UInt32}
         AND load_seq NOT IN {deadLoads:Array(UInt32)} AND prompt_id IN {prompts:Array(UUID)}`,
    params: { projectId: of.projectId, visibleLoad, deadLoads, prompts },
    row: ({ id }) => String(id),
  })
}

const recordTables = {
  pages: { name: 'Page', key: ['url'] },
  articles: { name: 'Article', key: ['source', 'slug'] },
  domain_authority: { name: 'DomainAuthority', key: ['date'] },
} as const

async function undoInCatalog(
  tx: Db,
  warehouse: Warehouse,
  actor: Actor,
  of: Import,
  answered: readonly string[],
): Promise<Import> {
  const { id, projectId } = of
  const kind = of.kind as ImportKind
  const { workspaceId } = await tx.project.findUniqueOrThrow({ where: { id: projectId } })
  if (kind === 'prompts') {
    await takeBackPrompts(tx, actor, { id: projectId, workspaceId }, { importId: id, answered })
  }
  if (kind === 'answers') await hideLoad(tx, warehouse, of)
  if (kind === 'access_log') await forgetLog(tx, of)
  if (kind in recordTables) {
    await restoreRecords(tx, of, recordTables[kind as keyof typeof recordTables])
  }
  const undone = await tx.import.update({ where: { id }, data: { undoneAt: new Date() } })
  const unlinked = await removeLink(tx, of)
  const before = { kind, file: of.file, loaded: Number(of.loaded) }
  const edit: Edit = { action: 'import.undo', subject: ['import', id], before }
  await recordEdits(tx, actor, { workspaceId, projectId }, [edit, ...unlinked])
  return undone
}

/**
 * The rows of a dead load are removed by later imports. Loads that the import had replaced come back, and questions end
 * as before it.
 */
async function hideLoad(tx: Db, warehouse: Warehouse, of: Import) {
  const { projectId, loadSeq } = of
  if (loadSeq === null) return
  const { shown, hidden } = await endReplacing(tx, of)
  await endAsksAsBefore(tx, of)
  const project = await tx.project.findUniqueOrThrow({ where: { id: projectId } })
  const { visibleLoad } = project
  const staysDead = (load: number) => !shown.includes(load)
  const deadLoads = [...new Set([...project.deadLoads.filter(staysDead), ...hidden, loadSeq])]
  const dataAvailableFrom = await firstDayOf(warehouse, { projectId, visibleLoad, deadLoads })
  await tx.project.update({ where: { id: projectId }, data: { deadLoads, dataAvailableFrom } })
}
