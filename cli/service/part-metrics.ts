import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'

interface Scrape {
  readonly type: 'metrics'
  /** The number of the question, which the answer repeats. */
  readonly scrape: number
  readonly text?: string
}

// A part that hangs must not hide the metrics of the others.
const ANSWER_MS = 2000

let scrapes = 0

/** The metrics of a child, in Prometheus' text format; nothing from a child that does not answer within two seconds. */
export async function askMetrics(child: ChildProcess): Promise<string> {
  if (!child.connected) return ''
  const scrape = ++scrapes
  const { promise, resolve } = Promise.withResolvers<string>()
  const listener = (message: Scrape) => {
    if (message.type === 'metrics' && message.scrape === scrape) resolve(message.text ?? '')
  }
  child.on('message', listener)
  // A channel that closes meanwhile is no error: the part has no metrics then.
  child.send({ type: 'metrics', scrape } satisfies Scrape, () => undefined)
  const answer = await Promise.race([promise, sleep(ANSWER_MS, '', { ref: false })])
  child.off('message', listener)
  return answer
}

/** Answers `askMetrics` in this process. */
export function answerMetrics(text: () => Promise<string>): void {
  process.on('message', async ({ type, scrape }: Scrape) => {
    if (type !== 'metrics') return
    const answer: Scrape = { type, scrape, text: await text().catch(() => '') }
    if (process.connected) process.send?.(answer)
  })
}
