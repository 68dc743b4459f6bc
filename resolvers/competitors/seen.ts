import { brandFields, brandsOf } from '../../core/project-brands.ts'
import { brandForm, type SeenBrand, seenBrands } from '../../core/text/seen-brands.ts'
import type { Db } from '../../prisma/client.ts'
import type { Warehouse } from '../../warehouse/client.ts'
import { run } from '../../warehouse/run.ts'
import { newestAnswers } from '../shared/newest-answers.sql.ts'
import { citedDomains } from './seen.sql.ts'

export const answersRead = 300
export const mostSuggested = 20
const mostDomains = 5000

export interface SuggestedCompetitors {
  readonly answersRead: number
  readonly dismissedCount: number
  readonly competitors: readonly SeenBrand[]
}

/**
 * Brands that the newest answers of a project list and that it does not track, the most mentioned first.
 * @param isDismissed true for those that somebody dismissed, false for all others
 */
export async function suggestedCompetitors(
  { db, warehouse }: { db: Db; warehouse: Warehouse },
  projectId: string,
  { limit, isDismissed }: { readonly limit: number; readonly isDismissed: boolean },
): Promise<SuggestedCompetitors> {
  const project = await db.project.findUniqueOrThrow({
    where: { id: projectId },
    select: {
      ...brandFields,
      visibleLoad: true,
      deadLoads: true,
      dismissedBrands: { select: { form: true } },
    },
  })
  const dismissed = new Set(project.dismissedBrands.map(({ form }) => form))
  const dismissedCount = dismissed.size
  const seen = { project: projectId, load: project.visibleLoad, dead: project.deadLoads }
  const answers = await run<{ platform: string; date: string; text: string }>(warehouse, {
    id: 'competitors.newest-answers',
    sql: newestAnswers,
    params: { ...seen, limit },
  })
  const oldest = answers.at(-1)
  if (oldest === undefined) return { answersRead: 0, dismissedCount, competitors: [] }
  const cited = await run<{ domain: string }>(warehouse, {
    id: 'competitors.cited-domains',
    sql: citedDomains,
    params: { ...seen, from: oldest.date, limit: mostDomains },
  })
  const domains = cited.map(({ domain }) => domain)
  const found = seenBrands(answers, domains, brandsOf(project)).filter(
    ({ name }) => dismissed.has(brandForm(name)) === isDismissed,
  )
  return {
    answersRead: answers.length,
    dismissedCount,
    competitors: found.slice(0, mostSuggested),
  }
}
