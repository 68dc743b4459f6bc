import { tooLarge } from '../../../core/load/under-load.ts'

/** The bytes that the rows of one response may have. All lists of a request share them. */
export interface ByteBudget {
  /**
   * Takes rows, from the first on, while bytes are left. The first row of a list may be larger than what is left.
   * @param sizes the bytes of each row
   * @returns the number of rows
   * @throws {Fault} `query_too_large` when other lists of the request have taken all
   */
  take(sizes: readonly number[]): number
  /**
   * Waits until the process has the memory for rows that are about to be read.
   * @throws {Fault} `rate_limited` when other responses hold it for too long
   */
  hold(bytes: number): Promise<void>
}

/** @param hold waits for memory; without it there is no wait */
export function byteBudget(
  limit: number,
  hold: ByteBudget['hold'] = () => Promise.resolve(),
): ByteBudget {
  let left = limit
  return {
    take(sizes) {
      if (sizes.length === 0) return 0
      if (left <= 0) {
        throw tooLarge(
          `The lists before this one fill the ${limit / 1024 ** 2} MB of a response. Ask for this list alone, or for fewer rows.`,
        )
      }
      let count = 0
      for (const size of sizes) {
        if (count > 0 && size > left) break
        left -= size
        count += 1
      }
      return count
    },
    hold,
  }
}

/** Below it a page waits for no memory: nearly all pages. */
const smallBytes = 256 * 1024

/** The first rows of a list, as many as the response takes. Read large columns of these rows only. */
export async function fitting<Row extends { readonly sizeBytes: number }>(
  { bytes }: { readonly bytes?: ByteBudget },
  rows: readonly Row[],
): Promise<readonly Row[]> {
  if (!bytes) return rows
  const taken = rows.slice(0, bytes.take(rows.map(({ sizeBytes }) => sizeBytes)))
  const sum = taken.reduce((total, { sizeBytes }) => total + sizeBytes, 0)
  if (sum > smallBytes) await bytes.hold(sum)
  return taken
}

const quotes = 3
const scopeBytes = 500
const deepest = 6

/** About the bytes of a value as JSON. What a row holds for its edges, such as its project, is not counted. */
export function sizeOf(value: unknown, depth = 0): number {
  if (typeof value === 'string') return value.length + quotes
  if (typeof value !== 'object' || value === null || depth > deepest) return quotes
  if (Array.isArray(value))
    return value.reduce<number>((sum, item) => sum + sizeOf(item, depth + 1), quotes)
  const prototype = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return 24
  // A project's row is its scope, with the stores.
  if ('db' in value) return scopeBytes
  let sum = quotes
  for (const key in value) {
    if (key !== 'scope')
      sum += key.length + quotes + sizeOf((value as Record<string, unknown>)[key], depth + 1)
  }
  return sum
}
