import { once } from 'node:events'
import { flushCompileCache } from 'node:module'

/**
 * Runs this process as a part of the service: `work` gets what the supervisor sends first. The process ends when
 * the supervisor does, and one that cannot start says why.
 */
export async function asChild<Begin>(work: (begin: Begin) => Promise<void>): Promise<void> {
  process.once('disconnect', () => process.exit(1))
  try {
    const [begin] = (await once(process, 'message')) as [Begin]
    await work(begin)
    setTimeout(flushCompileCache, 2000).unref()
  } catch (error) {
    process.send?.({ type: 'failed', message: (error as Error).message })
    process.stderr.write(`${(error as Error).stack}\n`)
    process.exitCode = 1
    process.disconnect?.()
  }
}
