import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { type BotRegistry, parseBots } from '../../core/bots/bots.ts'
import { replaceFile } from '../../disk/durable-file.ts'

/** The last valid registry of a source. */
export interface LastGood {
  readonly source: string
  /** Of the response with the registry. */
  readonly etag?: string
  readonly registry: BotRegistry
}

const shape = z.object({
  source: z.string(),
  etag: z.string().exactOptional(),
  registry: z.unknown().transform(parseBots),
})

/**
 * The last valid registry; undefined when there is no file.
 * @throws {Error} when the file holds no valid registry
 */
export async function readLastGood(path: string): Promise<LastGood | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  return text === undefined ? undefined : shape.parse(JSON.parse(text))
}

/** Replaces the file atomically (0600). */
export function keepLastGood(path: string, good: LastGood): Promise<void> {
  return replaceFile(path, `${JSON.stringify(good)}\n`)
}
