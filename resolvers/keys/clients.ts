import { type Capability, hasGrant, type KeyScope, type Principal } from '../../core/access.ts'
import { Fault, invalid, notFound } from '../../core/errors.ts'
import { refuseWithoutKeys } from '../../core/plans.ts'
import { isUuid } from '../../core/uuid.ts'
import type { Db } from '../../prisma/client.ts'
import { type Actor, recordEdits } from '../shared/audit-trail.ts'
import { groupByWorkspace } from '../shared/by-project.ts'
import { inTransaction, isUniqueClash } from '../shared/transaction.ts'
import { missing } from '../shared/workspace.ts'
import { revokeKey, storeKey } from './keys.ts'

/** Days after which a connection ends, as the person chooses. */
const connectionDays = [30, 90, 180] as const

/** What a person allows an AI client. */
export interface Consent {
  /** The rights beside `read`. */
  readonly write: boolean
  readonly draft: boolean
  /** The one project; null for all that the person reaches. */
  readonly projectId: string | null
  readonly days: number
}

/** The client that asks, and the grant that its tokens will have. */
export interface AskingClient {
  readonly grantId: string
  readonly clientId: string
  readonly name: string
  /** Where the person is sent back to. */
  readonly host: string
}

/** Rights that a connection may have: never `admin`. */
export function grantsOf({ write, draft }: Pick<Consent, 'write' | 'draft'>): {
  scopes: KeyScope[]
  capabilities: Capability[]
} {
  return {
    scopes: write ? ['read', 'write'] : ['read'],
    capabilities: draft ? ['prompt:draft'] : [],
  }
}

const dayMs = 24 * 60 * 60 * 1000

/**
 * Only a person who signed in may connect a client, or a key with `admin`, which can make keys: the connection must not
 * outlive or exceed a weaker key.
 * @throws {Fault} `forbidden`
 */
export function refuseToConnect(principal: Principal): void {
  if (principal.session?.isPerson) return
  if (principal.projectId === null && hasGrant(principal, 'admin')) return
  throw new Fault('forbidden', 'Sign in as a person, not with an API key, to connect an AI client.')
}

/** The workspace that the key of a connection belongs to. @throws {Fault} `not_found` */
async function homeOf(db: Db, { userId, workspaceId }: Principal, projectId: string | null) {
  const members = { memberships: { some: { userId } } }
  const select = { id: true, plan: true } as const
  const where =
    projectId === null
      ? { id: workspaceId, ...members }
      : { projects: { some: { id: projectId } }, ...members }
  const found =
    projectId === null || isUuid(projectId) ? await db.workspace.findFirst({ where, select }) : null
  if (!found) throw missing('project', projectId ?? workspaceId)
  return found
}

/**
 * Connects an AI client: a key that nobody learns, and the grant that its tokens have. A repetition for the same grant changes
 * nothing. The connection is listed from the client's first token.
 * @throws {Fault} `forbidden`; `invalid_argument`; `not_found` for the project; `plan_upgrade_required`
 */
export async function connectClient(
  db: Db,
  principal: Principal,
  consent: Consent,
  asking: AskingClient,
): Promise<void> {
  refuseToConnect(principal)
  const { days, projectId } = consent
  if (!connectionDays.some((each) => each === days)) {
    throw invalid('days', `must be one of ${connectionDays.join(', ')}`)
  }
  const { id: workspaceId, plan } = await homeOf(db, principal, projectId)
  refuseWithoutKeys(plan)
  const { userId, keyId } = principal
  const { grantId, clientId, name, host } = asking
  try {
    await inTransaction(db, async (tx) => {
      const { id: apiKeyId } = await storeKey(
        tx,
        { userId, keyId },
        {
          workspaceId,
          userId,
          projectId,
          name: `${name} (${host})`,
          ...grantsOf(consent),
          expiresAt: new Date(Date.now() + days * dayMs),
          kind: 'connection',
        },
      )
      await tx.connectedClient.create({ data: { apiKeyId, grantId, clientId, name, host } })
      await tx.oAuthClient.updateMany({
        where: { id: clientId },
        data: { lastGrantAt: new Date() },
      })
    })
  } catch (error) {
    if (!isUniqueClash(error)) throw error
  }
}

/** What ended a grant: its client, or the second use of a refresh token, which may be stolen. */
export type GrantEnd = 'revoked' | 'reused'

/** Ends a grant with its tokens and its key. An ended grant changes nothing. */
export async function endGrant(db: Db, grantId: string, why: GrantEnd): Promise<void> {
  await inTransaction(db, async (tx) => {
    await tx.oAuthRecord.deleteMany({ where: { grantId } })
    const found = await tx.connectedClient.findUnique({
      where: { grantId },
      include: { apiKey: { select: { id: true, userId: true, workspaceId: true } } },
    })
    if (!found) return
    const { id, userId, workspaceId } = found.apiKey
    const actor = { userId, keyId: id }
    if (why === 'reused') {
      const { name, host } = found
      await recordEdits(tx, actor, { workspaceId }, [
        { action: 'key.tokenReused', subject: ['key', id], before: { name, host } },
      ])
    }
    await revokeKey(tx, id, actor)
  })
}

const shown = {
  include: {
    apiKey: {
      omit: { hash: true },
      include: { user: { select: { id: true, email: true, name: true } } },
    },
  },
} as const

/** An owner sees and ends each connection of a workspace, everybody else their own. */
const seenBy = (userId: string, workspace: object = {}) => ({
  OR: [
    { userId },
    { workspace: { memberships: { some: { userId, role: 'owner' as const } }, ...workspace } },
  ],
})

/** AI clients of each workspace whose key works, newest first. */
export async function loadClients(
  db: Db,
  { userId }: Pick<Principal, 'userId'>,
  workspaceIds: readonly string[],
) {
  const rows = await db.connectedClient.findMany({
    where: {
      lastRefreshAt: { not: null },
      apiKey: {
        workspaceId: { in: [...workspaceIds] },
        revokedAt: null,
        expiresAt: { gt: new Date() },
        ...seenBy(userId),
      },
    },
    ...shown,
    orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
  })
  return groupByWorkspace(
    workspaceIds,
    rows.map((row) => ({ ...row, workspaceId: row.apiKey.workspaceId })),
  )
}

export type ClientRow = Awaited<ReturnType<typeof loadClients>>[number][number]

/**
 * Disconnects an AI client of who asks; an owner disconnects each of the workspace. Its next request is refused.
 * @throws {Fault} `not_found`
 */
export async function disconnectClient(
  db: Db,
  { userId, keyId, workspaceId: home, projectId, session }: Principal,
  id: string,
): Promise<string> {
  const reached = session?.isPerson ? {} : { id: home }
  const found =
    isUuid(id) && projectId === null
      ? await db.connectedClient.findFirst({
          where: { id, apiKey: seenBy(userId, reached) },
          select: { id: true, apiKeyId: true },
        })
      : null
  if (!found) throw notFound()
  const actor: Actor = { userId, keyId }
  await revokeKey(db, found.apiKeyId, actor)
  return found.id
}
