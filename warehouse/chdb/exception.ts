/**
 * An error as ClickHouse reports it over HTTP: a code, a name, and the text `Code: 62. DB::Exception: …`.
 * @see https://github.com/ClickHouse/ClickHouse/blob/master/src/Common/ErrorCodes.cpp
 */
export class Exception extends Error {
  readonly code: number
  readonly status: number

  constructor(code: number, text: string, status: number = httpStatus(code)) {
    super(text)
    this.name = 'Exception'
    this.code = code
    this.status = status
  }
}

const names = {
  36: 'BAD_ARGUMENTS',
  48: 'NOT_IMPLEMENTED',
  62: 'SYNTAX_ERROR',
  115: 'UNKNOWN_SETTING',
  164: 'READONLY',
  202: 'TOO_MANY_SIMULTANEOUS_QUERIES',
  236: 'ABORTED',
  307: 'TOO_MANY_BYTES',
  354: 'ZLIB_INFLATE_FAILED',
  394: 'QUERY_WAS_CANCELLED',
  456: 'UNKNOWN_QUERY_PARAMETER',
  457: 'BAD_QUERY_PARAMETER',
  516: 'AUTHENTICATION_FAILED',
} as const

/** An exception of this server's own, in the engine's wording. */
export function exception(code: keyof typeof names, message: string, status?: number): Exception {
  const text = `Code: ${code}. DB::Exception: ${message}. (${names[code]})`
  return new Exception(code, text, status ?? httpStatus(code))
}

/** What the engine threw, with the code that its text begins with; 1002 (unknown) when it has none. */
export function fromEngine(error: unknown): Exception {
  if (error instanceof Exception) return error
  const text = error instanceof Error ? error.message : String(error)
  const code = Number(/^Code: (\d+)/.exec(text)?.[1] ?? 1002)
  return new Exception(code, code === 1002 ? `Code: 1002. DB::Exception: ${text}` : text)
}

const statuses: readonly (readonly [number, readonly number[]])[] = [
  [400, [6, 10, 15, 25, 26, 27, 36, 38, 41, 44, 53, 62, 69, 72, 117, 164, 354, 376, 427, 456, 457]],
  [401, [194]],
  [403, [192, 193, 497, 516]],
  [404, [46, 47, 50, 56, 60, 63, 73, 81, 115]],
  [408, [159]],
  [413, [307]],
  [501, [48]],
  [503, [202, 236, 439]],
]

/** The status that ClickHouse gives an exception code; 500 for most. */
function httpStatus(code: number): number {
  return statuses.find(([, codes]) => codes.includes(code))?.[0] ?? 500
}
