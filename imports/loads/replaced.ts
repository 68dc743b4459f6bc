import type { Db } from '../../prisma/client.ts'
import type { Import } from '../../prisma/generated/client.ts'
import { run, type Warehouse } from '../../warehouse/run.ts'

/** The loads that an undo brings back, and those that it hides. */
export interface Swap {
  readonly shown: readonly number[]
  readonly hidden: readonly number[]
}

/**
 * Ends what an import replaced. Its former loads come back, with the imports that they belong to. A load that a later
 * import replaced again stays with that one, whose undo then brings back the former one.
 */
export async function endReplacing(tx: Db, { id, projectId, loadSeq }: Import): Promise<Swap> {
  const pairs = await tx.replacedLoad.findMany({ where: { import: { projectId } } })
  const byFormer = new Map(pairs.map((pair) => [pair.former, pair]))
  const own = pairs.filter(({ importId }) => importId === id)
  await tx.replacedLoad.deleteMany({ where: { importId: id } })
  const back: { former: number; current: number }[] = []
  for (const { former, current } of own) {
    const later = byFormer.get(current)
    if (later) {
      const where = { importId_former: { importId: later.importId, former: current } }
      await tx.replacedLoad.update({ where, data: { former } })
    } else back.push({ former, current })
  }
  await forgetFormer(tx, loadSeq, pairs)
  const [shown, hidden] = [back.map(({ former }) => former), back.map(({ current }) => current)]
  await tx.$executeRaw`
    UPDATE "Import" i SET "loadSeq" = n."to"
      FROM unnest(${hidden}::int[], ${shown}::int[]) AS n("from", "to")
     WHERE i."projectId" = ${projectId}::uuid AND i."loadSeq" = n."from"`
  return { shown, hidden }
}

type Pair = { readonly importId: string; readonly former: number; readonly current: number }

/** The load of an undone import comes back by no undo of those that replaced it. */
async function forgetFormer(tx: Db, loadSeq: number | null, pairs: readonly Pair[]): Promise<void> {
  let current = loadSeq
  while (current !== null) {
    const pair = pairs.find((each) => each.current === current)
    if (pair) {
      const { importId, former } = pair
      await tx.replacedLoad.deleteMany({ where: { importId, former } })
    }
    current = pair?.former ?? null
  }
}

/** The earliest day with an answer in visible loads, `YYYY-MM-DD`; null without one. */
export async function firstDayOf(
  warehouse: Warehouse,
  {
    projectId,
    visibleLoad,
    deadLoads,
  }: {
    readonly projectId: string
    readonly visibleLoad: number
    readonly deadLoads: readonly number[]
  },
): Promise<Date | null> {
  const [firstDay = null] = await run(warehouse, {
    id: 'imports.first-day',
    sql: `SELECT toString(min(day)) AS firstDay FROM answers
      WHERE project_id = {projectId:UUID} AND load_seq <= {visibleLoad:UInt32}
        AND load_seq NOT IN {deadLoads:Array(UInt32)} HAVING count() > 0`,
    params: { projectId, visibleLoad, deadLoads },
    row: ({ firstDay: day }) => String(day),
  })
  return firstDay === null ? null : new Date(`${firstDay}T00:00:00Z`)
}
