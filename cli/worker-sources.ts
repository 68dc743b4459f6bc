import type { Settings } from '../core/settings.ts'
import { demoProvider } from '../demo/collecting/provider.ts'
import { demoSites } from '../demo/site/sites.ts'
import { knownCrawlers } from '../ingest/bots/known.ts'
import type { WorkSources } from '../work/job.ts'
import type { DataDir } from './folder/data-dir.ts'

/** What the data folder gives to a worker: site and provider of the demo, and the registry of crawlers that the tracker keeps. */
export function workerSources(
  dataDir: DataDir,
  { CRAWLERS_SOURCE: source }: Settings,
): Required<Pick<WorkSources, 'serveSite' | 'serveProvider' | 'crawlers'>> {
  return {
    serveSite: demoSites(dataDir),
    serveProvider: demoProvider(dataDir),
    crawlers: () => knownCrawlers(dataDir.tracker, source),
  }
}
