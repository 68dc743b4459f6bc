// Node's for sockets and names, PostgreSQL's (classes 08, 53, 57; a transaction that lost a race or was idle too
// long: 40001, 40P01, 25P03), Prisma's.
const CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  '25P03',
  '40001',
  '40P01',
  '53300',
  '57P01',
  '57P02',
  '57P03',
  'P1001',
  'P1002',
  'P1008',
  'P1017',
  'P2024',
  'P2034',
  'P2037',
])
const KINDS = new Set([
  'DatabaseNotReachable',
  'ConnectionClosed',
  'SocketTimeout',
  'TooManyConnections',
  'TransactionWriteConflict',
])
/** A lock timeout, a serialization failure, a deadlock, and Prisma's code for the last two. */
const PREVENTED = new Set<unknown>(['55P03', '40001', '40P01', 'P2034'])
// pg gives these no code, and Prisma's P2028 has other causes too.
const MESSAGES =
  /Connection terminated|connection error and is not queryable|timeout exceeded when trying to connect|Unable to start a transaction in the given time|executed on an expired transaction/

/**
 * Whether PostgreSQL did not answer or gave up a transaction. The same request may then be retried; a refusal must
 * not be.
 */
export function isEngineDown(error: unknown): boolean {
  return links(error, new Set()).some(saysDown)
}

/** Whether a write waited too long: for the lock of another transaction, or for a connection. */
export function isLockBusy(error: unknown): boolean {
  return links(error, new Set()).some(({ code, originalCode }) =>
    [code, originalCode].includes('55P03'),
  )
}

/** Whether other transactions prevented a write: a lock was not free in time, or the write lost a race. */
export function isPrevented(error: unknown): boolean {
  return links(error, new Set()).some(({ code, originalCode }) =>
    [code, originalCode].some((text) => PREVENTED.has(text)),
  )
}

interface Link {
  code?: unknown
  originalCode?: unknown
  kind?: unknown
  message?: unknown
  cause?: unknown
  errors?: unknown
  meta?: { driverAdapterError?: unknown }
}

function saysDown({ code, originalCode, kind, message }: Link): boolean {
  const known = [code, originalCode].some(
    (text) => typeof text === 'string' && (CODES.has(text) || /^08...$/.test(text)),
  )
  if (known || (typeof kind === 'string' && KINDS.has(kind))) return true
  const isOpen = code === undefined || code === 'P2028'
  return isOpen && typeof message === 'string' && MESSAGES.test(message)
}

// Prisma hides the driver's error in `meta`, the driver the socket's in `cause` or `errors`.
function links(error: unknown, seen: Set<unknown>): Link[] {
  if (typeof error !== 'object' || error === null || seen.has(error)) return []
  seen.add(error)
  const link: Link = error
  const inner = [link.cause, link.meta?.driverAdapterError]
  if (Array.isArray(link.errors)) inner.push(...link.errors)
  return [link, ...inner.flatMap((next) => links(next, seen))]
}
