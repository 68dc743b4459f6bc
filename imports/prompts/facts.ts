import { Fault } from '../../core/errors.ts'
import { type Catalog, type Db, patiently } from '../../prisma/client.ts'
import { run, type Warehouse } from '../../warehouse/run.ts'
import { copyRenumbered, countAnswers } from '../loads/copy.ts'
import {
  beginLoad,
  factTables,
  type Load,
  replacedLoads,
  showIn,
  takeNumbers,
} from '../loads/loads.ts'

/** What happens to the answers of prompts. */
export interface PromptFacts {
  /** Prompts whose answers go to another prompt, with that one. */
  readonly moved: ReadonlyMap<string, string>
  /** Prompts whose answers are deleted. */
  readonly removed: readonly string[]
}

/** Loads that were written again, under numbers of their own, and that no reader sees yet. */
interface Rewritten {
  readonly load: Load
  /** New numbers of the loads that readers see. */
  readonly numbers: ReadonlyMap<number, number>
  /** New numbers of the loads that come back when an import is undone. */
  readonly former: ReadonlyMap<number, number>
  readonly answers: number
}

const timeoutMs = 600_000

interface LoadCount {
  readonly load: number
  readonly answers: number
  readonly removed: number
}

/** Of the transaction. */
const showMs = 60_000

/**
 * Changes prompts in the catalog together with their answers: readers see both at the same time. When the process is killed
 * before, nothing is changed.
 * @param inCatalog the change of the catalog
 * @returns how many answers that readers saw are gone
 * @throws {Fault} 502 when another import took over the project, or the warehouse is away
 */
export async function changeWithAnswers(
  stores: { readonly db: Catalog; readonly warehouse: Warehouse },
  projectId: string,
  facts: PromptFacts,
  lockLost: AbortSignal,
  inCatalog: (tx: Db) => Promise<void>,
): Promise<number> {
  const { db, warehouse } = stores
  const begun = await beginLoad(db, warehouse, projectId)
  const rewritten = await rewriteFacts(stores, begun, facts, lockLost)
  lockLost.throwIfAborted()
  const show = () =>
    db.$transaction(
      async (tx) => {
        await inCatalog(tx)
        await showRewritten(tx, rewritten, projectId)
      },
      { timeout: showMs },
    )
  await patiently(show)
  return rewritten.answers
}

/**
 * Writes each load with an answer of these prompts again, with the change. It takes the numbers of `begun`, and changes
 * nothing that readers see: when the process is killed, the next import sweeps what it wrote.
 * @throws {Fault} 502 when the new loads then lack answers
 */
async function rewriteFacts(
  { db, warehouse }: { readonly db: Catalog; readonly warehouse: Warehouse },
  begun: Load,
  facts: PromptFacts,
  stop: AbortSignal,
): Promise<Rewritten> {
  const { projectId, visibleLoad, deadLoads } = begun
  const replaced = await replacedLoads(db, projectId)
  const counts = await countsOf(warehouse, begun, facts)
  const isVisible = (load: number) => load <= visibleLoad && !deadLoads.includes(load)
  const affected = counts.filter(({ load }) => isVisible(load) || replaced.includes(load))
  const load = await takeNumbers(db, begun, affected.length)
  const numbers = new Map(affected.map((each, at) => [each.load, begun.seq + at]))
  await copy(warehouse, load, facts, numbers, stop)
  const expected = affected.reduce((sum, { answers, removed }) => sum + answers - removed, 0)
  const found = await countAnswers(warehouse, projectId, [...numbers.values()])
  if (found !== expected) {
    const message = `The warehouse has ${found} of ${expected} answers. Nothing was changed: run it again.`
    throw new Fault('internal_error', message, { status: 502, retryable: true })
  }
  const of = (isOf: (seq: number) => boolean) =>
    new Map([...numbers].filter(([former]) => isOf(former)))
  const answers = affected
    .filter((each) => isVisible(each.load))
    .reduce((sum, each) => sum + each.removed, 0)
  return { load, numbers: of(isVisible), former: of((seq) => !isVisible(seq)), answers }
}

/** Shows what was rewritten, in a transaction of the caller. */
async function showRewritten(
  tx: Db,
  { load, numbers, former }: Rewritten,
  importsOf: string,
): Promise<void> {
  const deadAfter = [...load.deadAfter, ...former.values()]
  await showIn(tx, { ...load, deadAfter }, null, { renumbered: numbers })
  for (const [from, to] of former) {
    await tx.replacedLoad.updateMany({
      where: { former: from, import: { projectId: importsOf } },
      data: { former: to },
    })
  }
}

const changed = 'prompt_id IN {movedFrom:Array(UUID)} OR prompt_id IN {removed:Array(UUID)}'

const paramsOf = ({ moved, removed }: PromptFacts) => ({
  movedFrom: [...moved.keys()],
  movedTo: [...moved.values()],
  removed,
})

/** The answers of each load that has some of these prompts. `removed` counts those that go. */
function countsOf(
  warehouse: Warehouse,
  { projectId }: Load,
  facts: PromptFacts,
): Promise<LoadCount[]> {
  return run(warehouse, {
    id: 'prompts.loads',
    sql: `SELECT load_seq AS load, count() AS answers, countIf(prompt_id IN {removed:Array(UUID)}) AS removed
        FROM answers WHERE project_id = {projectId:UUID}
       GROUP BY load_seq HAVING countIf(${changed}) > 0 ORDER BY load_seq`,
    params: { ...paramsOf(facts), projectId },
    timeoutMs,
    row: (row) => ({
      load: Number(row.load),
      answers: Number(row.answers),
      removed: Number(row.removed),
    }),
  })
}

async function copy(
  warehouse: Warehouse,
  { projectId, analysis }: Load,
  facts: PromptFacts,
  numbers: ReadonlyMap<number, number>,
  stop: AbortSignal,
): Promise<void> {
  if (numbers.size === 0) return
  const loads = [...numbers.keys()]
  const params = { ...paramsOf(facts), projectId, analysis, loads }
  const where = 'project_id = {projectId:UUID} AND load_seq IN {loads:Array(UInt32)}'
  await copyRenumbered(warehouse, 'judgements', {
    where,
    rest: `AND answer_id NOT IN (SELECT id FROM answers WHERE ${where} AND prompt_id IN {removed:Array(UUID)})`,
    params,
    numbers,
    stop,
  })
  for (const table of factTables) {
    await copyRenumbered(warehouse, table, {
      // The mentions of other analyses count for nobody.
      where: table === 'mentions' ? `${where} AND analysis = {analysis:UInt32}` : where,
      rest: 'AND prompt_id NOT IN {removed:Array(UUID)}',
      replace: `, if(prompt_id IN {movedFrom:Array(UUID)},
          {movedTo:Array(UUID)}[indexOf({movedFrom:Array(UUID)}, prompt_id)], prompt_id) AS prompt_id`,
      params,
      numbers,
      stop,
    })
  }
}
