import { notEnded } from '../core/queues.ts'
import {
  replaceSitemap,
  type SitemapRow,
  type StageUrls,
  sitemapRow,
} from '../imports/content/sitemap-store.ts'
import type { Catalog } from '../prisma/client.ts'
import { SitemapFault } from '../site/sitemap/fault.ts'
import type { SitemapEntry } from '../site/sitemap/sitemap.ts'
import type { JobSteps, Work } from './job.ts'

/** The site of a project. */
export interface Site {
  readonly projectId: string
  readonly domain: string
  /** The registrable domains of the brand, `domain` included. */
  readonly ownDomains: readonly string[]
}

/**
 * Streams the sitemaps that a site publishes, with the URLs of other sites left out.
 * @param onFault called for each sitemap that cannot be read completely
 * @throws {SitemapFault} when none can be read
 */
export type ReadSiteSitemap = (
  site: Site,
  work: Work,
  onFault: (fault: SitemapFault) => void,
) => AsyncIterable<SitemapEntry>

interface Refresh {
  readonly projectId: string
  readonly jobId: string
  readonly site: Site
}

const batchRows = 1000

/** Takes the refresh that the project waits for; null where an import or another worker has ended it. */
async function takeRefresh(db: Catalog, projectId: string): Promise<Refresh | null> {
  const taken = await db.project.updateMany({
    where: { id: projectId, sitemapStatus: notEnded },
    data: { sitemapStatus: 'running' },
  })
  if (taken.count === 0) return null
  const select = { domain: true, sitemapJobId: true, ownDomains: { select: { domain: true } } }
  const project = await db.project.findUnique({ where: { id: projectId }, select })
  if (!project?.sitemapJobId) return null
  const { domain, sitemapJobId: jobId } = project
  const ownDomains = [domain, ...project.ownDomains.map((own) => own.domain)]
  return { projectId, jobId, site: { projectId, domain, ownDomains } }
}

async function stageAll(entries: AsyncIterable<SitemapEntry>, stage: StageUrls): Promise<number> {
  let staged = 0
  let batch: SitemapRow[] = []
  for await (const entry of entries) {
    const row = sitemapRow(entry)
    if ('reason' in row) continue
    if (batch.push(row) < batchRows) continue
    staged += await stage(batch)
    batch = []
  }
  return batch.length > 0 ? staged + (await stage(batch)) : staged
}

/** What a refresh had to leave out. */
function leftOut({ message }: SitemapFault, more: number): string {
  return more === 0 ? message : `${message}, and ${more} more cannot be read`
}

/** Marks the refresh as failed, unless an import or another refresh has taken its place. */
async function markFailed(
  db: Catalog,
  where: { id: string; sitemapJobId?: string },
  sitemapError: string,
): Promise<void> {
  await db.project.updateMany({
    where: { ...where, sitemapStatus: notEnded },
    data: { sitemapStatus: 'failed', sitemapError },
  })
}

async function refresh(read: ReadSiteSitemap, work: Work, { projectId, jobId, site }: Refresh) {
  try {
    await replaceSitemap(work.databaseUrl, {
      projectId,
      jobId,
      read: async (stage) => {
        const faults: SitemapFault[] = []
        const staged = await stageAll(
          read(site, work, (fault) => faults.push(fault)),
          stage,
        )
        const [fault = null] = faults
        if (staged === 0) {
          throw fault ?? new SitemapFault('The sitemap', `has no URL of ${site.domain}`)
        }
        work.signal.throwIfAborted()
        return fault && leftOut(fault, faults.length - 1)
      },
    })
  } catch (error) {
    if (!(error instanceof SitemapFault)) {
      const project = await work.db.project.findUnique({ where: { id: projectId } })
      // A project that was deleted meanwhile needs no sitemap: to try again would fail again.
      if (project === null) return
      throw error
    }
    await markFailed(work.db, { id: projectId, sitemapJobId: jobId }, error.message)
  }
}

/** Refreshes the sitemap of a project: its URLs replace the earlier ones, or nothing changes. */
export function sitemapHandler(read: ReadSiteSitemap): JobSteps<{ projectId: string }> {
  return {
    async run({ projectId }, work) {
      // While one refresh was read, an import may have ended it, and a request begun the next.
      for (;;) {
        const next = await takeRefresh(work.db, projectId)
        if (!next) return
        await refresh(read, work, next)
      }
    },
    fail: ({ projectId }, { db }) => markFailed(db, { id: projectId }, 'internal'),
  }
}
