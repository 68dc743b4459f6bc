import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'

/** The service keeps compiled code too: without it, each process has the compiler of types in memory. */
const env = {
  NODE_COMPILE_CACHE: new URL('../node_modules/.cache/bench', import.meta.url).pathname,
}

/** Starts a script of `bench/` in a process of its own, and waits for its first message. */
export async function started<T>(
  name: string,
  args: readonly string[],
): Promise<[ChildProcess, T]> {
  const child = fork(new URL(name, import.meta.url).pathname, args, {
    env: { ...env, ...process.env },
  })
  const [message] = (await once(child, 'message')) as [T]
  return [child, message]
}

/** Megabytes of resident memory of a process: now, or at most. */
export function memoryMb(pid: number | undefined, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1024)
}

/** Milliseconds of processor time that a process has used, in steps of ten. */
export function processMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}
