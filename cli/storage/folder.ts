import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { replaceFile, syncFolder } from '../../disk/durable-file.ts'
import type { Storage } from './storage.ts'

const absent = (error: NodeJS.ErrnoException) => {
  if (error.code === 'ENOENT') return null
  throw error
}

/** A folder, which the first file makes. */
export function openFolder(given: string): Storage {
  const place = resolve(given)
  const folders = new Set<string>()
  const at = async (name: string) => {
    const path = join(place, ...name.split('/'))
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    folders.add(dirname(path))
    return path
  }
  const found = (name: string) => join(place, ...name.split('/'))
  return {
    place,
    async write(name, bytes) {
      await replaceFile(await at(name), bytes)
    },
    async writeStream(name, bytes) {
      const file = createWriteStream(await at(name), { flags: 'wx', mode: 0o600, flush: true })
      await pipeline(bytes, file)
    },
    read: (name) => readFile(found(name)).catch(absent),
    async readStream(name) {
      const isThere = await stat(found(name)).catch(absent)
      return isThere && createReadStream(found(name))
    },
    async list() {
      const entries = await readdir(place, { recursive: true, withFileTypes: true }).catch(absent)
      return (entries ?? [])
        .filter((entry) => entry.isFile())
        .map((entry) => relative(place, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
    },
    remove: (name) => rm(found(name), { force: true }),
    clear: () => rm(place, { recursive: true, force: true }),
    async sync() {
      for (const folder of [...folders, place, dirname(place)]) await syncFolder(folder)
    },
  }
}
