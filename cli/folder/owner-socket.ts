import { createHash } from 'node:crypto'
import { open, realpath, rm } from 'node:fs/promises'
import { connect, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The sockets where the owner of a data folder answers. */
export interface OwnerSockets {
  /** Linux only: an abstract socket, known within one container (network namespace). It ends with the process. */
  readonly name: string | undefined
  /** A socket in the folder, which other containers on the same volume see too. */
  readonly file: string
  close(): Promise<void>
}

const FILE = 'holder.sock'
// The limit of a socket's address on every system.
const MAX_PATH_BYTES = 100

export async function ownerSockets(folder: string): Promise<OwnerSockets> {
  const path = await realpath(folder)
  const name = `sightline-${createHash('sha256').update(path).digest('hex').slice(0, 32)}`
  if (process.platform === 'linux') {
    // Through an open folder the address is short for any path.
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

/** @returns false when another process listens at the address */
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
    // A killed process left its socket file.
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
