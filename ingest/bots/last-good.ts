import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { replaceFile } from '../../disk/durable-file.ts'

/** The last valid list of a source. */
export interface LastGood<List> {
  readonly source: string
  /** Of the response with the list. */
  readonly etag?: string
  readonly list: List
}

const shape = z.object({
  source: z.string(),
  etag: z.string().exactOptional(),
  list: z.unknown(),
})

/**
 * The last valid list; undefined when there is no file.
 * @throws {Error} when the file holds no valid list
 */
export async function readLastGood<List>(
  path: string,
  parse: (json: unknown) => List,
): Promise<LastGood<List> | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return undefined
  const { list, ...of } = shape.parse(JSON.parse(text))
  return { ...of, list: parse(list) }
}

/** Replaces the file atomically (0600). */
export function keepLastGood<List>(path: string, good: LastGood<List>): Promise<void> {
  return replaceFile(path, `${JSON.stringify(good)}\n`)
}
