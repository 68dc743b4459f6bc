import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { url as inspectorUrl } from 'node:inspector'
import { flushCompileCache } from 'node:module'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../core/log.ts'
import { CliError } from '../errors.ts'
import { partMemory } from './memory/heap.ts'
import { askMetrics } from './part-metrics.ts'

/** A process of the service. */
export interface RunningPart {
  readonly pid: number
  /** Resolves when the process has ended, to the reason in words. */
  readonly exited: Promise<string>
  /** Resolves when the process answers; it may never. One with an open inspector is not waited for. */
  ping(): Promise<unknown>
  /** Its metrics in Prometheus' text format. Default: it has none. */
  metrics?(): Promise<string>
  /** Asks the process to stop, and kills it when it takes too long. */
  stop(): Promise<void>
  /** Kills the process. */
  kill(): void
}

export interface Child extends RunningPart {
  readonly process: ChildProcess
  /** The next message of that type. @throws when the child ends before it comes */
  message<Message>(type: string): Promise<Message>
}

export interface ChildOptions {
  /** A file beside this one, or a URL. */
  entry: string
  /** The name in logs and errors. */
  name: string
  env?: Record<string, string>
  /** Options of Node.js, for example `--max-old-space-size=400`. */
  execArgv?: readonly string[]
  /** The file descriptor of its standard output. Its standard error goes to `log`, line by line. */
  stdout: number
  log: Log
  /** Asks the process to stop. Default: closes the channel. */
  requestStop?: (child: ChildProcess) => void
  /** The time to stop before a kill. Default 10 s. */
  stopTimeoutMs?: number
}

const STOP_TIMEOUT_MS = 10_000
const LAST_WORDS_MS = 100

/**
 * Forks a process of the service. It ends by itself when this process ends for any reason. Two other places start
 * processes: `cli/sightline.js`, which an old Node.js must be able to read, and `prisma/embedded/`, which runs programs
 * other than Node.js.
 */
export function startChild(options: ChildOptions): Child {
  const { name, log } = options
  const child = fork(new URL(options.entry, import.meta.url), [], {
    // A session of its own: Ctrl-C reaches the supervisor only, which stops its parts in order.
    detached: true,
    env: { ...partMemory, ...process.env, ...options.env },
    execArgv: [...process.execArgv, ...(options.execArgv ?? [])],
    stdio: ['ignore', options.stdout, 'pipe', 'ipc'],
  })
  const lastLines: string[] = []
  const read = child.stderr && createInterface({ input: child.stderr })
  read?.on('line', (line) => {
    if (lastLines.push(line) > 20) lastLines.shift()
    log.error({ from: name }, line)
  })
  const drained = Promise.all([
    new Promise((resolve) => (read ? read.once('close', resolve) : resolve(null))),
    new Promise((resolve) => child.once('disconnect', resolve)),
  ])
  const exited = new Promise<string>((resolve) => {
    // Also emitted for a message after the end, which `exit` reports.
    child.on('error', ({ message }) => {
      if (child.pid === undefined) resolve(`it could not be started: ${message}`)
    })
    child.once('exit', async (code, signal) => {
      // Read its last output and messages first. Node reports no end of a channel that was cut within a message.
      await Promise.race([drained, sleep(LAST_WORDS_MS)])
      resolve(howItEnded(code, signal, lastLines))
    })
  })
  let pong = Promise.withResolvers<void>()
  let isInspected = false
  child.on('message', (message: { type?: string; isInspected?: boolean }) => {
    if (message.type !== 'pong') return
    isInspected = message.isInspected === true
    pong.resolve()
  })
  const stop = async () => {
    const timeout = setTimeout(
      () => child.kill('SIGKILL'),
      options.stopTimeoutMs ?? STOP_TIMEOUT_MS,
    )
    if (child.connected) (options.requestStop ?? disconnect)(child)
    await exited
    clearTimeout(timeout)
  }
  return {
    process: child,
    pid: child.pid ?? 0,
    exited,
    ping: async () => {
      // It may stand at a breakpoint.
      if (isInspected) return
      pong = Promise.withResolvers()
      // A channel that closes meanwhile is no error: `exited` reports the end.
      if (child.connected) child.send({ type: 'ping' }, () => undefined)
      await pong.promise
    },
    metrics: () => askMetrics(child),
    stop,
    kill: () => child.kill('SIGKILL'),
    message: (type) => nextMessage(child, exited, type, name),
  }
}

function disconnect(child: ChildProcess): void {
  child.disconnect()
}

function howItEnded(code: number | null, signal: string | null, lines: readonly string[]): string {
  const how = signal ? `it was ended by ${signal}` : `it ended with exit code ${code}`
  return [how, ...lines].join('\n  ')
}

function nextMessage<Message>(
  child: ChildProcess,
  exited: Promise<string>,
  type: string,
  name: string,
): Promise<Message> {
  return new Promise((resolve, reject) => {
    const listener = (message: { type?: string; message?: string; code?: string }) => {
      if (message.type === type) resolve(message as Message)
      else if (message.type === 'failed') {
        reject(new CliError(message.code ?? 'internal_error', message.message ?? ''))
      } else return
      child.off('message', listener)
    }
    child.on('message', listener)
    exited.then((how) => reject(new Error(`${name} did not start: ${how}`)))
  })
}

/**
 * Runs this process as a child of `startChild`: `work` gets the first message. The process answers `ping`, and ends
 * with its parent. A failed start sends the reason.
 */
export async function runAsChild<Begin>(work: (begin: Begin) => Promise<void>): Promise<void> {
  process.once('disconnect', () => process.exit(1))
  process.on('message', ({ type }: { type?: string }) => {
    if (type === 'ping') process.send?.({ type: 'pong', isInspected: inspectorUrl() !== undefined })
  })
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
