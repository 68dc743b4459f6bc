import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { inject } from 'vitest'

/** A worker in a process of its own. */
export interface AuditWorker {
  readonly pid: number
  /** Whether it runs still. */
  readonly isAlive: boolean
  /** Ends it by SIGKILL, with what it runs by. */
  kill(): Promise<void>
}

interface WorkerOptions {
  readonly databaseUrl: string
  /** Default: the shared warehouse. */
  readonly clickhouseUrl?: string
  readonly env: Readonly<Record<string, string>>
  /** What to run it by, such as strace. */
  readonly through?: readonly string[]
  /** Arguments of Node.js. */
  readonly execArgv?: readonly string[]
}

/** Starts a worker of the service, and waits until it takes jobs. */
export async function startAuditWorker(options: WorkerOptions): Promise<AuditWorker> {
  const { databaseUrl, clickhouseUrl = inject('clickhouseUrl'), env } = options
  const { through = [], execArgv = [] } = options
  const script = new URL('./audit-child.ts', import.meta.url).pathname
  const args = [script, databaseUrl, clickhouseUrl, JSON.stringify(env)]
  const [command = '', ...rest] = [...through, process.execPath, ...execArgv, ...args]
  // A process group of its own, which ends together with its wrapper.
  const child = spawn(command, rest, { stdio: ['ignore', 'pipe', 'inherit'], detached: true })
  const { pid } = child
  if (pid === undefined) throw new Error(`${command} did not start`)
  const exited = once(child, 'exit')
  exited.catch(() => undefined)
  const early = exited.then(([code]) => {
    throw new Error(`the worker ended with ${code}`)
  })
  await Promise.race([once(child.stdout, 'data'), early])
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  return {
    pid,
    get isAlive() {
      return !hasEnded()
    },
    async kill() {
      if (hasEnded()) return
      process.kill(-pid, 'SIGKILL')
      await exited
    },
  }
}
