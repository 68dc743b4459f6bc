import { resolveWindow, type WindowArgs } from '../core/window.ts'
import type { ProjectScope } from './shared/scope.ts'

/** A year by default, three years at most. */
export const authorityWindow = { defaultDays: 365, maxDays: 1095 }

interface Row {
  readonly date: Date
  readonly score: number
  readonly backlinks: bigint
  readonly referringDomains: bigint
}

function measurement({ date, score, backlinks, referringDomains }: Row) {
  return {
    date: date.toISOString().slice(0, 10),
    score,
    backlinks: Number(backlinks),
    referringDomains: Number(referringDomains),
  }
}

export type Measurement = ReturnType<typeof measurement>

/**
 * Domain authority: the measurements of the window, oldest first, and the latest measurement up to the window's end,
 * which may be older than the window.
 */
export async function domainAuthority(scope: ProjectScope, args: WindowArgs) {
  const { db, project, now } = scope
  const range = resolveWindow(args, authorityWindow, now)
  const [history, newest] = await Promise.all([
    db.domainAuthority.findMany({
      where: {
        projectId: project.id,
        date: { gte: new Date(range.from), lte: new Date(range.to) },
      },
      orderBy: { date: 'asc' },
    }),
    db.domainAuthority.findFirst({
      where: { projectId: project.id, date: { lte: new Date(range.to) } },
      orderBy: { date: 'desc' },
    }),
  ])
  return {
    latest: newest && measurement(newest),
    history: history.map(measurement),
    dateRange: range,
  }
}
