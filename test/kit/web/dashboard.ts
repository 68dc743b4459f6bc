import { statSync } from 'node:fs'
import { join } from 'node:path'
import { buildDashboard } from '../../../dashboard/build.ts'
import { ourFiles, root } from '../repository.ts'

const changedAt = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

/** Builds the dashboard unless its last build is newer than its sources, as it is after `setup`. */
export async function ensureDashboard(): Promise<void> {
  const built = changedAt(join(root, 'dashboard/dist/index.html'))
  const sources = ourFiles().filter((path) => /^(dashboard|web\/share)\//.test(path))
  if (sources.every((path) => changedAt(join(root, path)) <= built)) return
  await buildDashboard()
}

/**
 * Before the workers of a run of pages' tests. Two of them that found the build old would empty and write one folder at
 * the same time, and the services of both would answer 404 for scripts of the other's build.
 */
export const setup = ensureDashboard
