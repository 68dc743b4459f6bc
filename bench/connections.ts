/**
 * Two addresses open 9,000 idle connections each to a running service, while a third client asks by new connections.
 * `node bench/connections.ts` prints the third client's times, and how many connections stayed open.
 */
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { startService } from '../test/kit/service.ts'
import { quantile, say } from './service.ts'

const perAddress = 9000

const service = await startService({ env: { SIGHTLINE_DEMO: '0' } })
const port = Number(new URL(service.url).port)

/** Milliseconds to an answer through a new connection; null without one in ten seconds. */
function ask(): Promise<number | null> {
  const begun = performance.now()
  return new Promise((resolve) => {
    const path = { host: '127.0.0.1', port, path: '/readyz', agent: false, timeout: 10_000 }
    const asked = request(path, (response) => {
      response.resume().once('end', () => resolve(performance.now() - begun))
    })
    asked.once('timeout', () => asked.destroy()).once('error', () => resolve(null))
    asked.end()
  })
}

async function measure(name: string, during: Promise<unknown>): Promise<void> {
  const times: (number | null)[] = []
  let isOver = false
  const over = during.finally(() => {
    isOver = true
  })
  while (!isOver) {
    times.push(await ask())
    await sleep(20)
  }
  await over
  const answered = times.filter((ms) => ms !== null).sort((one, two) => one - two)
  const at = (share: number) => quantile(answered, share).toFixed(1)
  const figures = `median ${at(0.5)} ms, p95 ${at(0.95)} ms, most ${at(1)} ms`
  say(`${name}: ${times.length} asked, ${answered.length} answered, ${figures}`)
}

const held: Socket[] = []
async function flood(): Promise<void> {
  for (let i = 0; i < perAddress; i++) {
    for (const localAddress of ['127.0.0.2', '127.0.0.3']) {
      const socket = connect({ host: '127.0.0.1', port, localAddress })
      held.push(socket.on('error', () => undefined))
    }
    if (i % 50 === 0) await sleep(5)
  }
}

await measure('before', sleep(5000))
await measure('while they connect', flood())
const stayed = held.filter(({ destroyed, readyState }) => !destroyed && readyState === 'open')
say(`${stayed.length} of ${held.length} connections are open`)
await measure('while they stay', sleep(5000))
for (const socket of held) socket.destroy()
await measure('after', sleep(5000))
await service.stop()
