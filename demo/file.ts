import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import type { DataDir } from '../cli/folder/data-dir.ts'
import { replaceFile } from '../disk/durable-file.ts'

const demoSchema = z.object({
  workspaceId: z.string(),
  projectId: z.string(),
  key: z.string(),
  /** The last day of the demonstration's answers. */
  endDay: z.string(),
  isComplete: z.boolean(),
})

/** What the data folder knows of its demonstration. */
export type DemoFile = z.infer<typeof demoSchema>

export async function readDemo(dataDir: DataDir): Promise<DemoFile | undefined> {
  try {
    return demoSchema.parse(JSON.parse(await readFile(dataDir.demo, 'utf8')))
  } catch {
    // Absent or unreadable: a new demo is created.
    return undefined
  }
}

export function writeDemo(dataDir: DataDir, demo: DemoFile): Promise<void> {
  return replaceFile(dataDir.demo, `${JSON.stringify(demo, null, 2)}\n`)
}
