import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import type { DataDir } from '../cli/folder/data-dir.ts'
import { replaceFile } from '../disk/durable-file.ts'

const demoSchema = z.object({
  workspaceId: z.string(),
  projectId: z.string(),
  /** The project that a schedule asks about; absent in demonstrations of older versions. */
  askingProjectId: z.string().optional(),
  key: z.string(),
  /** The last day of the demonstration's answers. */
  endDay: z.string(),
  isComplete: z.boolean(),
})

/** What the data folder knows of its demonstration. */
export type DemoFile = z.infer<typeof demoSchema>

/** A file of the demonstration that cannot be read. */
export class DemoDamaged extends Error {
  constructor({ demo }: DataDir, cause: unknown) {
    super(
      `${demo} is damaged, so there is no demo. Restore the file from a backup, or remove it for a new demo.`,
      { cause },
    )
    this.name = 'DemoDamaged'
  }
}

/**
 * What the file says; undefined where there is none.
 * @throws {DemoDamaged} because a new demonstration would be a second one
 */
export async function readDemo(dataDir: DataDir): Promise<DemoFile | undefined> {
  try {
    return demoSchema.parse(JSON.parse(await readFile(dataDir.demo, 'utf8')))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new DemoDamaged(dataDir, error)
  }
}

export function writeDemo(dataDir: DataDir, demo: DemoFile): Promise<void> {
  return replaceFile(dataDir.demo, `${JSON.stringify(demo, null, 2)}\n`)
}
