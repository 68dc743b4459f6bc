import { createHash } from 'node:crypto'
import { open, realpath, rm } from 'node:fs/promises'
import { connect, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where whoever holds a data folder can be asked. */
export interface Places {
  /**
   * Linux only: a name that the kernel frees when the process ends, so that it never goes stale. It is
   * known within one container (network namespace).
   */
  readonly name: string | undefined
  /** A socket in the folder, which is seen from other containers on the same volume too. */
  readonly file: string
  close(): Promise<void>
}

const FILE = 'holder.sock'
// What fits into a socket's address on every system.
const MAX_PATH_BYTES = 100

export async function placesOf(folder: string): Promise<Places> {
  const path = await realpath(folder)
  const name = `sightline-${createHash('sha256').update(path).digest('hex').slice(0, 32)}`
  if (process.platform === 'linux') {
    // By way of an open folder the address is short, however long the path.
    const handle = await open(path)
    const file = `/proc/self/fd/${handle.fd}/${FILE}`
    return { name: `\0${name}`, file, close: () => handle.close() }
  }
  const file = join(path, FILE)
  const isLong = Buffer.byteLength(file) > MAX_PATH_BYTES
  return {
    name: undefined,
    file: isLong ? join(tmpdir(), `${name}.sock`) : file,
    close: async () => undefined,
  }
}

/** @returns false when another process listens there */
export async function listenAt(server: Server, address: string): Promise<boolean> {
  for (let attempt = 0; attempt < 2; attempt++) {
    const error = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
      server.once('error', resolve)
      server.listen(address, () => {
        server.off('error', resolve)
        resolve(undefined)
      })
    })
    if (!error) return true
    if (error.code !== 'EADDRINUSE') throw error
    if (address.startsWith('\0') || (await isAnswered(address))) return false
    // Left behind by a process that was killed.
    await rm(address, { force: true })
  }
  return false
}

function isAnswered(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
