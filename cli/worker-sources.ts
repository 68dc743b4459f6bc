import type { Settings } from '../core/settings.ts'
import { demoSites } from '../demo/site/sites.ts'
import { knownCrawlers } from '../ingest/bots/known.ts'
import type { WorkSources } from '../work/job.ts'
import type { DataDir } from './folder/data-dir.ts'

/** What the data folder gives to a worker: the site of the demo, and the registry of crawlers that the tracker keeps. */
export function workerSources(
  dataDir: DataDir,
  { CRAWLERS_SOURCE: source }: Settings,
): Required<Pick<WorkSources, 'serveSite' | 'crawlers'>> {
  return {
    serveSite: demoSites(dataDir),
    crawlers: () => knownCrawlers(dataDir.tracker, source),
  }
}
