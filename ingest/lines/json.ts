import { z } from 'zod'

/** An optional text of a JSON log. */
export const optionalText = z.string().nullish()

/** A number, which some log formats write as text. */
export const numberOrText = z.union([
  z.number(),
  z
    .string()
    .regex(/^\d+(?:\.\d+)?$/)
    .transform(Number),
])

/** The value of a line; undefined where it is not JSON. */
export function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
