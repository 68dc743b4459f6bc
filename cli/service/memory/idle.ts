import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Collect = (options: { type: 'major'; flavor: 'last-resort' }) => void

/** The share of an interval that pings and polls stay below. */
const idleShare = 0.03

/** V8's own collector. The flag is off again at once, since cached code holds for one set of flags. */
function collector(): Collect {
  setFlagsFromString('--expose-gc')
  const collect: Collect = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  return collect
}

/**
 * Gives memory back to the machine when this process has worked and is idle now, as after its start. V8 keeps the space
 * of young objects as large as it ever was, and collects nothing while nothing is allocated. The collection stops the
 * process for some 100 ms, once after each time of work.
 */
export function giveBackIdleMemory(everyMs = 15_000): void {
  let seen = performance.eventLoopUtilization()
  let hasWorked = true
  setInterval(() => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, seen)
    seen = now
    if (utilization > idleShare) {
      hasWorked = true
    } else if (hasWorked) {
      hasWorked = false
      collector()({ type: 'major', flavor: 'last-resort' })
      // The collection itself is no work.
      seen = performance.eventLoopUtilization()
    }
  }, everyMs).unref()
}
