/** The rows of each id, in the order of `ids`. */
export function groupById<Row>(
  ids: readonly string[],
  rows: readonly Row[],
  idOf: (row: Row) => string | null,
): Row[][] {
  const groups = Map.groupBy(rows, idOf)
  return ids.map((id) => groups.get(id) ?? [])
}

/** The one row of each id, in the order of `ids`; null where there is none. */
export function oneById<Row>(
  ids: readonly string[],
  rows: readonly Row[],
  idOf: (row: Row) => string | null,
): (Row | null)[] {
  const known = new Map(rows.map((row) => [idOf(row), row]))
  return ids.map((id) => known.get(id) ?? null)
}

/** The rows of each workspace, in the order of `workspaceIds`. */
export const groupByWorkspace = <Row extends { readonly workspaceId: string }>(
  workspaceIds: readonly string[],
  rows: readonly Row[],
): Row[][] => groupById(workspaceIds, rows, ({ workspaceId }) => workspaceId)

/** The rows of each project, in the order of `projectIds`. */
export const groupByProject = <Row extends { readonly projectId: string }>(
  projectIds: readonly string[],
  rows: readonly Row[],
): Row[][] => groupById(projectIds, rows, ({ projectId }) => projectId)
