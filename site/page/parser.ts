import { Worker } from 'node:worker_threads'
import type { ReadPage } from '../document/document.ts'
import { limits } from '../net/limits.ts'
import type { ParseTask } from './thread.ts'

/** A page that was not parsed: it took too long, or too much memory. */
export type ParseLimit = 'time' | 'memory'

/** Parses pages in threads of its own, so a page that attacks the parser delays no other work. */
export interface PageParser {
  /** @throws {Error} of the code that reads the document */
  parse(task: ParseTask): Promise<ReadPage | ParseLimit>
  /** Ends the threads. A parse that runs is lost. */
  close(): Promise<void>
}

export interface ParserOptions {
  /** Time of one page. */
  readonly maxMs: number
  /** Memory of one thread, in MiB. */
  readonly maxMb: number
  /** Pages at once. */
  readonly threads: number
}

const usual: ParserOptions = { maxMs: limits.parseMs, maxMb: limits.parseMb, threads: 2 }

/** Of new objects: a page makes some megabytes, and a larger space is only filled before it is cleared. */
const youngMb = 16

interface Thread {
  readonly worker: Worker
  /** Ends when the thread has loaded its code: that time is not the page's. */
  readonly ready: Promise<unknown>
}

function startThread(maxMb: number): Thread {
  const worker = new Worker(new URL('./thread.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: maxMb, maxYoungGenerationSizeMb: youngMb },
    execArgv: [],
  })
  const ready = new Promise<void>((resolve, reject) => {
    worker.once('message', () => resolve())
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('the thread that parses pages ended')))
  })
  ready.catch(() => {})
  worker.unref()
  return { worker, ready }
}

async function run({ worker, ready }: Thread, task: ParseTask, maxMs: number) {
  worker.ref()
  let timer: NodeJS.Timeout | undefined
  try {
    await ready
    return await new Promise<ReadPage | ParseLimit>((resolve, reject) => {
      timer = setTimeout(() => resolve('time'), maxMs)
      worker.once('message', resolve)
      worker.once('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') resolve('memory')
        else reject(error)
      })
      worker.once('exit', () => reject(new Error('the thread that parses pages ended')))
      worker.postMessage(task)
    })
  } finally {
    clearTimeout(timer)
    worker.removeAllListeners('message').removeAllListeners('error').removeAllListeners('exit')
    // An error after the end of the page, such as of memory while it is stopped, is no error of ours.
    worker.on('error', () => {})
    worker.unref()
  }
}

/** A parser for all audits of a process. Its threads start with the first pages, and stay for the next. */
export function createPageParser({ maxMs, maxMb, threads }: ParserOptions = usual): PageParser {
  const idle: Thread[] = []
  const all = new Set<Thread>()
  const waiting: (() => void)[] = []
  let busy = 0

  async function take(): Promise<Thread> {
    if (busy >= threads) await new Promise<void>((resolve) => waiting.push(resolve))
    else busy++
    const thread = idle.pop() ?? startThread(maxMb)
    all.add(thread)
    return thread
  }
  function passOn(): void {
    const next = waiting.shift()
    if (next === undefined) busy--
    else next()
  }
  function drop(thread: Thread): Promise<unknown> {
    all.delete(thread)
    return thread.worker.terminate()
  }

  return {
    async parse(task) {
      const thread = await take()
      let isWhole = false
      try {
        const result = await run(thread, task, maxMs)
        isWhole = typeof result === 'object'
        return result
      } finally {
        if (isWhole) idle.push(thread)
        else void drop(thread)
        passOn()
      }
    },
    async close() {
      await Promise.all([...all].map(drop))
    },
  }
}
