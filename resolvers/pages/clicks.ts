import { type DateRange, daysOf } from '../../core/window.ts'
import { run } from '../../warehouse/run.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { clickDays } from './pages.sql.ts'
import { spellingsOf } from './paths.ts'

interface ClickDay {
  readonly date: string
  readonly clicks: number
  readonly impressions: number
}

/** Clicks on one page in search results, and how often it stood there; one entry a day. */
export async function clicksOfPage(
  scope: ProjectScope,
  { host, path, range }: { host: string; path: string; range: DateRange },
) {
  if (!scope.project.connections.includes('searchConsole')) return { available: false, series: [] }
  const rows = await run<ClickDay>(scope.warehouse, {
    id: 'pages.clicks',
    sql: clickDays,
    params: { project: scope.project.id, ...range, host, pages: spellingsOf(path) },
  })
  const byDay = new Map(rows.map((row) => [row.date, row]))
  const series = daysOf(range).map((date) => byDay.get(date) ?? { date, clicks: 0, impressions: 0 })
  return { available: true, series }
}

export type PageClicks = Awaited<ReturnType<typeof clicksOfPage>>
