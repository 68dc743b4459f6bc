import type { Parts } from './schemas.ts'

const text = { type: 'string' }
const count = { type: 'integer', minimum: 0 }

/** Headers of responses. Headers of every response are required. */
export const headers: Parts = {
  'X-Request-Id': {
    description: 'Id of the request, also in the log and as `requestId` of a problem.',
    required: true,
    schema: { type: 'string', format: 'uuid' },
  },
  RateLimit: {
    description:
      'Requests that remain (`r`) and seconds until the window ends (`t`): `"default";r=599;t=60`. All rate headers are absent while the rate cannot be counted.',
    schema: { type: 'string', pattern: '^"default";r=\\d+;t=\\d+$' },
  },
  'RateLimit-Policy': {
    description: 'Requests (`q`) that a key may send in a window of seconds (`w`).',
    schema: { type: 'string', pattern: '^"default";q=\\d+;w=\\d+$' },
  },
  'X-RateLimit-Limit': { description: 'Requests that a key may send in a window.', schema: count },
  'X-RateLimit-Remaining': { description: 'Requests that remain in the window.', schema: count },
  'X-RateLimit-Reset': {
    description: 'Time when the window ends, in seconds since 1970.',
    schema: count,
  },
  'X-Ignored-Parameters': {
    description:
      'Names of query parameters that the operation does not have, percent-encoded, at most ten. Absent when it has all.',
    schema: { type: 'string', pattern: '^[^, ]*(, [^, ]*)*$' },
  },
  ETag: {
    description: 'Identifies this content of the response, for `If-None-Match`.',
    required: true,
    schema: { type: 'string', pattern: '^(W/)?"[^"]*"$' },
  },
  'Retry-After': { description: 'Seconds to wait before a retry.', schema: count },
  'WWW-Authenticate': {
    description: 'How to authenticate.',
    required: true,
    schema: { type: 'string', const: 'Bearer' },
  },
  'X-Idempotent-Replay': {
    description:
      'Present when the response repeats the response to an earlier request with the same key.',
    schema: { type: 'string', const: 'true' },
  },
  'X-Idempotent-Skipped': {
    description: 'Present when the response was too long to be kept. A repetition would run again.',
    schema: { type: 'string', const: 'body-too-large' },
  },
  Link: {
    description:
      'URL of the next page, `<…>; rel="next"` (RFC 8288). For CSV, and for lists without `pagination`.',
    schema: text,
  },
  'Content-Disposition': { description: 'Name of the file. Only for CSV.', schema: text },
}

/** Headers of every response of an operation. */
export const everyHeader = [
  'X-Request-Id',
  'RateLimit',
  'RateLimit-Policy',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Ignored-Parameters',
]
