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
 * The share of the time since the last call that this process worked: of its event loop, or of one core where that is
 * less. On a busy machine the loop counts what it waits for a core. The processor's time counts what other threads do.
 */
function workMeter(): () => number {
  let loop = performance.eventLoopUtilization()
  let [cpu, at] = [process.cpuUsage(), performance.now()]
  return () => {
    const { utilization } = performance.eventLoopUtilization(loop)
    const { user, system } = process.cpuUsage(cpu)
    const share = (user + system) / 1000 / (performance.now() - at)
    loop = performance.eventLoopUtilization()
    ;[cpu, at] = [process.cpuUsage(), performance.now()]
    return Math.min(utilization, share)
  }
}

/**
 * Gives memory back to the machine when this process has worked and is idle now, as after its start. V8 keeps the space
 * of young objects as large as it ever was, and collects nothing while nothing is allocated. The collection stops the
 * process for some 100 ms, once after each time of work.
 */
export function giveBackIdleMemory(everyMs = 15_000): void {
  const worked = workMeter()
  let hasWorked = true
  setInterval(() => {
    if (worked() > idleShare) {
      hasWorked = true
    } else if (hasWorked) {
      hasWorked = false
      collector()({ type: 'major', flavor: 'last-resort' })
      // The collection itself is no work.
      worked()
    }
  }, everyMs).unref()
}
