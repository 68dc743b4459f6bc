import { run, type Warehouse } from '../../warehouse/run.ts'
import { type Parcel, persist, sender } from '../loads/insert-batches.ts'
import { factTables, type Load } from '../loads/loads.ts'
import type { Answer, Row, RowsByMonth } from './rows.ts'

const atOnce = 6 // inserts side by side; more only wait in the engine

/** The ids of those answers that readers see already, or that this load wrote before. */
export async function findPresent(
  warehouse: Warehouse,
  load: Load,
  answers: readonly Answer[],
): Promise<string[]> {
  if (answers.length === 0) return []
  const { projectId, seq, visibleLoad, deadLoads } = load
  return persist(() =>
    run(warehouse, {
      id: 'imports.present',
      // Day and prompt lead the order key: they spare the engine all other parts of the project.
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
        promptIds: [...new Set(answers.map(({ place }) => place.promptId))],
        ids: answers.map(({ id }) => id),
      },
      row: ({ answer }) => String(answer),
    }),
  )
}

/** Writes a batch: what hangs on the answers first, the answers themselves last. */
export async function writeRows(
  warehouse: Warehouse,
  load: Load,
  batch: number,
  { months }: RowsByMonth,
): Promise<void> {
  const send = sender(warehouse, load, batch)
  const parcels = [...months].flatMap(([month, rows]) =>
    factTables.map((table): Parcel => ({ table, month, rows: rows[table] })),
  )
  await sendAll(
    parcels.filter(({ table }) => table !== 'answers'),
    send,
  )
  await sendAll(
    parcels.filter(({ table }) => table === 'answers'),
    send,
  )
}

/** Writes mentions alone, by month, of answers that are there. */
export async function writeMentions(
  warehouse: Warehouse,
  load: Load,
  batch: number,
  months: ReadonlyMap<string, readonly Row[]>,
): Promise<void> {
  const parcels = [...months].map(([month, rows]) => ({ table: 'mentions' as const, month, rows }))
  await sendAll(parcels, sender(warehouse, load, batch))
}

async function sendAll(
  parcels: readonly Parcel[],
  send: (parcel: Parcel) => Promise<void>,
): Promise<void> {
  const queue = parcels.values()
  const lane = async () => {
    for (const parcel of queue) await send(parcel)
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
}
