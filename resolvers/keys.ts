import { z } from 'zod'
import { makeApiKey } from '../core/access.ts'
import { invalid, notFound } from '../core/errors.ts'
import type { Db } from '../prisma/client.ts'
import type { Actor } from './shared/audit-trail.ts'
import { changeWorkspace, type WorkspaceOutcome } from './shared/change.ts'
import { isUuid } from './shared/ids.ts'
import { check } from './shared/inputs.ts'

const maxGraceSeconds = 30 * 24 * 60 * 60

const rotationSchema = z.object({
  graceSeconds: z
    .int('must be a whole number of seconds')
    .min(0, 'must be at least 0')
    .max(maxGraceSeconds, `must be at most ${maxGraceSeconds}, which is 30 days`)
    .default(0),
})

export type RotationInput = z.input<typeof rotationSchema>

export interface Rotation extends WorkspaceOutcome {
  /** The new key, shown this once. */
  readonly key: string
  /** When the old key ends. */
  readonly oldKeyEndsAt: Date
}

/** Keys of a workspace, newest first, without what could be used as one. */
export function loadKeys(db: Db, workspaceId: string) {
  return db.apiKey.findMany({
    where: { workspaceId },
    omit: { hash: true },
    orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
  })
}

/**
 * One key of a workspace, without what could be used as one.
 * @throws {Fault} `not_found`
 */
export async function findKey(tx: Db, workspaceId: string, id: string) {
  const where = { id, workspaceId }
  const found = isUuid(id) ? await tx.apiKey.findFirst({ where, omit: { hash: true } }) : null
  if (!found) throw notFound()
  return found
}

/** What the trail keeps of a key. */
type KeyRow = Awaited<ReturnType<typeof findKey>>

const keyFacts = ({ name, lastFour, scopes, capabilities, projectId, expiresAt }: KeyRow) => ({
  name,
  lastFour,
  scopes,
  capabilities,
  projectId,
  expiresAt: expiresAt?.toISOString() ?? null,
})

/**
 * Ends a key of the workspace at once. One that was revoked already stays so.
 * @throws {Fault} `not_found`
 */
export function revokeWorkspaceKey(
  db: Db,
  actor: Actor,
  workspaceId: string,
  keyId: string,
): Promise<WorkspaceOutcome> {
  return changeWorkspace(db, actor, workspaceId, async (tx) => {
    const key = await findKey(tx, workspaceId, keyId)
    const { id } = key
    if (key.revokedAt) return { subjectId: id, edits: [] }
    await tx.apiKey.update({ where: { id }, data: { revokedAt: new Date() } })
    const before = keyFacts(key)
    return { subjectId: id, edits: [{ action: 'key.revoke', subject: ['key', id], before }] }
  })
}

/** The end of a key that shall live as long as the other did. */
function sameLifetime({ createdAt, expiresAt }: KeyRow, now: Date): Date | null {
  return expiresAt && new Date(now.getTime() + expiresAt.getTime() - createdAt.getTime())
}

function refuseDead({ revokedAt, expiresAt }: KeyRow, now: Date): void {
  if (revokedAt) throw invalid('keyId', 'is revoked: make a new key')
  if (expiresAt && expiresAt <= now) throw invalid('keyId', 'is expired: make a new key')
}

/**
 * Makes a new key with the grants, the user, the project and the lifetime of an old one, which ends at
 * once, or after `graceSeconds`, or when it would have ended anyway.
 * @throws {Fault} `invalid_argument`, also for a key that has ended; `not_found`
 */
export function rotateKey(
  db: Db,
  actor: Actor,
  workspaceId: string,
  keyId: string,
  input: RotationInput = {},
): Promise<Rotation> {
  const { graceSeconds } = check(rotationSchema, input)
  return changeWorkspace(db, actor, workspaceId, async (tx) => {
    const old = await findKey(tx, workspaceId, keyId)
    const now = new Date()
    refuseDead(old, now)
    const { userId, projectId, name, scopes, capabilities } = old
    const { key, hash, lastFour } = makeApiKey()
    const grants = { workspaceId, userId, projectId, name, scopes, capabilities }
    const expiresAt = sameLifetime(old, now)
    const made = await tx.apiKey.create({
      data: { ...grants, hash, lastFour, expiresAt },
      omit: { hash: true },
    })
    const graceEnd = new Date(now.getTime() + graceSeconds * 1000)
    const endsAt = old.expiresAt && old.expiresAt < graceEnd ? old.expiresAt : graceEnd
    const end = graceSeconds === 0 ? { revokedAt: now } : { expiresAt: endsAt }
    await tx.apiKey.update({ where: { id: old.id }, data: end })
    const before = { ...keyFacts(old), keyId: old.id }
    const after = { ...keyFacts(made), keyId: made.id, oldKeyEndsAt: endsAt.toISOString() }
    const edit = { action: 'key.rotate', subject: ['key', old.id], before, after } as const
    return { subjectId: made.id, key, oldKeyEndsAt: endsAt, edits: [edit] }
  })
}
