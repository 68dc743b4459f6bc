import type { JobData } from '../core/queues.ts'
import { JudgeFault, openJudge } from '../imports/judge/client.ts'
import { judgeProject } from '../imports/judge/judge.ts'
import { sendJob } from '../resolvers/shared/jobs.ts'
import type { JobSteps } from './job.ts'

/** A job is one slice: the queue gives a job that runs for an hour to another worker. */
const sliceMs = 20 * 60_000

/** A worker that stops gives a call so long to end: its verdicts are paid for. */
const lastCallMs = 6000

function soonAfter(stopping: AbortSignal): AbortSignal {
  const late = new AbortController()
  const end = () => setTimeout(() => late.abort(), lastCallMs).unref()
  stopping.addEventListener('abort', end, { once: true })
  return late.signal
}

/** Asks the judge about the mentions of a project that it has not rated, where the settings name a judge. */
export const judgeJob: JobSteps<JobData['judge']> = {
  async run({ projectId }, work) {
    const { db, settings, signal, stopping, log } = work
    const judge = openJudge(settings)
    if (judge === null) return
    if ((await db.project.findUnique({ where: { id: projectId } })) === null) return
    const until = performance.now() + sliceMs
    const isOver = () => performance.now() >= until || stopping.aborted
    const ends = AbortSignal.any([signal, soonAfter(stopping)])
    try {
      const options = { projectId, judge, signal: ends, isOver, waitMs: 0 }
      const { isComplete, ...counts } = await judgeProject(work, options)
      log.info({ projectId, version: judge.version, ...counts, isComplete }, 'mentions judged')
      if (!isComplete) await sendJob(db, 'judge', { projectId })
    } catch (error) {
      if (!(error instanceof JudgeFault) || error.retryAfterS === null) throw error
      const { message, retryAfterS: afterSeconds } = error
      log.warn({ projectId, afterSeconds }, message)
      await sendJob(db, 'judge', { projectId }, { afterSeconds })
    }
  },
  // Mentions without a verdict stay unrated. The next import, or `sightline sentiment rerate`, asks again.
  fail: async () => undefined,
}
