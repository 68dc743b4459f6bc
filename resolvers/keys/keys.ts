import { z } from 'zod'
import {
  type Capability,
  capabilities,
  type KeyKind,
  type KeyScope,
  keyScopes,
  makeApiKey,
} from '../../core/access.ts'
import { wholeNumber } from '../../core/check.ts'
import { Fault, invalid, notFound } from '../../core/errors.ts'
import { refuseWithoutKeys } from '../../core/plans.ts'
import { isUuid } from '../../core/uuid.ts'
import type { Db } from '../../prisma/client.ts'
import { type Actor, commandLine, recordEdits } from '../shared/audit-trail.ts'
import { groupByWorkspace } from '../shared/by-project.ts'
import { changeWorkspace, type WorkspaceChangeResult } from '../shared/change.ts'
import { check, email, label } from '../shared/inputs.ts'
import { inTransaction } from '../shared/transaction.ts'
import { missing, requireWorkspace } from '../shared/workspace.ts'

const keySchema = z
  .object({
    workspaceId: z.string(),
    projectId: z.string().optional(),
    name: label.optional(),
    scopes: z.array(z.enum(keyScopes)).default([]),
    capabilities: z.array(z.enum(capabilities)).default([]),
    expiresAt: z.date().optional(),
    userEmail: email.optional(),
  })
  .superRefine((key, context) => {
    if (key.scopes.length + key.capabilities.length === 0) {
      const message = `needs at least one of ${keyScopes.join(', ')}, or a capability`
      context.addIssue({ code: 'custom', path: ['scopes'], message })
    }
    if (key.expiresAt && key.expiresAt.getTime() <= Date.now()) {
      context.addIssue({ code: 'custom', path: ['expiresAt'], message: 'must be in the future' })
    }
  })

export type KeyInput = z.input<typeof keySchema>

const maxGraceSeconds = 30 * 24 * 60 * 60

const rotationSchema = z.object({
  graceSeconds: wholeNumber(0, maxGraceSeconds).default(0),
})

export type RotationInput = z.input<typeof rotationSchema>

export interface Rotation extends WorkspaceChangeResult {
  /** The new key. The catalog stores its hash only: show it now. */
  readonly key: string
  /** When the old key stops working. */
  readonly oldKeyEndsAt: Date
}

/** What is shown of a key: all but its hash, and its user. */
const shown = {
  omit: { hash: true },
  include: { user: { select: { id: true, email: true, name: true } } },
} as const

/** Sessions of browsers are no API keys. A connection is one from its first token. */
const listed = {
  OR: [
    { kind: 'static' as const },
    { kind: 'connection' as const, client: { lastRefreshAt: { not: null } } },
  ],
}

/** Keys of each workspace without their hashes, newest first. */
export async function loadKeys(db: Db, workspaceIds: readonly string[]) {
  const rows = await db.apiKey.findMany({
    where: { workspaceId: { in: [...workspaceIds] }, ...listed },
    ...shown,
    orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
  })
  return groupByWorkspace(workspaceIds, rows)
}

/**
 * One key of a workspace, without its hash.
 * @throws {Fault} `not_found`
 */
export async function findKey(tx: Db, workspaceId: string, id: string) {
  const where = { id, workspaceId }
  const found = isUuid(id) ? await tx.apiKey.findFirst({ where, ...shown }) : null
  if (!found) throw notFound()
  return found
}

/**
 * One API key of a workspace: none that a session of a person acts with.
 * @throws {Fault} `not_found`
 */
async function findApiKey(tx: Db, workspaceId: string, id: string) {
  const found = await findKey(tx, workspaceId, id)
  if (found.kind === 'browser') throw notFound()
  return found
}

type KeyRow = Awaited<ReturnType<typeof findKey>>

/** Facts of a key for the audit trail. */
const keyFacts = ({
  name,
  lastFour,
  scopes,
  capabilities,
  projectId,
  expiresAt,
}: Omit<KeyRow, 'user'>) => ({
  name,
  lastFour,
  scopes,
  capabilities,
  projectId,
  expiresAt: expiresAt?.toISOString() ?? null,
})

