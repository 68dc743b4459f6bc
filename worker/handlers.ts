import { lazily } from '../resolvers/shared/lazily.ts'
import type { Handlers, JobHandler, JobSteps } from './job.ts'
import {
  unfinishedAudits,
  unfinishedReports,
  unfinishedRuns,
  unfinishedSetups,
  unfinishedSitemaps,
  unfinishedTasks,
} from './unfinished.ts'

/**
 * Loads the steps of a job with the first one: they need most of the product, and a worker is ready without them.
 * @param unfinished default: the job has no record that could wait for it
 */
function onFirstJob<Data>(
  load: () => Promise<JobSteps<Data>>,
  unfinished: JobHandler<Data>['unfinished'] = async () => [],
): JobHandler<Data> {
  const steps = lazily(load)
  return {
    run: async (data, work) => (await steps()).run(data, work),
    fail: async (data, sources) => (await steps()).fail(data, sources),
    unfinished,
  }
}

/**
 * The work of each queue. To add a job, write its `JobSteps` in a file of `worker/`, and add it here. Send the job
 * with `sendJob` of `resolvers/shared/jobs.ts`, in the transaction that writes its record. A queue without a handler
 * keeps its jobs until a worker has one. Tests run jobs with `test/kit/worker.ts`.
 */
export const handlers: Handlers = {
  audit: onFirstJob(async () => (await import('./audit/audit.ts')).auditHandler, unfinishedAudits),
  opportunities: onFirstJob(async () => (await import('./opportunities.ts')).opportunities),
  alarms: onFirstJob(async () => (await import('./alarms.ts')).alarms),
  sitemap: onFirstJob(async () => {
    const [{ sitemapHandler }, { readSiteSitemap }] = await Promise.all([
      import('./sitemap.ts'),
      import('./site-sitemap.ts'),
    ])
    return sitemapHandler(readSiteSitemap)
  }, unfinishedSitemaps),
  setup: onFirstJob(async () => (await import('./setup/job.ts')).setupJob, unfinishedSetups),
  judge: onFirstJob(async () => (await import('./judge.ts')).judgeJob),
  collect: onFirstJob(
    async () => (await import('./collecting/collect.ts')).collectJob,
    unfinishedRuns,
  ),
  tasks: onFirstJob(
    async () => (await import('./collecting/collect.ts')).collectJob,
    unfinishedTasks,
  ),
  schedules: onFirstJob(async () => (await import('./collecting/schedules.ts')).schedulesJob),
  mail: onFirstJob(async () => (await import('./mail/mail.ts')).mailJob),
  deliver: onFirstJob(async () => (await import('./channels/deliver.ts')).deliverJob),
  digest: onFirstJob(async () => (await import('./channels/digest.ts')).digestJob),
  pull: onFirstJob(async () => (await import('./connections/pull.ts')).pullJob),
  due: onFirstJob(async () => (await import('./channels/due.ts')).dueJob),
  retention: onFirstJob(async () => (await import('./retention/retention.ts')).retentionJob),
  backup: onFirstJob(async () => (await import('./backup.ts')).backupJob),
  report: onFirstJob(async () => (await import('./report.ts')).reportJob, unfinishedReports),
}
