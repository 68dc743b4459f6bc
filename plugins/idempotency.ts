import { createHash } from 'node:crypto'
import type { Logger } from 'pino'
import { Fault } from '../core/errors.ts'
import type { Catalog, Db } from '../prisma/client.ts'

/** What a write answered: what is kept, and sent again. */
export interface Answer {
  /** 2xx. */
  readonly status: number
  readonly body: string
}

/** A write that is to be done once. */
export interface KeyedWrite {
  readonly apiKeyId: string
  readonly idempotencyKey: string
  /** Tells its operation, path and body from any other. */
  readonly fingerprint: string
  /** Headers of the response, to which is added what became of the answer. */
  readonly headers: Record<string, string>
}

/**
 * Does a write once, however often it is asked for with the same key within 24 hours.
 * @param work writes through the transaction that it is given, and through nothing else. What it throws
 *   undoes the write and is not kept: the same request may be sent again.
 * @returns the answer of `work`, or the one that was kept
 * @throws {Fault} `idempotency_in_flight`, `idempotency_conflict`, and what `work` throws
 */
export type Once = (write: KeyedWrite, work: (db: Db) => Promise<Answer>) => Promise<Answer>

const retentionMs = 24 * 3600 * 1000
const maxKeptBytes = 100 * 1024
const retryAfterSeconds = 5
/** Half of what a transaction may take: a write that waits longer for another one gives up. */
const lockTimeout = '15s'

/**
 * Keeps the answers of writes beside what they wrote, in one transaction.
 * @see docs/adr/0010-idempotency-in-one-transaction.md
 */
export function idempotency(db: Catalog, log: Logger): Once {
  const sweep = sweeper(db, log)
  return async ({ headers, ...write }, work) => {
    const { answer, header } = await db.$transaction(async (tx) => {
      await hold(tx, write)
      return (await keptAnswer(tx, write)) ?? keep(tx, write, await work(tx))
    })
    Object.assign(headers, header)
    sweep()
    return answer
  }
}

type Write = Omit<KeyedWrite, 'headers'>

/** An answer, and the header that goes with it. */
interface Outcome {
  readonly answer: Answer
  readonly header: Record<string, string>
}

/** Keeps twins out until the transaction ends. */
async function hold(tx: Db, { apiKeyId, idempotencyKey }: Write): Promise<void> {
  const hash = createHash('sha256').update(`${apiKeyId} ${idempotencyKey}`).digest()
  const [lock] = await tx.$queryRaw<{ held: boolean }[]>`
    SELECT pg_try_advisory_xact_lock(${hash.readBigInt64BE()}::bigint) AS held,
           set_config('lock_timeout', ${lockTimeout}, true)`
  if (lock?.held) return
  throw new Fault('idempotency_in_flight', 'The first request with this key has not ended yet.', {
    headers: { 'Retry-After': String(retryAfterSeconds) },
  })
}

async function keptAnswer(tx: Db, write: Write): Promise<Outcome | undefined> {
  const { apiKeyId, idempotencyKey: key, fingerprint } = write
  const where = { apiKeyId_key: { apiKeyId, key } }
  const kept = await tx.idempotentReply.findUnique({ where })
  if (!kept || kept.createdAt <= expiry()) return undefined
  if (kept.fingerprint !== fingerprint) {
    throw new Fault('idempotency_conflict', 'This key came with another request before.')
  }
  return {
    answer: { status: kept.status, body: Buffer.from(kept.body).toString() },
    header: { 'X-Idempotent-Replay': 'true' },
  }
}

async function keep(tx: Db, write: Write, answer: Answer): Promise<Outcome> {
  const { apiKeyId, idempotencyKey: key, fingerprint } = write
  const body = Buffer.from(answer.body)
  if (body.length > maxKeptBytes) {
    return { answer, header: { 'X-Idempotent-Skipped': 'body-too-large' } }
  }
  const reply = { fingerprint, status: answer.status, body, createdAt: new Date() }
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

/** Removes answers that have expired, once a minute while writes come, beside them and not in their time. */
function sweeper(db: Catalog, log: Logger): () => void {
  let next = 0
  const sweep = async () => {
    // Rows that a write renews right now are left alone: neither waits for the other.
    const swept = await db.$executeRaw`
      DELETE FROM "IdempotentReply" WHERE ("apiKeyId", key) IN (
        SELECT "apiKeyId", key FROM "IdempotentReply" WHERE "createdAt" <= ${expiry()}
         LIMIT ${sweepRows} FOR UPDATE SKIP LOCKED)`
    if (swept === sweepRows) await sweep()
  }
  return () => {
    if (Date.now() < next) return
    next = Date.now() + sweepEveryMs
    sweep().catch((err) => log.warn({ err }, 'expired answers of writes were not removed'))
  }
}
