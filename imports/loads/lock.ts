import { z } from 'zod'
import { Fault } from '../../core/errors.ts'
import {
  type Catalog,
  type Db,
  LockBusyError,
  Turns,
  withAdvisoryLock,
} from '../../prisma/client.ts'

export interface LockOptions {
  readonly projectId: string
  /** Names the lock; `importLock(projectId)` by default. */
  readonly lockKey?: string | undefined
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
/** Imports of a process at a time. Each holds a connection, and those that wait for another hold none. */
const importsAtOnce = 16
const turns = new Turns({ total: importsAtOnce, perName: 1 })

/** 404: the project does not exist. */
export function noProject(projectId: string): Fault {
  return new Fault('not_found', `There is no project "${projectId}".`)
}

/** The lock under which facts of a project are written or removed. */
export function importLock(projectId: string): string {
  return `import:${projectId}`
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
  const { projectId, lockKey = importLock(projectId), signal, waitMs = defaultWaitMs } = options
  const giveUpAt = performance.now() + waitMs
  while (!signal?.aborted) {
    const leftMs = Math.max(0, giveUpAt - performance.now())
    try {
      const tryMs = Math.min(lockTryMs, leftMs)
      const giveBack = await turns.take(lockKey, tryMs)
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
      if (!(error instanceof LockBusyError)) throw error
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
  if (!z.guid().safeParse(options.projectId).success) throw noProject(options.projectId)
  return underLock(databaseUrl, options, async (lockLost) =>
    work(await requireProject(db, options.projectId), lockLost),
  )
}
