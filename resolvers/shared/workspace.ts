import { Fault } from '../../core/errors.ts'
import type { PlanName } from '../../core/plans.ts'
import { isUuid } from '../../core/uuid.ts'
import type { Db } from '../../prisma/client.ts'

/** @throws {Fault} `not_found` */
export async function requireWorkspace(
  db: Db,
  id: string,
): Promise<{ readonly id: string; readonly plan: PlanName }> {
  const select = { id: true, plan: true } as const
  const found = isUuid(id) ? await db.workspace.findUnique({ where: { id }, select }) : null
  if (!found) throw missing('workspace', id)
  return found
}

/** @param noun names the missing thing, such as "API key" */
export function missing(noun: string, id: string): Fault {
  return new Fault('not_found', `There is no ${noun} "${id}".`, {
    graph: { missing: id },
  })
}
