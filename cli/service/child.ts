import { type ChildProcess, fork } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../folder/journal.ts'

/** A part of the service that runs. */
export interface Running {
  readonly pid: number
  /** Resolves, when it has ended, to how, in words. */
  readonly exited: Promise<string>
  /** Ends it in order, and by force when that takes too long. */
  stop(): Promise<void>
  /** Ends it at once. */
  kill(): void
}

export interface Child extends Running {
  readonly process: ChildProcess
  /** The next message of that type. @throws when the child ends before it comes */
  message<Message>(type: string): Promise<Message>
}

export interface ChildOptions {
  /** A file beside this one, or a URL. */
  entry: string
  /** What people call it. */
  name: string
  env?: Record<string, string>
  /** Where its standard output goes; its standard error goes to `log`, line by line. */
  stdout: number
  log: Log
  /** How a stop is asked for. Default: the channel is closed. */
  ask?: (child: ChildProcess) => void
  /** How long it may take to stop before it is killed. Default 10 s. */
  patienceMs?: number
}

const PATIENCE_MS = 10_000
const SILENCE_MS = 100

/** Forks a part of the service. It ends by itself when this process ends, however that ends. */
export function startChild(options: ChildOptions): Child {
  const { name, log } = options
  const child = fork(new URL(options.entry, import.meta.url), [], {
    // A session of its own: Ctrl-C in a terminal reaches us alone, and we say when to stop.
    detached: true,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', options.stdout, 'pipe', 'ipc'],
  })
  const lastLines: string[] = []
  const read = child.stderr && createInterface({ input: child.stderr })
  read?.on('line', (line) => {
    if (lastLines.push(line) > 20) lastLines.shift()
    log.error({ from: name }, line)
  })
  const silent = Promise.all([
    new Promise((resolve) => (read ? read.once('close', resolve) : resolve(null))),
    new Promise((resolve) => child.once('disconnect', resolve)),
  ])
  const exited = new Promise<string>((resolve) => {
    // Also told of a message that came too late; then its end is told by itself.
    child.on('error', ({ message }) => {
      if (child.pid === undefined) resolve(`it could not be started: ${message}`)
    })
    child.once('exit', async (code, signal) => {
      // What it said before its end is heard first: its last words, and which connections it took. Node
      // tells no end of a channel that was cut within a message.
      await Promise.race([silent, sleep(SILENCE_MS)])
      resolve(howItEnded(code, signal, lastLines))
    })
  })
  const stop = async () => {
    const impatience = setTimeout(() => child.kill('SIGKILL'), options.patienceMs ?? PATIENCE_MS)
    if (child.connected) (options.ask ?? disconnect)(child)
    await exited
    clearTimeout(impatience)
  }
  return {
    process: child,
    pid: child.pid ?? 0,
    exited,
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
    const hear = (message: { type?: string; message?: string }) => {
      if (message.type === type) resolve(message as Message)
      else if (message.type === 'failed') reject(new Error(message.message))
      else return
      child.off('message', hear)
    }
    child.on('message', hear)
    exited.then((how) => reject(new Error(`${name} did not start: ${how}`)))
  })
}
