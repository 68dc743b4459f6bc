import { lazily } from '../resolvers/shared/lazily.ts'
import type { Handlers, JobHandler } from './job.ts'

/** Loads a handler with its first job: it needs most of the product, and a worker is ready without it. */
function onFirstJob<Data>(load: () => Promise<JobHandler<Data>>): JobHandler<Data> {
  const handler = lazily(load)
  return {
    run: async (data, work) => (await handler()).run(data, work),
    fail: async (data, sources) => (await handler()).fail(data, sources),
    unfinished: async (db) => (await handler()).unfinished(db),
  }
}

/**
 * The work of each queue. To add a job, write its `JobHandler` in a file of `work/`, and add it here. Send the job
 * with `sendJob` of `resolvers/shared/jobs.ts`, in the transaction that writes its record. A queue without a handler
 * keeps its jobs until a worker has one. Tests run jobs with `test/kit/worker.ts`.
 */
export const handlers: Handlers = {
  audit: onFirstJob(async () => (await import('./audit/audit.ts')).auditHandler),
  opportunities: onFirstJob(async () => (await import('./opportunities.ts')).opportunities),
  sitemap: onFirstJob(async () => {
    const [{ sitemapHandler }, { readSiteSitemap }] = await Promise.all([
      import('./sitemap.ts'),
      import('./site-sitemap.ts'),
    ])
    return sitemapHandler(readSiteSitemap)
  }),
  judge: onFirstJob(async () => (await import('./judge.ts')).judgeJob),
  collect: onFirstJob(async () => (await import('./collecting/job.ts')).collectJob),
  schedules: onFirstJob(async () => (await import('./collecting/schedules.ts')).schedulesJob),
  retention: onFirstJob(async () => (await import('./retention/retention.ts')).retentionJob),
  report: onFirstJob(async () => (await import('./report.ts')).reportJob),
}
