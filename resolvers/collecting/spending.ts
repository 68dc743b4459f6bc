import { z } from 'zod'
import { utcDayOf } from '../../core/window.ts'
import type { Db } from '../../prisma/client.ts'
import type { Actor, Edit } from '../shared/audit-trail.ts'
import { difference } from '../shared/audit-trail.ts'
import { changeProject, type ProjectChangeResult } from '../shared/change.ts'
import { check } from '../shared/inputs.ts'
import { spentSoFar } from './spending.sql.ts'

export interface Spending {
  /** US dollars, as all of them. */
  readonly today: number
  readonly thisMonth: number
  readonly dayCap: number | null
  readonly monthCap: number | null
}

/** What projects have spent in the UTC day and month, and what they may, in the order of their ids. */
export async function loadSpending(db: Db, ids: readonly string[], now: Date): Promise<Spending[]> {
  type Sums = Pick<Spending, 'today' | 'thisMonth'> & { readonly id: string }
  const [sums, budgets] = await Promise.all([
    db.$queryRawUnsafe<Sums[]>(spentSoFar, ids, utcDayOf(now)),
    db.collectingBudget.findMany({ where: { id: { in: [...ids] } } }),
  ])
  return ids.map((id) => {
    const { today = 0, thisMonth = 0 } = sums.find((row) => row.id === id) ?? {}
    const { dayCap = null, monthCap = null } = budgets.find((row) => row.id === id) ?? {}
    return { today, thisMonth, dayCap, monthCap }
  })
}

const cap = z.number().min(0).max(1_000_000).nullish()
const capsSchema = z.object({ dayCap: cap, monthCap: cap })

export type CapsInput = z.input<typeof capsSchema>

/**
 * Sets what a project may spend in a UTC day and month; null removes a cap. Replies so far count.
 * @throws {Fault} `invalid_argument`; `not_found`
 */
export function setCollectingCaps(
  db: Db,
  actor: Actor,
  projectId: string,
  input: CapsInput,
): Promise<ProjectChangeResult> {
  const { dayCap = null, monthCap = null } = check(capsSchema, input)
  return changeProject(db, actor, projectId, async (tx, { id }) => {
    const now = new Date()
    const [spending] = await loadSpending(tx, [id], now)
    if (!spending) throw new Error('no spending of a project')
    const { today, thisMonth, ...before } = spending
    const after = { dayCap, monthCap }
    const found = difference(before, after)
    if (!found) return { subjectId: id, edits: [] }
    const [day, month] = [utcDayOf(now), `${utcDayOf(now).slice(0, 7)}-01`].map(
      (text) => new Date(text),
    )
    const sums = { daySpent: today, monthSpent: thisMonth }
    await tx.collectingBudget.upsert({
      where: { id },
      // The sums of a known budget have what questions under way have reserved.
      update: after,
      create: { id, ...after, ...sums, day: day ?? now, month: month ?? now },
    })
    const edit: Edit = { action: 'project.setCollectingCaps', subject: ['project', id], ...found }
    return { subjectId: id, edits: [edit] }
  })
}
