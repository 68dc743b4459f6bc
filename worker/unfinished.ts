import { type JobData, notEnded } from '../core/queues.ts'
import type { Db } from '../prisma/client.ts'

// Apart from the work on them: the sweep asks each minute, and an idle worker needs nothing else of a job.

const select = { id: true } as const

/** Audits that are not over. */
export async function unfinishedAudits(db: Db): Promise<JobData['audit'][]> {
  const found = await db.audit.findMany({ where: { status: notEnded }, select })
  return found.map(({ id }) => ({ auditId: id }))
}

/** Projects that wait for their sitemap. */
export async function unfinishedSitemaps(db: Db): Promise<JobData['sitemap'][]> {
  const where = { sitemapStatus: notEnded, sitemapJobId: { not: null } }
  const found = await db.project.findMany({ where, select })
  return found.map(({ id }) => ({ projectId: id }))
}

const openTasks = { some: { task: { nextLookAt: { not: null } } } }

/** Runs that have not ended, and whose questions no service works on. */
export async function unfinishedRuns(db: Db): Promise<JobData['collect'][]> {
  const where = { status: notEnded, NOT: { asks: openTasks } }
  const found = await db.run.findMany({ where, select })
  return found.map(({ id }) => ({ runId: id }))
}

/** Beyond the longest pause between two looks. */
const overdueMs = 10 * 60_000

/** Runs whose tasks at services nobody has looked at in time. */
export async function unfinishedTasks(db: Db): Promise<JobData['tasks'][]> {
  const before = new Date(Date.now() - overdueMs)
  const asks = { some: { task: { nextLookAt: { lt: before } } } }
  const found = await db.run.findMany({ where: { status: notEnded, asks }, select })
  return found.map(({ id }) => ({ runId: id }))
}

/** Reports that are to be made. */
export async function unfinishedReports(db: Db): Promise<JobData['report'][]> {
  const found = await db.report.findMany({ where: { status: notEnded }, select })
  return found.map(({ id }) => ({ reportId: id }))
}

/** Set-ups whose proposals are to be made. */
export async function unfinishedSetups(db: Db): Promise<JobData['setup'][]> {
  const where = { status: notEnded }
  return db.projectSetup.findMany({ where, select: { projectId: true } })
}

/** Whether imports of rows by day run, or were killed. */
export async function hasUnfinishedImports(db: Db): Promise<boolean> {
  return (await db.import.findFirst({ where: { stage: { not: null } }, select })) !== null
}
