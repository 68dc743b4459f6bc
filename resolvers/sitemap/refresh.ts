import { randomUUID } from 'node:crypto'
import { Fault } from '../../core/errors.ts'
import type { PrivateHost } from '../../core/sites/private-hosts.ts'
import type { Db } from '../../prisma/client.ts'
import type { Actor } from '../shared/audit-trail.ts'
import { changeProject } from '../shared/change.ts'
import { sendJob } from '../shared/jobs.ts'
import { refusePitch, requireDomain, requireRunnable } from '../shared/runnable.ts'

const retryAfterSeconds = 30

/** A refresh of a sitemap that waits for the worker. */
export interface SitemapJob {
  readonly id: string
  readonly status: 'queued'
}

async function refuseRunning(tx: Db, id: string): Promise<void> {
  const select = { sitemapStatus: true } as const
  const { sitemapStatus } = await tx.project.findUniqueOrThrow({ where: { id }, select })
  if (sitemapStatus !== 'queued' && sitemapStatus !== 'running') return
  throw new Fault('rate_limited', `A refresh of the sitemap is ${sitemapStatus}.`, {
    headers: { 'Retry-After': String(retryAfterSeconds) },
  })
}

/**
 * Asks the worker to read the sitemap of the project's site. The sitemap stays as it is until the new one is read.
 * @throws {Fault} `not_found`, `pitch_not_supported`, `project_not_runnable`, `no_domain`, `rate_limited`, in this
 *   order
 */
export async function refreshSitemap(
  { db, privateHosts }: { readonly db: Db; readonly privateHosts: readonly PrivateHost[] },
  actor: Actor,
  projectId: string,
): Promise<SitemapJob> {
  const { subjectId: id } = await changeProject(db, actor, projectId, async (tx, project) => {
    refusePitch(project)
    requireRunnable(project)
    requireDomain(project, privateHosts)
    await refuseRunning(tx, project.id)
    const jobId = randomUUID()
    await tx.project.update({
      where: { id: project.id },
      data: { sitemapStatus: 'queued', sitemapJobId: jobId },
    })
    await sendJob(tx, 'sitemap', { projectId: project.id })
    return { subjectId: jobId, edits: [{ action: 'sitemap.refresh', subject: ['sitemap', jobId] }] }
  })
  return { id, status: 'queued' }
}
