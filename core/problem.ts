import { catalog, type ErrorCode, type Fault, type FaultExtras } from './errors.ts'

/** The body of every REST error (RFC 9457). */
export interface ProblemBody extends FaultExtras {
  type: string
  title: string
  status: number
  code: ErrorCode
  error: string
  message: string
  howToFix?: string
  requestId: string
  retryable?: boolean
}

/** Renders a fault as a problem. `baseUrl` is where this service is reached, without a slash at the end. */
export function problemBody(
  fault: Fault,
  { requestId, baseUrl }: { requestId: string; baseUrl: string },
): ProblemBody {
  const entry = catalog[fault.code]
  return {
    type: `${baseUrl}/docs/errors#${fault.code}`,
    title: entry.title,
    status: fault.status,
    code: fault.code,
    error: fault.message,
    message: fault.message,
    ...('howToFix' in entry ? { howToFix: entry.howToFix } : {}),
    requestId,
    ...(fault.retryable ? { retryable: true } : {}),
    ...fault.extras,
  }
}
