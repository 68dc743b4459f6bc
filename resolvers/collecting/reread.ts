import type { Outcome } from '../../core/collecting/providers/reply.ts'
import type { AskedProvider } from '../../core/collecting/providers/request.ts'
import type { Db } from '../../prisma/client.ts'
import type { Ask, Import, Run } from '../../prisma/generated/client.ts'
import { endAgain, endAsBefore, passOn } from './reread.sql.ts'

/** Questions to read again. Without a limit, all of the project. */
export interface RereadSelection {
  readonly provider?: AskedProvider | undefined
  /** The first UTC day on which they were asked, `YYYY-MM-DD`. */
  readonly from?: string | undefined
  readonly to?: string | undefined
}

const ended = ['completed' as const, 'failed' as const]
const dayMs = 24 * 3600 * 1000

/** The runs that have ended with such questions, the oldest first. */
export function runsToReread(
  db: Db,
  projectId: string,
  { provider, from, to }: RereadSelection,
): Promise<Run[]> {
  const askedAt = {
    ...(from && { gte: new Date(from) }),
    ...(to && { lt: new Date(Date.parse(to) + dayMs) }),
  }
  const asks = { some: { ...(provider && { provider }), askedAt: { not: null, ...askedAt } } }
  return db.run.findMany({
    where: { projectId, status: { in: ended }, asks },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  })
}

export type CountedAsk = Pick<
  Ask,
  'id' | 'provider' | 'prompt' | 'state' | 'outcome' | 'answerId'
> & { readonly run: Pick<Run, 'status'> }

/** How questions ended, by their ids. */
export async function countedAsks(db: Db, ids: readonly string[]) {
  const rows = await db.ask.findMany({
    where: { id: { in: [...ids] }, state: { not: 'waiting' } },
    select: {
      id: true,
      provider: true,
      prompt: true,
      state: true,
      outcome: true,
      answerId: true,
      run: { select: { status: true } },
    },
  })
  return new Map<string, CountedAsk>(rows.map((row) => [row.id, row]))
}

/** How a question ends when its body is read again. What it cost stays. */
export interface NewEnd {
  readonly id: string
  readonly state: 'answered' | 'absent' | 'failed'
  readonly outcome: Outcome
  readonly reason: string | null
  readonly answerId: string | null
}

const rowsAtOnce = 5000

/** Ends questions again. The import keeps how they had ended, for its undo. */
export async function endAsksAgain(tx: Db, importId: string, ends: readonly NewEnd[]) {
  for (let at = 0; at < ends.length; at += rowsAtOnce) {
    const rows = JSON.stringify(ends.slice(at, at + rowsAtOnce))
    await tx.$executeRawUnsafe(endAgain, importId, rows)
  }
}

/** Ends questions as before an import, unless a later import ended them again: that one then keeps the former end. */
export async function endAsksAsBefore(tx: Db, { id, projectId, startedAt }: Import) {
  const later = await tx.import.findMany({
    where: { projectId, undoneAt: null, startedAt: { gt: startedAt } },
    select: { id: true },
    orderBy: [{ startedAt: 'asc' }, { id: 'asc' }],
  })
  const ids = later.map((row) => row.id)
  await tx.$executeRawUnsafe(passOn, id, ids)
  await tx.$executeRawUnsafe(endAsBefore, id, ids)
}
