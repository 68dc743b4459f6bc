import { randomUUID } from 'node:crypto'
import { Fault } from '../../core/errors.ts'
import { type Catalog, type Db, patiently } from '../../prisma/client.ts'
import { command, run, type Warehouse } from '../../warehouse/run.ts'
import { noProject } from './lock.ts'

/** The tables whose rows belong to a load. `answers` is written last. */
export const factTables = [
  'citations',
  'retrieved_urls',
  'mentions',
  'fanout_queries',
  'product_mentions',
  'ad_impressions',
  'answers',
] as const
export type FactTable = (typeof factTables)[number]

/** A request that began longer ago has ended. */
export const longestRequestMs = 60_000

/** One attempt to import into a project. Readers see its rows, which carry `seq`, after `showLoad`. */
export interface Load {
  readonly projectId: string
  readonly seq: number
  /** Unique to this attempt. `seq` is not: a restored catalog repeats some numbers. */
  readonly attempt: string
  readonly analysis: number
  /** The newest load that readers see. */
  readonly visibleLoad: number
  /** Interrupted loads below `visibleLoad`; readers do not see them. */
  readonly deadLoads: readonly number[]
  /** The dead loads once readers see this load. */
  readonly deadAfter: readonly number[]
}

/**
 * Takes the next number, and starts to remove the rows of interrupted loads. Call it under `importLock`.
 * @throws {Fault} `not_found`
 */
export async function beginLoad(
  db: Catalog,
  warehouse: Warehouse,
  projectId: string,
): Promise<Load> {
  const before = await db.project.findUnique({
    where: { id: projectId },
    select: { updatedAt: true },
  })
  const [project] = await patiently(() =>
    db.project.updateManyAndReturn({
      where: { id: projectId },
      data: { lastLoad: { increment: 1 } },
      select: { lastLoad: true, visibleLoad: true, deadLoads: true, analysis: true },
    }),
  )
  if (!project) throw noProject(projectId)
  const { lastLoad: seq, visibleLoad, deadLoads, analysis } = project
  const unseen = Array.from({ length: seq - 1 - visibleLoad }, (_, at) => visibleLoad + 1 + at)
  const isSettled = Date.now() - (before?.updatedAt.getTime() ?? 0) > longestRequestMs
  const kept = await replacedLoads(db, projectId)
  const read = isSettled ? [] : await withAnswers(warehouse, projectId, deadLoads)
  const held = [...new Set([...kept, ...read])]
  const over = deadLoads.filter((dead) => !held.includes(dead))
  const remaining = await sweep(warehouse, projectId, [...over, ...unseen])
  for (const dead of held) remaining.add(dead)
  // An unseen load may still have an insert on its way. A dead load without rows gets none any more.
  const deadAfter = [...deadLoads.filter((dead) => remaining.has(dead)), ...unseen]
  const attempt = randomUUID()
  return { projectId, seq, attempt, analysis, visibleLoad, deadLoads, deadAfter }
}

/**
 * Takes further numbers for a load that gets the rows of `count` loads again, one number for each of them.
 * @returns the load at its last number, which is the first one where it gets none or one
 * @throws {Fault} 502 when another import took over the project
 */
export async function takeNumbers(db: Catalog, load: Load, count: number): Promise<Load> {
  const { projectId, seq, analysis } = load
  const last = seq + Math.max(0, count - 1)
  if (last === seq) return load
  const where = { id: projectId, lastLoad: seq, analysis }
  const taken = await patiently(() => db.project.updateMany({ where, data: { lastLoad: last } }))
  if (taken.count !== 1) throw takenOver()
  return { ...load, seq: last }
}

/** The loads that come back when the import that replaced them is undone, the oldest first. */
export async function replacedLoads(db: Db, projectId: string): Promise<number[]> {
  const rows = await db.replacedLoad.findMany({
    where: { import: { projectId } },
    select: { former: true },
    orderBy: { former: 'asc' },
  })
  return rows.map(({ former }) => former)
}

/** Replaced loads, which a request that began before may still read. Interrupted ones are swept when they are found. */
async function withAnswers(
  warehouse: Warehouse,
  projectId: string,
  loads: readonly number[],
): Promise<number[]> {
  if (loads.length === 0) return []
  return run(warehouse, {
    id: 'imports.replaced',
    sql: `SELECT DISTINCT load_seq FROM answers
      WHERE project_id = {projectId:UUID} AND load_seq IN {loads:Array(UInt32)}`,
    params: { projectId, loads },
    row: ({ load_seq }) => Number(load_seq),
  })
}

/**
 * Removes the rows of these loads in the background. Readers do not see these rows.
 * @returns the loads that still had rows
 */
