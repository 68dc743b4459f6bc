import { mkdir, readFile, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { replaceFile } from '../../disk/durable-file.ts'
import type { Storage } from './storage.ts'

/** A folder, which the first file makes. */
export function openFolder(given: string): Storage {
  const place = resolve(given)
  const at = (name: string) => join(place, ...name.split('/'))
  return {
    place,
    async write(name, bytes) {
      await mkdir(dirname(at(name)), { recursive: true, mode: 0o700 })
      await replaceFile(at(name), bytes)
    },
    read: (name) =>
      readFile(at(name)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null
        throw error
      }),
    remove: (name) => rm(at(name), { force: true }),
  }
}
