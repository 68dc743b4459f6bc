import { Fault } from '../../core/errors.ts'
import type { Import } from '../../prisma/generated/client.ts'
import { recordEdits } from '../../resolvers/shared/audit-trail.ts'
import { type Project, whileRowsChange, withProject } from './lock.ts'
import { countsOf, type DatedKind, ImportRecord } from './record.ts'
import { announceImport, evaluateSoon, type ImportStores } from './runner.ts'
import { dropStaged, publishRows } from './staged-rows.ts'
import { removeLink } from './undo-link.ts'

const killed = 'The import was cut off before its end, and changed nothing. Import the file again.'

/**
 * Ends imports by day whose process was killed: one that had begun to show its rows is finished, another is undone. Call
 * it under `importLock`, which a running import holds.
 * @param running the import that the caller runs
 */
export async function settleImports(
  stores: ImportStores,
  project: Project,
  running?: ImportRecord,
): Promise<void> {
  const left = await stores.db.import.findMany({
    where: {
      projectId: project.id,
      stage: { not: null },
      id: { notIn: running ? [running.id] : [] },
    },
    orderBy: { startedAt: 'asc' },
  })
  if (left.length === 0) return
  await whileRowsChange(stores.databaseUrl, async () => {
    for (const of of left) {
      if (of.stage === 'publishing') await finish(stores, project, of)
      else await undoStaged(stores, project, of, killed)
    }
  })
}

async function finish(stores: ImportStores, project: Project, of: Import): Promise<void> {
  const { db, warehouse } = stores
  const { id: importId, projectId, kind } = of
  await publishRows(warehouse, kind as DatedKind, { projectId, importId })
  await ImportRecord.of(db, project, of).finish(countsOf(of))
  await announceImport(db, project)
  await evaluateSoon(db, projectId)
}

/** Undoes an import whose rows no reader has seen. The import stays in the list with the reason, or leaves it. */
async function undoStaged(
  { db, warehouse }: ImportStores,
  { workspaceId }: Project,
  of: Import,
  failure: string | null,
): Promise<void> {
  const { id, projectId, userId, keyId } = of
  await dropStaged(warehouse, of.kind as DatedKind, { projectId, importId: id })
  await db.$transaction(async (tx) => {
    const edits = await removeLink(tx, of)
    await recordEdits(tx, { userId, keyId }, { workspaceId, projectId }, edits)
    if (failure === null) await tx.import.deleteMany({ where: { id } })
    else await tx.import.updateMany({ where: { id }, data: { stage: null, failure } })
  })
}

/** Ends an import after an error. One that shows its rows is left: `settleImports` finishes it. */
export async function endStaged(
  stores: ImportStores,
  project: Project,
  { id }: ImportRecord,
): Promise<void> {
  const of = await stores.db.import.findFirst({ where: { id, stage: 'staging' } })
  if (of) await undoStaged(stores, project, of, null)
}

/** Ends the imports by day of all projects whose process was killed. Those that run are left alone. */
export async function settleKilledImports(stores: ImportStores): Promise<void> {
  const left = await stores.db.import.findMany({
    where: { stage: { not: null } },
    select: { projectId: true },
    distinct: ['projectId'],
  })
  for (const { projectId } of left) {
    const settle = (project: Project) => settleImports(stores, project)
    await withProject(stores, { projectId, waitMs: 0 }, settle).catch((error) => {
      const isOver = error instanceof Fault && ['rate_limited', 'not_found'].includes(error.code)
      if (!isOver) throw error
    })
  }
}
