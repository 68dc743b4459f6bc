import { invalid, notFound } from '../../core/errors.ts'
import type { Db } from '../../prisma/client.ts'
import type { Actor, Edit } from '../shared/audit-trail.ts'
import { groupByWorkspace } from '../shared/by-project.ts'
import { changeWorkspace, type WorkspaceChangeResult } from '../shared/change.ts'
import { otherWorkspaces, reachingKeys } from './reach.sql.ts'

/** A workspace as a key shows it to another workspace. */
export interface KeyWorkspace {
  readonly id: string
  readonly name: string
}

/** A key that reaches a workspace, wherever it was made. */
export interface ReachingKey {
  readonly workspaceId: string
  readonly id: string
  readonly name: string | null
  readonly lastFour: string
  readonly scopes: readonly string[]
  readonly capabilities: readonly string[]
  readonly createdAt: Date
  readonly expiresAt: Date | null
  readonly lastUsedAt: Date | null
  /** Since when the key is kept out; null for a key that is let in. */
  readonly blockedAt: Date | null
  readonly owner: { readonly id: string; readonly email: string; readonly name: string }
  readonly madeIn: KeyWorkspace
}

/** Keys that reach each workspace, newest first, with blocked keys and without revoked and expired keys. */
export async function loadReachingKeys(
  db: Db,
  workspaceIds: readonly string[],
): Promise<ReachingKey[][]> {
  const rows = await db.$queryRawUnsafe<ReachingKey[]>(reachingKeys, workspaceIds)
  return groupByWorkspace(workspaceIds, rows)
}

/** The workspaces that each key reaches beside its own, by name. */
export async function loadOtherWorkspaces(
  db: Db,
  keyIds: readonly string[],
): Promise<KeyWorkspace[][]> {
  type Row = KeyWorkspace & { readonly keyId: string }
  const rows = await db.$queryRawUnsafe<Row[]>(otherWorkspaces, keyIds)
  const byKey = Map.groupBy(rows, (row) => row.keyId)
  return keyIds.map((id) => byKey.get(id) ?? [])
}

/** Facts of a key for the audit trail of the workspace that it reaches. */
const facts = ({ name, lastFour, owner, madeIn }: ReachingKey) => ({
  name,
  lastFour,
  owner: owner.email,
  madeIn: madeIn.id,
})

async function requireReaching(tx: Db, workspaceId: string, keyId: string): Promise<ReachingKey> {
  const [keys = []] = await loadReachingKeys(tx, [workspaceId.toLowerCase()])
  const found = keys.find(({ id }) => id === keyId.toLowerCase())
  if (!found) throw notFound()
  return found
}

/**
 * Keeps a key out of a workspace, wherever the key was made. Elsewhere it works on. A key that replaces it is blocked
 * too. Blocking twice changes nothing.
 * @throws {Fault} `not_found`; `invalid_argument` for the actor's own key
 */
export function blockKey(
  db: Db,
  actor: Actor,
  workspaceId: string,
  keyId: string,
): Promise<WorkspaceChangeResult> {
  return changeWorkspace(db, actor, workspaceId, async (tx) => {
    const key = await requireReaching(tx, workspaceId, keyId)
    const { id: apiKeyId } = key
    if (apiKeyId === actor.keyId) throw invalid('keyId', 'is the key of this request: use another')
    if (key.blockedAt) return { subjectId: apiKeyId, edits: [] }
    await tx.keyBlock.create({ data: { workspaceId, apiKeyId } })
    const edit: Edit = { action: 'key.block', subject: ['key', apiKeyId], after: facts(key) }
    return { subjectId: apiKeyId, edits: [edit] }
  })
}

/**
 * Lets a blocked key into a workspace again. Unblocking twice changes nothing.
 * @throws {Fault} `not_found`
 */
export function unblockKey(
  db: Db,
  actor: Actor,
  workspaceId: string,
  keyId: string,
): Promise<WorkspaceChangeResult> {
  return changeWorkspace(db, actor, workspaceId, async (tx) => {
    const key = await requireReaching(tx, workspaceId, keyId)
    const { id: apiKeyId } = key
    if (!key.blockedAt) return { subjectId: apiKeyId, edits: [] }
    await tx.keyBlock.delete({ where: { workspaceId_apiKeyId: { workspaceId, apiKeyId } } })
    const edit: Edit = { action: 'key.unblock', subject: ['key', apiKeyId], before: facts(key) }
    return { subjectId: apiKeyId, edits: [edit] }
  })
}
