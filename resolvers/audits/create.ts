import { z } from 'zod'
import { Fault } from '../../core/errors.ts'
import { plans } from '../../core/plans.ts'
import { largest } from '../../core/prompt-input.ts'
import type { PrivateHost } from '../../core/sites/private-hosts.ts'
import { counted } from '../../core/text/counted.ts'
import { isUuid } from '../../core/uuid.ts'
import type { Db } from '../../prisma/client.ts'
import { type Actor, recordEdits } from '../shared/audit-trail.ts'
import { sendJob } from '../shared/jobs.ts'
import { reserveAudit } from '../shared/quotas.ts'
import { refusePitch, requireDomain, requireRunnable } from '../shared/runnable.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { inTransaction } from '../shared/transaction.ts'
import { type Audit, auditOf } from './audits.ts'
import { siteReach } from './facts.ts'

/** The body of a request for an audit. Ids that are no pages of the project are dropped. */
export const auditBody = z
  .object({
    pageIds: z.array(z.string()).max(10_000, 'must hold at most 10000 ids').optional(),
    maxPages: z.int().min(1).max(largest).optional(),
  })
  .refine(({ pageIds, maxPages }) => pageIds === undefined || maxPages === undefined, {
    path: ['maxPages'],
    message: 'excludes pageIds',
  })

export type AuditRequest = z.output<typeof auditBody> & {
  /** Also asks the addresses of other sites that the pages link to. */
  readonly externalLinks?: boolean | null
}

interface ChosenPage {
  readonly id: string
  readonly url: string
  readonly address: string | null
}

const columns = { id: true, url: true, address: true } as const

function pagesByIds(tx: Db, projectId: string, pageIds: readonly string[]) {
  const ids = [...new Set(pageIds.filter(isUuid).map((id) => id.toLowerCase()))]
  return tx.page.findMany({ where: { projectId, id: { in: ids } }, select: columns })
}

function trackedPages(tx: Db, projectId: string) {
  return tx.page.findMany({ where: { projectId, isTracked: true }, select: columns })
}

/** The `most` pages of largest reach, ties by URL. */
async function ofMostReach(scope: ProjectScope, pages: readonly ChosenPage[], most: number) {
  if (pages.length <= most) return pages
  const reachOf = await siteReach(scope)
  const of = ({ url }: ChosenPage) => reachOf(url)
  return pages.toSorted((a, b) => of(b) - of(a) || (a.url < b.url ? -1 : 1)).slice(0, most)
}

function requirePages({ project }: ProjectScope, pages: readonly ChosenPage[]): void {
  if (pages.length === 0) throw new Fault('no_pages', 'There is no page to audit.')
  const { auditPagesPerRequest: maxAllowed } = plans[project.plan]
  const requested = pages.length
  if (requested <= maxAllowed) return
  throw new Fault(
    'bulk_limit_exceeded',
    `The request is for ${counted(requested, 'page')}. The plan "${project.plan}" allows ${counted(maxAllowed, 'page')} in one audit.`,
    { extras: { bulkLimitExceeded: true, requested, maxAllowed } },
  )
}

async function write(
  tx: Db,
  { project, now }: ProjectScope,
  actor: Actor,
  pages: readonly ChosenPage[],
  kind: Pick<Audit, 'isWholeSite' | 'checksExternalLinks'>,
): Promise<Audit> {
  const { id: projectId, workspaceId } = project
  const pageCount = pages.length
  const row = await tx.audit.create({ data: { projectId, pageCount, ...kind, createdAt: now } })
  await tx.auditPage.createMany({
    data: pages.map(({ id: pageId, url, address }) => {
      return { auditId: row.id, pageId, url, address: address ?? url }
    }),
  })
  await recordEdits(tx, actor, { workspaceId, projectId }, [
    { action: 'audit.create', subject: ['audit', row.id], after: { pageCount, ...kind } },
  ])
  await sendJob(tx, 'audit', { auditId: row.id })
  return auditOf(row)
}

/**
 * Requests an audit: of the given pages, of the `maxPages` tracked pages of most reach, or of all tracked pages. The
 * worker runs it.
 * @param privateHosts exceptions of the service, whose names need not be registrable domains
 * @throws {Fault} `pitch_not_supported`, `project_not_runnable`, `no_domain`, `no_pages`, `bulk_limit_exceeded`,
 *   `quota_exceeded`, in this order
 */
export function createAudit(
  scope: ProjectScope,
  actor: Actor,
  { pageIds, maxPages, externalLinks }: AuditRequest,
  privateHosts: readonly PrivateHost[],
): Promise<Audit> {
  const { db, project } = scope
  refusePitch(project)
  requireRunnable(project)
  requireDomain(project, privateHosts)
  return inTransaction(db, async (tx) => {
    const tracked = pageIds === undefined ? await trackedPages(tx, project.id) : null
    const asked = tracked ?? (await pagesByIds(tx, project.id, pageIds ?? []))
    const pages = maxPages === undefined ? asked : await ofMostReach(scope, asked, maxPages)
    requirePages(scope, pages)
    await reserveAudit(tx, project, scope.now)
    return write(tx, scope, actor, pages, {
      isWholeSite: tracked !== null && pages.length === tracked.length,
      checksExternalLinks: externalLinks ?? false,
    })
  })
}
