import { asStored } from '../../core/stored-json.ts'
import type { Catalog } from '../../prisma/client.ts'
import type { ExternalLinks } from '../../site/external-links.ts'
import { whileRunning } from './pages.ts'
import { keptSite } from './site.ts'
import { addedExternalLinks } from './slice.sql.ts'
import { storedText } from './stored-json.ts'

const mostLinks = 1000
const mostOfHost = 100

/** Lists the links of the pages to other sites, once. Returns false when the audit no longer runs. */
export function listExternalLinks(db: Catalog, auditId: string): Promise<boolean> {
  return whileRunning(db, auditId, async (tx) => {
    const audit = await tx.audit.findUniqueOrThrow({ where: { id: auditId } })
    const kept = keptSite(audit)
    if (kept.hasExternalLinks) return
    await tx.$executeRawUnsafe(addedExternalLinks, auditId, mostLinks, mostOfHost)
    const site = asStored({ ...kept, hasExternalLinks: true })
    await tx.audit.update({ where: { id: auditId }, data: { site } })
  })
}

const queued = (auditId: string) => ({ auditId, state: 'queued' }) as const

/** Asks the next address, in their order: so one site after another. Returns whether there was one. */
export async function askExternalLink(
  db: Catalog,
  links: ExternalLinks,
  auditId: string,
): Promise<boolean> {
  const next = await db.externalLink.findFirst({
    where: queued(auditId),
    orderBy: { address: 'asc' },
    select: { address: true },
  })
  if (next === null) return false
  const { address } = next
  const answer = await links.ask(address)
  const { detail, finalAddress } = answer
  return whileRunning(db, auditId, (tx) =>
    tx.externalLink.update({
      where: { auditId_address: { auditId, address } },
      data: {
        ...answer,
        detail: detail && storedText(detail.slice(0, 500)),
        finalAddress: finalAddress && storedText(finalAddress),
      },
    }),
  )
}

/** Says of the links that are left that the time for the audit ended before them. */
export async function leaveExternalLinks(db: Catalog, auditId: string): Promise<void> {
  await db.externalLink.updateMany({
    where: queued(auditId),
    data: { state: 'not_checked', reason: 'budget' },
  })
}
