import { randomBytes } from 'node:crypto'
import { link, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

type Content = string | Uint8Array

/** Creates a file (0600) that is absent or complete, also after a power cut. An existing file stays. */
export function createFile(path: string, content: Content): Promise<void> {
  return place(path, content, async (draft) => {
    await link(draft, path).catch((error) => {
      if (error.code !== 'EEXIST') throw error
    })
  })
}

/** Replaces a file (0600) atomically. */
export function replaceFile(path: string, content: Content): Promise<void> {
  return place(path, content, (draft) => rename(draft, path))
}

async function place(
  path: string,
  content: Content,
  move: (draft: string) => Promise<void>,
): Promise<void> {
  const draft = `${path}.${process.pid}-${randomBytes(4).toString('hex')}`
  try {
    await writeDurably(draft, content)
    await move(draft)
  } finally {
    await rm(draft, { force: true })
  }
  await syncFolder(dirname(path))
}

/** Makes the names of the files in a folder survive a power cut. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path)
  await folder.sync().finally(() => folder.close())
}

async function writeDurably(path: string, content: Content): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
}
