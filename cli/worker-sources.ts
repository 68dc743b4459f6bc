import type { Settings } from '../core/settings.ts'
import { demoProvider } from '../demo/collecting/provider.ts'
import { demoSites } from '../demo/site/sites.ts'
import { knownCrawlers } from '../ingest/bots/known.ts'
import type { WorkSources } from '../worker/job.ts'
import { readNote } from './backup/note.ts'
import type { DataDir } from './folder/data-dir.ts'

/** What the data folder gives to a worker: site and provider of the demo, the time of the newest backup, and the registry of crawlers that the tracker keeps. */
export function workerSources(
  dataDir: DataDir,
  { CRAWLERS_SOURCE: source }: Settings,
): Required<Pick<WorkSources, 'serveSite' | 'serveProvider' | 'crawlers' | 'backupAt'>> {
  return {
    serveSite: demoSites(dataDir),
    serveProvider: demoProvider(dataDir),
    backupAt: async () => {
      const note = await readNote(dataDir)
      return note && new Date(note.takenAt)
    },
    crawlers: () => knownCrawlers(dataDir.tracker, source),
  }
}