/**
 * Creates an API key for the member with `userEmail`, by default for who asks, and at the command line for the
 * workspace's owner. The catalog stores only the hash of `key`: show it now.
 * @throws {Fault} `invalid_argument`; `not_found` for workspace, project or member;
 *   `plan_upgrade_required` on a plan without API keys
 */
export async function createKey(
  db: Db,
  input: KeyInput,
  actor: Actor = commandLine,
): Promise<{ id: string; key: string }> {
  const wanted = check(keySchema, input)
  const { workspaceId } = wanted
  const workspace = await requireWorkspace(db, workspaceId)
  refuseWithoutKeys(workspace.plan)
  if (wanted.projectId !== undefined) await requireProject(db, wanted.projectId, workspaceId)
  const userId = await requireMember(db, workspaceId, actor, wanted.userEmail)
  return storeKey(db, actor, {
    workspaceId,
    userId,
    projectId: wanted.projectId ?? null,
    name: wanted.name ?? null,
    scopes: [...new Set(wanted.scopes)],
    capabilities: [...new Set(wanted.capabilities)],
    expiresAt: wanted.expiresAt ?? null,
    kind: 'static',
  })
}

/** The name of the key that a session of a person acts with. */
const browserKey = 'Browser'

/**
 * Creates the key that a session of a person acts with, on any plan. It has every scope: the role of the person bounds it in
 * each workspace. Nobody learns it, so that no request can send it.
 */
export async function createSessionKey(
  db: Db,
  home: { readonly workspaceId: string; readonly userId: string },
): Promise<string> {
  const { id } = await storeKey(
    db,
    { userId: home.userId, keyId: null },
    {
      ...home,
      projectId: null,
      name: browserKey,
      scopes: [...keyScopes],
      capabilities: [],
      expiresAt: null,
      kind: 'browser',
    },
  )
  return id
}

interface WantedKey {
  readonly workspaceId: string
  readonly userId: string
  readonly scopes: KeyScope[]
  readonly projectId: string | null
  readonly name: string | null
  readonly capabilities: Capability[]
  readonly expiresAt: Date | null
  readonly kind: KeyKind
}

/** Stores a key of the kind wanted, which its caller has checked. The catalog stores only the hash of `key`. */
export async function storeKey(
  db: Db,
  actor: Actor,
  wanted: WantedKey,
): Promise<{ id: string; key: string }> {
  const { key, hash, lastFour: end } = makeApiKey()
  const { workspaceId, expiresAt, kind, ...facts } = wanted
  // People know a connection by its name: nobody ever sees its key.
  const lastFour = kind === 'connection' ? '' : end
  const id = await inTransaction(db, async (tx) => {
    const made = await tx.apiKey.create({
      data: { ...wanted, hash, lastFour },
      select: { id: true },
    })
    const after = { lastFour, ...facts, expiresAt: expiresAt?.toISOString() ?? null }
    await recordEdits(tx, actor, { workspaceId }, [
      { action: 'key.create', subject: ['key', made.id], after },
    ])
    return made.id
  })
  return { id, key }
}

async function requireProject(db: Db, id: string, workspaceId: string): Promise<void> {
  const where = { id, workspaceId }
  if (!isUuid(id) || (await db.project.count({ where })) === 0) {
    throw missing('project of this workspace', id)
  }
}

async function requireMember(
  db: Db,
  workspaceId: string,
  { userId }: Actor,
  email?: string,
): Promise<string> {
  const asking = userId === null ? { role: 'owner' as const } : { userId }
  const member = await db.membership.findFirst({
    where: { workspaceId, ...(email === undefined ? asking : { user: { email } }) },
    orderBy: [{ createdAt: 'asc' }, { userId: 'asc' }],
    select: { userId: true },
  })
  if (!member) throw missing('member of this workspace', email ?? 'owner')
  return member.userId
}

