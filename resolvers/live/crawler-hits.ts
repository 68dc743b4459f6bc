import type { HitsEvent } from '../../core/live/events.ts'
import { run, type Warehouse } from '../../warehouse/run.ts'
import { hitsByDay } from './crawler-hits.sql.ts'

interface Row {
  readonly projectId: string
  readonly date: string
  readonly botName: string
  readonly hits: number
}

/** What was counted at a look. */
interface Look {
  readonly at: Date
  readonly from: string
  readonly projects: ReadonlySet<string>
  readonly hits: ReadonlyMap<string, number>
}

const dayMs = 86_400_000
const keyOf = ({ projectId, date, botName }: Row) => `${projectId} ${date} ${botName}`

/**
 * Finds the crawler hits that arrived in the warehouse since the look before, of the projects that are watched. It
 * compares counts: the tracker and its writer do nothing for it.
 */
export class CrawlerWatch {
  readonly #warehouse: Warehouse
  #last: Look | undefined

  constructor(warehouse: Warehouse) {
    this.#warehouse = warehouse
  }

  /**
   * One statement for all projects. The first look at a project finds nothing: it counts what is there already.
   * @throws as `run` does; the next look then finds the hits of both
   */
  async look(projects: ReadonlySet<string>, now: Date): Promise<HitsEvent[]> {
    const last = this.#last
    if (projects.size === 0) {
      this.#last = undefined
      return []
    }
    const from = new Date(now.getTime() - dayMs).toISOString().slice(0, 10)
    const rows = await run<Row>(this.#warehouse, {
      id: 'live.crawler-hits',
      sql: hitsByDay,
      params: { projects: [...projects], from },
    })
    this.#last = {
      at: now,
      from,
      projects: new Set(projects),
      hits: new Map(rows.map((row) => [keyOf(row), row.hits])),
    }
    if (last === undefined) return []
    const fresh = rows.flatMap((row) => {
      // A day that leaves the window at midnight is no loss, and no gain when it was never counted.
      if (!last.projects.has(row.projectId) || row.date < last.from) return []
      const hits = row.hits - (last.hits.get(keyOf(row)) ?? 0)
      return hits > 0 ? [{ ...row, hits }] : []
    })
    return [...Map.groupBy(fresh, ({ projectId }) => projectId)].map(([projectId, found]) => ({
      ...({ kind: 'crawlers_visited', projectId, at: now } as const),
      from: last.at,
      crawlers: sumOf(found),
    }))
  }
}

function sumOf(rows: readonly Row[]) {
  const sums = new Map<string, number>()
  for (const { botName, hits } of rows) sums.set(botName, (sums.get(botName) ?? 0) + hits)
  return [...sums]
    .map(([botName, hits]) => ({ botName, hits }))
    .sort((a, b) => b.hits - a.hits || (a.botName < b.botName ? -1 : 1))
}
