import { z } from 'zod'
import { notFound } from '../../core/errors.ts'
import { refuseWithoutKeys } from '../../core/plans.ts'
import { makeIngestKey } from '../../core/tokens.ts'
import { isUuid } from '../../core/uuid.ts'
import type { Db } from '../../prisma/client.ts'
import type { Actor, Edit } from '../shared/audit-trail.ts'
import { groupByWorkspace } from '../shared/by-project.ts'
import { changeWorkspace, type WorkspaceChangeResult } from '../shared/change.ts'
import { check, label } from '../shared/inputs.ts'

const keySchema = z.object({ name: label.nullish() })

export type IngestKeyInput = z.input<typeof keySchema>

export interface NewIngestKey extends WorkspaceChangeResult {
  /** The key. The catalog does not store it: show it now. */
  readonly key: string
}

/** Ingest keys of each workspace, newest first. */
export async function loadIngestKeys(db: Db, workspaceIds: readonly string[]) {
  const rows = await db.ingestKey.findMany({
    where: { workspaceId: { in: [...workspaceIds] } },
    orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
  })
  return groupByWorkspace(workspaceIds, rows)
}

/**
 * Creates a key for sending events to the tracker.
 * @throws {Fault} `invalid_argument`; `not_found` for the workspace; `plan_upgrade_required` on a plan without keys
 */
export function createIngestKey(
  db: Db,
  actor: Actor,
  workspaceId: string,
  input: IngestKeyInput,
  signingSecret: string,
): Promise<NewIngestKey> {
  const { name = null } = check(keySchema, input)
  return changeWorkspace(db, actor, workspaceId, async (tx) => {
    const workspace = await tx.workspace.findUniqueOrThrow({ where: { id: workspaceId } })
    refuseWithoutKeys(workspace.plan)
    const { id } = await tx.ingestKey.create({ data: { workspaceId, name } })
    const key = makeIngestKey(signingSecret, { id, workspaceId: workspace.id })
    const after = { name }
    const edit: Edit = { action: 'ingestKey.create', subject: ['ingestKey', id], after }
    return { subjectId: id, key, edits: [edit] }
  })
}

/**
 * Revokes an ingest key; the tracker refuses it within a minute. Revoking twice changes nothing.
 * @throws {Fault} `not_found`
 */
export function revokeIngestKey(
  db: Db,
  actor: Actor,
  workspaceId: string,
  keyId: string,
): Promise<WorkspaceChangeResult> {
  return changeWorkspace(db, actor, workspaceId, async (tx) => {
    const where = { id: keyId, workspaceId }
    const key = isUuid(keyId) ? await tx.ingestKey.findFirst({ where }) : null
    if (!key) throw notFound()
    const { id, name } = key
    if (key.revokedAt) return { subjectId: id, edits: [] }
    await tx.ingestKey.update({ where: { id }, data: { revokedAt: new Date() } })
    const before = { name }
    const edit: Edit = { action: 'ingestKey.revoke', subject: ['ingestKey', id], before }
    return { subjectId: id, edits: [edit] }
  })
}
