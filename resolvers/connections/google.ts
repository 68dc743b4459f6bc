import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { openSecret, sealSecret } from '../../core/collecting/providers/sealed.ts'
import { invalid, notFound } from '../../core/errors.ts'
import { isUuid } from '../../core/uuid.ts'
import type { Db } from '../../prisma/client.ts'
import type { Actor, Edit } from '../shared/audit-trail.ts'
import { groupByWorkspace } from '../shared/by-project.ts'
import { changeWorkspace, type WorkspaceChangeResult } from '../shared/change.ts'
import { check } from '../shared/inputs.ts'
import { wakeFeeds } from './feeds.ts'

/** Where Google sends people back to, below the address of the service. */
export const googleReturnPath = '/google/return'

type Secrets = readonly [string, ...string[]]

const clientSchema = z.object({
  clientId: z
    .string()
    .trim()
    .regex(
      /^[\w-]{1,200}\.apps\.googleusercontent\.com$/,
      'must be a client id of Google, which ends with `.apps.googleusercontent.com`',
    ),
})

export type GoogleClientRow = Awaited<ReturnType<typeof loadGoogleClients>>[number][number]

/** The OAuth client of each workspace, without its secret. */
export async function loadGoogleClients(db: Db, workspaceIds: readonly string[]) {
  const rows = await db.googleClient.findMany({
    where: { workspaceId: { in: [...workspaceIds] } },
    select: { workspaceId: true, clientId: true, updatedAt: true },
  })
  return groupByWorkspace(workspaceIds, rows)
}

export type GoogleAccountRow = Awaited<ReturnType<typeof loadGoogleAccounts>>[number][number]

const shownAccount = {
  id: true,
  workspaceId: true,
  email: true,
  scopes: true,
  endedAt: true,
  createdAt: true,
} as const

