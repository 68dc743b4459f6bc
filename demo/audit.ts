import { idOf } from '../core/ids.ts'
import type { Catalog } from '../prisma/client.ts'

const dayMs = 24 * 60 * 60 * 1000

type Category = 'technical' | 'content' | 'aiReadiness'
type Scores = Record<Category | 'overall', number>

interface Fault {
  readonly check: string
  readonly category: Category
  readonly severity: 'critical' | 'high' | 'medium' | 'low'
  readonly affectedCount?: number
}

const points = { critical: 50, high: 20, medium: 8, low: 3 } as const

/** What the audit of the invented site found, by path. */
const faults: Readonly<Record<string, readonly Fault[]>> = {
  '/imprint': [{ check: 'description-missing', category: 'content', severity: 'medium' }],
  '/careers': [
    { check: 'slow-response', category: 'technical', severity: 'medium', affectedCount: 2140 },
    { check: 'structured-data-invalid', category: 'aiReadiness', severity: 'high' },
  ],
  '/press/2024': [{ check: 'date-missing', category: 'aiReadiness', severity: 'medium' }],
}

/** What it found of the site as a whole. */
const siteFault: Fault = { check: 'llms-txt-missing', category: 'aiReadiness', severity: 'low' }

const rounded = (value: number) => Math.round(value * 100) / 100

function overallOf({ technical, content, aiReadiness }: Record<Category, number>): Scores {
  const overall = rounded(0.3 * technical + 0.2 * content + 0.5 * aiReadiness)
  return { overall, technical, content, aiReadiness }
}

function scoresOf(found: readonly Fault[]): Scores {
  const of = (category: Category) =>
    found.reduce(
      (left, fault) => (fault.category === category ? left - points[fault.severity] : left),
      100,
    )
  return overallOf({
    technical: of('technical'),
    content: of('content'),
    aiReadiness: of('aiReadiness'),
  })
}

function scoresOfSite(pages: readonly Scores[]): Scores {
  const mean = (category: Category, less = 0) =>
    rounded(pages.reduce((sum, scores) => sum + scores[category], 0) / pages.length - less)
  return overallOf({
    technical: mean('technical'),
    content: mean('content'),
    aiReadiness: mean('aiReadiness', points[siteFault.severity]),
  })
}

/**
 * Writes a completed audit of the demonstration's pages, one day before `endDay`, with its issues. Doing it again
 * changes nothing.
 */
export async function loadDemoAudit(
  db: Catalog,
  projectId: string,
  { endDay }: { readonly endDay: string },
): Promise<void> {
  const pages = await db.page.findMany({ where: { projectId }, orderBy: { url: 'asc' } })
  const id = idOf(projectId, 'demo audit')
  const at = new Date(Date.parse(endDay) - dayMs)
  const judged = pages.map((page) => {
    const found = faults[new URL(page.url).pathname] ?? []
    return { page, found, scores: scoresOf(found) }
  })
  const host = pages[0] ? new URL(pages[0].url).origin : ''
  await db.$transaction(async (tx) => {
    if (await tx.audit.findUnique({ where: { id } })) return
    const { seq } = await tx.audit.create({
      data: {
        ...{ id, projectId, status: 'completed', isWholeSite: true, pageCount: pages.length },
        issueCount: judged.reduce((sum, { found }) => sum + found.length, 1),
        scores: scoresOfSite(judged.map(({ scores }) => scores)),
        ...{ createdAt: at, startedAt: at, completedAt: new Date(at.getTime() + 60_000) },
      },
    })
    await tx.auditPage.createMany({
      data: judged.map(({ page, found, scores }) => ({
        ...{ auditId: id, pageId: page.id, url: page.url, address: page.url, scores },
        ...{ status: 'completed', httpStatus: 200, issueCount: found.length },
      })),
    })
    const issue = (
      pageId: string | null,
      url: string,
      { check, severity, affectedCount = 1 }: Fault,
    ) => ({
      ...{
        id: idOf(projectId, 'issue', pageId ?? host, check),
        projectId,
        pageId,
        check,
        severity,
      },
      ...{ origin: pageId === null ? host : null, url, affectedCount, reach: 0, evidence: [] },
      ...{ decidedBy: seq, firstSeenAt: at, lastSeenAt: at, openedAt: at },
    })
    await tx.issue.createMany({
      data: [
        ...judged.flatMap(({ page, found }) =>
          found.map((fault) => issue(page.id, page.url, fault)),
        ),
        issue(null, `${host}/llms.txt`, siteFault),
      ],
    })
  })
}
