import { open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { z } from 'zod'
import { type BotRegistry, parseBots } from '../../core/bots.ts'
import { syncFolder } from '../log/segments.ts'

/** A registry that was good, and where it came from. */
export interface LastGood {
  readonly source: string
  /** Of the answer that brought it. */
  readonly etag?: string
  readonly registry: BotRegistry
}

const shape = z.object({
  source: z.string(),
  etag: z.string().exactOptional(),
  registry: z.unknown().transform(parseBots),
})

/**
 * The registry that was kept last, undefined when none was.
 * @throws {Error} when the file does not hold one
 */
export async function readLastGood(path: string): Promise<LastGood | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  return text === undefined ? undefined : shape.parse(JSON.parse(text))
}

/** Puts it in the place of the one before, in one step: the file is whole at any time (0600). */
export async function keepLastGood(path: string, good: LastGood): Promise<void> {
  const draft = `${path}.${process.pid}`
  try {
    const file = await open(draft, 'w', 0o600)
    try {
      await file.writeFile(`${JSON.stringify(good)}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, path)
  } finally {
    await rm(draft, { force: true })
  }
  await syncFolder(dirname(path))
}
