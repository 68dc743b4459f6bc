import { spawn } from 'node:child_process'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'

// `read` returns when this process ends in any way: the kernel then closes the pipe.
const WATCH = 'read -r line; kill -INT "$1"'

/**
 * Ends PostgreSQL after this process has ended. Only needed where the kernel does not end children with their parent.
 * @param pid the server's process
 * @returns stops the watch; call it as soon as the server has ended
 */
export function endWithUs(pid: number): () => void {
  const watch = spawn('/bin/sh', ['-c', WATCH, 'sightline-watch', String(pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  watch.on('error', () => undefined)
  return () => {
    watch.kill('SIGKILL')
  }
}

/**
 * Removes a lock file whose process id now belongs to another program, for example after a container restarted.
 * PostgreSQL would mistake that program for a running server.
 */
export async function removeStaleLock(dataDir: string): Promise<void> {
  const lock = join(dataDir, 'postmaster.pid')
  const pid = Number.parseInt(await readFile(lock, 'utf8').catch(() => ''), 10)
  if (!Number.isInteger(pid)) return
  const words = await readCommand(pid)
  const isOther = words.length > 0 && !words.includes(dataDir)
  if (isOther || (await isZombie(pid))) await rm(lock, { force: true })
}

/**
 * Ends the sessions that a killed server has left. A busy session notices late that its server is gone, and
 * until then no new server can start.
 * @param cluster the server's `cluster_name`, which each of its sessions shows in its title
 */
export async function endOrphans(cluster: string): Promise<void> {
  const pids = (await readdir('/proc').catch(() => [])).map(Number).filter(Number.isInteger)
  for (const pid of pids) {
    const [title] = await readCommand(pid)
    if (title?.startsWith(`postgres: ${cluster}: `)) killIfThere(pid)
  }
}

/** The command line of a process, split into words. Empty without such a process, or without /proc. */
async function readCommand(pid: number): Promise<string[]> {
  const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return line === '' ? [] : line.split('\0')
}

// A zombie: it has ended, but its parent never waited for it, for example in a container without an init process.
async function isZombie(pid: number): Promise<boolean> {
  const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return line.slice(line.lastIndexOf(')')).startsWith(') Z')
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
