const secondMs = 1000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs

/** The pauses after each failed try. @see https://www.standardwebhooks.com */
const pausesMs = [
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
]

/** The longest `Retry-After` that is kept. */
const longestMs = 24 * hourMs

/** How long a channel may fail without a success before it is disabled. */
export const failingMs = 5 * 24 * hourMs

/** How long deliveries are kept. */
export const keptDays = 30

/**
 * Milliseconds until the next try, a fifth more or less; null after the last one.
 * @param attempts tries so far
 * @param random of [0, 1)
 * @param retryAfterMs what the receiver asks for
 */
export function nextTryMs(
  attempts: number,
  random: number,
  retryAfterMs: number | null = null,
): number | null {
  const pause = pausesMs[attempts - 1]
  if (pause === undefined) return null
  const spread = Math.round(pause * (0.8 + 0.4 * random))
  return Math.max(spread, Math.min(retryAfterMs ?? 0, longestMs))
}
