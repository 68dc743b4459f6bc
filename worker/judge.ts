import type { JobData } from '../core/queues.ts'
import { type Judge, JudgeFault, openJudge } from '../imports/judge/client.ts'
import { type JudgeOptions, judgeProject } from '../imports/judge/judge.ts'
import { sendJob } from '../resolvers/shared/jobs.ts'
import type { JobSteps, Work } from './job.ts'
import { openProjectJudge, type ProjectJudge, underCap } from './judging/project.ts'

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

/** One slice of a judge over a project; true once all mentions were asked about. */
async function slice(
  work: Work,
  { projectId }: JobData['judge'],
  judge: Judge,
  terms: Partial<JudgeOptions> = {},
): Promise<boolean> {
  const { signal, stopping, log } = work
  const until = performance.now() + sliceMs
  const isLate = () => performance.now() >= until || stopping.aborted
  const ends = AbortSignal.any([signal, soonAfter(stopping)])
  const { isOver = () => false, ...others } = terms
  const { isComplete, ...counts } = await judgeProject(work, {
    projectId,
    judge,
    signal: ends,
    isOver: (characters) => isLate() || isOver(characters),
    waitMs: 0,
    ...others,
  })
  log.info({ projectId, version: judge.version, ...counts, isComplete }, 'mentions judged')
  return isComplete
}

/** Rates by the model of a project, under its cap. */
async function byProject(work: Work, data: JobData['judge'], own: ProjectJudge): Promise<boolean> {
  const { judge, since } = own
  try {
    return await underCap(work.db, data.projectId, own, (terms) =>
      slice(work, data, judge, { ...terms, since }),
    )
  } catch (error) {
    // Another try gets the same answer: the next import asks again.
    if (error instanceof JudgeFault && error.isOfAccount) return true
    throw error
  }
}

/**
 * Asks a judge about the mentions of a project that it has not rated: the model that the project chose, else that of the
 * settings.
 */
export const judgeJob: JobSteps<JobData['judge']> = {
  async run(data, work) {
    const { projectId } = data
    const { db, settings, log } = work
    if ((await db.project.findUnique({ where: { id: projectId } })) === null) return
    const own = await openProjectJudge(work, projectId)
    if (own === undefined) return
    const judge = own ? null : openJudge(settings)
    try {
      const isOver = own
        ? await byProject(work, data, own)
        : judge === null || (await slice(work, data, judge))
      if (!isOver) await sendJob(db, 'judge', { projectId })
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
