import { asStored, storedAs } from '../../core/stored-json.ts'
import type { Catalog, Db } from '../../prisma/client.ts'
import { citedUrls } from '../../resolvers/audits/facts.ts'
import { brandDomains } from '../../resolvers/projects/projects.ts'
import { jobScope } from '../../resolvers/shared/job-scope.ts'
import { llmsLinks } from '../../site/checks/llms.ts'
import { readOrigin } from '../../site/origin-facts.ts'
import type { Site } from '../../site/site.ts'
import { createTargetChoice } from '../../site/targets.ts'
import type { WorkSources } from '../job.ts'
import { citedElsewhere, trackedUrls } from './facts.ts'
import { whileRunning } from './pages.ts'
import { addedTargets, nextAddress, pageLinks, pageOrigins } from './slice.sql.ts'
import { pagesOf, slicesOf } from './slices.ts'
import type { AuditRow, KeptSite, OriginProbe } from './state.ts'
import { storedText } from './stored-json.ts'

export const keptSite = ({ site }: Pick<AuditRow, 'site'>): KeptSite =>
  storedAs<KeptSite | null>(site) ?? { robots: [] }

/** Adds a part to what the audit keeps of the site, with robots.txt of all origins so far. */
export async function keepSite(
  db: Catalog,
  auditId: string,
  site: Site,
  part: Partial<KeptSite> = {},
): Promise<boolean> {
  const robots = await site.robotsReadings()
  return whileRunning(db, auditId, async (tx) => {
    const audit = await tx.audit.findUniqueOrThrow({ where: { id: auditId } })
    const kept = { ...keptSite(audit), ...part, robots }
    await tx.audit.update({ where: { id: auditId }, data: { site: asStored(kept) } })
  })
}

/** The origins of the pages of an audit. */
async function originsOf(db: Db, auditId: string): Promise<string[]> {
  const rows = await db.$queryRawUnsafe<{ origin: string }[]>(pageOrigins, auditId)
  return rows.map(({ origin }) => origin)
}

/** Reads what is requested once for the site and its origins. */
export async function readSite(
  { db }: WorkSources,
  site: Site,
  { id, site: stored }: AuditRow,
  domain: string,
): Promise<boolean> {
  const kept = keptSite({ site: stored })
  if (kept.sitemaps !== undefined) return true
  const origin = await site.origin(domain)
  const origins = [...new Set([...(await originsOf(db, id)), origin])].sort()
  const probes: OriginProbe[] = []
  for (const each of origins) {
    // robots.txt of all origins is kept apart: the next slice begins with it.
    const { robots: _, ...probe } = await readOrigin(site, each)
    probes.push(probe)
  }
  return keepSite(db, id, site, { origin, probes, sitemaps: await site.sitemapFiles(origin) })
}

interface PageLinks {
  readonly url: string
  readonly links: readonly string[] | null
  readonly canonicals: readonly string[] | null
}

/** Chooses among the links and canonicals of the pages, a slice of pages at a time. */
async function linkTargets(db: Db, site: Site, auditId: string): Promise<string[]> {
  const pages = await pagesOf(db, auditId)
  const choice = createTargetChoice(new Set(pages.map(({ url }) => url)), site.isOwn)
  for (const slice of slicesOf(pages)) {
    const ids = slice.map(({ pageId }) => pageId)
    const rows = await db.$queryRawUnsafe<PageLinks[]>(pageLinks, auditId, ids)
    for (const { url, links, canonicals } of rows) {
      choice.add({ url, links: links ?? [], canonicals: canonicals ?? [] })
    }
  }
  return choice.chosen()
}

/**
 * Chooses the link targets of an audit, once.
 * @returns the targets of which only the URL is known; null when the audit no longer runs
 */
export async function chooseAll(
  sources: WorkSources,
  site: Site,
  audit: AuditRow,
): Promise<ReadonlySet<string> | null> {
  const { db } = sources
  const current = await db.audit.findUniqueOrThrow({ where: { id: audit.id } })
  const kept = keptSite(current)
  if (kept.hasTargets) return new Set(kept.guessed)
  const linked = await linkTargets(db, site, audit.id)
  const scope = await jobScope(sources, audit.projectId, audit.startedAt ?? audit.createdAt)
  if (!scope) return null
  const ownDomains = brandDomains(scope.project)
  const cited = citedElsewhere(await citedUrls(scope), await trackedUrls(db, audit.projectId))
  const named = (kept.probes ?? []).flatMap(({ llms }) =>
    llms?.outcome.kind === 'answered' ? llmsLinks(llms.outcome.text, llms.address, ownDomains) : [],
  )
  const spelled = new Set([...linked, ...named.filter(site.isOwn)])
  const guessed = cited
    .map(({ address }) => address)
    .filter((address) => site.isOwn(address) && !spelled.has(address))
  const isRunning = await whileRunning(db, audit.id, async (tx) => {
    await tx.$executeRawUnsafe(addedTargets, audit.id, [...spelled, ...guessed].map(storedText))
    const site = { ...kept, hasTargets: true, guessed }
    await tx.audit.update({ where: { id: audit.id }, data: { site: asStored(site) } })
  })
  return isRunning ? new Set(guessed) : null
}

/** The next link target that an audit has not requested. */
export async function nextTarget(db: Db, auditId: string): Promise<string | null> {
  const [next] = await db.$queryRawUnsafe<{ address: string }[]>(nextAddress, auditId)
  return next?.address ?? null
}

/** Asks the next link target. Returns whether there was one. */
export async function askTarget(
  db: Catalog,
  site: Site,
  auditId: string,
  guessed: ReadonlySet<string>,
): Promise<boolean> {
  const address = await nextTarget(db, auditId)
  if (address === null) return false
  const outcome = await site.target(address, !guessed.has(address))
  return whileRunning(db, auditId, (tx) =>
    tx.auditTarget.update({
      where: { auditId_address: { auditId, address } },
      data: { outcome: asStored(outcome) },
    }),
  )
}
