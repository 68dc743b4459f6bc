import { catalog, Fault, notFound } from '../core/errors.ts'
import { SettingsError } from '../core/settings.ts'
import { isEngineDown } from '../prisma/engine-down.ts'

/** The failure of a command. `code` is for programs, `message` for people. */
export class CliError extends Error {
  readonly code: string
  readonly extras: Record<string, unknown>
  /** 1, or 2 for a wrong command line. */
  readonly exitCode: number

  constructor(
    code: string,
    message: string,
    options: { extras?: Record<string, unknown>; exitCode?: number; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'CliError'
    this.code = code
    this.extras = options.extras ?? {}
    this.exitCode = options.exitCode ?? 1
  }
}

export interface ErrorReport {
  readonly code: string
  readonly message: string
  readonly [member: string]: unknown
}

/** Any error as the `error` member of a command's JSON output. */
export function reportOf(error: unknown): ErrorReport {
  if (error instanceof CliError) {
    return { code: error.code, message: error.message, ...error.extras }
  }
  if (error instanceof SettingsError) {
    return { code: 'invalid_settings', message: error.message, faults: error.faults }
  }
  if (error instanceof Fault) {
    const entry = catalog[error.code]
    const howToFix = 'howToFix' in entry ? { howToFix: entry.howToFix } : {}
    return { code: error.code, message: messageOf(error), ...howToFix, ...error.extras }
  }
  if (isEngineDown(error)) return { code: 'store_unreachable', message: unreachable(error) }
  const message = error instanceof Error ? error.message : String(error)
  return { code: 'internal_error', message }
}

/** A command has no key, of which the catalog speaks. */
function messageOf({ message }: Fault): string {
  return message === notFound().message
    ? 'There is no such record: check the id or the name.'
    : message
}

function unreachable(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException
  return `PostgreSQL does not answer (${message || code}). Check DATABASE_URL or run \`npx sightline doctor\`.`
}

/** 1 for a failure, 2 for a wrong command line: a value that is not allowed is one too. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof Fault) return error.status === 400 ? 2 : 1
  return error instanceof CliError ? error.exitCode : 1
}
