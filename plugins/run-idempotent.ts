import { createHash, createHmac } from 'node:crypto'
import type { Logger } from 'pino'
import { openSecret, sealSecret } from '../core/collecting/providers/sealed.ts'
import { Fault } from '../core/errors.ts'
import { type Catalog, type Db, LockBusyError, withAdvisoryLock } from '../prisma/client.ts'

/** A write with an idempotency key. */
export interface KeyedWrite {
  readonly apiKeyId: string
  readonly idempotencyKey: string
  /** Differs for another operation, path or body. */
  readonly fingerprint: string
  /** Whether the answer shows a secret: it is stored sealed. */
  readonly hasSecret: boolean
  /** Whether the write reaches beyond the catalog, so that no transaction can undo it. */
  readonly isOutside: boolean
  /** Headers of the response; `X-Idempotent-Replay` or `X-Idempotent-Skipped` is added. */
  readonly headers: Record<string, string>
}

/**
 * Runs a write once, however often the same key comes within 24 hours.
 * @param work writes through its transaction alone, unless the write reaches beyond the catalog. An error undoes the write
 *   and is not stored, so that a retry runs again.
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

export interface IdempotencyStores {
  readonly db: Catalog
  readonly databaseUrl: string
  /** The first seals answers; all of them open what they sealed. */
  readonly signingSecrets: readonly [string, ...string[]]
  readonly log: Logger
}

/**
 * Stores the answers of writes beside their effect, in one transaction. A write beyond the catalog, such as an import, stores
 * its answer when it has ended: after a crash in between a retry runs it again, which such writes bear.
 * @see docs/adr/0010-idempotency-in-one-transaction.md
 */
export function createRunIdempotent(stores: IdempotencyStores): RunIdempotent {
  const { db, signingSecrets, log } = stores
  const removeExpired = expiredAnswerRemover(db, log)
  return async ({ headers, fingerprint, ...rest }, work) => {
    // A request may hold a secret too, and a hash without a key can be searched for a short one.
    const hashed = createHmac('sha256', signingSecrets[0]).update(fingerprint).digest('base64')
    const write = { ...rest, fingerprint: hashed, signingSecrets }
    const { answer, header } = write.isOutside
      ? await runOutside(stores, write, work)
      : await db.$transaction(async (tx) => {
          await lock(tx, write)
          return (await storedAnswer(tx, write)) ?? store(tx, write, await work(tx))
        })
    Object.assign(headers, header)
    removeExpired()
    return answer
  }
}

interface Write extends Omit<KeyedWrite, 'headers'> {
  readonly signingSecrets: IdempotencyStores['signingSecrets']
}

type Work = Parameters<RunIdempotent>[1]

async function runOutside(
  { db, databaseUrl, log }: IdempotencyStores,
  write: Write,
  work: Work,
): Promise<Answered> {
  const name = `idempotency ${write.apiKeyId} ${write.idempotencyKey}`
  const once = async () => {
    const stored = await storedAnswer(db, write)
    if (stored) return stored
    const answer = await work(db)
    // The write is done: its answer must reach the client. A project goes with the keys that are bound to it.
    return store(db, write, answer).catch((err: unknown) => {
      log.warn({ err }, 'the answer of a write was not stored for a repetition')
      return { answer, header: {} }
    })
  }
  try {
    return await withAdvisoryLock(databaseUrl, name, once, { waitMs: 0 })
  } catch (error) {
    throw error instanceof LockBusyError && error.key === name ? inFlight() : error
  }
}

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
  if (!row?.held) throw inFlight()
}

function inFlight(): Fault {
  return new Fault('idempotency_in_flight', 'The first request with this key has not ended yet.', {
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
  return { answer: textOf(write, stored.body), header: { 'X-Idempotent-Replay': 'true' } }
}

/** A sealed answer opens for its key and its idempotency key alone. */
const placeOf = ({ apiKeyId, idempotencyKey }: Write) => `idempotent ${apiKeyId} ${idempotencyKey}`

const bytesOf = (write: Write, answer: string) =>
  write.hasSecret
    ? sealSecret(write.signingSecrets[0], placeOf(write), answer)
    : Buffer.from(answer)

function textOf(write: Write, body: Uint8Array): string {
  if (!write.hasSecret) return Buffer.from(body).toString()
  const opened = openSecret(write.signingSecrets, placeOf(write), body)
  if (opened) return opened.text
  const message = 'The first answer was sealed with a secret that the service has lost.'
  throw new Fault('idempotency_conflict', message)
}

async function store(tx: Db, write: Write, answer: string): Promise<Answered> {
  const { apiKeyId, idempotencyKey: key, fingerprint } = write
  const body = bytesOf(write, answer)
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
