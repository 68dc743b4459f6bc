import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * The folder of a tracker's process, which has an event log of its own. The first process has the tracker's folder, and
 * each other one a folder within.
 * @param process from 1
 */
export function processFolder(trackerFolder: string, process: number): string {
  return process === 1 ? trackerFolder : join(trackerFolder, `process-${process}`)
}

/**
 * The folders of so many processes, and those that are there: a start with fewer processes leaves events in them.
 */
export async function processFolders(trackerFolder: string, processes = 1): Promise<string[]> {
  const names = await readdir(trackerFolder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const left = names.flatMap((name) => /^process-([1-9]\d{0,3})$/.exec(name)?.[1] ?? [])
  const numbers = new Set([
    ...Array.from({ length: processes }, (_, i) => i + 1),
    ...left.map(Number),
  ])
  return [...numbers].sort((a, b) => a - b).map((number) => processFolder(trackerFolder, number))
}
