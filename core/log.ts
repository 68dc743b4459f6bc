/** A log of fields and a message. Every pino logger is such a log. */
export interface Log {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

const drop = () => undefined

/** A log that drops everything. */
export const silent: Log = { debug: drop, info: drop, warn: drop, error: drop }
