import { auditHandler } from './audit/audit.ts'
import type { Handlers } from './job.ts'
import { opportunities } from './opportunities.ts'
import { reportJob } from './report.ts'
import { readSiteSitemap } from './site-sitemap.ts'
import { sitemapHandler } from './sitemap.ts'

/**
 * The work of each queue. To add a job, write its `JobHandler` in a file of `work/`, and add it here. Send the job
 * with `sendJob` of `resolvers/shared/jobs.ts`, in the transaction that writes its record. A queue without a handler
 * keeps its jobs until a worker has one. Tests run jobs with `test/kit/worker.ts`.
 */
export const handlers: Handlers = {
  audit: auditHandler,
  opportunities,
  sitemap: sitemapHandler(readSiteSitemap),
  report: reportJob,
}
