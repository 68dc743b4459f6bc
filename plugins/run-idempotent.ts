import { createHash } from 'node:crypto'
import type { Logger } from 'pino'
import { Fault } from '../core/errors.ts'
import type { Catalog, Db } from '../prisma/client.ts'

/** A write with an idempotency key. */
export interface KeyedWrite {
  readonly apiKeyId: string
  readonly idempotencyKey: string
  /** Differs for another operation, path or body. */
  readonly fingerprint: string
  /** Headers of the response; `X-Idempotent-Replay` or `X-Idempotent-Skipped` is added. */
  readonly headers: Record<string, string>
}

/**
 * Runs a write once, however often the same key comes within 24 hours.
 * @param work writes through its transaction alone. An error undoes the write and is not stored, so that a
 *   retry runs again.
 * @returns the answer of `work` as JSON, or the stored answer
 * @throws {Fault} `idempotency_in_flight`, `idempotency_conflict`, and the faults of `work`
 */
export type RunIdempotent = (
  write: KeyedWrite,
  work: (db: Db) => Promise<string>,
) => Promise<string>

const retentionMs = 24 * 3600 * 1000
const maxStoredBytes = 100 * 1024
const retryAfterSeconds = 5

/**
 * Stores the answers of writes beside their effect, in one transaction.
 * @see docs/adr/0010-idempotency-in-one-transaction.md
 */
export function createRunIdempotent(db: Catalog, log: Logger): RunIdempotent {
  const removeExpired = expiredAnswerRemover(db, log)
  return async ({ headers, ...write }, work) => {
    const { answer, header } = await db.$transaction(async (tx) => {
      await lock(tx, write)
      return (await storedAnswer(tx, write)) ?? store(tx, write, await work(tx))
    })
    Object.assign(headers, header)
    removeExpired()
    return answer
  }
}

type Write = Omit<KeyedWrite, 'headers'>

/** An answer as JSON, and the header that says how it was made. */
interface Answered {
  readonly answer: string
  readonly header: Record<string, string>
}

/** Holds a lock until the transaction ends; a concurrent twin is refused. */
async function lock(tx: Db, { apiKeyId, idempotencyKey }: Write): Promise<void> {
  const hash = createHash('sha256').update(`${apiKeyId} ${idempotencyKey}`).digest()
  const [row] = await tx.$queryRaw<{ held: boolean }[]>`
    SELECT pg_try_advisory_xact_lock(${hash.readBigInt64BE()}::bigint) AS held`
  if (row?.held) return
  throw new Fault('idempotency_in_flight', 'The first request with this key has not ended yet.', {
    headers: { 'Retry-After': String(retryAfterSeconds) },
  })
}

async function storedAnswer(tx: Db, write: Write): Promise<Answered | undefined> {
  const { apiKeyId, idempotencyKey: key, fingerprint } = write
  const where = { apiKeyId_key: { apiKeyId, key } }
  const stored = await tx.idempotentReply.findUnique({ where })
  if (!stored || stored.createdAt <= expiry()) return undefined
  if (stored.fingerprint !== fingerprint) {
    throw new Fault('idempotency_conflict', 'This key came with another request before.')
  }
  return {
    answer: Buffer.from(stored.body).toString(),
    header: { 'X-Idempotent-Replay': 'true' },
  }
}

async function store(tx: Db, write: Write, answer: string): Promise<Answered> {
  const { apiKeyId, idempotencyKey: key, fingerprint } = write
  const body = Buffer.from(answer)
  if (body.length > maxStoredBytes) {
    return { answer, header: { 'X-Idempotent-Skipped': 'body-too-large' } }
  }
  // The status belongs to the route, not to the answer: every stored answer is a success.
  const reply = { fingerprint, status: 200, body, createdAt: new Date() }
  await tx.idempotentReply.upsert({
    where: { apiKeyId_key: { apiKeyId, key } },
    create: { apiKeyId, key, ...reply },
    update: reply,
  })
  return { answer, header: {} }
}

function expiry(): Date {
  return new Date(Date.now() - retentionMs)
}

const sweepEveryMs = 60_000
const sweepRows = 1000

/** Removes expired answers at most once a minute, while writes come, without delaying them. */
function expiredAnswerRemover(db: Catalog, log: Logger): () => void {
  let next = 0
  const sweep = async () => {
    // SKIP LOCKED: a row that a write renews right now stays, and neither waits for the other.
    const swept = await db.$executeRaw`
      DELETE FROM "IdempotentReply" WHERE ("apiKeyId", key) IN (
        SELECT "apiKeyId", key FROM "IdempotentReply" WHERE "createdAt" <= ${expiry()}
         LIMIT ${sweepRows} FOR UPDATE SKIP LOCKED)`
    if (swept === sweepRows) await sweep()
  }
  return () => {
    if (Date.now() < next) return
    next = Date.now() + sweepEveryMs
    sweep().catch((err) => log.warn({ err }, 'expired idempotent answers were not removed'))
  }
}