async function sweep(
  warehouse: Warehouse,
  projectId: string,
  loads: readonly number[],
): Promise<Set<number>> {
  const remaining = new Set<number>()
  if (loads.length === 0) return remaining
  const where = 'WHERE project_id = {projectId:UUID} AND load_seq IN {loads:Array(UInt32)}'
  for (const table of factTables) {
    const found = await run(warehouse, {
      id: 'imports.remaining',
      sql: `SELECT DISTINCT load_seq FROM ${table} ${where}`,
      params: { projectId, loads },
      row: ({ load_seq }) => Number(load_seq),
    })
    if (found.length === 0) continue
    for (const load of found) remaining.add(load)
    await command(warehouse, {
      id: 'imports.sweep',
      sql: `DELETE FROM ${table} ${where} SETTINGS lightweight_deletes_sync = 0`,
      params: { projectId, loads: found },
    })
  }
  return remaining
}

/** What readers see together with a load. */
export interface ShownWith {
  /** The analysis that readers see from now on. */
  readonly analysis?: number
  /** Loads whose rows this one has again, by their new numbers. */
  readonly renumbered?: ReadonlyMap<number, number>
  /** The import whose undo brings these loads back. Without it they are gone. */
  readonly replacedBy?: string
}

/**
 * Makes the whole load visible to readers at once, and marks interrupted loads since the last one as dead.
 * @param firstDay the earliest day with a new answer, `YYYY-MM-DD`; null without new answers
 * @throws {Fault} 502 when another import or analysis took over the project: readers see no change
 */
export function showLoad(
  db: Catalog,
  load: Load,
  firstDay: string | null,
  next: ShownWith = {},
): Promise<void> {
  return patiently(() => showIn(db, load, firstDay, next))
}

/** As `showLoad`, in a transaction of the caller. */
export async function showIn(
  db: Db,
  load: Load,
  firstDay: string | null,
  next: ShownWith,
): Promise<void> {
  const { projectId, seq, analysis } = load
  const { analysis: nextAnalysis = analysis, renumbered = new Map<number, number>() } = next
  const replacedBy = next.replacedBy ?? null
  const [from, to] = [[...renumbered.keys()], [...renumbered.values()]]
  // Not the clock of PostgreSQL: every other write has the clock of its process, and so has who compares them.
  const now = new Date()
  const deadAfter = [...new Set([...load.deadAfter, ...from])]
  // The conditions on load and analysis fail once another import or analysis has begun.
  const shown = await db.$queryRaw<unknown[]>`
    WITH shown AS (
      UPDATE "Project" SET
        "visibleLoad" = ${seq}::int,
        "deadLoads" = ${deadAfter}::int[],
        "dataAvailableFrom" = LEAST("dataAvailableFrom", ${firstDay}::date),
        "analysis" = ${nextAnalysis}::int,
        "updatedAt" = ${now}::timestamptz
      WHERE "id" = ${projectId}::uuid AND "lastLoad" = ${seq}::int AND "analysis" = ${analysis}::int
      RETURNING "id"),
    renumbered AS (
      SELECT shown."id", n."from", n."to" FROM shown, unnest(${from}::int[], ${to}::int[]) AS n("from", "to")),
    moved AS (
      UPDATE "Import" i SET "loadSeq" = n."to"
        FROM renumbered n WHERE i."projectId" = n."id" AND i."loadSeq" = n."from"),
    kept AS (
      INSERT INTO "ReplacedLoad" ("importId", "former", "current")
      SELECT ${replacedBy}::uuid, n."from", n."to" FROM renumbered n WHERE ${replacedBy}::uuid IS NOT NULL),
    followed AS (
      UPDATE "ReplacedLoad" r SET "current" = n."to"
        FROM renumbered n JOIN "Import" i ON i."projectId" = n."id"
       WHERE ${replacedBy}::uuid IS NULL AND r."importId" = i."id" AND r."current" = n."from"),
    older AS (
      UPDATE "SentimentRater" s SET "olderLoads" = s."olderLoads" || n."to"
        FROM (SELECT r."projectId", array_agg(n."to") AS "to"
                FROM renumbered n JOIN "SentimentRater" r ON r."projectId" = n."id"
               WHERE n."from" <= r."sinceLoad" OR n."from" = ANY(r."olderLoads")
               GROUP BY r."projectId") n
       WHERE s."projectId" = n."projectId")
    SELECT 1 AS found FROM shown`
  if (shown.length !== 1) throw takenOver()
}

function takenOver(): Fault {
  const message =
    'Another import or analysis took over the project. This one changed nothing: run it again.'
  return new Fault('internal_error', message, { status: 502, retryable: true })
}