/** Google accounts of each workspace, the oldest first, without their tokens. */
export async function loadGoogleAccounts(db: Db, workspaceIds: readonly string[]) {
  const rows = await db.googleAccount.findMany({
    where: { workspaceId: { in: [...workspaceIds] } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    select: shownAccount,
  })
  return groupByWorkspace(workspaceIds, rows)
}

const clientPlace = (workspaceId: string) => `${workspaceId}:google client`
const accountPlace = ({ id, workspaceId }: { id: string; workspaceId: string }) =>
  `${workspaceId}:google account:${id}`

function readSecret(secret: string): string {
  const text = secret.trim()
  if (/^[\x21-\x7e]{1,500}$/.test(text)) return text
  throw invalid('secret', 'must be 1 to 500 visible ASCII characters, without spaces')
}

/**
 * Stores the OAuth client by which people of a workspace sign in with Google. Accounts of another client are removed:
 * their tokens belong to it.
 * @throws {Fault} `invalid_argument`; `not_found` for the workspace
 */
export function setGoogleClient(
  db: Db,
  actor: Actor,
  workspaceId: string,
  input: { readonly clientId: string; readonly secret: string },
  signingSecret: string,
): Promise<WorkspaceChangeResult> {
  const { clientId } = check(clientSchema, { clientId: input.clientId })
  const secret = readSecret(input.secret)
  return changeWorkspace(db, actor, workspaceId, async (tx) => {
    const known = await tx.googleClient.findUnique({ where: { workspaceId } })
    const sealed = sealSecret(signingSecret, clientPlace(workspaceId), secret)
    const data = { clientId, sealed, updatedAt: new Date() }
    await tx.googleClient.upsert({
      where: { workspaceId },
      create: { workspaceId, ...data },
      update: data,
    })
    if (known && known.clientId !== clientId) await removeAccounts(tx, workspaceId)
    const edit: Edit = {
      action: known ? 'googleClient.replace' : 'googleClient.add',
      subject: ['googleClient', workspaceId],
      ...(known && { before: { clientId: known.clientId } }),
      after: { clientId },
    }
    return { subjectId: workspaceId, edits: [edit] }
  })
}

const over = {
  problem: 'signInEnded',
  problemText: 'The Google account was removed.',
  nextPullAt: null,
} as const

/** Feeds stay with their rows, and wait for another account. */
async function removeAccounts(tx: Db, workspaceId: string, id?: string): Promise<void> {
  const where = { workspaceId, ...(id !== undefined && { id }) }
  await tx.dataFeed.updateMany({
    where: { account: where },
    data: { ...over, failingSince: new Date() },
  })
  await tx.googleAccount.deleteMany({ where })
}

/**
 * Removes the OAuth client of a workspace, with the accounts that signed in by it.
 * @throws {Fault} `not_found`
 */
export function removeGoogleClient(
  db: Db,
  actor: Actor,
  workspaceId: string,
): Promise<WorkspaceChangeResult> {
  return changeWorkspace(db, actor, workspaceId, async (tx) => {
    const known = await tx.googleClient.findUnique({ where: { workspaceId } })
    if (!known) throw notFound()
    await removeAccounts(tx, workspaceId)
    await tx.googleClient.delete({ where: { workspaceId } })
    const subject = ['googleClient', workspaceId] as const
    const before = { clientId: known.clientId }
    const edit: Edit = { action: 'googleClient.remove', subject, before }
    return { subjectId: workspaceId, edits: [edit] }
  })
}

export interface OpenedClient {
  readonly clientId: string
  readonly secret: string
}

/**
 * The OAuth client of a workspace, ready to use.
 * @throws {Fault} `invalid_argument` where the workspace has none, or no signing secret opens it
 */
export async function openGoogleClient(
  db: Db,
  workspaceId: string,
  signingSecrets: Secrets,
): Promise<OpenedClient> {
  const row = await db.googleClient.findUnique({ where: { workspaceId } })
  const opened = row && openSecret(signingSecrets, clientPlace(workspaceId), row.sealed)
  if (!row || !opened) {
    throw invalid('workspaceId', 'has no OAuth client of Google: run `setGoogleClient` first')
  }
  return { clientId: row.clientId, secret: opened.text }
}

export interface OpenedAccount {
  readonly client: OpenedClient
  readonly refreshToken: string
}

/**
 * An account with its client, ready to ask with.
 * @returns null where the account is gone, or no signing secret opens it
 */
export async function openGoogleAccount(
  db: Db,
  accountId: string,
  signingSecrets: Secrets,
): Promise<OpenedAccount | null> {
  const row = await db.googleAccount.findUnique({ where: { id: accountId } })
  const opened = row && openSecret(signingSecrets, accountPlace(row), row.sealed)
  if (!row || !opened) return null
  const client = await openGoogleClient(db, row.workspaceId, signingSecrets)
  return { client, refreshToken: opened.text }
}

/**
 * The account of a workspace with this id.
 * @throws {Fault} `not_found`
 */
export async function requireGoogleAccount(
  db: Db,
  workspaceId: string,
  id: string,
): Promise<GoogleAccountRow> {
  const found = isUuid(id)
    ? await db.googleAccount.findFirst({ where: { id, workspaceId }, select: shownAccount })
    : null
  if (!found) throw notFound()
  return found
}

/**
 * Stores the account that a person has signed in with. A known account gets its new token, and its feeds are pulled.
 * @throws {Fault} `not_found` for the workspace
 */
export function saveGoogleAccount(
  db: Db,
  actor: Actor,
  workspaceId: string,
  {
    email,
    refreshToken,
    scopes,
  }: {
    readonly email: string
    readonly refreshToken: string
    readonly scopes: readonly string[]
  },
  signingSecret: string,
): Promise<WorkspaceChangeResult> {
  return changeWorkspace(db, actor, workspaceId, async (tx) => {
    const where = { workspaceId_email: { workspaceId, email } }
    const known = await tx.googleAccount.findUnique({ where })
    const id = known?.id ?? randomUUID()
    const sealed = sealSecret(signingSecret, accountPlace({ id, workspaceId }), refreshToken)
    const data = { scopes: [...scopes], sealed, endedAt: null, userId: actor.userId }
    await tx.googleAccount.upsert({
      where,
      create: { id, workspaceId, email, ...data },
      update: data,
    })
    // Feeds of an account that was removed wait for it.
    await tx.dataFeed.updateMany({
      where: { accountId: null, kind: { not: 'bingWebmaster' }, project: { workspaceId } },
      data: { accountId: id },
    })
    await wakeFeeds(tx, { accountId: id })
    const edit: Edit = {
      action: known ? 'googleAccount.signIn' : 'googleAccount.add',
      subject: ['googleAccount', id],
      after: { email },
    }
    return { subjectId: id, edits: [edit] }
  })
}

/**
 * Removes an account with its token.
 * @throws {Fault} `not_found`
 */
export function removeGoogleAccount(
  db: Db,
  actor: Actor,
  workspaceId: string,
  accountId: string,
): Promise<WorkspaceChangeResult> {
  return changeWorkspace(db, actor, workspaceId, async (tx) => {
    const { id, email } = await requireGoogleAccount(tx, workspaceId, accountId)
    await removeAccounts(tx, workspaceId, id)
    const subject = ['googleAccount', id] as const
    return {
      subjectId: id,
      edits: [{ action: 'googleAccount.remove', subject, before: { email } }],
    }
  })
}

/** Notes that Google refuses the token of an account. */
export async function noteAccountEnded(db: Db, id: string): Promise<void> {
  await db.googleAccount.updateMany({ where: { id, endedAt: null }, data: { endedAt: new Date() } })
}
