import type { Principal } from '../../core/access.ts'
import { Fault } from '../../core/errors.ts'
import { fingerprintOf } from '../../core/fingerprint.ts'
import {
  type PlannedAction,
  type PlannedSaid,
  type PlannedWords,
  plannedMs,
  plannedStatus,
} from '../../core/planned-changes.ts'
import { asStored, storedAs } from '../../core/stored-json.ts'
import { isUuid } from '../../core/uuid.ts'
import type { Db } from '../../prisma/client.ts'
import { recordEdits } from '../shared/audit-trail.ts'
import { inTransaction } from '../shared/transaction.ts'
import { missing } from '../shared/workspace.ts'
import { lockedChange } from './planned-changes.sql.ts'

type Json = Parameters<Db['plannedChange']['create']>[0]['data']['input']

interface Place {
  readonly id: string
  readonly workspaceId: string
}

const include = {
  apiKey: {
    select: {
      id: true,
      name: true,
      client: { select: { name: true, host: true } },
    },
  },
} as const

/** A change as it was planned. It is kept until it has expired for a day. */
export async function storePlanned(
  db: Db,
  { keyId }: Pick<Principal, 'keyId'>,
  {
    projectId,
    action,
    input,
    said,
  }: { projectId: string; action: PlannedAction; input: object; said: PlannedSaid },
) {
  return db.plannedChange.create({
    data: {
      projectId,
      apiKeyId: keyId,
      action,
      input: input as Json,
      said: asStored(said),
      expiresAt: new Date(Date.now() + plannedMs),
    },
    include,
  })
}

export type PlannedRow = Awaited<ReturnType<typeof storePlanned>>

export async function findPlanned(
  db: Db,
  projectId: string,
  id: string,
): Promise<PlannedRow | null> {
  return isUuid(id) ? db.plannedChange.findFirst({ where: { id, projectId }, include }) : null
}

/** @throws {Fault} `not_found` */
export async function plannedChange(db: Db, projectId: string, id: string): Promise<PlannedRow> {
  const found = await findPlanned(db, projectId, id)
  if (!found) throw missing('planned change', id)
  return found
}

/** A change under a lock, so that no other request decides or applies it meanwhile. @throws {Fault} `not_found` */
async function locked(tx: Db, projectId: string, id: string): Promise<PlannedRow> {
  if (isUuid(id)) await tx.$queryRawUnsafe(lockedChange, projectId, id)
  return plannedChange(tx, projectId, id)
}

const over = (message: string) => new Fault('change_over', message)

const stale = () =>
  new Fault('change_stale', 'The project has changed since this change was planned.')

/** @throws {Fault} `change_over` or `change_stale` for a change that nobody can decide or apply any more */
function requireOpen(row: PlannedRow): void {
  const status = plannedStatus(row, new Date())
  if (status === 'expired') throw over('The planned change has expired after 10 minutes.')
  if (status === 'refused') throw over('A person has refused the planned change.')
  if (status === 'stale') throw stale()
}

/**
 * Only a person approves a change: at the dashboard, where they have signed in. A client that planned it may refuse it for
 * the person who declined it there.
 * @throws {Fault} `forbidden`
 */
function requirePerson({ session }: Principal): void {
  if (session?.isPerson) return
  throw new Fault(
    'forbidden',
    'Only a person who has signed in to the dashboard approves a change.',
  )
}

/**
 * Records what a person decided. The same decision again changes nothing.
 * @throws {Fault} `not_found`, `forbidden`, `change_over`
 */
export function decidePlanned(
  db: Db,
  principal: Principal,
  project: Place,
  { id, decision }: { id: string; decision: 'approved' | 'refused' },
): Promise<PlannedRow> {
  return inTransaction(db, async (tx) => {
    const row = await locked(tx, project.id, id)
    const isOwn = row.apiKeyId === principal.keyId
    if (decision === 'approved' || !isOwn) requirePerson(principal)
    if (row.decision === decision || row.appliedAt) return row
    requireOpen(row)
    const { userId, keyId, session } = principal
    const decidedById = session?.isPerson ? userId : null
    const verb = decision === 'approved' ? 'approve' : 'refuse'
    await recordEdits(
      tx,
      { userId, keyId },
      { workspaceId: project.workspaceId, projectId: project.id },
      [
        {
          action: `plannedChange.${verb}`,
          subject: ['plannedChange', row.id],
          after: { name: summaryOf(row), action: row.action },
        },
      ],
    )
    return tx.plannedChange.update({
      where: { id: row.id },
      data: { decision, decidedAt: new Date(), decidedById },
      include,
    })
  })
}

export const saidOf = ({ said }: Pick<PlannedRow, 'said'>) => storedAs<PlannedSaid>(said)

const summaryOf = (row: PlannedRow) => saidOf(row).summary

/** What a person has seen. Who else uses the allowance meanwhile does not change it. */
const printOf = ({ summary, lines, notes, costUsd }: PlannedWords) =>
  fingerprintOf([{ summary, lines, notes, costUsd }])

interface Outcome {
  readonly words: PlannedWords
  readonly result: object
}

/**
 * Applies a change in one transaction: at most once, only as a person has seen it, and only for the key that planned it.
 * A repetition gets the answer of the first.
 * @param isConfirmed whether the person has approved it in the client just now
 * @param run makes the change in the transaction
 * @throws {Fault} `not_found`, also for another key; `change_over`, `change_not_approved`, `change_stale`, and those of `run`
 */
export function applyPlanned(
  db: Db,
  principal: Principal,
  project: Place,
  { id, isConfirmed }: { id: string; isConfirmed: boolean },
  run: (tx: Db, row: PlannedRow) => Promise<Outcome>,
): Promise<PlannedRow> {
  const work = async (tx: Db) => {
    const row = await locked(tx, project.id, id)
    const { keyId, userId } = principal
    if (row.apiKeyId !== keyId) throw missing('planned change', id)
    if (row.appliedAt) return row
    requireOpen(row)
    if (row.decision !== 'approved' && !isConfirmed) {
      throw new Fault('change_not_approved', 'Nobody has approved the planned change yet.')
    }
    const { words, result } = await run(tx, row)
    if (printOf(words) !== printOf(saidOf(row))) throw stale()
    const approved = row.decision === 'approved'
    await recordEdits(
      tx,
      { userId, keyId },
      { workspaceId: project.workspaceId, projectId: project.id },
      [
        {
          action: 'plannedChange.apply',
          subject: ['plannedChange', row.id],
          after: {
            name: words.summary,
            action: row.action,
            approved: approved ? 'dashboard' : 'client',
          },
        },
      ],
    )
    const decided = approved ? {} : { decision: 'approved' as const, decidedAt: new Date() }
    return tx.plannedChange.update({
      where: { id: row.id },
      data: { ...decided, appliedAt: new Date(), result: result as Json },
      include,
    })
  }
  return inTransaction(db, work, { timeout: applyMs }).catch(async (error: unknown) => {
    const isStale = error instanceof Fault && error.code === 'change_stale'
    if (isStale) await markStale(db, id)
    throw error
  })
}

/** Its page says why nothing was changed. */
const markStale = (db: Db, id: string) =>
  db.plannedChange.updateMany({
    where: { id, appliedAt: null, staleAt: null },
    data: { staleAt: new Date() },
  })

/** A run of a schedule writes a row for each question. */
export const applyMs = 60_000
