import type { Db } from '../../prisma/client.ts'

const byText = [{ text: 'asc' as const }, { id: 'asc' as const }]

function byProject<Row extends { projectId: string }>(
  ids: readonly string[],
  rows: Row[],
): Row[][] {
  const groups = Map.groupBy(rows, (row) => row.projectId)
  return ids.map((id) => groups.get(id) ?? [])
}

/** Competitors of each project with their aliases, by name. */
export async function loadTrackedCompetitors(db: Db, projectIds: readonly string[]) {
  const rows = await db.competitor.findMany({
    where: { projectId: { in: [...projectIds] } },
    include: { aliases: { orderBy: byText } },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
  })
  return byProject(projectIds, rows)
}

/** Other names of each project's brand, by text. */
export async function loadBrandAliases(db: Db, projectIds: readonly string[]) {
  const where = { projectId: { in: [...projectIds] } }
  return byProject(projectIds, await db.brandAlias.findMany({ where, orderBy: byText }))
}
