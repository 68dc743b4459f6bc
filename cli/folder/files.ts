import { randomBytes } from 'node:crypto'
import { link, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Makes a file (0600) that is either absent or whole, also after a power cut. When another process
 * made it first, that one stays.
 */
export function createFile(path: string, text: string): Promise<void> {
  return place(path, text, async (draft) => {
    await link(draft, path).catch((error) => {
      if (error.code !== 'EEXIST') throw error
    })
  })
}

/** Puts a whole file (0600) in the place of the old one, in one step. */
export function replaceFile(path: string, text: string): Promise<void> {
  return place(path, text, (draft) => rename(draft, path))
}

async function place(
  path: string,
  text: string,
  move: (draft: string) => Promise<void>,
): Promise<void> {
  const draft = `${path}.${process.pid}-${randomBytes(4).toString('hex')}`
  try {
    await writeDurably(draft, text)
    await move(draft)
  } finally {
    await rm(draft, { force: true })
  }
  const folder = await open(dirname(path))
  await folder.sync().finally(() => folder.close())
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}
