import { statfs } from 'node:fs/promises'

/** Less than a store needs to start. The tracker refuses events below it too. */
const leastBytes = 128 * 2 ** 20

/** True when the disk of a folder has too little room for a store to start on it. */
export async function lacksRoom(folder: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize < leastBytes
}
