import { type Fault, fieldFault } from './errors.ts'
import { withGot } from './rule-text.ts'

/** What is said of an id that finds nothing. */
export const missingRule = 'names nothing that the key reaches'

export const isText = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number'

/** The place of a value below an argument. Ids are written in either case. */
export function placeOf(value: string, given: unknown): string[] | undefined {
  if (isText(given)) return String(given).toLowerCase() === value.toLowerCase() ? [] : undefined
  if (typeof given !== 'object' || given === null) return undefined
  for (const [key, below] of Object.entries(given)) {
    const place = placeOf(value, below)
    if (place) return [key, ...place]
  }
  return undefined
}

/** The fault of a query that found nothing by a value of its arguments; the fault itself where these do not have it. */
export function namingMissing(fault: Fault, given: object): Fault {
  const { missing } = fault.graph
  const place = missing === undefined ? undefined : placeOf(missing, given)
  return place ? fieldFault(fault.code, place.join('.'), withGot(missingRule, missing)) : fault
}
