import type { AskedProvider } from '../../core/collecting/providers/request.ts'
import type { Db } from '../../prisma/client.ts'
import { measuredCosts } from './measured.sql.ts'

/** Runs that are read: older ones may have had other prompts, or another price. */
const newestRuns = 10
/** Fewer answers say too little of what the next ones cost. */
const leastAnswers = 20

interface Row {
  readonly provider: AskedProvider
  readonly model: string
  /** US dollars. */
  readonly cost: number
}

/** What answers of the newest runs of a workspace cost on average, by provider and model as they were asked. */
export async function measuredPrices(db: Db, workspaceId: string) {
  const rows = await db.$queryRawUnsafe<Row[]>(measuredCosts, workspaceId, newestRuns, leastAnswers)
  const byModel = new Map(rows.map((row) => [`${row.provider} ${row.model}`, row.cost]))
  return (provider: AskedProvider, model: string): number | null =>
    byModel.get(`${provider} ${model}`) ?? null
}
