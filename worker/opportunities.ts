import { hash } from 'node:crypto'
import type { JobData } from '../core/queues.ts'
import { evaluateOpportunities } from '../resolvers/opportunities/evaluate.ts'
import { jobScope } from '../resolvers/shared/job-scope.ts'
import { sendJob } from '../resolvers/shared/jobs.ts'
import type { JobSteps, Work } from './job.ts'

/** A project always has the same turn of `nightlyTurns`. */
const turns = 36
const turnMinutes = 10

export function turnOf(projectId: string): number {
  return Number.parseInt(hash('sha256', projectId, 'hex').slice(0, 8), 16) % turns
}

/** Sends the projects whose turn it is. Sent at once, since a job that waits keeps out a refresh. */
export async function sendTurn({ db }: Pick<Work, 'db'>, now: Date): Promise<void> {
  const turn = Math.floor((now.getUTCHours() * 60 + now.getUTCMinutes()) / turnMinutes)
  const projects = await db.project.findMany({
    where: { kind: 'regular', isActive: true, status: { not: 'archived' } },
    select: { id: true },
  })
  for (const { id } of projects) {
    if (turnOf(id) === turn) await sendJob(db, 'opportunities', { projectId: id })
  }
}

/** Evaluates the rules of a project; without a project, sends the projects of this turn. */
export const opportunities: JobSteps<JobData['opportunities']> = {
  run: async ({ projectId }, work) => {
    const now = new Date()
    if (projectId === null) return sendTurn(work, now)
    const scope = await jobScope(work, projectId, now)
    if (scope?.project.kind !== 'regular' || !scope.project.isActive) return
    const written = await evaluateOpportunities(scope, now)
    work.log.info({ projectId, written }, 'opportunities evaluated')
  },
  // An evaluation has no record: the next one finds the same.
  fail: async () => undefined,
}