/**
 * Revokes a key of any workspace. Revoking twice changes nothing.
 * @returns when the key was first revoked
 * @throws {Fault} `not_found`
 */
export async function revokeKey(
  db: Db,
  id: string,
  actor: Actor = commandLine,
): Promise<{ id: string; revokedAt: Date }> {
  if (!isUuid(id)) throw missing('API key', id)
  return inTransaction(db, async (tx) => {
    const [revoked] = await tx.apiKey.updateManyAndReturn({
      where: { id, revokedAt: null },
      data: { revokedAt: new Date() },
    })
    if (revoked) {
      const { workspaceId, lastFour, name } = revoked
      await recordEdits(tx, actor, { workspaceId }, [
        { action: 'key.revoke', subject: ['key', id], before: { lastFour, name } },
      ])
    }
    const key = revoked ?? (await tx.apiKey.findUnique({ where: { id } }))
    if (!key?.revokedAt) throw missing('API key', id)
    return { id: key.id, revokedAt: key.revokedAt }
  })
}

/**
 * Revokes a key of the workspace. Revoking twice changes nothing.
 * @throws {Fault} `not_found`
 */
export function revokeWorkspaceKey(
  db: Db,
  actor: Actor,
  workspaceId: string,
  keyId: string,
): Promise<WorkspaceChangeResult> {
  return changeWorkspace(db, actor, workspaceId, async (tx) => {
    const key = await findApiKey(tx, workspaceId, keyId)
    const { id } = key
    if (key.revokedAt) return { subjectId: id, edits: [] }
    await tx.apiKey.update({ where: { id }, data: { revokedAt: new Date() } })
    const before = keyFacts(key)
    return { subjectId: id, edits: [{ action: 'key.revoke', subject: ['key', id], before }] }
  })
}

/** When the new key expires: after the same lifetime as the old key. */
function sameLifetime({ createdAt, expiresAt }: KeyRow, now: Date): Date | null {
  return expiresAt && new Date(now.getTime() + expiresAt.getTime() - createdAt.getTime())
}

function refuseDead({ revokedAt, expiresAt }: KeyRow, now: Date): void {
  if (revokedAt) throw invalid('keyId', 'names a revoked key: create a new key')
  if (expiresAt && expiresAt <= now)
    throw invalid('keyId', 'names an expired key: create a new key')
}

/**
 * Creates a key with the grants, user, project and lifetime of an old key. The old key stops working after
 * `graceSeconds`, or earlier when it expires.
 * A key acts for its user in every workspace of the user: nobody else receives its successor, except at the command
 * line.
 * @throws {Fault} `invalid_argument`, also for a revoked or expired key; `not_found`; `forbidden` for another user's key;
 *   `plan_upgrade_required` on a plan without API keys
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
    const old = await findApiKey(tx, workspaceId, keyId)
    if (old.kind === 'connection') {
      throw invalid('keyId', 'names an AI client, which has no key to replace: connect it again')
    }
    if (actor.userId !== null && actor.userId !== old.userId) {
      throw new Fault(
        'forbidden',
        'The key belongs to another user. Revoke it, or ask its user to rotate it.',
      )
    }
    const now = new Date()
    refuseDead(old, now)
    refuseWithoutKeys((await requireWorkspace(tx, workspaceId)).plan)
    const { userId, projectId, name, scopes, capabilities } = old
    const { key, hash, lastFour } = makeApiKey()
    const firstKeyId = old.firstKeyId ?? old.id
    const grants = { workspaceId, userId, projectId, name, scopes, capabilities, firstKeyId }
    const expiresAt = sameLifetime(old, now)
    const blockedIn = await tx.keyBlock.findMany({ where: { apiKeyId: old.id } })
    // A workspace that has blocked the old key has blocked its successor.
    const blocks = { create: blockedIn.map((block) => ({ workspaceId: block.workspaceId })) }
    const made = await tx.apiKey.create({
      data: { ...grants, hash, lastFour, expiresAt, blocks },
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
