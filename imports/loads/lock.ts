import { z } from 'zod'
import { Fault } from '../../core/errors.ts'
import { type GiveBack, TurnLate, Turns } from '../../core/turns.ts'
import { type Catalog, type Db, LockBusyError, withAdvisoryLock } from '../../prisma/client.ts'

export interface LockOptions {
  readonly projectId: string
  /** Names the lock; `importLock(projectId)` by default. */
  readonly lockKey?: string | undefined
  /** Whose place the work takes. Work without a workspace may take all places. */
  readonly workspaceId?: string
  /** Ends the wait for the lock. */
  readonly signal?: AbortSignal | undefined
  /** How long to wait for the lock. 10 minutes by default. */
  readonly waitMs?: number
}

export type Project = NonNullable<Awaited<ReturnType<Db['project']['findUnique']>>>

interface LockStores {
  readonly db: Catalog
  readonly databaseUrl: string
}

const defaultWaitMs = 10 * 60 * 1000
const lockTryMs = 1000
/** Those that wait for another import of their lock hold no connection. */
const inOrder = new Turns({ total: Number.POSITIVE_INFINITY, perName: 1 })
/** Imports of a process at a time, each with a connection: half of them of one workspace. */
const places = new Turns({ total: 16, perName: 8 })

/** Waits for the turn of a lock, and for a place of its workspace. */
async function takeTurns(lockKey: string, workspaceId: string, waitMs: number): Promise<GiveBack> {
  const leaveOrder = await inOrder.take(lockKey, waitMs)
  const leavePlace = await places.take(workspaceId, waitMs).catch((error) => {
    leaveOrder()
    throw error
  })
  return () => {
    leavePlace()
    leaveOrder()
  }
}

/** 404: the project does not exist. */
export function noProject(projectId: string): Fault {
  return new Fault('not_found', `There is no project "${projectId}".`, {
    graph: { missing: projectId },
  })
}

/** The lock under which facts of a project are written or removed. */
export function importLock(projectId: string): string {
  return `import:${projectId}`
}

/**
 * The lock that imports share while they change visible rows in place. A backup takes it alone: it has all rows
 * of such an import or none.
 */
export const rowsInPlaceLock = 'rows-in-place'

/** Does the work while no backup begins. */
export function whileRowsChange<T>(databaseUrl: string, work: () => Promise<T>): Promise<T> {
  const options = { waitMs: defaultWaitMs, shared: true }
  return withAdvisoryLock(databaseUrl, rowsInPlaceLock, work, options)
}

/** @throws {Fault} `not_found` */
export async function requireProject(db: Db, projectId: string): Promise<Project> {
  const isId = z.guid().safeParse(projectId).success
  const project = isId && (await db.project.findUnique({ where: { id: projectId } }))
  if (!project) throw noProject(projectId)
  return project
}

/**
 * Does the work under the lock of the project, or under the lock that `lockKey` names. The wait consists of short
 * tries, so that `signal` ends it at once.
 * @returns the result of the work, or undefined when the signal fired before the work began
 * @throws {Fault} `rate_limited` when the lock is not free within `waitMs`
 */
export function underLock<T>(
  databaseUrl: string,
  options: LockOptions & { readonly signal?: never },
  work: (lockLost: AbortSignal) => Promise<T>,
): Promise<T>
export function underLock<T>(
  databaseUrl: string,
  options: LockOptions,
  work: (lockLost: AbortSignal) => Promise<T>,
): Promise<T | undefined>
export async function underLock<T>(
  databaseUrl: string,
  options: LockOptions,
  work: (lockLost: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const { projectId, lockKey = importLock(projectId), workspaceId = '', signal } = options
  const { waitMs = defaultWaitMs } = options
  const giveUpAt = performance.now() + waitMs
  while (!signal?.aborted) {
    const leftMs = Math.max(0, giveUpAt - performance.now())
    try {
      const tryMs = Math.min(lockTryMs, leftMs)
      const giveBack = await takeTurns(lockKey, workspaceId, tryMs)
      try {
        const held = (lockLost: AbortSignal) => {
          // Whoever takes the lock then must not wait for this work, which has to give up.
          lockLost.addEventListener('abort', giveBack, { once: true })
          return work(lockLost)
        }
        return await withAdvisoryLock(databaseUrl, lockKey, held, { waitMs: tryMs })
      } finally {
        giveBack()
      }
    } catch (error) {
      if (!(error instanceof LockBusyError || error instanceof TurnLate)) throw error
      if (leftMs === 0) throw busy()
    }
  }
  return undefined
}

function busy(): Fault {
  const message = 'Another import or analysis of this project has not ended. Try again later.'
  return new Fault('rate_limited', message, { headers: { 'Retry-After': '60' } })
}

/**
 * Works like `underLock`, and checks under the same lock that the project exists. A removal of the project
 * holds this lock too.
 * @throws {Fault} `not_found`; `rate_limited`
 */
export function withProject<T>(
  stores: LockStores,
  options: LockOptions & { readonly signal?: never },
  work: (project: Project, lockLost: AbortSignal) => Promise<T>,
): Promise<T>
export function withProject<T>(
  stores: LockStores,
  options: LockOptions,
  work: (project: Project, lockLost: AbortSignal) => Promise<T>,
): Promise<T | undefined>
export async function withProject<T>(
  { db, databaseUrl }: LockStores,
  options: LockOptions,
  work: (project: Project, lockLost: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const { workspaceId } = await requireProject(db, options.projectId)
  // What the work gets is read under the lock.
  return underLock(databaseUrl, { ...options, workspaceId }, async (lockLost) =>
    work(await requireProject(db, options.projectId), lockLost),
  )
}
