import { Refused } from '../guard/guard.ts'
import type { FailedOutcome, UnreachableCause } from '../reading.ts'

/** A request that got no whole answer. */
export class Failure extends Error {
  readonly kind: UnreachableCause | 'certificate' | 'refused'
  /** Another try would fail alike. */
  readonly isFinal: boolean
  constructor(kind: Failure['kind'], detail: string) {
    super(detail)
    this.name = 'Failure'
    this.kind = kind
    this.isFinal =
      kind === 'refused' ||
      kind === 'certificate' ||
      kind === 'encoding' ||
      // The name does not exist; a resolver that fails for the moment says EAI_AGAIN.
      detail.startsWith('ENOTFOUND')
  }

  outcome(): FailedOutcome {
    const { kind, message: detail } = this
    if (kind === 'refused') return { kind: 'skipped', reason: 'private_address', detail }
    if (kind === 'certificate') return { kind, detail }
    return { kind: 'unreachable', cause: kind, detail }
  }
}

const timeouts = new Set([
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
])
/** Codes of OpenSSL's checks of certificates, as Node.js spells them. */
const certificateCode =
  /^(CERT_|CRL_|ERR_TLS_CERT|DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED|UNABLE_TO_(GET|VERIFY|DECRYPT|DECODE)|HOSTNAME_MISMATCH|INVALID_(CA|PURPOSE)|PATH_LENGTH_EXCEEDED|ERROR_IN_CERT)/

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  const { code, cause } = error as NodeJS.ErrnoException & { cause?: unknown }
  if (typeof code === 'string' && code !== '') return code
  const first = error instanceof AggregateError ? error.errors[0] : cause
  return first === undefined ? '' : codeOf(first)
}

function kindOf(code: string): Failure['kind'] {
  if (timeouts.has(code)) return 'timeout'
  if (certificateCode.test(code)) return 'certificate'
  if (/^(ENOTFOUND|EAI_)/.test(code)) return 'dns'
  if (
    /^(HPE_|Z_|ERR__?ZLIB|ERR_BROTLI|ERR_PADDING|UND_ERR_(HEADERS_OVERFLOW|RES_|RESPONSE))/.test(
      code,
    )
  ) {
    return 'protocol'
  }
  return 'connection'
}

/**
 * The failure behind an error of DNS, the socket, TLS, HTTP or decompression: all of these have codes.
 * @throws the error itself where it has none
 */
export function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error
  if (error instanceof Refused) return new Failure('refused', error.message)
  const code = codeOf(error)
  if (code === '') throw error
  const message = error instanceof Error ? error.message : ''
  const detail = [code, message.split('\n', 1)[0]?.slice(0, 200)].filter(Boolean).join(': ')
  return new Failure(kindOf(code), detail)
}
