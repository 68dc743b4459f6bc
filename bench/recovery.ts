import { setTimeout as sleep } from 'node:timers/promises'
import { startService } from '../test/kit/service.ts'
import { quantile, say } from './service.ts'

/**
 * node bench/recovery.ts
 *
 * Measures the start of a service, and the recovery of each process after SIGKILL, five times each.
 * A recovery ends with the next answer that has the same numbers.
 */
const began = performance.now()
const service = await startService()
const report = `/api/mcp/projects/${service.demoProjectId}/visibility`
const ask = async () => (await service.get(report)).text().catch(() => '')
const numbers = await ask()
say(`first start, demo and first answer   ${((performance.now() - began) / 1000).toFixed(1)} s`)

for (const part of ['api', 'warehouse', 'catalog'] as const) {
  const seconds: number[] = []
  for (let i = 0; i < 5; i++) {
    const pid = (await service.parts())[part]
    if (pid === undefined) throw new Error(`no ${part}`)
    const killed = performance.now()
    process.kill(pid, 'SIGKILL')
    await sleep(30)
    while ((await ask().catch(() => '')) !== numbers) await sleep(20)
    seconds.push((performance.now() - killed) / 1000)
    await sleep(1500)
  }
  seconds.sort((a, b) => a - b)
  say(
    `${part.padEnd(10)} answers again after      median ${quantile(seconds, 0.5).toFixed(2)} s, worst ${quantile(seconds, 1).toFixed(2)} s`,
  )
}

const { dataDir } = service
service.signal('SIGTERM')
await service.ended
const again = performance.now()
const second = await startService({ dataDir })
await second.get(report)
say(`later start and first answer         ${((performance.now() - again) / 1000).toFixed(1)} s`)
await second.stop()
await service.stop()
