import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { type PlanName, plans } from '../core/plans.ts'
import type { Db } from '../prisma/client.ts'
import { type Actor, commandLine, difference, recordEdits } from './shared/audit-trail.ts'
import { changeWorkspace } from './shared/change.ts'
import { check, email, label } from './shared/inputs.ts'
import { inTransaction } from './shared/transaction.ts'

const workspaceSchema = z.object({
  name: label,
  plan: z.enum(Object.keys(plans) as [PlanName, ...PlanName[]]).default('enterprise'),
  ownerEmail: email.optional(),
})

export type WorkspaceInput = z.input<typeof workspaceSchema>

/** Workspaces by id, in the order of `ids`. */
export async function loadWorkspaces(db: Db, ids: readonly string[]) {
  const rows = await db.workspace.findMany({ where: { id: { in: [...ids] } } })
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id) => byId.get(id) ?? fail(`no workspace ${id}`))
}

function fail(message: string): never {
  throw new Error(message)
}

/**
 * Creates a workspace and its owner. The owner is the user with `ownerEmail`, created when unknown;
 * without `ownerEmail` the workspace gets a new user of its own.
 * @throws {Fault} `invalid_argument`
 */
export async function createWorkspace(
  db: Db,
  input: WorkspaceInput,
  actor: Actor = commandLine,
): Promise<{ id: string }> {
  const { name, plan, ownerEmail } = check(workspaceSchema, input)
  const id = randomUUID()
  const address = ownerEmail ?? `owner+${id.slice(0, 8)}@sightline.local`
  await inTransaction(db, async (tx) => {
    const owner = await tx.user.upsert({
      where: { email: address },
      create: { email: address, name: ownerEmail ?? `Owner of ${name}` },
      update: {},
    })
    await tx.workspace.create({
      data: { id, name, plan, memberships: { create: { userId: owner.id, role: 'owner' } } },
    })
    const after = { name, plan, ownerEmail: address }
    await recordEdits(tx, actor, { workspaceId: id }, [
      { action: 'workspace.create', subject: ['workspace', id], after },
    ])
  })
  return { id }
}

const changeSchema = z.object({
  name: label.optional(),
  plan: z.enum(Object.keys(plans) as [PlanName, ...PlanName[]]).optional(),
})

/**
 * Renames a workspace, or puts it on another plan. What it has stays; the plan bounds what comes.
 * @throws {Fault} `invalid_argument`; `not_found`
 */
export function updateWorkspace(
  db: Db,
  actor: Actor,
  workspaceId: string,
  input: z.input<typeof changeSchema>,
): Promise<{ subjectId: string; changed: boolean }> {
  const given = Object.entries(check(changeSchema, input)).filter(([, value]) => value)
  const wanted: { name?: string; plan?: PlanName } = Object.fromEntries(given)
  return changeWorkspace(db, actor, workspaceId, async (tx) => {
    const where = { id: workspaceId }
    const { name, plan } = await tx.workspace.findUniqueOrThrow({ where })
    const changed = difference({ name, plan }, wanted)
    if (!changed) return { subjectId: workspaceId, edits: [] }
    await tx.workspace.update({ where, data: wanted })
    const subject = ['workspace', workspaceId] as const
    return {
      subjectId: workspaceId,
      edits: [{ action: 'workspace.update', subject, ...changed }],
    }
  })
}
