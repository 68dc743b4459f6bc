import { run, type Warehouse } from '../../warehouse/run.ts'
import { type InsertBatches, sendInsertBatches, withRetries } from '../loads/insert-batches.ts'
import type { Load } from '../loads/loads.ts'
import { piecesOf } from '../loads/pieces.ts'
import type { Answer } from './rows.ts'

/** The ids of the answers that readers see already, or that this load wrote before. */
export async function findPresent(
  warehouse: Warehouse,
  load: Load,
  answers: readonly Answer[],
): Promise<string[]> {
  const found: string[] = []
  for (const piece of piecesOf(answers)) found.push(...(await presentOf(warehouse, load, piece)))
  return found
}

function presentOf(
  warehouse: Warehouse,
  { projectId, seq, visibleLoad, deadLoads }: Load,
  answers: readonly Answer[],
): Promise<string[]> {
  return withRetries(() =>
    run(warehouse, {
      id: 'imports.present',
      // Day and prompt come first in the order key: the engine skips other days and prompts.
      sql: `SELECT DISTINCT toString(id) AS answer FROM answers
        WHERE project_id = {projectId:UUID} AND day IN {days:Array(Date)}
          AND prompt_id IN {promptIds:Array(UUID)} AND id IN {ids:Array(UUID)}
          AND (load_seq = {seq:UInt32}
            OR load_seq <= {visibleLoad:UInt32} AND load_seq NOT IN {deadLoads:Array(UInt32)})`,
      params: {
        projectId,
        seq,
        visibleLoad,
        deadLoads,
        days: [...new Set(answers.map(({ day }) => day))],
        promptIds: [...new Set(answers.map(({ catalogIds }) => catalogIds.promptId))],
        ids: answers.map(({ id }) => id),
      },
      row: ({ answer }) => String(answer),
    }),
  )
}

/** Writes rows as batch number `number` of a load: `answers` last, so that an answer never lacks its other rows. */
export async function writeRows(
  warehouse: Warehouse,
  load: Load,
  number: number,
  rows: InsertBatches,
): Promise<void> {
  const answers = rows.of('answers')
  const others = rows.all().filter((batch) => !answers.includes(batch))
  await sendInsertBatches(warehouse, load, number, others)
  await sendInsertBatches(warehouse, load, number, answers)
}
